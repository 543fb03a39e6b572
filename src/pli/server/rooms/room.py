"""A room: a table that is running in this process, and the only one that commits to its journal.

Commands run one at a time. What a command records is appended to the journal; nobody is told before
it is durable, and until then further commands wait in the inbox. Then the commit is published to
the room's listeners. If an append fails, nothing of it ever happened: the table is read again from
its journal, and its pages are told that it could not be saved.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeVar

import msgspec

from pli.bots.workers import BotPool
from pli.errors import PliError
from pli.server.history.api import History
from pli.server.history.replay import FinishedGame, finished_game
from pli.server.journal.api import (
    Append,
    Journal,
    NotOwner,
    NotSaved,
    OwnedElsewhere,
    size_of_entries,
)
from pli.server.metrics import BOT, PERSON, Metrics
from pli.server.protocol import messages as m
from pli.server.rooms.bots import TableBots
from pli.server.rooms.broadcast import Broadcast
from pli.server.rooms.budgets import TableBudget
from pli.server.rooms.clock import Clock
from pli.server.rooms.commands import PageCommands
from pli.server.rooms.dealer import Dealer
from pli.server.rooms.hints import Hints
from pli.server.rooms.idle import Idle
from pli.server.rooms.move_handler import MoveHandler
from pli.server.rooms.presence import Presence
from pli.server.rooms.scheduler import Scheduler
from pli.server.rooms.start import Start
from pli.server.rooms.transaction import Command, Commit, Listener, RoomAccess, Tx
from pli.server.rooms.viewer import Audience, Viewer, explain
from pli.server.tables import entries as e
from pli.server.tables.listing import listing
from pli.server.tables.table import ReadOnlyTable, Table, load_table

RETRY = 1.0
"""Seconds between attempts to read a journal that could not be read."""

_log = logging.getLogger(__name__)
T = TypeVar("T")


class Room:
    """Wires the parts of one running table together, runs commands, and commits."""

    def __init__(
        self,
        table: Table,
        journal: Journal,
        history: History,
        bot_pool: BotPool,
        budget: TableBudget,
        metrics: Metrics,
        emptied: Callable[["Room"], None],
        moved: Callable[["Room"], None],
    ) -> None:
        """`emptied` is called when the last page has gone, `moved` when another server runs the
        table."""
        self._table = table
        self._journal = journal
        self._history = history
        self.budget = budget
        self._metrics = metrics
        self._actions = metrics.actions_of(table.game.name)
        self._emptied = emptied
        self._moved = moved
        self.stopped = False
        """No more commands are taken."""
        self._expected: set[asyncio.Future[Any]] = set()
        """What commands that wait are to answer."""
        self.trouble: PliError | None = None
        """Why nothing can be saved at the moment."""
        self._inbox: deque[Command] = deque()
        self._committing = False
        self._watch_stale = True
        """Other seats have to be told events than when `Table.watched` was set."""

        self.scheduler = Scheduler()
        self.audience = Audience(self._watch_again)
        self._clock = Clock(time.monotonic, _time_of(table))
        access = RoomAccess(
            table, self.audience, self._clock, self.scheduler, self, budget, metrics
        )
        self._presence = Presence(access)
        self._dealer = Dealer(access)
        self._idle = Idle(access, self._presence.awaits_people, self._woken)
        self._start = Start(access, self._begun)
        self._moves = MoveHandler(access, self._idle, self._start)
        self._bots = TableBots(
            access,
            self._moves,
            self._idle,
            history,
            bot_pool,
            changed=self._watch_again,
            resume=lambda: self.post(lambda _: self._resume()),
        )
        self._hints = Hints(access, history, bot_pool)
        self._broadcast = Broadcast(access, self._presence, self._dealer, self._idle, self._start)
        self._listeners: tuple[Listener, ...] = (
            self._start,
            self._dealer,
            self._bots,
            self._presence,
            self._moves,
            self._hints,
            self._broadcast,
        )
        # Called for every move: so only what a listener overrides.
        self._recorded = [each.recorded for each in overriding(self._listeners, "recorded")]
        self._committed = [each.committed for each in overriding(self._listeners, "committed")]
        self._resumed = [each.resume for each in overriding(self._listeners, "resume")]
        self._commands = PageCommands(
            access,
            self._dealer,
            self._presence,
            self._moves,
            self._idle,
            self._hints,
            self._broadcast,
            self._start,
            history,
            self._bots.round_pause,
            self._bots.fast_forward,
        )

    @property
    def table(self) -> ReadOnlyTable:
        return self._table

    # Commands

    @property
    def busy(self) -> bool:
        return self._committing

    @property
    def idle(self) -> bool:
        """Whether nothing is being written, nor waits to be."""
        return not (self._committing or self._inbox)

    def post(self, command: Command) -> None:
        if self.stopped:
            return
        if self._committing or self._inbox:
            self._inbox.append(command)
        else:
            self.execute(command)

    def execute(self, command: Command) -> None:
        if self._watch_stale:
            self._watch_stale = False
            self._table.watched = self.audience.seats | self._bots.watched
        tx = Tx(self._table, self.budget)
        try:
            command(tx)
        finally:
            if tx.entries:  # what was recorded is committed even if the command then failed
                self._commit(tx)

    def receive(self, viewer: Viewer, message: m.FromPage) -> None:
        """A page's message that just arrived. PliError: what is wrong with it."""
        if self.trouble is not None:
            raise self.trouble
        if not self.stopped:  # the page sends it again where it is attached next
            self._commands.receive(viewer, message)

    async def info(self) -> m.TableInfo:
        """For a client without a connection: once all that is recorded is durable."""
        return await self._once_durable(self._broadcast.info)

    async def durable(self) -> None:
        """Returns once all that is recorded is durable."""
        await self._once_durable(lambda: None)

    async def _once_durable(self, read: Callable[[], T]) -> T:
        if self.trouble is not None:
            raise self.trouble
        told: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def command(tx: Tx) -> None:
            if not told.done():
                told.set_result(read())

        self.post(command)
        return await self.answer(told)

    async def answer(self, future: "asyncio.Future[T]") -> T:
        """The result that a posted command sets. OwnedElsewhere: it was not run, since the table
        is not run here any more."""
        if self.stopped:
            raise OwnedElsewhere()
        self._expected.add(future)
        try:
            return await future
        finally:
            self._expected.discard(future)

    # Pages that come and go

    def connect(self, viewer: Viewer) -> None:
        """A page is connected; an older one for the same seat is closed."""
        self.audience.arriving.append(viewer)
        if self.trouble is not None:
            explain(viewer, self.trouble)
        self.post(partial(self._arrive, viewer))

    def _arrive(self, viewer: Viewer, tx: Tx) -> None:
        """A page is told nothing before it is welcomed, which waits for what is being saved."""
        if viewer in self.audience.arriving:
            viewer.seat = self._table.seat_of(viewer.token) if viewer.token else None
            self._idle.arrives(viewer)
            self._presence.arrived(tx, viewer)
            tx.after(partial(self._welcome, viewer))

    def _welcome(self, viewer: Viewer) -> None:
        if viewer not in self.audience.arriving:
            return  # it is gone already
        self.audience.add(viewer)
        self._start.arrived(viewer)
        if not self._idle.on:
            self._run_clock()
        self._broadcast.welcome(viewer)
        self._idle.explain(viewer)
        self._broadcast.table(but=viewer)
        self._resume()

    def disconnect(self, viewer: Viewer) -> None:
        if viewer in self.audience.arriving:
            self.audience.arriving.remove(viewer)
        if viewer not in self.audience.viewers:
            return  # it was replaced
        self.audience.remove(viewer)
        self._dealer.went(viewer.seat)
        self._presence.went(viewer.seat)
        if self.audience:
            self.post(lambda _: self._broadcast.table())
            self._resume()
            return
        self._clock.stop()
        self.pause()
        self._emptied(self)

    def pause(self) -> None:
        """Nothing happens by itself from here on."""
        for listener in self._listeners:
            listener.pause()

    def stop(self) -> None:
        """Takes no more commands; those that wait are still run."""
        self.pause()
        self._clock.stop()
        self.stopped = True

    def close(self) -> None:
        """The server stops."""
        self.stop()
        self._drop_commands(OwnedElsewhere())
        for viewer in self.audience.everyone:
            viewer.close("restart")

    def lose(self) -> None:
        """Another server runs the table from now on: pages are attached there."""
        self.stop()
        self._drop_commands(OwnedElsewhere())
        self._moved(self)
        for viewer in self.audience.clear():
            viewer.move()

    def _drop_commands(self, problem: PliError) -> None:
        self._inbox.clear()
        for future in self._expected:
            if not future.done():
                future.set_exception(problem)

    def _watch_again(self) -> None:
        self._watch_stale = True

    def _run_clock(self) -> None:
        if not self._start.holds:
            self._clock.go()

    def _begun(self) -> None:
        """The time of play begins for all at the same moment."""
        self._clock.go()
        self._broadcast.begin()
        self.scheduler.soon(self._resume)

    def _woken(self) -> None:
        self._run_clock()
        self._broadcast.table()
        self.scheduler.soon(self._resume)  # not before the command that woke the table is done

    def _resume(self) -> None:
        """Has listeners do what happens by itself, unless the table rests, a commit is under way,
        or nobody is there."""
        table = self._table
        playing = table.state == "playing" and table.match is not None
        if not playing or not self.audience.viewers or self.trouble is not None:
            return
        if self._committing or self.stopped:
            return
        if self._start.holds:
            self._start.proceed()
            return
        if self._idle.on:
            return
        if self._idle.starts():
            self._rest()
            return
        for resume in self._resumed:
            resume()

    def _rest(self) -> None:
        self.pause()
        self._clock.stop()
        self._broadcast.table()
        for viewer in self.audience:
            self._idle.explain(viewer)
        self._moves.settle_now()

    # Commits

    def _commit(self, tx: Tx) -> None:
        table, entries = self._table, tx.entries
        events, table.seen = table.seen, {}
        commit = Commit(entries, events, tx.author)
        if commit.begins_game or commit.ends_game:
            self._idle.on = False
            if self.audience:
                self._clock.go()
        if commit.begins_game:
            self._clock.start_anew()
            for listener in self._listeners:
                listener.reset()
            if self._start.holds:
                self._clock.set(0)
        for recorded in self._recorded:
            recorded(commit)
        self._committing = True
        append = Append(
            table=table.name,
            first=table.n - len(entries) + 1,
            entries=[e.encode(entry) for entry in entries],
            listing=None if commit.quiet else listing(table),
        )
        self.budget.charge(append, tx.charged_to)
        self._journal.append_soon(append, partial(self._appended, commit, tx))

    def _appended(self, commit: Commit, tx: Tx, problem: PliError | None) -> None:
        if problem is not None and self.stopped:
            for _, failed in tx.after_commit:
                failed(problem)
            return
        if problem is not None:
            self._metrics.unsaved.inc(problem.code)
            _log.error("not saved", extra={"table": self._table.name, "code": problem.code})
            self.trouble = problem
            self.scheduler.spawn(self._reload(problem, tx))
            return
        self._metrics.durable.observe(time.monotonic() - tx.began)
        self._committing = False
        for committed in self._committed:
            committed(commit)
        if tx.author is not None:
            self._actions[PERSON if tx.author.id else BOT] += 1
            if tx.arrived is not None:
                self._metrics.told.observe(time.monotonic() - tx.arrived)
        for work, _ in tx.after_commit:
            work()
        if commit.ends_game and self._table.state == "over" and self._table.match is not None:
            self.scheduler.spawn(self._keep_record(finished_game(self._table)))
        self._resume()
        self._next()

    async def _keep_record(self, game: FinishedGame) -> None:
        address = self.audience.address or self._table.name
        self.budget.charge_payer(await self._history.save_record(game, address))

    def _next(self) -> None:
        while self._inbox and not self._committing:
            command = self._inbox.popleft()
            try:
                self.execute(command)
            except Exception:
                # Whoever asked is gone or was told; the commands of others go on.
                _log.exception("command failed", extra={"table": self._table.name})

    # Trouble

    async def _reload(self, problem: PliError, tx: Tx) -> None:
        """The table is as its journal has it, which may hold what could not be said to be saved;
        it goes on when the journal can be written again. Until then its clock stands still."""
        self.pause()
        self._clock.stop()
        for _, failed in tx.after_commit:
            failed(problem)
        if not isinstance(problem, NotOwner):
            self.audience.complain(problem)
        try:
            self._table.become(await self._read())
        except OwnedElsewhere:
            self.lose()
            return
        except (PliError, msgspec.DecodeError) as error:
            _log.error("table lost", extra={"table": self._table.name}, exc_info=error)
            self._give_up()
            return
        self._watch_stale = True
        self._clock.set(_time_of(self._table))
        self._idle.on = False
        for listener in self._listeners:
            listener.reset()
        for viewer in self.audience:
            seat = self._table.seat_of(viewer.token) if viewer.token else None
            self.audience.assign(viewer, seat)
        for viewer in self.audience:
            self._broadcast.welcome(viewer)
        if not isinstance(problem, NotOwner):
            await asyncio.sleep(RETRY)
        while not self._journal.healthy:
            await asyncio.sleep(RETRY)
        if self.stopped:
            return
        self.trouble = None
        self._committing = False
        if self.audience:
            self._run_clock()
        for viewer in self.audience:
            self._broadcast.welcome(viewer)
        for viewer in [*self.audience.arriving]:
            self.post(partial(self._arrive, viewer))
        self._resume()
        self._next()

    async def _read(self) -> Table:
        while True:
            try:
                await self._journal.claim(self._table.name)
                data = await self._journal.entries(self._table.name)
            except OwnedElsewhere:
                raise
            except PliError as error:
                if error.code == "journal_damaged":
                    raise
                await asyncio.sleep(RETRY)
                continue
            if not data:
                raise PliError("no_such_table")
            self.budget.size = size_of_entries(data)
            return await asyncio.to_thread(load_table, self._table.name, data)

    def _give_up(self) -> None:
        for viewer in self.audience.everyone:
            viewer.close("not_saved")
        self._drop_commands(NotSaved())
        self.trouble = None
        self._committing = False
        self._emptied(self)


def overriding(listeners: Iterable[Listener], method: str) -> list[Listener]:
    return [
        each for each in listeners if getattr(type(each), method) is not getattr(Listener, method)
    ]


def _time_of(table: Table) -> int:
    """The time of play at which its last entry left a table."""
    return table.match.now if table.match is not None else 0
