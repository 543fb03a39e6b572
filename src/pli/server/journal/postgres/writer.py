"""The writer of the PostgreSQL journal: one statement, and so one flush, for all appends that wait.

There is one statement in flight; meanwhile the next batch gathers. A batch holds one append of each
table at most. If the connection is lost while a statement is in flight, nobody knows whether it was
executed: then nobody is told anything until a new connection shows it, or until the lease of this
server has ended.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from pli.server.journal.api import (
    Append,
    Conflict,
    Done,
    Flushed,
    JournalProblem,
    NotOwner,
    NotSaved,
)
from pli.server.journal.days import DAY
from pli.server.journal.postgres import rows
from pli.server.journal.postgres.connect import (
    STATEMENT_TIMEOUT,
    Connector,
    NoConnection,
    broken,
    passing,
    problem_code,
)
from pli.server.journal.postgres.registry import RECONNECT_SECONDS, PostgresRegistry
from pli.server.journal.postgres.rows import Pending

MAX_APPENDS = 1000
"""In one statement."""

TOUCH_INTERVAL = 60.0
"""Seconds between updates of listings whose tables had entries without a new listing."""

RETRY_INTERVAL = 0.5
"""Seconds between attempts to write while the journal can't be written."""

_LOCK_ROWS = "SELECT 1 FROM pli.tables WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE"

_LOOK = """SELECT w.id, t.owner = $3 AND t.epoch = w.epoch, t.entries,
    (SELECT entry FROM pli.entries e WHERE e.table_id = w.id AND e.number = t.entries - 1)
    FROM unnest($1::text[], $2::bigint[]) AS w(id, epoch)
    LEFT JOIN pli.tables t USING (id)"""

_LOOK_AT_RECORDS = """SELECT w.id FROM unnest($1::text[], $2::bigint[], $3::text[])
    AS w(id, number, text) JOIN pli.records r ON r.table_id = w.id AND r.number = w.number
    AND r.text = w.text"""

_RELEASE = """UPDATE pli.tables t SET owner = NULL
    FROM unnest($2::text[], $3::bigint[]) AS w(id, epoch)
    WHERE t.id = w.id AND t.owner = $1 AND t.epoch = w.epoch"""

TOUCH_LISTINGS = """UPDATE pli.listings l SET touched = t.touched FROM pli.tables t
    WHERE t.id = ANY($1::text[]) AND l.table_id = t.id AND t.touched > l.touched
    AND l.state <> 'archived'"""

NOTE_DAY = "INSERT INTO pli.days VALUES ($1) ON CONFLICT DO NOTHING"

_PROBE = "UPDATE pli.servers SET version = version WHERE id = $1"

_log = logging.getLogger(__name__)

T = TypeVar("T")
Work = Callable[[], Awaitable[None]]


