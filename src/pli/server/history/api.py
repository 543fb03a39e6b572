"""What happened in games before now, worked out from the journal beside the event loop.

There are three lanes. What a running table needs goes first, and costs no more than the game that
is played there. Beside it tables are opened, which takes longer the more was played at them. Then
come strangers who ask for finished games. In each lane addresses take turns.

Whether there is such a game is looked up before anything is worked out; a finished game comes from
its record alone, and only one that has none yet is worked out from the table's entries, and then
kept."""

import logging
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple, TypeVar

import msgspec

from pli import games
from pli.errors import BadRecord, PliError, WrongSyntax
from pli.game import Event, Seat
from pli.server.cache import Cache
from pli.server.history import replay as replaying
from pli.server.history.background import BackgroundThread
from pli.server.history.lanes import Lane
from pli.server.history.replay import Ended, Kind, Reading, Start, start_of
from pli.server.journal.api import Append, Conflict, Journal, KeptRecord, Listing
from pli.server.limits import Limits
from pli.server.rooms.budgets import size_of_entries
from pli.server.sprites.sheets import Sheets
from pli.server.tables.table import Table, loading, sheets_of
from pli.slices import Slices

AT_ONCE = 4
"""Running tables for which something is worked out at once, in turns."""

OPENING = 2
"""Tables that are opened at once, in turns with these."""

UNREADABLE = ("no_such_table", "journal_damaged")
"""What can't be worked out from entries has no other record than it has."""

_log = logging.getLogger(__name__)
T = TypeVar("T")


class Asked(NamedTuple):
    """A finished game, and the address of who asks for it."""

    table: str
    number: int
    address: str


