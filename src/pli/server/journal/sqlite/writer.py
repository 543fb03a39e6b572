"""The writer thread of the SQLite journal, with group commit: one flush for all appends that wait.

The thread takes all appends that have queued up, from any number of tables, writes them in one
transaction, and notifies the event loop once for the whole batch. Meanwhile the next batch queues.

Each call into SQLite releases the interpreter lock, and a busy event loop may then hold it for
milliseconds. So a batch is a few statements of many rows, at best a single one, and never one
statement a row.
"""

import asyncio
import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic, time
from typing import Any, TypeVar

from filelock import FileLock
from msgspec.json import encode

from pli.server.futures import fail, succeed
from pli.server.journal.api import Append, Conflict, Done, Flushed, JournalProblem, NotSaved
from pli.server.journal.days import DAY
from pli.server.journal.sqlite.days import last_day, note_day
from pli.server.journal.sqlite.rows import MAX_ROWS, Rows
from pli.server.journal.sqlite.schema import (
    PAGE_SIZE,
    has_traces,
    probe_write,
    problem_code,
    vacuum,
)

CHECKPOINT_PAGES = 8192
"""Pages in the write-ahead log (WAL) after which a checkpoint moves them to the database: 16 MB."""

TRUNCATE_PAGES = 10_000
"""Pages in the WAL after which readers are locked out for the moment that it takes to truncate it.
A WAL that is being read can't be truncated, so with many readers it would grow without bound."""

PAGES_PER_ROW = 2
"""That a changed row takes in the WAL, on average."""

VACUUM_BYTES = 32 << 20
"""The size up to which a file is written anew while people play: it takes about a second."""

READER_TIMEOUT = 0.1
"""Seconds to wait for readers before a truncation is given up."""

TOUCH_INTERVAL = 60.0
"""Seconds between updates of listings whose tables had entries without a new listing."""

RETRY_INTERVAL = 1.0
"""Seconds between attempts to write while the journal can't be written."""

FILE_CHECK_INTERVAL = 1.0
"""Seconds between checks, before a write, that the file has not been removed or replaced. After
each write it is checked anyway."""

_CONSTRAINTS = (
    sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY,
    sqlite3.SQLITE_CONSTRAINT_UNIQUE,
    sqlite3.SQLITE_CONSTRAINT_TRIGGER,
)

_TOUCH_LISTINGS = """UPDATE listings SET touched = max(touched, json_extract(touch.value, '$[0]')),
    entries = max(entries, json_extract(touch.value, '$[1]')) FROM json_each(?) AS touch
    WHERE table_id = touch.key AND state <> 'archived'"""

_log = logging.getLogger(__name__)

T = TypeVar("T")
Pending = tuple[Append, Done]
Work = Callable[[], None]