class Writer:
    """Appends and other transactions, in the order in which they are queued."""

    def __init__(
        self,
        connector: Connector,
        registry: PostgresRegistry,
        lost: Callable[[str], None],
    ) -> None:
        """`lost` is called with a table that turns out to have another owner."""
        self.epochs: dict[str, int] = {}
        """Of the tables that this server has claimed."""
        self.releasing: dict[str, asyncio.Future[None]] = {}
        """Of those that it is giving up."""
        self.flushed: Flushed = lambda appends, seconds: None
        self._problem: NotSaved | None = None
        self._connector = connector
        self._registry = registry
        self._lost = lost
        self.last_day = 0
        """The last day of use. A clock that says it is earlier is wrong."""
        self._loop = asyncio.get_running_loop()
        self._connection: Any = None
        self._statements: tuple[Any, Any] = (None, None)
        self._queue: deque[Pending | Work] = deque()
        self._waiting: asyncio.Future[None] | None = None
        self._closing = False
        self._touched: set[str] = set()
        """Tables with entries since their last listing."""
        self._touched_at = self._loop.time()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Connects. NoConnection, or an error of the driver."""
        await self._connect()
        self._task = self._loop.create_task(self._run())

    @property
    def problem(self) -> NotSaved | None:
        if self._problem is None and not self._registry.valid:
            return NotSaved("journal_unreachable")
        return self._problem

    def append(self, append: Append, done: Done) -> None:
        self._queue.append((append, done))
        self._wake()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def transaction(self, work: Callable[[Any], Awaitable[T]]) -> asyncio.Future[T]:
        """Something else in a transaction of its own, after the appends that are queued now."""
        future: asyncio.Future[T] = self._loop.create_future()

        async def run() -> None:
            try:
                result = await self._transaction(work)
            except NotSaved as problem:
                if not future.done():
                    future.set_exception(problem)
            else:
                if not future.done():
                    future.set_result(result)

        self._queue.append(run)
        self._wake()
        return future

    async def close(self) -> None:
        """Ends once all that is queued is written, and all tables are released."""
        if self._task is None:
            return
        self._closing = True
        self._wake()
        await self._task
        if self._connection is not None:
            with suppress(Exception):
                async with asyncio.timeout(self._registry.answer_seconds):
                    await self._connection.close()
            self._drop()

    def release(self, tables: Collection[str]) -> asyncio.Future[None]:
        """After the appends that are queued now."""
        mine = [each for each in tables if each in self.epochs]
        if not mine:
            nothing: asyncio.Future[None] = self._loop.create_future()
            nothing.set_result(None)
            return nothing

        async def work(connection: Any) -> None:
            known = {each: self.epochs[each] for each in mine if each in self.epochs}
            await connection.execute(_RELEASE, self._registry.id, [*known], [*known.values()])

        released = self.transaction(work)
        self.releasing |= dict.fromkeys(mine, released)
        released.add_done_callback(partial(self._forget, mine))
        return released

    def _forget(self, tables: Iterable[str], released: asyncio.Future[None]) -> None:
        """Even if the release failed: to claim them again does no harm."""
        released.exception()  # whoever waits is told
        for each in tables:
            if self.releasing.get(each) is released:
                del self.releasing[each]
                self.epochs.pop(each, None)

    # The task

    async def _run(self) -> None:
        while True:
            if not self._queue:
                if self._closing:
                    break
                await self._wait()
            if self._problem is not None and not self._queue:
                await self._retry()
            elif self._queue and not isinstance(self._queue[0], tuple):
                work = self._queue.popleft()
                assert not isinstance(work, tuple)
                await work()
            elif batch := self._next_batch():
                began = self._loop.time()
                problems = await self._commit(batch)
                _notify(self._loop, batch, problems)
                self.flushed(len(batch), self._loop.time() - began)
            await self._maintain()
        self._touched_at = 0.0
        await self._maintain()
        with suppress(NotSaved):
            mine = (self._registry.id, [*self.epochs], [*self.epochs.values()])
            await self._transaction(lambda connection: connection.execute(_RELEASE, *mine))

    async def _wait(self) -> None:
        """For something to be queued, or until it is time to try again."""
        self._waiting = self._loop.create_future()
        retry = None
        if self._problem is not None:
            retry = self._loop.call_later(RETRY_INTERVAL, self._wake)
        try:
            await self._waiting
        finally:
            self._waiting = None
            if retry is not None:
                retry.cancel()

    def _next_batch(self) -> list[Pending]:
        """All appends up to the next transaction; further ones of a table wait for the next
        batch."""
        queue = self._queue
        batch: list[Pending] = []
        tables: set[str] = set()
        later: list[Pending] = []
        while queue and len(batch) < MAX_APPENDS:
            item = queue[0]
            if not isinstance(item, tuple):
                break
            queue.popleft()
            table = item[0].table
            if table in tables:
                later.append(item)
            else:
                tables.add(table)
                batch.append(item)
        queue.extendleft(reversed(later))
        return batch

    async def _commit(
        self, batch: Sequence[Pending], unknown: bool = False
    ) -> list[JournalProblem | None] | None:
        """What prevented each append; None if all are durable. `unknown`: a statement with these
        appends may have been executed."""
        outcomes: dict[str, JournalProblem | None] = {}
        left = batch
        while left:
            if not await self._ready():
                code = "journal_unknown" if unknown else "journal_unreachable"
                if self._problem is None:
                    self._report(NotSaved("journal_unreachable"))
                for append, _ in left:
                    outcomes[append.table] = NotSaved(code)
                    if unknown:
                        # The next claim raises the epoch: then the statement is refused.
                        self.epochs.pop(append.table, None)
                break
            try:
                if unknown:
                    done = await self._written(left)
                    outcomes |= dict.fromkeys(done)
                    left = [each for each in left if each[0].table not in done]
                    if not left:
                        break
                written = await self._execute(left)
                if written is not None:
                    refused = [each for each in left if each[0].table not in written]
                    done = await self._written(refused) if unknown else set()
                    outcomes |= dict.fromkeys(done)
                    outcomes |= await self._refusals(
                        [append for append, _ in refused if append.table not in done]
                    )
                break
            except Exception as error:
                if broken(error):
                    unknown = True
                    self._report_error(error)
                    self._drop()
                elif passing(error):
                    if getattr(error, "sqlstate", "") == "25006":  # a standby by now
                        self._drop()
                    await asyncio.sleep(RECONNECT_SECONDS)
                elif problem_code(error) is None:
                    # One that conflicts or can't be encoded does not prevent the others.
                    outcomes |= await self._separately(left, error, unknown)
                    break
                else:
                    problem = self._report_error(error)
                    code = "journal_unknown" if unknown else problem.code
                    outcomes |= {append.table: NotSaved(code) for append, _ in left}
                    break
        if not any(isinstance(each, NotSaved) for each in outcomes.values()):
            self._succeeded()
        if not outcomes:
            return None
        return [outcomes.get(append.table) for append, _ in batch]

    async def _separately(
        self, batch: Sequence[Pending], error: Exception, unknown: bool
    ) -> dict[str, JournalProblem | None]:
        if len(batch) == 1:
            ((append, _),) = batch
            return {append.table: _refusal(append, error)}
        outcomes: dict[str, JournalProblem | None] = {}
        for each in batch:
            problems = await self._commit([each], unknown)
            outcomes[each[0].table] = problems[0] if problems is not None else None
        return outcomes

    async def _execute(self, batch: Sequence[Pending]) -> Collection[str] | None:
        """The tables that were written; None if all were."""
        now = self._now()
        began = self.last_day * DAY
        earliest = began if now == began else 0
        moves, values = rows.arguments(batch, self._registry.id, self.epochs, now, earliest)
        statement = self._statements[0 if moves else 1]
        told: list[str] | None = await self._answer(statement.fetchval(*values))
        written = None if told is None else {*told}
        if moves:
            self._touched.update(values[2])
        else:
            for append, _ in batch:
                if append.entries and (written is None or append.table in written):
                    if append.first == 0:
                        self.epochs[append.table] = 1
                    if append.listing is None:
                        self._touched.add(append.table)
        return written

    def _now(self) -> int:
        return max(int(self._registry.now()), self.last_day * DAY)

    async def _written(self, batch: Sequence[Pending]) -> set[str]:
        """Which of these are in the journal. To lock their rows waits for statements that are still
        being executed, and makes what they have written durable."""
        with_entries = {append.table: append for append, _ in batch if append.entries}
        found: set[str] = set()
        if with_entries:
            await self._answer(self._connection.fetch(_LOCK_ROWS, [*with_entries]))
            for table, mine, entries, last in await self._look(with_entries.values()):
                append = with_entries[table]
                end = append.first + len(append.entries)
                if mine and entries == end and last == append.entries[-1]:
                    found.add(table)
                    if append.first == 0:
                        self.epochs[table] = 1
        alone = [append for append, _ in batch if not append.entries and append.record is not None]
        if alone:
            records = [each.record for each in alone if each.record is not None]
            kept = await self._answer(
                self._connection.fetch(
                    _LOOK_AT_RECORDS,
                    [each.table for each in alone],
                    [each.number for each in records],
                    [each.text for each in records],
                )
            )
            found |= {table for (table,) in kept}
        return found

    async def _refusals(self, refused: Sequence[Append]) -> dict[str, JournalProblem | None]:
        """Why these were refused: by another owner, or by other entries."""
        outcomes: dict[str, JournalProblem | None] = {
            append.table: Conflict(table=append.table, number=append.first)
            if append.first >= 0
            else _refusal(append, ValueError("a negative number"))
            for append in refused
        }
        asked = [each for each in refused if each.entries and each.first > 0]
        for table, mine, entries, _ in await self._look(asked) if asked else ():
            if entries is not None and not mine:
                number = next(each.first for each in asked if each.table == table)
                outcomes[table] = NotOwner(table=table, number=number)
                if self.epochs.pop(table, None) is not None:
                    self._loop.call_soon(self._lost, table)
        return outcomes

    async def _look(self, appends: Iterable[Append]) -> list[tuple[str, bool, int | None, bytes]]:
        """Of each table: whether it is ours, how many entries it has, the last of them."""
        epochs = {each.table: self.epochs.get(each.table, int(each.first == 0)) for each in appends}
        found: list[tuple[str, bool, int | None, bytes]] = await self._answer(
            self._connection.fetch(_LOOK, [*epochs], [*epochs.values()], self._registry.id)
        )
        return found

    async def _transaction(self, work: Callable[[Any], Awaitable[T]]) -> T:
        """Tried again if the connection is lost: these may be done twice."""
        while await self._ready():
            connection = self._connection
            timer = self._loop.call_later(STATEMENT_TIMEOUT, connection.terminate)
            try:
                async with connection.transaction():
                    result = await work(connection)
                self._succeeded()
                return result
            except Exception as error:
                if broken(error):
                    self._report_error(error)
                    self._drop()
                elif passing(error):
                    if getattr(error, "sqlstate", "") == "25006":
                        self._drop()
                    await asyncio.sleep(RECONNECT_SECONDS)
                else:
                    raise self._report_error(error) from None
            finally:
                timer.cancel()
        problem = self._problem or NotSaved("journal_unreachable")
        self._report(problem)
        raise NotSaved(problem.code, **problem.details)

    async def _maintain(self) -> None:
        """Updates listings, after the callers are notified. If it fails it is tried again later."""
        if not self._touched or self._loop.time() - self._touched_at < TOUCH_INTERVAL:
            return
        self._touched_at = self._loop.time()
        touched = [*self._touched]

        async def touch(connection: Any) -> None:
            await connection.execute(NOTE_DAY, self._now() // DAY)
            await connection.execute(TOUCH_LISTINGS, touched)

        with suppress(NotSaved):
            await self._transaction(touch)
            self._touched.difference_update(touched)

    async def probe(self, connection: Any) -> None:
        """Writes what is there already."""
        await connection.execute(_PROBE, self._registry.id)

    async def _retry(self) -> None:
        with suppress(NotSaved):
            await self._transaction(self.probe)

    # The connection

    async def _ready(self) -> bool:
        """Whether something can be written. Tries to connect for as long as the lease is valid: a
        server that may have been taken for dead writes nothing."""
        wait = RECONNECT_SECONDS
        while self._registry.valid:
            if self._connection is not None and not self._connection.is_closed():
                return True
            self._drop()
            try:
                async with asyncio.timeout(self._registry.remaining):
                    await self._connect()
            except Exception as error:
                self._report_error(error)
                await asyncio.sleep(min(wait, self._registry.remaining))
                wait = min(2 * wait, RETRY_INTERVAL)
        return False

    async def _connect(self) -> None:
        # One plan for all batches: to plan takes longer than to execute. It must do for large
        # tables even if it was made while they were small.
        connection = await self._connector.connect(
            plan_cache_mode="force_generic_plan", enable_seqscan="off", enable_mergejoin="off"
        )
        try:
            async with asyncio.timeout(self._registry.answer_seconds):
                await connection.execute(
                    "SELECT set_config('pli.server', $1, false)", self._registry.id
                )
                moves = await connection.prepare(rows.MOVES)
                anything = await connection.prepare(rows.ANYTHING)
        except BaseException:
            connection.terminate()
            raise
        self._statements = (moves, anything)
        self._connection = connection

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    async def _answer(self, asked: Awaitable[Any]) -> Any:
        """Ends the connection if the answer does not come. The driver's own time limit would ask
        the database to cancel the statement, and so its wait for standbys."""
        timer = self._loop.call_later(self._registry.answer_seconds, self._connection.terminate)
        try:
            return await asked
        finally:
            timer.cancel()

    # Failures

    def _report_error(self, error: Exception) -> NotSaved:
        details: dict[str, object] = {}
        if isinstance(error, NoConnection):
            code, details = error.code, error.details
        else:
            code = problem_code(error) or NotSaved.code
        return self._report(NotSaved(code, **details), error)

    def _report(self, problem: NotSaved, error: Exception | None = None) -> NotSaved:
        if self._problem is None or self._problem.code != problem.code:
            # Not the error itself: what the driver says may quote values.
            kind = getattr(error, "sqlstate", None) or type(error).__name__
            _log.error("the journal can't be written: %s (%s)", problem.code, kind)
        self._problem = problem
        return problem

    def _succeeded(self) -> None:
        if self._problem is not None:
            _log.warning("the journal can be written again")
            self._problem = None


def _notify(
    loop: asyncio.AbstractEventLoop,
    batch: Sequence[Pending],
    problems: Sequence[JournalProblem | None] | None,
) -> None:
    for at, (_, done) in enumerate(batch):
        try:
            done(problems[at] if problems is not None else None)
        except Exception as error:
            # An exception in one callback must not keep the others from being called.
            context = {"message": "the callback of an append failed", "exception": error}
            loop.call_exception_handler(context)


def _refusal(append: Append, error: Exception) -> JournalProblem:
    if getattr(error, "sqlstate", "") == "23505":
        return Conflict(table=append.table, number=append.first)
    _log.error("an append can't be written: %s", type(error).__name__)
    return NotSaved()
