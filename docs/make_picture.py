"""Draws docs/table.svg, the picture in the README: a table in the terminal, from a fixed seed."""

import io
import re
from pathlib import Path

from rich.console import Console

import pli
from pli.cli.table import draw, tell
from pli.texts import words

FORMAT = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, monospace;
font-size: {char_height}px; line-height: {line_height}px; }}
{styles}</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}<g class="{unique_id}-matrix">{matrix}</g></g></svg>
"""


def main() -> None:
    match = pli.new("marshmallow", seed="picture", first_dealer=1)
    say = words("en", "marshmallow")
    for _ in range(62):
        seat = match.actors[0]
        match.act(seat, match.legal(seat)[-1])
    while match.actors != [0] or len(match.view(0).trick) < 2 or match.view(0).phase != "play":
        seat = match.actors[0]
        match.act(seat, match.legal(seat)[0])
    view = match.view(0)
    console = Console(record=True, width=84, file=io.StringIO(), force_terminal=True)
    for event in list(match.events(0))[-3:]:
        console.print(" ", tell(event, 0, say))
    playable = [action.removeprefix("play ") for action in match.legal(0)]
    console.print(draw(match.game.board(view), view, playable, say))
    console.print(f" [bold]{say('prompts.play')}[/]\n {say('play.prompt')} ")
    svg = console.export_svg(title="pli play marshmallow", code_format=FORMAT, unique_id="table")
    svg = re.sub(r"[ \t]+$", "", svg, flags=re.MULTILINE)
    (Path(__file__).parent / "table.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
