"""All tables of this server. A table is in memory while somebody is there, and for a while after;
otherwise it is in its journal, and comes back when somebody asks for it."""

import asyncio
import logging
import secrets
import time
import unicodedata
from functools import partial
from typing import Any

import msgspec

from pli import games
from pli.bots import LEVELS
from pli.bots.workers import Thinkers
from pli.errors import PliError
from pli.proof import new_secret
from pli.server import bodies as b
from pli.server import entries as e
from pli.server.budgets import Budgets, TableBudget, size_of_entries
from pli.server.history import keep_records
from pli.server.journal import Append, Journal, NotSaved
from pli.server.keeper import Keeper
from pli.server.limits import Limits
from pli.server.listings import listing
from pli.server.table import Table, hashed, load_table

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""For links that are read out and typed: no letters that look alike."""

NAME_LENGTH = 10
TOKEN_BYTES = 24
LINGER = 60.0
"""Seconds that a table stays in memory after the last one went."""

PATIENCE = 20.0
"""Seconds that a seat is waited for while something else is being saved."""

MARKS = 2
"""Above or below a letter of a name: what is written somewhere has no more."""

BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that nobody can see."""

_log = logging.getLogger(__name__)
_open_table = msgspec.json.Decoder(b.OpenTable).decode


class Hall:
    """Opens, makes and forgets tables."""

    def __init__(self, journal: Journal, thinkers: Thinkers, limits: Limits) -> None:
        self.journal = journal
        self.limits = limits
        self._thinkers = thinkers
        self._keepers: dict[str, Keeper] = {}
        self._opening: dict[str, asyncio.Future[Keeper]] = {}
        self.budgets = Budgets(limits)

    def __len__(self) -> int:
        return len(self._keepers)

    async def make(self, wanted: b.NewTable, address: str) -> b.Seated:
        """A new table, with its host at the first seat."""
        self.budgets.check(address)
        if wanted.game not in games.names():
            raise PliError("unknown_game", name=wanted.game, known=", ".join(games.names()))
        if wanted.bots is not None and wanted.bots not in LEVELS:
            raise PliError("unknown_bot", name=wanted.bots, known=", ".join(LEVELS))
        if await self.journal.count() >= self.limits.all_tables:
            raise PliError("server_full")
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
            e.Sat(seat=0, name=nickname(wanted.name), token=hashed(token)),
        ]
        if wanted.bots is not None:
            first += [e.Filled(seat=seat, level=wanted.bots) for seat in range(1, table.seats)]
        for entry in first:
            table.apply(entry)
        bodies = [e.encode(entry) for entry in (made, *first)]
        append = Append(table=name, first=0, entries=bodies, listing=listing(table))
        budget = TableBudget(self.budgets, 0)
        budget.charge(append, address)
        await self.journal.append(append)
        self._keepers[name] = keeper = self._keep(table, budget)
        self._asleep(keeper)
        _log.info("table made", extra={"table": name, "game": wanted.game})
        return b.Seated(table=name, seat=0, token=token)

    async def sit(self, name: str, wanted: b.TakeSeat, address: str) -> b.Seated:
        """Takes a free seat; in a game, one whose person has left."""
        self.budgets.check_seat(address, name)
        keeper = await self.open(name)
        if keeper.trouble is not None:
            raise keeper.trouble
        token = secrets.token_urlsafe(TOKEN_BYTES)
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def work() -> None:
            if done.done():
                return  # nobody waits any more
            try:
                seat = free_seat(keeper.table, wanted.seat)
                keeper.pays(address)
                keeper.enter(e.Sat(seat=seat, name=nickname(wanted.name), token=hashed(token)))
                keeper.later(partial(tell, seat), failed)
            except PliError as error:
                failed(error)

        def tell(seat: int) -> None:
            if not done.done():
                done.set_result(seat)

        def failed(error: PliError) -> None:
            if not done.done():
                done.set_exception(error)

        keeper.submit(work)
        try:
            seat = await asyncio.wait_for(done, PATIENCE)
        except TimeoutError:
            raise NotSaved() from None
        return b.Seated(table=name, seat=seat, token=token)

    async def open(self, name: str) -> Keeper:
        """The table's keeper; from the journal if it is not in memory."""
        keeper = self._keepers.get(name)
        if keeper is not None:
            return keeper
        if name not in self._opening:
            self._opening[name] = asyncio.ensure_future(self._load(name))
            self._opening[name].add_done_callback(lambda _: self._opening.pop(name, None))
        return await asyncio.shield(self._opening[name])

    async def _load(self, name: str) -> Keeper:
        data = await self.journal.entries(name)
        if not data:
            raise PliError("no_such_table")
        try:
            table = await asyncio.to_thread(load_table, name, data)
        except (msgspec.DecodeError, PliError) as error:
            _log.exception("table can't be opened", extra={"table": name})
            raise PliError("journal_damaged") from error
        budget = TableBudget(self.budgets, size_of_entries(data))
        keeper = self._keepers[name] = self._keep(table, budget)
        self._asleep(keeper)
        return keeper

    def _keep(self, table: Table, budget: TableBudget) -> Keeper:
        return Keeper(table, self.journal, self._thinkers, self._asleep, budget)

    def _asleep(self, keeper: Keeper) -> None:
        """Nobody is at the table: after a while it is forgotten, but for its journal."""
        keeper.loop.call_later(LINGER, self._forget, keeper)

    def _forget(self, keeper: Keeper) -> None:
        name = keeper.table.name
        if keeper.viewers or self._keepers.get(name) is not keeper:
            return
        if keeper.busy:
            self._asleep(keeper)
            return
        del self._keepers[name]

    async def open_tables(self) -> b.OpenTables:
        found = await self.journal.listings(state="waiting", public=True, limit=self.limits.listed)
        return b.OpenTables(tables=[_open_table(each.summary) for each in found])

    async def archive_now_and_then(self, seconds: float) -> None:
        """Tables that nobody has used for long leave the journal; their records stay."""
        while True:
            before = int(time.time()) - self.limits.unused_days * 24 * 60 * 60
            try:
                await self.archive(before)
            except PliError as error:
                _log.warning("not archived", extra={"code": error.code})
            await asyncio.sleep(seconds)

    async def archive(self, before: int) -> int:
        for found in await self.journal.listings(untouched_since=before, limit=1000):
            if found.state != "archived":
                await keep_records(self.journal, found.table)
        return await self.journal.archive(before)

    def close(self) -> None:
        """Tells everyone that the server is about to go, and will be back."""
        for keeper in self._keepers.values():
            keeper.rest()
            for viewer in [*keeper.viewers]:
                viewer.close("restart")


def wanted_options(wanted: b.NewTable) -> dict[str, Any]:
    from pli.game import read_options

    return dict(msgspec.structs.asdict(read_options(games.load(wanted.game), wanted.options)))


def nickname(text: str) -> str:
    """A name that can be shown anywhere: on one line and no higher, with something to be seen, and
    nothing that is not or that turns the text around it."""
    shown = ""
    marks = 0
    for c in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(c)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind != "Cf" and c not in BLANK and marks <= MARKS:
            shown += c if c.isprintable() else " "
    shown = " ".join(shown.split())
    if not any(unicodedata.category(c)[0] in "LNPS" for c in shown):
        raise PliError("bad_name")
    return shown


def free_seat(table: Table, wanted: int | None) -> int:
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
