"""What follows from a game's entries, or from its record: what a seat saw, the record itself, a
replay, a list of moves. All of it in slices, and nothing is kept on the way but what is told."""

import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import msgspec

from pli import games
from pli.errors import PliError
from pli.game import Act, AnyGame, Event, Input, Seat, Tick
from pli.match import Match, Watch
from pli.record import RecordWriter, proof
from pli.record.format import checked, unclock
from pli.record.reading import read_record_slices
from pli.record.transcript import TranscriptLine, read_transcript_slices
from pli.server.history.packing import Packer
from pli.server.journal.api import KeptRecord
from pli.server.protocol import bodies as b
from pli.server.protocol import messages as m
from pli.server.tables import entries as e
from pli.server.tables.table import Table, new_table, sheets_of
from pli.shuffling import Shuffler
from pli.slices import Slices

Kind = Literal["record", "replay", "moves", "pictures"]
"""What is told of a finished game."""

T = TypeVar("T")
Reading = Callable[[str, Sequence[bytes]], Slices[T]]
"""(table, all its entries): what follows from them."""

_encode = msgspec.json.Encoder().encode
_about = msgspec.json.Decoder(m.TableInfo).decode
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Start:
    """A game of a table before its first card: from this and its moves all else follows."""

    table: str
    number: int
    game: AnyGame
    options: Any
    shuffler: Shuffler
    begun: int
    """The number of the entry with which it began."""


def start_of(table: Table) -> Start:
    """Of the game that is played there, or was just played."""
    if table.match is None:
        raise PliError("outdated_game" if table.outdated else "no_such_game")
    options, shuffler = table.match.options, table.shuffler()
    return Start(table.name, table.number, table.game, options, shuffler, table.begun)


@dataclass(frozen=True)
class Ended:
    """A game that has just ended, as far as the table knows it: a rematch changes that."""

    start: Start
    last: int
    """The number of the table's last entry."""
    about: m.TableInfo
    proof: proof.Proof


def ended(table: Table) -> Ended:
    about = table.info()
    shown = proof.Proof(about.game_id, about.commitment, {**table.contributions}, table.secret)
    return Ended(start_of(table), table.n, about, shown)


# From entries


def playing(start: Start, data: Iterable[bytes], watch: Watch) -> Slices[Match]:
    """Plays a game again from the entries since it began; `watch` sees each input."""
    match = Match(start.game, start.options, start.shuffler, watch=watch)
    for body in data:
        yield
        entry = e.decode(body)
        if isinstance(entry, e.Acted):
            match.feed(Act(entry.seat, entry.action, entry.time))
        elif isinstance(entry, e.Ticked):
            match.feed(Tick(entry.time))
    return match


def seen(start: Start, data: Iterable[bytes], seat: Seat) -> Slices[list[Event]]:
    """All that a seat saw happen."""
    events: list[Event] = []

    def watch(before: Any, given: Input, after: Any) -> None:
        events.extend(start.game.events(before, given, after, seat))

    yield from playing(start, data, watch)
    return events


def logged(start: Start, data: Iterable[bytes], seat: Seat, n: int) -> Slices[bytes]:
    """The same with the time, up to entry n, as the message in which a page is told it."""
    told: list[Any] = []
    time = 0

    def watch(before: Any, given: Input, after: Any) -> None:
        nonlocal time
        time = getattr(given, "time", time)
        for event in start.game.events(before, given, after, seat):
            told.append(msgspec.Raw(_encode(m.Happened(time=time, event=event))))

    yield from playing(start, data, watch)
    return _encode(m.Logged(n=n, events=told))


def recording(game: Ended, data: Iterable[bytes]) -> Slices[KeptRecord]:
    """The record of a finished game, with the proof of its shuffles."""
    writer = RecordWriter(game.start.game, game.start.options, game.proof)
    match = yield from playing(game.start, data, writer.watch)
    text = writer.finish(match, abandoned=not match.over)
    return KeptRecord(game.about.number, text, _encode(game.about))


def records(
    table: str, data: Sequence[bytes], numbers: Collection[int]
) -> Slices[dict[int, KeptRecord]]:
    """The records of those finished games of a table, from all its entries. There is none of a game
    that was played under other rules. The moves of other games are passed over."""
    found = {}
    state = new_table(table, data)
    for body in data[1:]:
        yield
        entry = e.decode(body)
        if isinstance(entry, e.Acted | e.Ticked):
            state.pass_over(entry)
            continue
        state.apply(entry)
        if isinstance(entry, e.Ended) and state.number in numbers and state.match is not None:
            game = ended(state)
            since = data[game.start.begun + 1 : state.n]
            found[state.number] = yield from recording(game, since)
            if len(found) == len(numbers):
                break
    return found


