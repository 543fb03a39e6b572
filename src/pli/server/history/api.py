"""What happened in games before now, computed from the journal off the event loop.

There are three queues, in order of priority: what a running table needs, which costs no more than
the game that is played there; tables that are being opened, which costs more the more was played at
them; and finished games, for any client. In each queue client addresses take turns.

Whether a game exists is looked up before anything is computed. A finished game is computed from its
record alone; one without a record is computed from the table's entries, and its record then saved.
"""

import logging
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache, partial
from typing import NamedTuple, TypeVar

import msgspec

from pli import games
from pli.errors import BadRecord, PliError, WrongSyntax
from pli.game import Event, Seat
from pli.server.cache import Cache
from pli.server.history import replay
from pli.server.history.queries import QueryQueue
from pli.server.history.replay import EntriesReader, FinishedGame, GameStart, Kind, game_start
from pli.server.history.worker import WorkerThread
from pli.server.journal.api import (
    Append,
    Conflict,
    Journal,
    KeptRecord,
    Listing,
    size_of_entries,
)
from pli.server.limits import Limits
from pli.server.sprites.sheets import Sheets
from pli.server.tables.table import ReadOnlyTable, Table, loading, sheets_of
from pli.slices import Slices

CONCURRENT_TABLES = 4
"""Queries of running tables that are computed at a time, round-robin."""

CONCURRENT_OPENINGS = 2
"""Tables that are opened at a time, round-robin with these."""

UNREADABLE = ("no_such_table", "journal_damaged")
"""Codes with which a table's entries can't be read, so that no record can be made from them."""

_log = logging.getLogger(__name__)
T = TypeVar("T")


class GameQuery(NamedTuple):
    """A finished game, and the client address that asks for it."""

    table: str
    number: int
    address: str


