"""`pli replay`: a recorded game as it happened, or the table at one point of it. A record
of another version of the rules is shown as a transcript."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from pli.cli.common import (
    DEFAULT_LANGUAGE,
    Language,
    game_words,
    one_line,
    read_text,
    say,
    tell_house_rules,
    whole,
)
from pli.cli.table import console, draw, hand_of, seat_name, tell
from pli.errors import BadRecord, PliError
from pli.record import Record, clock, read_record, replay
from pli.record.transcript import Transcript, read_transcript


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=say("cli.file"))],
    at: Annotated[
        int | None, typer.Option(metavar="N", parser=whole("at", 0), help=say("cli.at"))
    ] = None,
    lang: Language = DEFAULT_LANGUAGE,
) -> None:
    text = read_text(file)
    try:
        record = read_record(text)
    except BadRecord as error:
        if error.code != "record_version":
            raise
        _show_written(read_transcript(text), at)
    else:
        _show(record, at)


def _total(steps: Sequence[object], at: int | None) -> int:
    """How many steps there are: that many, or more than are asked for."""
    if at is not None and at > len(steps):
        raise PliError("no_steps", n=len(steps), at=at)
    return len(steps)


def _show(record: Record, at: int | None) -> None:
    words = game_words(record.game.name)
    out = console()
    total = _total(record.inputs, at)
    match = replay(record, at)
    tell_house_rules(out, record.options, words)
    if at is None:
        for number, step in enumerate(match.steps, 1):
            time = getattr(step.given, "time", None)
            moment = clock(time) if time is not None else ""
            for event in match.events(None, number - 1, number):
                sentence = tell(event, None, words)
                if sentence is not None:
                    out.print(f"[dim]{number:>5}{moment:>10}[/]  ", sentence)
    else:
        out.print(words("replay.step", n=at, total=total), style="bold")
    view = match.view(None)
    out.print(draw(match.game.board(view), view, (), words))
    if at is not None:
        for seat in range(match.seats):
            out.print(hand_of(seat, match.view(seat).hand, words))


def _show_written(written: Transcript, at: int | None) -> None:
    """All of it, or its first steps: there is no table to be drawn without the rules of then."""
    words = game_words(written.game.name)
    out = console()
    total = _total(written.lines, at)
    out.print(words("name"), style="bold")
    out.print(words("replay.written", version=written.version, ours=written.game.version))
    for text in written.header:
        out.print(one_line(text), style="dim", markup=False, soft_wrap=True)
    for number, line in enumerate(written.lines[:at], 1):
        who = "" if line.seat is None else f"{seat_name(line.seat, None, words)}: "
        out.print(f"[dim]{number:>5}{line.time:>10}[/]  ", end="")
        out.print(one_line(f"{who}{line.text}"), markup=False, soft_wrap=True)
    if at is not None:
        out.print(words("replay.step", n=at, total=total), style="bold")
    if at not in (None, total):
        return
    if written.winners is None:
        out.print(words("replay.unfinished"), style="bold")
    else:
        names = ", ".join(seat_name(each, None, words) for each in written.winners)
        ending = words("play.winner", n=len(written.winners), names=names)
        out.print(ending if names else words("play.no_winner"), style="bold")
