"""What happened in a game before now, worked out anew from the table's journal: nothing of it is
kept in memory. Long games take a while, so it is done in a thread: in one, since more would not be
faster together, but hold up everybody who plays."""

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec

from pli import proof
from pli.errors import PliError
from pli.game import Game, Seat
from pli.match import Match
from pli.record import write_record
from pli.server import bodies as b
from pli.server import entries as e
from pli.server import messages as m
from pli.server.journal import Append, Journal, KeptRecord
from pli.server.table import Table

_log = logging.getLogger(__name__)
_reading = ThreadPoolExecutor(1, "history")


def replayed(name: str, data: Sequence[bytes], number: int | None = None) -> Table:
    """The table at the end of its game of that number, or now, with all steps of that game."""
    made = e.decode(data[0])
    assert isinstance(made, e.Made)
    table = Table(name, made, keep=True)
    for body in data[1:]:
        entry = e.decode(body)
        table.apply(entry)
        if isinstance(entry, e.Ended) and table.number == number:
            break
    return table


def _steps(table: Table) -> Match:
    if table.match is None:
        raise PliError("outdated_game" if table.outdated else "no_such_game")
    return table.match


def seen(table: Table, seat: Seat) -> list[m.Happened]:
    """All that a seat saw, with the time."""
    match = _steps(table)
    happened = []
    time = 0
    for number, step in enumerate(match.steps):
        time = getattr(step.given, "time", time)
        for event in match.events(seat, number, number + 1):
            happened.append(m.Happened(time=time, event=event))
    return happened


def updates(table: Table, seat: Seat) -> list[m.Update]:
    """A finished game as a seat saw it, step by step."""
    if table.state != "over":
        raise PliError("not_over")
    match = _steps(table)
    load = match.game.rules.layout.load
    told = []
    time = 0
    for number, step in enumerate(match.steps):
        time = getattr(step.given, "time", time)
        told.append(
            m.Update(
                n=number,
                time=time,
                events=list(match.events(seat, number, number + 1)),
                view=match.game.view(load(step.after), seat),
                legal=[],
            )
        )
    return told


def faces(table: Table) -> dict[str, str]:
    """The pictures of all faces that were seen in a finished game."""
    match, sheets = _steps(table), table.sheets
    if sheets is None or match.game.album is None:
        return {}
    load = match.game.rules.layout.load
    seen: dict[str, int] = {}
    for step in match.steps:
        seen |= match.game.album.open(load(step.after))
    return sheets.places(seen)


def moves(name: str, data: Sequence[bytes], number: int) -> b.Moves:
    """A finished game as its journal has it, under whatever rules it was played: the actions of a
    game keep their numbers from version to version."""
    made = e.decode(data[0])
    assert isinstance(made, e.Made)
    table = Table(name, made)
    found: list[b.Move] = []
    for body in data[1:]:
        entry = e.decode(body)
        if isinstance(entry, e.Acted | e.Ticked):
            table.pass_over(entry)
            if table.number == number:
                found.append(_move(table.game, entry))
            continue
        table.apply(entry)
        if isinstance(entry, e.Ended) and table.number == number:
            winners, abandoned = entry.winners, entry.abandoned
            return b.Moves(table=table.info(), winners=winners, abandoned=abandoned, moves=found)
    raise PliError("not_over" if table.number == number else "no_such_game")


def _move(game: Game[Any], entry: e.Acted | e.Ticked) -> b.Move:
    if isinstance(entry, e.Ticked):
        return b.Move(time=entry.time, seat=None)
    known = 0 <= entry.action < len(game.notation)
    action = game.notation.show(entry.action) if known else None
    return b.Move(time=entry.time, seat=entry.seat, action=action)


def record_text(table: Table) -> str:
    """The record of the table's finished game, with the proof of its shuffles."""
    if table.state != "over":
        raise PliError("not_over")
    match = _steps(table)
    shown = proof.Proof(
        table.game_id,
        proof.commit(table.game_id, table.secret),
        table.contributions,
        table.secret,
    )
    return write_record(match, shown, abandoned=not match.over)


async def load(
    journal: Journal, name: str, number: int | None = None, upto: int | None = None
) -> Table:
    """The same from the journal, or its entries up to a number, without holding anybody up."""
    data = await _entries(journal, name)
    if upto is not None:
        data = data[: upto + 1]
    table: Table = await work_out(replayed, name, data, number)
    return table


async def moves_of(journal: Journal, name: str, number: int) -> b.Moves:
    """The moves of a finished game from the journal, without holding anybody up."""
    data = await _entries(journal, name)
    told: b.Moves = await work_out(moves, name, data, number)
    return told


async def _entries(journal: Journal, name: str) -> Sequence[bytes]:
    data = await journal.entries(name)
    if not data:
        raise PliError("no_such_table")
    return data


async def work_out(function: Any, *values: Any) -> Any:
    return await asyncio.get_running_loop().run_in_executor(_reading, function, *values)


async def record_of(journal: Journal, name: str, number: int) -> str:
    """The record of a finished game: as it was kept, or worked out if it was not yet."""
    kept = await journal.record(name, number)
    if kept is not None:
        return kept
    table = await load(journal, name, number)
    if table.number != number:
        raise PliError("no_such_game")
    return str(await work_out(record_text, table))


async def keep_record(journal: Journal, name: str, number: int) -> int:
    """Keeps the record of a game that has just ended, so that it outlives the journal. If that
    fails it is worked out from the journal whenever somebody asks. Tells how long it is."""
    try:
        text = await record_of(journal, name, number)
        record = KeptRecord(number=number, text=text)
        await journal.append(Append(table=name, first=0, entries=(), listing=None, record=record))
        return len(text)
    except PliError as error:
        if error.code == "outdated_game":
            return 0  # a record is written by replaying
        _log.warning("record not kept", extra={"table": name, "code": error.code})
        return 0


async def keep_records(journal: Journal, name: str) -> None:
    """Keeps the records of all finished games of a table of which that was not done yet."""
    try:
        table = await load(journal, name)
    except (PliError, msgspec.DecodeError):
        return  # what can't be read has no records
    for number in range(1, len(table.results) + 1):
        if await journal.record(name, number) is None:
            await keep_record(journal, name, number)
