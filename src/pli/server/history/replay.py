"""Computations over the entries or the record of a game: what a seat saw, the record, a replay, a
list of moves. Each is a generator that yields often (`Slices`), and holds nothing but its
result."""

import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import msgspec

from pli import games
from pli.errors import PliError
from pli.game import Act, AnyGame, Event, Input, Seat, Tick
from pli.match import AnyMatch, Match, Watch
from pli.record import RecordWriter, proof
from pli.record.format import checked, unclock
from pli.record.reading import read_record_slices
from pli.record.transcript import TranscriptLine, read_transcript_slices
from pli.server.history.compression import GzipWriter
from pli.server.journal.api import KeptRecord
from pli.server.protocol import bodies as b
from pli.server.protocol import messages as m
from pli.server.tables import entries as e
from pli.server.tables.table import ReadOnlyTable, Table, new_table, sheets_of
from pli.shuffling import Shuffler
from pli.slices import Slices

Kind = Literal["record", "replay", "moves", "pictures"]
"""The kinds of responses about a finished game."""

T = TypeVar("T")
EntriesReader = Callable[[str, Sequence[bytes]], Slices[T]]
"""A computation over (table, all its entries)."""

_encode = msgspec.json.Encoder().encode
_about = msgspec.json.Decoder(m.TableInfo).decode
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class GameStart:
    """A game of a table before its first card: with its moves, all that is needed to replay it."""

    table: str
    number: int
    game: AnyGame
    options: Any
    shuffler: Shuffler
    begun: int
    """The number of the entry with which it began."""


def game_start(table: ReadOnlyTable) -> GameStart:
    """The start of the game that is played at a table, or was just played."""
    if table.match is None:
        raise PliError("outdated_game" if table.outdated else "no_such_game")
    options, shuffler = table.match.options, table.shuffler()
    return GameStart(table.name, table.number, table.game, options, shuffler, table.begun)


@dataclass(frozen=True)
class FinishedGame:
    """A game that has just ended: a copy of what the table knows, since a rematch changes that."""

    start: GameStart
    last: int
    """The number of the table's last entry."""
    about: m.TableInfo
    proof: proof.Proof


def finished_game(table: Table) -> FinishedGame:
    about = table.info()
    shuffles = proof.Proof(about.game_id, about.commitment, {**table.contributions}, table.secret)
    return FinishedGame(game_start(table), table.n, about, shuffles)


# From entries


def playing(start: GameStart, data: Iterable[bytes], watch: Watch[Any]) -> Slices[AnyMatch]:
    """Replays a game from the entries since it began; `watch` sees each input."""
    match = Match(start.game, start.options, start.shuffler, watch=watch)
    for body in data:
        yield
        entry = e.decode(body)
        if isinstance(entry, e.Acted):
            match.feed(Act(entry.seat, entry.action, entry.time))
        elif isinstance(entry, e.Ticked):
            match.feed(Tick(entry.time))
    return match


def seen(start: GameStart, data: Iterable[bytes], seat: Seat) -> Slices[list[Event]]:
    """All events that a seat saw."""
    events: list[Event] = []

    def watch(before: Any, given: Input, after: Any) -> None:
        events.extend(start.game.events(before, given, after, seat))

    yield from playing(start, data, watch)
    return events


def logged(start: GameStart, data: Iterable[bytes], seat: Seat, n: int) -> Slices[bytes]:
    """The same with their times, up to entry n, as an encoded message to a page."""
    happened: list[Any] = []
    time = 0

    def watch(before: Any, given: Input, after: Any) -> None:
        nonlocal time
        time = getattr(given, "time", time)
        for event in start.game.events(before, given, after, seat):
            happened.append(msgspec.Raw(_encode(m.Happened(time=time, event=event))))

    yield from playing(start, data, watch)
    return _encode(m.Logged(n=n, events=happened))


def recording(game: FinishedGame, data: Iterable[bytes]) -> Slices[KeptRecord]:
    """The record of a finished game, with the proof of its shuffles."""
    writer = RecordWriter(game.start.game, game.start.options, game.proof)
    match = yield from playing(game.start, data, writer.watch)
    text = writer.finish(match, abandoned=not match.over)
    return KeptRecord(game.about.number, text, _encode(game.about))


def records(
    table: str, data: Sequence[bytes], numbers: Collection[int]
) -> Slices[dict[int, KeptRecord]]:
    """The records of the finished games with these numbers, from all entries of a table. A game
    that was played under another version of the rules has none. Other games are not replayed."""
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
            game = finished_game(state)
            since = data[game.start.begun + 1 : state.n]
            found[state.number] = yield from recording(game, since)
            if len(found) == len(numbers):
                break
    return found


