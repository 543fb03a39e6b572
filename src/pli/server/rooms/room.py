"""The room of a running table: alone it appends to the table's journal, keeps its clock, fires
its timers and asks its bots, one append in flight at a time.

What somebody asks for is judged against the table as it is, entered, and saved; only when it is
safe on disk does anybody hear of it. What comes meanwhile waits its turn.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from pli.bots.workers import BotPool
from pli.errors import PliError
from pli.server.history.api import History
from pli.server.history.replay import Ended
from pli.server.history.replay import ended as ended_game
from pli.server.journal.api import Append, Journal
from pli.server.protocol import messages as m
from pli.server.rooms.bots import TableBots
from pli.server.rooms.broadcast import MOVES, QUIET, Broadcast
from pli.server.rooms.budgets import TableBudget, size_of_entries
from pli.server.rooms.clock import Clock
from pli.server.rooms.hints import Hints
from pli.server.rooms.idle import Resting
from pli.server.rooms.moves import Hands
from pli.server.rooms.presence import Presence
from pli.server.rooms.sprites import Showing
from pli.server.rooms.viewer import Viewer, problem_of
from pli.server.tables import entries as e
from pli.server.tables.listing import listing
from pli.server.tables.table import Table, load_table

RETRY = 1.0
"""Seconds after which a journal that could not be read is read again."""

_encode = msgspec.json.Encoder().encode
_log = logging.getLogger(__name__)


class Room:
    """Keeps one table."""

    def __init__(
        self,
        table: Table,
        journal: Journal,
        history: History,
        thinkers: BotPool,
        asleep: Callable[["Room"], None],
        budget: TableBudget,
    ) -> None:
        self.table = table
        self.budget = budget
        self.journal = journal
        self.history = history
        self.thinkers = thinkers
        self.loop = asyncio.get_running_loop()
        self.clock = Clock(time.monotonic, table.match.now if table.match else 0)
        self.viewers: list[Viewer] = []
        self._arriving: list[Viewer] = []
        self.resting = Resting(self)
        self.hands = Hands(self)
        self.bots = TableBots(self)
        self.presence = Presence(self)
        self.hints = Hints(self)
        self.showing = Showing(self)
        self.broadcast = Broadcast(self)
        self.beginning = False
        """The host has asked for cards, and pages are asked for their randomness."""
        self.telling: set[Viewer] = set()
        """Pages for which the log is being worked out: that takes a while, so one at a time."""
        self._asleep = asleep
        self.trouble: PliError | None = None
        """Why nothing can be saved at the moment."""
        self._after: list[tuple[Callable[[], None], Callable[[PliError], None]]] = []
        self._inbox: deque[Callable[[], None]] = deque()
        self._saving = False
        self._new: list[e.AnyEntry] = []
        self.asked: str | None = None
        """The address for which something is being entered; None: it happens by itself."""
        self._tasks: set[asyncio.Task[None]] = set()

    # Asking

    @property
    def busy(self) -> bool:
        """Whether something is on its way to the disk."""
        return self._saving

    @property
    def address(self) -> str:
        """Of somebody who sits here: those who share it take turns with other addresses."""
        seated = (each.address for each in self.viewers if each.seat is not None)
        return next(seated, self.table.name)

    def submit(self, work: Callable[[], None]) -> None:
        """Does it, once everything before it is safe."""
        if self._saving or self._inbox:
            self._inbox.append(work)
        else:
            self.run(work)

    def allow(self, viewer: Viewer) -> None:
        """A person at the table is about to do something in the game, which goes on if it rested;
        PliError: nothing can be written for it. To be called from submitted work."""
        budget, address = self.budget, viewer.address
        if address != budget.payer or not budget.covers(self.table.n + 1):
            budget.pays(address, self.table.n + 1)
        self.asked = address
        if self.resting.on:
            self.resting.wake(viewer)

    def pays(self, address: str) -> None:
        """What is being entered is written for an address; PliError: it has nothing left, or so
        much was written here that the table stands still. To be called from submitted work."""
        self.budget.pays(address, self.table.n + 1)
        self.asked = address

    def enter(self, entry: e.AnyEntry) -> None:
        """One more thing that happened; raises if it can't. To be called from submitted work."""
        self.table.apply(entry)
        self._new.append(entry)

    def later(
        self, work: Callable[[], None], failed: Callable[[PliError], None] = lambda _: None
    ) -> None:
        """Does it once what is being entered is safe; or else says why it is not."""
        if self._new:
            self._after.append((work, failed))
        else:
            work()

    def reseat(self) -> None:
        """Seats were numbered anew: everyone is told where it sits."""
        for viewer in self.viewers:
            viewer.seat = self.table.seat_of(viewer.token) if viewer.token else None
            self.later(partial(self.broadcast.welcome, viewer))

    def spawn(self, coroutine: Any) -> None:
        """A task that lives no longer than the loop, and whose failure is seen."""
        task = self.loop.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Telling

    def info(self) -> m.TableInfo:
        return self.table.info(
            {viewer.seat for viewer in self.viewers if viewer.seat is not None},
            self.presence.wants,
            sum(viewer.seat is None for viewer in self.viewers),
            self.resting.on,
        )

    async def safe_info(self) -> m.TableInfo:
        """The same for who asks from outside: once all of it is safe."""
        if self.trouble is not None:
            raise self.trouble
        told: asyncio.Future[m.TableInfo] = self.loop.create_future()
        self.submit(lambda: None if told.done() else told.set_result(self.info()))
        return await told

    def tell(self, viewer: Viewer, message: m.ToPage) -> None:
        viewer.tell(_encode(message))

    def tell_all(self, message: m.ToPage) -> None:
        data = _encode(message)
        for viewer in self.viewers:
            viewer.tell(data)

    def tell_table(self) -> None:
        """For what is not journalled: who is there, who wants what."""
        self.tell_all(m.Table(table=self.info()))

    # Coming and going

    def came(self, viewer: Viewer) -> None:
        """A page is there; one that was there for the same seat makes room."""
        self._arriving.append(viewer)
        if self.trouble is not None:
            self.tell(viewer, problem_of(self.trouble, viewer.language))
        self.submit(partial(self._receive, viewer))

    def _receive(self, viewer: Viewer) -> None:
        """Nobody is told anything before the welcome, which waits for what is being saved."""
        if viewer in self._arriving:
            viewer.seat = self.table.seat_of(viewer.token) if viewer.token else None
            self.resting.arrives(viewer)
            self.presence.came(viewer)
            self.later(partial(self._greet, viewer))

    def _greet(self, viewer: Viewer) -> None:
        if viewer not in self._arriving:
            return  # it is gone already
        self._arriving.remove(viewer)
        for other in [each for each in self.viewers if each.seat is not None]:
            if other.seat == viewer.seat:
                self.viewers.remove(other)
                other.close("replaced")
        self.viewers.append(viewer)
        if not self.resting.on:
            self.clock.go()
        self.broadcast.welcome(viewer)
        self.resting.explain(viewer)
        told = _encode(m.Table(table=self.info()))
        for other in self.viewers:
            if other is not viewer:
                other.tell(told)
        self.go_on()

    def went(self, viewer: Viewer) -> None:
        if viewer in self._arriving:
            self._arriving.remove(viewer)
        if viewer not in self.viewers:
            return  # it was replaced
        self.viewers.remove(viewer)
        self.presence.went(viewer.seat)
        if self.viewers:
            self.submit(self.tell_table)  # which may have to wait for what is being saved
            self.go_on()
            return
        self.clock.stop()
        self.rest()
        self._asleep(self)

    def rest(self) -> None:
        """Nothing happens by itself from here on."""
        self.hands.rest()
        self.bots.rest()
        self.presence.rest()
        self.hints.rest()

    # Saving

    def run(self, work: Callable[[], None]) -> None:
        """Does it now. What it entered is saved even if it then failed."""
        self.table.watched = {viewer.seat for viewer in self.viewers} | self.bots.watching()
        self.asked = None
        try:
            work()
        finally:
            self._save()

    def _save(self) -> None:
        if not self._new:
            return
        new, self._new = self._new, []
        kinds = {type(entry) for entry in new}
        if e.Begun in kinds or e.Ended in kinds:
            self.resting.over()
        out = self.broadcast.around(kinds)
        if e.Begun in kinds:
            self.clock.start_anew()
            self.hands.start_anew()
            self.bots.start_anew()
            self.presence.start_anew()
        self.presence.moved([each.seat for each in new if isinstance(each, e.Acted)])
        match = self.table.match
        if match is not None and not kinds.isdisjoint(MOVES):
            self.hands.sight.shows(self.table.n, match, new)
            out += self.broadcast.moves(match)
        self._saving = True
        table = self.table
        append = Append(
            table=table.name,
            first=table.n - len(new) + 1,
            entries=[e.encode(entry) for entry in new],
            listing=None if kinds <= QUIET else listing(table),
        )
        self.budget.charge(append, self.asked)
        # What ends with a rematch at once is a game of older rules, which has no record to keep.
        ended = e.Ended in kinds and e.Rematch not in kinds
        self.journal.append_soon(append, lambda problem: self._saved(problem, out, ended))

    def _saved(
        self, problem: PliError | None, out: list[tuple[Viewer, bytes]], ended: bool
    ) -> None:
        if problem is not None:
            _log.error("not saved", extra={"table": self.table.name, "code": problem.code})
            self.trouble = problem
            self.spawn(self._reread(problem))
            return
        self._saving = False
        for viewer, data in out:
            viewer.tell(data)
        after, self._after = self._after, []
        for work, _ in after:
            work()
        if ended and self.table.match is not None:
            self.spawn(self._keep_record(ended_game(self.table)))
        self.go_on()
        self._next()

    async def _keep_record(self, game: Ended) -> None:
        self.budget.charge_payer(await self.history.keep(game, self.address))

    def _next(self) -> None:
        while self._inbox and not self._saving:
            self._run_safely(self._inbox.popleft())

    def _run_safely(self, work: Callable[[], None]) -> None:
        try:
            self.run(work)
        except Exception:
            # Whoever asked is gone or knows; the others' work goes on.
            _log.exception("work failed", extra={"table": self.table.name})

    def go_on(self) -> None:
        """What happens by itself: bots, timers, hands that are held. Not while something is being
        saved: then it does when that is done."""
        playing = self.table.state == "playing" and self.table.match is not None
        awake = playing and self.viewers and self.trouble is None and not self._saving
        if awake and not self.resting.begins():
            self.bots.go_on()
            self.presence.go_on()
            self.hands.settle()

    async def _reread(self, problem: PliError) -> None:
        """What could not be saved never happened: the table is as its journal says, and goes on
        when that can be written again. Until then its clock stands still."""
        self.rest()
        self.clock.stop()
        self.beginning = False
        after, self._after = self._after, []
        for _, failed in after:
            failed(problem)
        for viewer in (*self.viewers, *self._arriving):
            self.tell(viewer, problem_of(problem, viewer.language))
        try:
            self.table = await self._read()
        except (PliError, msgspec.DecodeError) as error:
            _log.error("table lost", extra={"table": self.table.name}, exc_info=error)
            self._give_up()
            return
        self.clock = Clock(time.monotonic, self.table.match.now if self.table.match else 0)
        self.resting.on = False
        self.hands.start_anew()
        self.presence.start_anew()
        for viewer in self.viewers:
            viewer.seat = self.table.seat_of(viewer.token) if viewer.token else None
        for viewer in self.viewers:
            self.broadcast.welcome(viewer)
        await asyncio.sleep(RETRY)
        while not self.journal.healthy:
            await asyncio.sleep(RETRY)
        self.trouble = None
        self._saving = False
        if self.viewers:
            self.clock.go()
        for viewer in self.viewers:
            self.broadcast.welcome(viewer)
        for viewer in [*self._arriving]:
            self.submit(partial(self._receive, viewer))
        self.go_on()
        self._next()

    async def _read(self) -> Table:
        while True:
            try:
                data = await self.journal.entries(self.table.name)
            except PliError as error:
                if error.code == "journal_damaged":
                    raise
                await asyncio.sleep(RETRY)
                continue
            if not data:
                raise PliError("no_such_table")
            self.budget.size = size_of_entries(data)
            return await asyncio.to_thread(load_table, self.table.name, data)

    def _give_up(self) -> None:
        for viewer in (*self.viewers, *self._arriving):
            viewer.close("not_saved")
        self._inbox.clear()
        self.trouble = None
        self._saving = False
        self._asleep(self)
