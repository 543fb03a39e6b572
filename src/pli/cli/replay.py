"""`pli replay`: a recorded game as it happened, or the table at one point of it."""

from pathlib import Path
from typing import Annotated

import typer

from pli.cli.common import DEFAULT_LANGUAGE, Language, game_words, read_text, say, whole
from pli.cli.table import console, draw, hand_of, tell
from pli.errors import PliError
from pli.record import clock, read_record, replay


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=say("cli.file"))],
    at: Annotated[
        int | None, typer.Option(metavar="N", parser=whole("at", 0), help=say("cli.at"))
    ] = None,
    lang: Language = DEFAULT_LANGUAGE,
) -> None:
    record = read_record(read_text(file))
    words = game_words(record.game.name)
    out = console()
    total = len(record.inputs)
    if at is not None and at > total:
        raise PliError("no_steps", n=total, at=at)
    match = replay(record, at)
    if at is None:
        for number, step in enumerate(match.steps, 1):
            time = getattr(step.given, "time", None)
            moment = f"{clock(time):>10}" if time is not None else " " * 10
            for event in match.events(None, number - 1, number):
                sentence = tell(event, None, words)
                if sentence is not None:
                    out.print(f"[dim]{number:>5}{moment}[/]  ", sentence)
    else:
        out.print(words("replay.step", n=at, total=total), style="bold")
    view = match.view(None)
    out.print(draw(match.game.board(view), view, (), words))
    if at is not None:
        for seat in range(match.seats):
            out.print(hand_of(seat, match.view(seat).hand, words))
