"""All rooms of this process. A table has a room while pages are connected, and for a while after;
otherwise it is in the journal alone, and is loaded when a client asks for it."""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import msgspec

from pli import games
from pli.bots import LEVELS
from pli.bots.workers import BotPool
from pli.errors import PliError
from pli.game import read_options
from pli.record.proof import new_secret
from pli.server.history.api import History
from pli.server.journal.api import Append, Journal, Listing, NotSaved, OwnedElsewhere
from pli.server.limits import Limits
from pli.server.metrics import Metrics
from pli.server.protocol import bodies as b
from pli.server.rooms.budgets import Budgets, TableBudget
from pli.server.rooms.capacity import Capacity
from pli.server.rooms.nicknames import Unwanted, free_face, nickname, told_apart
from pli.server.rooms.open_tables import OpenTableList
from pli.server.rooms.room import Room
from pli.server.rooms.transaction import Tx
from pli.server.tables import entries as e
from pli.server.tables.listing import listing
from pli.server.tables.table import ReadOnlyTable, Table, hashed

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""For links that are read out and typed: without letters that look alike."""

NAME_LENGTH = 10
TOKEN_BYTES = 24
ARCHIVED = 100
"""Tables that are looked up at a time."""

HAND_OVER = 1.0
"""Seconds that giving up the tables may take at a planned stop."""

PATIENCE = 20.0
"""Seconds after which a client that wants a seat is told that it can't be saved."""

_log = logging.getLogger(__name__)
T = TypeVar("T")


@dataclass
class TableCount:
    """Tables in memory by their state, and the pages at them."""

    tables: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("waiting", "playing", "over"), 0)
    )
    seated: int = 0
    spectators: int = 0