class Writer:
    """Appends and other transactions, in the order in which they are queued."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path,
        lock: FileLock,
        reading: threading.Lock,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        """`lock` keeps other server processes off the file, and is released when the thread ends;
        `reading` is held by this process while it reads over another connection."""
        self.problem: NotSaved | None = None
        self.flushed: Flushed = lambda appends, seconds: None
        """Called on the event loop."""
        self._connection = connection
        self._path = os.fspath(path)
        self._lock = lock
        self._reading = reading
        self._file = path.stat()
        self._checked = 0.0
        self._loop = loop
        self._queue: SimpleQueue[Pending | Work | None] = SimpleQueue()
        self._wal_pages = 0
        """Pages in the WAL, estimated from what was written since the last checkpoint."""
        self._changes = 0
        self._last_day = (last_day(connection) or 0) * DAY
        """When the last day of use began. A clock that says it is earlier is wrong."""
        self._touched: dict[str, tuple[int, int]] = {}
        """Tables with entries since their last listing: (when, number of entries)."""
        self._touched_at = monotonic()
        self._thread = threading.Thread(target=self._run, name="pli-journal", daemon=True)
        self._thread.start()

    # Called on the event loop.

    def append(self, append: Append, done: Done) -> None:
        self._queue.put((append, done))

    def transaction(self, work: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        """Something else in a transaction of its own, after the appends that are queued now."""
        future: Future[T] = Future()
        self._queue.put(lambda: self._transaction(work, future))
        return asyncio.wrap_future(future, loop=self._loop)

    def purge(self, quiet: bool) -> asyncio.Future[bool]:
        """Removes the traces of deleted tables from the files: whether none are left. A large file
        is written anew only if it is `quiet`, since all appends wait meanwhile."""
        future: Future[bool] = Future()
        self._queue.put(lambda: self._purge(quiet, future))
        return asyncio.wrap_future(future, loop=self._loop)

    async def close(self) -> None:
        """Ends the thread once all queued appends are written."""
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _notify(
        self, batch: list[Pending], problems: list[JournalProblem | None] | None, seconds: float
    ) -> None:
        """Calls the callbacks of a committed batch, if the file is still there. That is checked
        here and not in the thread, which would have to wait for the interpreter lock once more."""
        try:
            self._check_file()
        except NotSaved as gone:
            self._report(gone.code, gone)
            self._queue.put(self._retry)  # until it succeeds
            problems = [gone for _ in batch]
        self.flushed(len(batch), seconds)
        for at, (_, done) in enumerate(batch):
            try:
                done(problems[at] if problems is not None else None)
            except Exception as error:
                # An exception in one callback must not keep the others from being called.
                context = {"message": "the callback of an append failed", "exception": error}
                self._loop.call_exception_handler(context)

    # Called in the thread.

    def _run(self) -> None:
        going = True
        while going:
            batch: list[Pending] = []
            others: list[Work] = []
            for each in self._next_batch():
                if each is None:
                    going = False
                elif isinstance(each, tuple):
                    batch.append(each)
                else:
                    others.append(each)
            if batch:
                began = monotonic()
                problems = self._commit(batch)
                self._call_on_loop(self._notify, batch, problems, monotonic() - began)
            for work in others:
                work()
            self._maintain(closing=not going)
        self._connection.close()
        self._lock.release()

    def _next_batch(self) -> list[Pending | Work | None]:
        """Waits for something to be queued, then takes all there is."""
        queue = self._queue
        while True:
            try:
                first = queue.get(timeout=None if self.problem is None else RETRY_INTERVAL)
            except Empty:
                self._retry()
            else:
                return [first, *(queue.get_nowait() for _ in range(queue.qsize()))]

    def _commit(self, batch: Sequence[Pending]) -> list[JournalProblem | None] | None:
        """What prevented each append; None if all are durable."""
        problems: list[JournalProblem | None] | None = None
        try:
            self._check_file_now_and_then()
            try:
                self._insert_together(batch)
            except Exception as error:
                if problem_code(error) is not None:
                    raise
                self._rollback()
                problems = self._insert_separately(batch)
        except Exception as error:
            code = self._failed(error)
            return [NotSaved(code) for _ in batch]
        self._succeeded()
        return problems

    def _insert_together(self, batch: Sequence[Pending]) -> None:
        """In one transaction, which a single statement is by itself."""
        rows = Rows((append for append, _ in batch), self._earliest())
        if rows.listings or rows.records or len(rows.entries) > 3 * MAX_ROWS:
            self._connection.execute("BEGIN IMMEDIATE")
            rows.insert(self._connection)
            self._connection.execute("COMMIT")
        else:
            rows.insert(self._connection)
        self._count_written([rows])

    def _insert_separately(self, batch: Sequence[Pending]) -> list[JournalProblem | None]:
        """In one transaction with a savepoint for each append: one that conflicts does not prevent
        the others."""
        problems: list[JournalProblem | None] = []
        written = []
        execute = self._connection.execute
        execute("BEGIN IMMEDIATE")
        for append, _ in batch:
            execute("SAVEPOINT append")
            try:
                rows = Rows([append], self._earliest())
                rows.insert(self._connection)
            except Exception as error:
                if problem_code(error) is not None:
                    raise
                execute("ROLLBACK TO append")
                problems.append(_refusal(append, error))
            else:
                written.append(rows)
                problems.append(None)
            execute("RELEASE append")
        execute("COMMIT")
        self._count_written(written)
        return problems

    def _count_written(self, written: Iterable[Rows]) -> None:
        now = self._now()
        for rows in written:
            self._count_pages(rows.size())
            self._touched |= {table: (now, count) for table, count in rows.touched.items()}

    def _now(self) -> int:
        return max(int(time()), self._last_day)

    def _earliest(self) -> int:
        """The lower bound of `touched`; it matters only while the clock is behind."""
        return self._last_day if time() < self._last_day else 0

    def _count_pages(self, size: int = 0) -> None:
        """Adds what was just written to the estimate of the WAL's length."""
        changes = self._connection.total_changes
        self._wal_pages += PAGES_PER_ROW * (changes - self._changes) + size // PAGE_SIZE
        self._changes = changes

    def _transaction(self, work: Callable[[sqlite3.Connection], T], future: Future[T]) -> None:
        try:
            self._check_file_now_and_then()
            self._connection.execute("BEGIN IMMEDIATE")
            self._touch_listings()
            result = work(self._connection)
            self._connection.execute("COMMIT")
            self._count_pages()
            self._check_file()
        except Exception as error:
            fail(future, NotSaved(self._failed(error)))
        else:
            self._touched.clear()
            self._wal_pages += 1
            self._succeeded()
            succeed(future, result)

    def _purge(self, quiet: bool, future: Future[bool]) -> None:
        try:
            self._check_file()
            if has_traces(self._connection):
                if not quiet and os.stat(self._path).st_size > VACUUM_BYTES:
                    self._truncate()
                    succeed(future, False)
                    return
                began = monotonic()
                vacuum(self._connection)
                _log.info("vacuumed", extra={"ms": int(1000 * (monotonic() - began))})
            self._changes = self._connection.total_changes
            succeed(future, self._truncate())
        except Exception as error:
            self._rollback()
            code = error.code if isinstance(error, NotSaved) else problem_code(error)
            fail(future, NotSaved(code))

    def _maintain(self, closing: bool) -> None:
        """Updates listings and checkpoints the WAL, after the callers are notified. If it fails it
        is tried again later."""
        try:
            if self._touched and (closing or monotonic() - self._touched_at > TOUCH_INTERVAL):
                self._touched_at = monotonic()
                self._touch_listings()
                self._touched.clear()
            if self._wal_pages > CHECKPOINT_PAGES:
                self._wal_pages = 0
                self._checkpoint()
        except Exception as error:
            self._rollback()
            _log.warning("maintenance of the journal failed: %s", error)

    def _checkpoint(self) -> None:
        _, pages, _ = self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        if pages >= TRUNCATE_PAGES:
            self._truncate()

    def _truncate(self) -> bool:
        """Moves the WAL to the database and empties it, unless it is being read."""
        if not self._reading.acquire(timeout=READER_TIMEOUT):
            return False
        try:
            # Other processes may read as well, and are hardly waited for.
            timeout = self._connection.execute("PRAGMA busy_timeout").fetchone()[0]
            self._connection.execute(f"PRAGMA busy_timeout = {int(1000 * READER_TIMEOUT)}")
            try:
                truncate = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                return not truncate.fetchone()[0]
            finally:
                self._connection.execute(f"PRAGMA busy_timeout = {timeout}")
        finally:
            self._reading.release()

    def _touch_listings(self) -> None:
        note_day(self._connection, self._now())
        self._connection.execute(_TOUCH_LISTINGS, (encode(self._touched).decode(),))

    # Failures

    def _check_file_now_and_then(self) -> None:
        """Nothing is written to a file that is known to be gone."""
        if monotonic() - self._checked >= FILE_CHECK_INTERVAL:
            self._check_file()

    def _check_file(self) -> None:
        """A removed file can still be written, but is lost when it is closed. So what was written
        is durable only if the file is in place afterwards."""
        self._checked = 0.0
        try:
            found = os.stat(self._path)
        except OSError:
            raise NotSaved("journal_gone") from None
        if (found.st_dev, found.st_ino) != (self._file.st_dev, self._file.st_ino):
            raise NotSaved("journal_gone")
        self._checked = monotonic()

    def _failed(self, error: Exception) -> str:
        """Rolls back. Gives the code of the problem."""
        self._rollback()
        code = error.code if isinstance(error, NotSaved) else problem_code(error)
        self._report(code or NotSaved.code, error)
        return code or NotSaved.code

    def _report(self, code: str, error: Exception) -> None:
        if self.problem is None or self.problem.code != code:
            _log.error("the journal can't be written: %s", code, exc_info=error)
        self.problem = NotSaved(code)

    def _succeeded(self) -> None:
        if self.problem is not None:
            _log.warning("the journal can be written again")
            self.problem = None

    def _retry(self) -> None:
        try:
            self._check_file()
            probe_write(self._connection)
        except Exception as error:
            self._failed(error)
        else:
            self._succeeded()

    def _rollback(self) -> None:
        # If even that fails, so does the next write, and then it is tried again.
        with suppress(sqlite3.Error):
            self._connection.rollback()

    def _call_on_loop(self, function: Callable[..., None], *values: Any) -> None:
        with suppress(RuntimeError):  # the event loop is closed
            self._loop.call_soon_threadsafe(function, *values)


def _refusal(append: Append, error: Exception) -> JournalProblem:
    if getattr(error, "sqlite_errorcode", 0) in _CONSTRAINTS:
        return Conflict(table=append.table, number=append.first)
    _log.error("an append can't be written", exc_info=error)
    return NotSaved()