class History:
    """Of all tables of this server."""

    def __init__(self, journal: Journal, limits: Limits) -> None:
        self._journal = journal
        self._worker = WorkerThread()
        self._tables = QueryQueue(self._worker, CONCURRENT_TABLES, urgent=True)
        self._openings = QueryQueue(self._worker, CONCURRENT_OPENINGS, urgent=True)
        self._finished = QueryQueue(
            self._worker,
            concurrency=1,
            max_waiting=limits.history_waiting,
            max_each=limits.history_each,
            seconds=limits.history_seconds,
        )
        self._cache = Cache(limits.history_bytes)

    def close(self) -> None:
        self._worker.close()

    @property
    def waiting(self) -> int:
        """How many queries about finished games wait or run."""
        return len(self._finished)

    def drop(self, tables: Collection[str]) -> None:
        """These tables were deleted: nothing of them is shown from memory."""
        self._cache.drop(lambda key: isinstance(key, tuple) and key[0] in tables)

    # For a running table

    async def load(self, table: str, address: str) -> tuple[Table, int]:
        """A table that is being opened, and the bytes of its entries."""
        answer = partial(self._from_entries, self._openings, table, _sized)
        return await self._openings.ask(("load", table), address, table, answer)

    async def seen(self, table: ReadOnlyTable, n: int, seat: Seat, address: str) -> list[Event]:
        """All events that a seat has seen in the game that is played, up to entry n."""
        start = game_start(table)
        key = ("seen", table.name, n, seat)
        answer = partial(self._since, start, n, partial(replay.seen, seat=seat))
        return await self._tables.ask(key, address, table.name, answer)

    async def log(self, table: ReadOnlyTable, n: int, seat: Seat, address: str) -> bytes:
        """The same with their times, as an encoded message to a page."""
        start = game_start(table)
        key = ("log", table.name, n, seat)
        answer = partial(self._since, start, n, partial(replay.logged, seat=seat, n=n))
        return await self._tables.ask(key, address, table.name, answer)

    async def save_record(self, game: FinishedGame, address: str) -> int:
        """Saves the record of a game that has just ended, which outlives the table's entries. Says
        how many characters and bytes it has; 0 if it failed: then it is made from the entries when
        it is first asked for."""
        start = game.start
        key = ("record", start.table, start.number)

        def reader(_: GameStart, data: Sequence[bytes]) -> Slices[KeptRecord]:
            return replay.recording(game, data)

        answer = partial(self._since, start, game.last, reader)
        try:
            record = await self._tables.ask(key, address, start.table, answer)
            await self._save(start.table, record)
        except PliError as error:
            _not_saved(start.table, error)
            return 0
        return len(record.text) + len(record.about or b"")

    async def save_records(self, listing: Listing) -> None:
        """Saves the missing records of all finished games of a table."""
        table = listing.table
        missing = {*range(1, listing.finished + 1)} - await self._journal.recorded(table)
        if not missing:
            return
        reader = partial(replay.records, numbers=missing)
        answer = partial(self._from_entries, self._openings, table, reader)
        try:
            found = await self._openings.ask(("records", table), table, table, answer)
        except PliError as error:
            if error.code in UNREADABLE:
                return
            raise
        for record in found.values():
            await self._save(table, record)

    async def _since(
        self, start: GameStart, n: int, reader: Callable[[GameStart, Sequence[bytes]], Slices[T]]
    ) -> T:
        """What follows from the entries of the game that is played, up to number n."""
        data = await self._journal.entries(start.table, start.begun + 1)
        return await self._tables.compute(reader(start, data[: n - start.begun]))

    # For any client

    async def unfinished(self, table: str) -> int | None:
        """The number of the game that is played at a table, or is going to be."""
        listing = await self._listing(table)
        return listing.finished + 1 if listing.state in ("waiting", "playing") else None

    async def finished(self, query: GameQuery, kind: Kind, seat: Seat = None) -> bytes:
        """A finished game as a response of that kind, gzip-compressed but for `pictures`."""
        key = (query.table, query.number, kind, seat)
        found = self._cache.get(key)
        if found is None:
            await self._must_be_over(query)
            answer = partial(self._compute, *key)
            found = await self._finished.ask(key, query.address, query.table, answer)
        if not found:
            raise PliError("outdated_game")
        return found

    async def sheets(self, query: GameQuery) -> Sheets | None:
        """The sprite sheets of a finished game."""
        game, _, secret = (await self.finished(query, "pictures")).decode().partition(" ")
        return _sheets(game, f"{query.table}-{query.number}", secret)

    async def _listing(self, table: str) -> Listing:
        listing = await self._journal.listing(table)
        if listing is None:
            raise PliError("no_such_table")
        return listing

    async def _must_be_over(self, query: GameQuery) -> None:
        listing = await self._listing(query.table)
        if 1 <= query.number <= listing.finished:
            return
        running = listing.state in ("waiting", "playing")
        if running and query.number == listing.finished + 1:
            raise PliError("not_over")
        raise PliError("no_such_game")

    async def _compute(self, table: str, number: int, kind: Kind, seat: Seat) -> bytes:
        """The response; empty if the current rules can't replay the game."""
        kept = await self._journal.record(table, number)
        damaged = False
        if kept is not None and (kept.about is not None or kind == "record"):
            try:
                return await self._from_record(kept, table, kind, seat)
            except (BadRecord, WrongSyntax, msgspec.DecodeError) as error:
                damaged = True
                why = {"table": table, "number": number, "why": str(error)}
                _log.error("a record is damaged", extra=why)
        del kept
        try:
            found = await self._from_entries(
                self._finished, table, partial(replay.records, numbers={number})
            )
        except PliError as error:
            if damaged and error.code in UNREADABLE:
                raise PliError("record_damaged") from error
            raise
        if number in found:
            try:
                await self._save(table, found[number])
            except PliError as error:
                _not_saved(table, error)
            return await self._from_record(found[number], table, kind, seat)
        # It was played under another version of the rules.
        if damaged and kind == "record":
            raise PliError("record_damaged")
        response = b""
        any_version: dict[Kind, Callable[..., Slices[bytes]]] = {
            "moves": replay.moves_of_entries,
            "pictures": replay.pictures_of_entries,
        }
        if kind in any_version:
            reader = partial(any_version[kind], number=number)
            response = await self._from_entries(self._finished, table, reader)
        self._cache.put((table, number, kind, seat), response)
        return response

    async def _from_record(self, record: KeptRecord, table: str, kind: Kind, seat: Seat) -> bytes:
        response = await self._finished.compute(replay.response(record, kind, seat))
        self._cache.put((table, record.number, kind, seat), response)
        return response

    # From the journal and into it

    async def _from_entries(self, queue: QueryQueue, table: str, reader: EntriesReader[T]) -> T:
        """What follows from all entries of a table."""
        data = await self._journal.entries(table)
        if not data:
            raise PliError("no_such_table")
        return await queue.compute(replay.unless_damaged(table, reader(table, data)))

    async def _save(self, table: str, record: KeptRecord) -> None:
        """Adds a record, or replaces one that is damaged or incomplete."""
        try:
            await self._journal.append(Append(table, 0, (), record=record))
        except Conflict:
            await self._journal.mend_record(table, record)


def _sized(name: str, data: Sequence[bytes]) -> Slices[tuple[Table, int]]:
    table = yield from loading(name, data)
    return table, size_of_entries(data)


def _not_saved(table: str, error: PliError) -> None:
    _log.warning("a record could not be saved", extra={"table": table, "code": error.code})


@lru_cache(256)
def _sheets(game: str, game_id: str, secret: str) -> Sheets | None:
    return sheets_of(games.load(game), game_id, secret)