class History:
    """Of all tables of this server."""

    def __init__(self, journal: Journal, limits: Limits) -> None:
        self._journal = journal
        self._worker = BackgroundThread()
        self._tables = Lane(self._worker, AT_ONCE, urgent=True)
        self._opening = Lane(self._worker, OPENING, urgent=True)
        self._strangers = Lane(
            self._worker,
            at_once=1,
            waiting=limits.history_waiting,
            each=limits.history_each,
            seconds=limits.history_seconds,
        )
        self._cache = Cache(limits.history_bytes)

    def close(self) -> None:
        self._worker.close()

    @property
    def waiting(self) -> int:
        """Questions about finished games that wait or are being answered."""
        return len(self._strangers)

    # For a running table

    async def load(self, table: str, address: str) -> tuple[Table, int]:
        """A table that somebody comes to, and the bytes of its entries."""
        question = ("load", table)
        answer = partial(self._from_entries, self._opening, table, _sized)
        return await self._opening.ask(question, address, table, answer)

    async def seen(self, table: Table, n: int, seat: Seat, address: str) -> list[Event]:
        """All that a seat has seen in the game that is played, up to entry n."""
        start = start_of(table)
        question = ("seen", table.name, n, seat)
        answer = partial(self._since, start, n, partial(replaying.seen, seat=seat))
        return await self._tables.ask(question, address, table.name, answer)

    async def log(self, table: Table, n: int, seat: Seat, address: str) -> bytes:
        """The same with the times, as a message to a page."""
        start = start_of(table)
        question = ("log", table.name, n, seat)
        answer = partial(self._since, start, n, partial(replaying.logged, seat=seat, n=n))
        return await self._tables.ask(question, address, table.name, answer)

    async def keep(self, game: Ended, address: str) -> int:
        """Keeps the record of a game that has just ended, so that it outlives the journal. If that
        fails it is worked out from the journal whenever somebody asks. Says how long it is."""
        start = game.start
        question = ("keep", start.table, start.number)

        def reading(_: Start, data: Sequence[bytes]) -> Slices[KeptRecord]:
            return replaying.recording(game, data)

        answer = partial(self._since, start, game.last, reading)
        try:
            record = await self._tables.ask(question, address, start.table, answer)
            await self._keep(start.table, record)
        except PliError as error:
            _not_kept(start.table, error)
            return 0
        return len(record.text) + len(record.about or b"")

    async def keep_all(self, listing: Listing) -> None:
        """Keeps the records of all finished games of a table of which that was not done yet."""
        table = listing.table
        missing = {*range(1, listing.finished + 1)} - await self._journal.recorded(table)
        if not missing:
            return
        reading = partial(replaying.records, numbers=missing)
        answer = partial(self._from_entries, self._opening, table, reading)
        try:
            found = await self._opening.ask(("keep all", table), table, table, answer)
        except PliError as error:
            if error.code in UNREADABLE:
                return
            raise
        for record in found.values():
            await self._keep(table, record)

    async def _since(
        self, start: Start, n: int, reading: Callable[[Start, Sequence[bytes]], Slices[T]]
    ) -> T:
        """What follows from the entries of the game that is played, up to number n."""
        data = await self._journal.entries(start.table, start.begun + 1)
        return await self._tables.work(reading(start, data[: n - start.begun]))

    # For anybody

    async def unfinished(self, table: str) -> int | None:
        """The number of the game that is played at a table, or is going to be."""
        listing = await self._listing(table)
        return listing.finished + 1 if listing.state in ("waiting", "playing") else None

    async def told(self, asked: Asked, kind: Kind, seat: Seat = None) -> bytes:
        """What is told of a finished game; packed, but for its pictures."""
        question = (asked.table, asked.number, kind, seat)
        found = self._cache.get(question)
        if found is None:
            await self._must_be_over(asked)
            answer = partial(self._work_out, *question)
            found = await self._strangers.ask(question, asked.address, asked.table, answer)
        if not found:
            raise PliError("outdated_game")
        return found

    async def sheets(self, asked: Asked) -> Sheets | None:
        """The pictures of a finished game."""
        game, _, secret = (await self.told(asked, "pictures")).decode().partition(" ")
        return _sheets(game, f"{asked.table}-{asked.number}", secret)

    async def _listing(self, table: str) -> Listing:
        listing = await self._journal.listing(table)
        if listing is None:
            raise PliError("no_such_table")
        return listing

    async def _must_be_over(self, asked: Asked) -> None:
        listing = await self._listing(asked.table)
        if 1 <= asked.number <= listing.finished:
            return
        running = listing.state in ("waiting", "playing")
        if running and asked.number == listing.finished + 1:
            raise PliError("not_over")
        raise PliError("no_such_game")

    async def _work_out(self, table: str, number: int, kind: Kind, seat: Seat) -> bytes:
        """What is told; nothing, if it can't be under the rules of today."""
        kept = await self._journal.record(table, number)
        damaged = False
        if kept is not None and (kept.about is not None or kind == "record"):
            try:
                return await self._tell(kept, table, kind, seat)
            except (BadRecord, WrongSyntax, msgspec.DecodeError) as error:
                damaged = True
                why = {"table": table, "number": number, "why": str(error)}
                _log.error("a record is damaged", extra=why)
        del kept
        try:
            found = await self._from_entries(
                self._strangers, table, partial(replaying.records, numbers={number})
            )
        except PliError as error:
            if damaged and error.code in UNREADABLE:
                raise PliError("record_damaged") from error
            raise
        if number in found:
            try:
                await self._keep(table, found[number])
            except PliError as error:
                _not_kept(table, error)
            return await self._tell(found[number], table, kind, seat)
        # It was played under other rules.
        if damaged and kind == "record":
            raise PliError("record_damaged")
        told = b""
        whatever_the_rules: dict[Kind, Callable[..., Slices[bytes]]] = {
            "moves": replaying.moves_of_entries,
            "pictures": replaying.pictures_of_entries,
        }
        if kind in whatever_the_rules:
            reading = partial(whatever_the_rules[kind], number=number)
            told = await self._from_entries(self._strangers, table, reading)
        self._cache.put((table, number, kind, seat), told)
        return told

    async def _tell(self, record: KeptRecord, table: str, kind: Kind, seat: Seat) -> bytes:
        told = await self._strangers.work(replaying.telling(record, kind, seat))
        self._cache.put((table, record.number, kind, seat), told)
        return told

    # From the journal and into it

    async def _from_entries(self, lane: Lane, table: str, reading: Reading[T]) -> T:
        """What follows from all entries of a table."""
        data = await self._journal.entries(table)
        if not data:
            raise PliError("no_such_table")
        return await lane.work(replaying.unless_damaged(table, reading(table, data)))

    async def _keep(self, table: str, record: KeptRecord) -> None:
        """Beside the entries; in place of one that was damaged or not whole."""
        try:
            await self._journal.append(Append(table, 0, (), record=record))
        except Conflict:
            await self._journal.mend_record(table, record)


def _sized(name: str, data: Sequence[bytes]) -> Slices[tuple[Table, int]]:
    table = yield from loading(name, data)
    return table, size_of_entries(data)


def _not_kept(table: str, error: PliError) -> None:
    _log.warning("record not kept", extra={"table": table, "code": error.code})


@lru_cache(256)
def _sheets(game: str, game_id: str, secret: str) -> Sheets | None:
    return sheets_of(games.load(game), game_id, secret)
