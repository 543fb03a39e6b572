"""All rooms of this process. A table has a room while pages are connected, and for a while after;
otherwise it is in the journal alone, and is loaded when a client asks for it."""

import asyncio
import logging
import secrets
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec

from pli import games
from pli.bots import LEVELS
from pli.bots.workers import BotPool
from pli.errors import PliError
from pli.game import read_options
from pli.record.proof import new_secret
from pli.server.history.api import History
from pli.server.journal.api import Append, Journal, Listing, NotSaved
from pli.server.limits import Limits
from pli.server.protocol import bodies as b
from pli.server.rooms.budgets import Budgets, TableBudget
from pli.server.rooms.capacity import Capacity
from pli.server.rooms.nicknames import Unwanted, nickname, told_apart
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

PATIENCE = 20.0
"""Seconds after which a client that wants a seat is told that it can't be saved."""

_log = logging.getLogger(__name__)


class Lobby:
    """Makes tables, opens and drops their rooms, and archives unused ones."""

    def __init__(
        self, journal: Journal, bot_pool: BotPool, limits: Limits, unwanted: Unwanted
    ) -> None:
        self.journal = journal
        self.limits = limits
        self.history = History(journal, limits)
        self._unwanted = unwanted
        self._bot_pool = bot_pool
        self._rooms: dict[str, Room] = {}
        self._opening: dict[str, asyncio.Future[Room]] = {}
        self._leaving: set[str] = set()
        """Tables that are being archived: they can't be opened."""
        self._open_tables = OpenTableList(self._rooms, limits)
        self._making: set[str] = set()
        """Tables whose first entries are being written."""
        self._capacity = Capacity(journal, limits, self._present, self.archive_these)
        self.budgets = Budgets(limits)

    def __len__(self) -> int:
        return len(self._rooms)

    async def make(self, wanted: b.NewTable, address: str) -> b.Seated:
        """A new table, with its host at the first seat."""
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
        token = secrets.token_urlsafe(TOKEN_BYTES)
        first: list[e.AnyEntry] = [
            e.Committed(number=1, secret=new_secret()),
            e.Sat(seat=0, name=host, token=hashed(token)),
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

    async def sit(self, name: str, wanted: b.TakeSeat, address: str) -> b.Seated:
        """Takes a free seat; during a game, one whose player has left."""
        nick = self._nickname(wanted.name)
        self.budgets.check_seat(address, name)
        room = await self.open(name, address)
        if room.trouble is not None:
            raise room.trouble
        token = secrets.token_urlsafe(TOKEN_BYTES)
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def command(tx: Tx) -> None:
            if done.done():
                return  # the client has given up
            try:
                seat = free_seat(tx.table, wanted.seat)
                others = [chair.name for chair in tx.table.chairs if chair.name is not None]
                shown = told_apart(nick, others)
                tx.charge(address)
                tx.record(e.Sat(seat=seat, name=shown, token=hashed(token)))
                tx.after(partial(tell, seat), failed)
            except PliError as error:
                failed(error)

        def tell(seat: int) -> None:
            if not done.done():
                done.set_result(seat)

        def failed(error: PliError) -> None:
            if not done.done():
                done.set_exception(error)

        room.post(command)
        try:
            seat = await asyncio.wait_for(done, PATIENCE)
        except TimeoutError:
            raise NotSaved() from None
        return b.Seated(table=name, seat=seat, token=token)

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
        """The table's room, loaded from the journal if it is not in memory."""
        room = self._rooms.get(name)
        if room is not None:
            return room
        if name in self._leaving:
            raise PliError("no_such_table")
        if name not in self._opening:
            self._opening[name] = asyncio.ensure_future(self._load(name, address))
            self._opening[name].add_done_callback(lambda _: self._opening.pop(name, None))
        return await asyncio.shield(self._opening[name])

    async def _load(self, name: str, address: str) -> Room:
        table, size = await self.history.load(name, address)
        room = self._rooms[name] = self._keep(table, TableBudget(self.budgets, size))
        self._drop_later(room)
        return room

    def _keep(self, table: Table, budget: TableBudget) -> Room:
        return Room(table, self.journal, self.history, self._bot_pool, budget, self._drop_later)

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
        room.budget.settle()
        del self._rooms[name]

    def open_tables(self) -> b.OpenTables:
        return self._open_tables.tables()

    async def archive_now_and_then(self, seconds: float) -> None:
        while True:
            try:
                await self.archive_unused()
            except PliError as error:
                _log.warning("not archived", extra={"code": error.code})
            await asyncio.sleep(seconds)

    async def archive_unused(self) -> int:
        """Archives tables that were not used for long: their entries go, their records stay."""
        before = await self.journal.days_ago(self.limits.unused_days)
        return 0 if before is None else await self.archive(before)

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

    def close(self) -> None:
        """Tells all pages that the server stops, and will be back."""
        for room in self._rooms.values():
            room.close()


def wanted_options(wanted: b.NewTable) -> dict[str, Any]:
    return dict(msgspec.structs.asdict(read_options(games.load(wanted.game), wanted.options)))


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
