"""`pli hint`: what search thinks of a seat's actions at one point of a recorded game."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from pli.bots.hints import ITERATIONS, RankedAction, hint
from pli.cli.common import DEFAULT_LANGUAGE, Json, Language, game_words, read_text, say, whole
from pli.cli.table import console, seat_name
from pli.errors import BadOption, PliError
from pli.match import AnyMatch
from pli.record import read_record, replay
from pli.texts import Words

SOON = 2.0
"""Seconds after which the spinner says why it takes so long."""


def run(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help=say("cli.file"))],
    at: Annotated[
        int | None, typer.Option(metavar="N", parser=whole("at", 0), help=say("cli.at_hint"))
    ] = None,
    seat: Annotated[
        int | None, typer.Option(metavar="SEAT", parser=whole("seat", 0), help=say("cli.seat_hint"))
    ] = None,
    iterations: Annotated[
        int,
        typer.Option(metavar="N", parser=whole("iterations", 1), help=say("cli.iterations")),
    ] = ITERATIONS,
    json: Json = False,
    lang: Language = DEFAULT_LANGUAGE,
) -> None:
    record = read_record(read_text(file))
    words = game_words(record.game.name)
    total = len(record.inputs)
    at = total if at is None else at
    if at > total:
        raise PliError("no_steps", n=total, at=at)
    if record.game.rollout is None:
        raise PliError("no_hints", game=words("name"))
    match = replay(record, at)
    seat = _who(match, seat, at)
    with _patience(words):
        found = hint(match, seat, iterations)
    if json:
        actions = [
            {"action": each.action, "chance": each.chance, "visits": each.visits, "share": share}
            for each, share in _shares(found)
        ]
        figures = {
            "game": record.game.name,
            "version": record.game.version,
            "step": at,
            "steps": total,
            "seat": seat,
            "iterations": iterations,
            "actions": actions,
        }
        print(msgspec.json.format(msgspec.json.encode(figures)).decode())
        return
    title = words("hint.title", n=at, total=total, seat=seat_name(seat, None, words))
    out = console()
    out.print(title, style="bold")
    out.print(_table(found, words))


def _who(match: AnyMatch, seat: int | None, at: int) -> int:
    """The seat asked for, or the one for whom play waits."""
    awaited = match.view(None).awaited
    if seat is None:
        if not awaited:
            raise PliError("nobody_decides", at=at)
        return int(awaited[0])
    if seat >= match.seats:
        raise BadOption(name="seat", value=seat, allowed=f"0-{match.seats - 1}")
    if seat not in awaited:
        raise PliError("no_decision", at=at, seat=seat)
    return seat


def _shares(found: Sequence[RankedAction]) -> Iterator[tuple[RankedAction, float]]:
    total = sum(each.visits for each in found)
    for each in found:
        yield each, each.visits / total


def _table(found: Sequence[RankedAction], words: Words) -> Table:
    table = Table()
    table.add_column(words("hint.action"))
    table.add_column(words("hint.chance"), justify="right")
    table.add_column(words("hint.share"), justify="right")
    for each, share in _shares(found):
        table.add_row(each.action, f"{each.chance:.1%}", f"{share:.1%}")
    return table


@contextmanager
def _patience(words: Words) -> Iterator[None]:
    """A spinner while the search runs."""
    status = Console(stderr=True).status(words("hint.thinking"))
    later = threading.Timer(SOON, status.start)
    later.start()
    try:
        yield
    finally:
        later.cancel()
        later.join()
        status.stop()
