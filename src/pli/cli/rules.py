"""`pli rules`: the rules of a game on one page, and what can be typed."""

import re

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Markdown
from rich.segment import Segment

from pli import games
from pli.cli.common import DEFAULT_LANGUAGE, GameName, Language
from pli.cli.table import card_text, console, is_colourless
from pli.texts import rules_page, terminal_page

CARD = re.compile(r"\[([BGYPO]\d+)\]")


class RulesText:
    """A game's rules; cards in them are tiles as on the table, or in brackets without colours."""

    def __init__(self, language: str, game: str) -> None:
        pages = rules_page(language, game), terminal_page(language, game)
        self._markdown = Markdown("\n".join(pages))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        colourless = is_colourless(console)
        for segment in console.render(self._markdown, options):
            # Every other part is the name of a card, which is never broken over two lines.
            parts = [segment.text] if colourless else CARD.split(segment.text)
            for i, part in enumerate(parts):
                if i % 2:
                    tile = card_text(part)
                    yield Segment(tile.plain, console.get_style(tile.style))
                else:
                    yield Segment(part, segment.style, segment.control)


def run(game: GameName, lang: Language = DEFAULT_LANGUAGE) -> None:
    console().print(RulesText(lang, games.load(game).name))