class Lobby:
    """Makes tables, opens and drops their rooms, and archives unused ones."""

    def __init__(
        self,
        journal: Journal,
        bot_pool: BotPool,
        limits: Limits,
        unwanted: Unwanted,
        metrics: Metrics,
    ) -> None:
        self.journal = journal
        self.limits = limits
        self.history = History(journal, limits)
        self._unwanted = unwanted
        self._bot_pool = bot_pool
        self._metrics = metrics
        self._rooms: dict[str, Room] = {}
        self._opening: dict[str, asyncio.Future[Room]] = {}
        self._leaving: set[str] = set()
        """Tables that are being archived: they can't be opened."""
        self._open_tables = OpenTableList(self._rooms, limits)
        self._making: set[str] = set()
        """Tables whose first entries are being written."""
        self._capacity = Capacity(journal, limits, self._present, self.archive_these)
        self.budgets = Budgets(limits)
        self._stopping = False
        journal.lost = self._lose

    def __len__(self) -> int:
        return len(self._rooms)

    async def make(self, wanted: b.NewTable, address: str) -> b.Seated:
        """A new table, with its host at the first seat."""
        self._must_run()
        self.budgets.check(address)
        if wanted.game not in games.names():
            raise PliError("unknown_game", name=wanted.game, known=", ".join(games.names()))
        if wanted.bots is not None and wanted.bots not in LEVELS:
            raise PliError("unknown_bot", name=wanted.bots, known=", ".join(LEVELS))
        host = self._nickname(wanted.name)
        name = "".join(secrets.choice(ALPHABET) for _ in range(NAME_LENGTH))
        now = int(time.time())
        options = wanted_options(wanted)
        made = e.Made(
            game=wanted.game,
            options=options,
            settings=wanted.settings,
            public=wanted.public,
            at=now,
        )
        table = Table(name, made)
        token = new_token()
        first: list[e.AnyEntry] = [
            e.Committed(number=1, secret=new_secret()),
            e.Sat(seat=0, name=host, token=hashed(token), face=wanted.face),
        ]
        if wanted.bots is not None:
            first += [e.Filled(seat=seat, level=wanted.bots) for seat in range(1, table.seats)]
        for entry in first:
            table.apply(entry)
        bodies = [e.encode(entry) for entry in (made, *first)]
        append = Append(table=name, first=0, entries=bodies, listing=listing(table))
        await self._capacity.reserve(address)
        budget = TableBudget(self.budgets, 0)
        budget.charge(append, address)
        self._making.add(name)
        try:
            await self.journal.append(append)
            self._rooms[name] = room = self._keep(table, budget)
        finally:
            self._making.discard(name)
            self._capacity.release()
        self._capacity.made(name, address)
        self._drop_later(room)
        _log.info("table made", extra={"table": name, "game": wanted.game})
        return b.Seated(table=name, seat=0, token=token)

    async def sit(
        self, name: str, wanted: b.TakeSeat, address: str, token: str | None = None
    ) -> b.Seated:
        """Takes a free seat; during a game, one whose player has left. With a token, which is then
        the player's, the same can be asked again if it is not known whether it was done."""
        nick = self._nickname(wanted.name)
        self.budgets.check_seat(address, name)
        token = token or new_token()

        def command(tx: Tx) -> int:
            if (taken := tx.table.seat_of(token)) is not None:
                return taken
            seat = free_seat(tx.table, wanted.seat)
            shown, face = shown_as(tx.table, seat, nick, wanted.face)
            tx.charge(address)
            tx.record(e.Sat(seat=seat, name=shown, token=hashed(token), face=face))
            return seat

        seat = await self._carried_out(name, address, command)
        return b.Seated(table=name, seat=seat, token=token)

    async def rename(self, name: str, wanted: b.Rename, address: str) -> b.Renamed:
        """Another name or portrait for the player with that token, at any time."""
        nick = self._nickname(wanted.name)

        def command(tx: Tx) -> b.Renamed:
            seat = tx.table.seat_of(wanted.token)
            if seat is None:
                raise PliError("not_your_seat")
            shown, face = shown_as(tx.table, seat, nick, wanted.face)
            chair = tx.table.chairs[seat]
            if (chair.name, chair.face) != (shown, face):
                tx.charge(address)
                tx.record(e.Named(seat=seat, name=shown, face=face))
            return b.Renamed(name=shown, face=msgspec.UNSET if face is None else face)

        return await self._carried_out(name, address, command)

    async def _carried_out(self, name: str, address: str, command: Callable[[Tx], T]) -> T:
        """What the command gives, once what it records is durable. PliError: what it raises, or
        why that can't be saved."""
        room = await self.open(name, address)
        if room.trouble is not None:
            raise room.trouble
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def run(tx: Tx) -> None:
            if done.done():
                return  # the client has given up
            try:
                tx.after(partial(tell, command(tx)), failed)
            except PliError as error:
                failed(error)

        def tell(result: T) -> None:
            if not done.done():
                done.set_result(result)

        def failed(error: PliError) -> None:
            if not done.done():
                done.set_exception(error)

        room.post(run)
        try:
            return await asyncio.wait_for(room.answer(done), PATIENCE)
        except TimeoutError:
            raise NotSaved() from None

    def spectator_name(self, table: ReadOnlyTable, wanted: str | None) -> str | None:
        """How a spectator of the table is shown, never like a player; None: without a name."""
        if wanted is None:
            return None
        try:
            shown = self._nickname(wanted)
        except PliError:
            return None
        return told_apart(shown, [chair.name for chair in table.chairs if chair.name is not None])

    def _present(self) -> set[str]:
        """Tables that must not be archived."""
        return self._making.union(self._rooms)

    def in_memory(self, name: str) -> Room | None:
        return self._rooms.get(name)

    def _nickname(self, text: str) -> str:
        shown = nickname(text)
        self._unwanted.check(shown)
        return shown

    async def open(self, name: str, address: str) -> Room:
        """The table's room, loaded from the journal if it is not in memory. OwnedElsewhere: another
        server runs it."""
        self._must_run()
        room = self._rooms.get(name)
        if room is not None:
            self._must_be_valid()
            if room.trouble is None and not self.journal.epoch(name):
                self._lose(name)
                raise OwnedElsewhere()
            return room
        if name in self._leaving:
            raise PliError("no_such_table")
        if name not in self._opening:
            self._opening[name] = asyncio.ensure_future(self._load(name, address))
            self._opening[name].add_done_callback(partial(self._opened, name))
        room = await asyncio.shield(self._opening[name])
        if room.stopped:  # it was lost, or the server stops
            raise OwnedElsewhere()
        return room

    def _must_be_valid(self) -> None:
        """OwnedElsewhere: another server may run tables of this one by now, and have shown more of
        them than is known here."""
        registry = self.journal.registry
        if registry.address and not registry.valid:
            raise OwnedElsewhere()

    def _opened(self, name: str, opening: "asyncio.Future[Room]") -> None:
        self._opening.pop(name, None)
        if not opening.cancelled():
            opening.exception()  # is no error where nobody waits for the table any more

    async def _load(self, name: str, address: str) -> Room:
        # Before it is read: nobody else adds to it any more.
        if await self.journal.claim(name):
            self._metrics.takeovers.inc()
        epoch = self.journal.epoch(name)
        try:
            table, size = await self.history.load(name, address)
            # The claim may have been lost meanwhile, and what was read be old.
            self._must_be_valid()
            if self.journal.epoch(name) != epoch:
                raise OwnedElsewhere()
        except BaseException:
            self._release(name)
            raise
        room = self._rooms[name] = self._keep(table, TableBudget(self.budgets, size))
        self._drop_later(room)
        return room

    def _keep(self, table: Table, budget: TableBudget) -> Room:
        return Room(
            table,
            self.journal,
            self.history,
            self._bot_pool,
            budget,
            self._metrics,
            emptied=self._drop_later,
            moved=self._moved,
        )

    def _drop_later(self, room: Room) -> None:
        """No page is connected: after a while the room is dropped."""
        room.scheduler.later(self.limits.linger_seconds, partial(self._drop, room))

    def _drop(self, room: Room) -> None:
        name = room.table.name
        if room.audience or self._rooms.get(name) is not room:
            return
        if room.busy:
            self._drop_later(room)
            return
        self._moved(room)
        self._release(name)

    def _moved(self, room: Room) -> None:
        """The room is not used any more."""
        if self._rooms.get(room.table.name) is room:
            room.budget.settle()
            del self._rooms[room.table.name]

    def _release(self, name: str) -> None:
        """Any server may run the table now."""
        self.journal.release([name])

    def _lose(self, name: str) -> None:
        """Another server has taken the table."""
        room = self._rooms.get(name)
        if room is not None:
            _log.info("table moved", extra={"table": name})
            room.lose()

    def _must_run(self) -> None:
        if self._stopping:
            raise PliError("too_busy")

    def count(self) -> "TableCount":
        """What is in memory now."""
        count = TableCount()
        for room in self._rooms.values():
            count.tables[room.table.state] += 1
            watching = room.audience.spectators
            count.spectators += watching
            count.seated += len(room.audience.viewers) - watching
        return count

    def open_tables(self) -> b.OpenTables:
        return self._open_tables.tables()

    def dated_open_tables(self) -> list[tuple[int, b.OpenTable]]:
        """With the time at which each was made."""
        return self._open_tables.dated()

    async def archive_now_and_then(self, seconds: float) -> None:
        while True:
            try:
                await self.archive_unused()
                await self.delete_expired()
            except PliError as error:
                _log.warning("not archived", extra={"code": error.code})
            await asyncio.sleep(seconds)

    async def archive_unused(self) -> int:
        """Archives tables that were not used for long: their entries go, their records stay."""
        before = await self.journal.days_ago(self.limits.unused_days)
        return 0 if before is None else await self.archive(before)

    async def delete_expired(self) -> int:
        """Deletes finished and archived tables that were not used for longer than records are
        kept, and what they left behind in the storage."""
        days = self.limits.record_days
        before = await self.journal.days_ago(days) if days else None
        if before is None:
            return 0
        count = 0
        tried: set[str] = set()
        while found := await self.journal.expired(
            ARCHIVED, before=before, but=tried.union(self._rooms)
        ):
            for each in found:
                count += await self._delete(each)
            tried |= {each.table for each in found}
        quiet = not any(room.audience for room in self._rooms.values())
        if not await self.journal.purge(quiet):
            _log.info("deleted tables may have left traces in the storage")
        if count:
            _log.info("tables deleted", extra={"tables": count})
        return count

    async def _delete(self, found: Listing) -> int:
        """Deletes it unless it is opened meanwhile: how many tables."""
        name = found.table
        if name in self._rooms or name in self._opening:
            return 0
        self._leaving.add(name)
        try:
            count = await self.journal.delete([found])
            self.history.drop([name])
            return count
        finally:
            self._leaving.discard(name)

    async def archive(self, before: int) -> int:
        """Archives all tables that were not touched since then. Those that were begun go one at a
        time, so that commits of running tables wait for one at most."""
        count = 0
        tried: set[str] = set()
        while found := await self.journal.untouched(
            ARCHIVED, before=before, but=tried.union(self._rooms)
        ):
            count += await self.archive_these([each for each in found if not each.begun])
            for each in found:
                if each.begun:
                    count += await self.archive_these([each])
            tried |= {each.table for each in found}
        return count

    async def archive_these(self, found: Sequence[Listing]) -> int:
        """Archives those that are not opened meanwhile: how many."""
        in_use = (self._rooms, self._opening, self._making)
        going = [each for each in found if not any(each.table in some for some in in_use)]
        names = {each.table for each in going}
        self._leaving |= names
        try:
            for each in going:
                if each.begun:
                    await self.history.save_records(each)
            return await self.journal.archive(going)
        finally:
            self._leaving -= names

    async def close(self) -> None:
        """The server stops: tables are given up as soon as what is being written is durable, then
        pages are told to reconnect, to this server once it is back or to another one."""
        self._stopping = True
        rooms = [*self._rooms.values()]
        for room in rooms:
            room.stop()
        with suppress(TimeoutError, PliError):
            async with asyncio.timeout(HAND_OVER):
                while not all(room.idle for room in rooms):
                    await asyncio.sleep(0.005)
                await self.journal.release([room.table.name for room in rooms])
                if self.journal.registry.peers:
                    self._metrics.handovers.inc(len(rooms))
        for room in rooms:
            room.close()


def new_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def wanted_options(wanted: b.NewTable) -> dict[str, Any]:
    return dict(msgspec.structs.asdict(read_options(games.load(wanted.game), wanted.options)))


def shown_as(
    table: ReadOnlyTable, seat: int, name: str, face: int | None
) -> tuple[str, int | None]:
    """The name and the portrait of a player at this seat, told apart from those of the others."""
    others = [chair for number, chair in enumerate(table.chairs) if number != seat]
    names = [chair.name for chair in others if chair.name is not None]
    return told_apart(name, names), free_face(face, [chair.face for chair in others])


def free_seat(table: ReadOnlyTable, wanted: int | None) -> int:
    if table.state == "over":
        raise PliError("game_over")
    free = [seat for seat, chair in enumerate(table.chairs) if chair.open]
    if wanted is not None and wanted >= table.seats:
        raise PliError("no_such_seat", seat=wanted)
    if wanted is not None and wanted not in free:
        raise PliError("seat_taken", seat=wanted)
    if not free:
        raise PliError("table_full")
    return free[0] if wanted is None else wanted