def moves_of_entries(table: str, data: Sequence[bytes], number: int) -> Slices[bytes]:
    """The moves of a finished game as its journal has them, under whatever rules it was played: the
    actions of a game keep their numbers from version to version."""
    state = new_table(table, data)
    found: list[b.Move] = []
    for body in data[1:]:
        yield
        entry = e.decode(body)
        if isinstance(entry, e.Acted | e.Ticked):
            state.pass_over(entry)
            if state.number == number:
                found.append(_move(state.game, entry))
            continue
        state.apply(entry)
        if isinstance(entry, e.Ended) and state.number == number:
            return (yield from _packed_moves(state.info(), entry.winners, entry.abandoned, found))
    raise PliError("no_such_game")


def pictures_of_entries(table: str, data: Sequence[bytes], number: int) -> Slices[bytes]:
    """What the pictures of a finished game follow from, under whatever rules it was played."""
    game = new_table(table, data).game
    for body in data[1:]:
        yield
        entry = e.decode(body)
        if isinstance(entry, e.Committed) and entry.number == number:
            return _pictures(game.name, entry.secret)
    raise PliError("no_such_game")


def _pictures(game: str, secret: str | None) -> bytes:
    return f"{game} {secret}".encode()


def _packed_moves(
    about: m.TableInfo, winners: list[int], abandoned: bool, moves: Iterable[b.Move]
) -> Slices[bytes]:
    packer = Packer()
    around = _encode(b.Moves(table=about, winners=winners, abandoned=abandoned, moves=[]))
    packer.add(around.removesuffix(b"]}"))
    for number, move in enumerate(moves):
        packer.add((b"," if number else b"") + _encode(move))
        yield
    packer.add(b"]}")
    return packer.finish()


def _move(game: AnyGame, entry: e.Acted | e.Ticked) -> b.Move:
    if isinstance(entry, e.Ticked):
        return b.Move(time=entry.time, seat=None)
    known = 0 <= entry.action < len(game.notation)
    action = game.notation.show(entry.action) if known else None
    return b.Move(time=entry.time, seat=entry.seat, action=action)


def unless_damaged(table: str, slices: Slices[T]) -> Slices[T]:
    """What comes of a table's entries; if they can't be read, that is told and logged."""
    try:
        return (yield from slices)
    except (msgspec.DecodeError, PliError, LookupError, ValueError) as error:
        _log.exception("a table can't be read", extra={"table": table})
        raise PliError("journal_damaged") from error


# From a record


def telling(record: KeptRecord, kind: Kind, seat: Seat) -> Slices[bytes]:
    """What is asked for of a finished game, packed, from its record alone; one that does not say
    what it is about can only tell its text. BadRecord, WrongSyntax, DecodeError: it is damaged."""
    if kind == "record":
        packer = Packer()
        for line, _ in zip(
            record.text.splitlines(keepends=True), checked(record.text), strict=True
        ):
            packer.add(line.encode())
            yield
        return packer.finish()
    about = _as_today(_about(record.about or b""))
    if kind == "moves":
        return (yield from _moves(record, about))
    if kind == "pictures":
        return _pictures(about.game, about.secret)
    return (yield from _replay(record, about, seat))


def _as_today(about: m.TableInfo) -> m.TableInfo:
    """A table as it was, and what that means under the rules of today."""
    if about.version == games.load(about.game).version:
        return about
    return msgspec.structs.replace(about, outdated=True, departures=[], kinds=["same"])


def _replay(record: KeptRecord, about: m.TableInfo, seat: Seat) -> Slices[bytes]:
    """A finished game as a seat saw it, step by step: a packed `Replay`."""
    if about.outdated:
        raise PliError("outdated_game")
    if seat is not None and seat >= len(about.seats):
        raise PliError("no_such_seat", seat=seat)
    game = games.load(about.game)
    faces: dict[str, int] = {}
    packer = Packer()
    packer.add(b'{"table":%s,"seat":%s,"updates":[' % (_encode(about), _encode(seat)))
    time = number = 0

    def watch(before: Any, given: Input, after: Any) -> None:
        nonlocal time, number
        time = getattr(given, "time", time)
        events, view = list(game.events(before, given, after, seat)), game.view(after, seat)
        update = m.Update(n=number, time=time, events=events, view=view, legal=[])
        packer.add((b"," if number else b"") + _encode(update))
        number += 1
        if game.sprites is not None:
            faces.update(game.sprites.visible(after))

    yield from read_record_slices(record.text, watch=watch)
    sheets = sheets_of(game, about.game_id, about.secret or "")
    places = sheets.places(faces) if sheets is not None else {}
    packer.add(b'],"faces":%s}' % _encode(places))
    return packer.finish()


def _moves(record: KeptRecord, about: m.TableInfo) -> Slices[bytes]:
    """The moves of a finished game, under whatever rules it was played."""
    written = yield from read_transcript_slices(record.text)
    moves = (_written_move(line) for line in written.lines if line.time)
    abandoned = written.winners is None
    return (yield from _packed_moves(about, written.winners or [], abandoned, moves))


def _written_move(line: TranscriptLine) -> b.Move:
    action = None if line.seat is None else line.text
    return b.Move(time=unclock(line.time), seat=line.seat, action=action)