def moves_of_entries(table: str, data: Sequence[bytes], number: int) -> Slices[bytes]:
    """The moves of a finished game as its journal has them, of any version of the rules: actions
    keep their numbers from version to version."""
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
            return (yield from _moves_response(state.info(), entry.winners, entry.abandoned, found))
    raise PliError("no_such_game")


def pictures_of_entries(table: str, data: Sequence[bytes], number: int) -> Slices[bytes]:
    """What the sprites of a finished game are made from, of any version of the rules."""
    game = new_table(table, data).game
    for body in data[1:]:
        yield
        entry = e.decode(body)
        if isinstance(entry, e.Committed) and entry.number == number:
            return _pictures(game.name, entry.secret)
    raise PliError("no_such_game")


def _pictures(game: str, secret: str | None) -> bytes:
    return f"{game} {secret}".encode()


def _moves_response(
    about: m.TableInfo, winners: list[int], abandoned: bool, moves: Iterable[b.Move]
) -> Slices[bytes]:
    output = GzipWriter()
    around = _encode(b.Moves(table=about, winners=winners, abandoned=abandoned, moves=[]))
    output.write(around.removesuffix(b"]}"))
    for number, move in enumerate(moves):
        output.write((b"," if number else b"") + _encode(move))
        yield
    output.write(b"]}")
    return output.finish()


def _move(game: AnyGame, entry: e.Acted | e.Ticked) -> b.Move:
    if isinstance(entry, e.Ticked):
        return b.Move(time=entry.time, seat=None)
    known = 0 <= entry.action < len(game.notation)
    action = game.notation.show(entry.action) if known else None
    return b.Move(time=entry.time, seat=entry.seat, action=action)


def unless_damaged(table: str, slices: Slices[T]) -> Slices[T]:
    """A computation over a table's entries; if they can't be read, that is logged and raised as
    `journal_damaged`."""
    try:
        return (yield from slices)
    except (msgspec.DecodeError, PliError, LookupError, ValueError) as error:
        _log.exception("the entries of a table can't be read", extra={"table": table})
        raise PliError("journal_damaged") from error


# From a record


def response(record: KeptRecord, kind: Kind, seat: Seat) -> Slices[bytes]:
    """A response about a finished game, from its record alone: gzip-compressed but for `pictures`.
    A record without `about` gives only its text. BadRecord, WrongSyntax, DecodeError: it is
    damaged."""
    if kind == "record":
        output = GzipWriter()
        for line, _ in zip(
            record.text.splitlines(keepends=True), checked(record.text), strict=True
        ):
            output.write(line.encode())
            yield
        return output.finish()
    about = _with_current_rules(_about(record.about or b""))
    if kind == "moves":
        return (yield from _moves(record, about))
    if kind == "pictures":
        return _pictures(about.game, about.secret)
    return (yield from _replay(record, about, seat))


def _with_current_rules(about: m.TableInfo) -> m.TableInfo:
    """A table as it was, marked as outdated if the rules have another version now."""
    if about.version == games.load(about.game).version:
        return about
    return msgspec.structs.replace(about, outdated=True, departures=[], kinds=["same"])


def _replay(record: KeptRecord, about: m.TableInfo, seat: Seat) -> Slices[bytes]:
    """A finished game as a seat saw it, update by update: a compressed `Replay`."""
    if about.outdated:
        raise PliError("outdated_game")
    if seat is not None and seat >= len(about.seats):
        raise PliError("no_such_seat", seat=seat)
    game = games.load(about.game)
    faces: dict[str, int] = {}
    output = GzipWriter()
    output.write(b'{"table":%s,"seat":%s,"updates":[' % (_encode(about), _encode(seat)))
    time = number = 0

    def watch(before: Any, given: Input, after: Any) -> None:
        nonlocal time, number
        time = getattr(given, "time", time)
        events, view = list(game.events(before, given, after, seat)), game.view(after, seat)
        update = m.Update(n=number, time=time, events=events, view=view, legal=[])
        output.write((b"," if number else b"") + _encode(update))
        number += 1
        if game.sprites is not None:
            faces.update(game.sprites.visible(after))

    yield from read_record_slices(record.text, watch=watch)
    sheets = sheets_of(game, about.game_id, about.secret or "")
    places = sheets.places(faces) if sheets is not None else {}
    output.write(b'],"faces":%s}' % _encode(places))
    return output.finish()


def _moves(record: KeptRecord, about: m.TableInfo) -> Slices[bytes]:
    """The moves of a finished game, of any version of the rules."""
    written = yield from read_transcript_slices(record.text)
    moves = (_written_move(line) for line in written.lines if line.time)
    abandoned = written.winners is None
    return (yield from _moves_response(about, written.winners or [], abandoned, moves))


def _written_move(line: TranscriptLine) -> b.Move:
    action = None if line.seat is None else line.text
    return b.Move(time=unclock(line.time), seat=line.seat, action=action)
