"""The thread that alone writes to the embedded journal: one flush for all that wait.

It takes whatever has gathered, from any number of tables, writes it in one transaction, and tells
the event loop once for all of it. Meanwhile the next batch gathers.

Each call into SQLite gives up Python's lock, and a busy event loop may keep it for milliseconds.
So a batch is a few statements of many rows, best of all a single one, and not one for each row.
"""

import asyncio
import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic, time
from typing import Any, TypeVar

from filelock import FileLock
from msgspec.json import encode

from pli.server.journal.api import Append, Conflict, Done, JournalProblem, NotSaved
from pli.server.journal.sqlite.days import DAY, last_day, note_day
from pli.server.journal.sqlite.rows import MOST, Rows
from pli.server.journal.sqlite.schema import PAGE, problem_code, prove

CHECKPOINT = 8192
"""Pages after which what was appended to the log is moved to where it belongs: 16 MB."""

LARGE = 10_000
"""Pages of the log after which nobody may read for the moment that it takes to begin it anew. While
somebody reads it can't be, so that many readers would make it grow for ever."""

PAGES = 2
"""That a changed row takes in the log, some more and some less."""

PAUSE = 0.1
"""Seconds to wait for who reads."""

TOUCHING = 60.0
"""Seconds between notes of which tables had entries without a listing."""

RETRY = 1.0
"""Seconds between trials whether a problem is over, if nobody else tries."""

LOOKING = 1.0
"""Seconds between looks whether the file is still where it was, before something is written. After
each time there is another one."""

_TAKEN = (
    sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY,
    sqlite3.SQLITE_CONSTRAINT_UNIQUE,
    sqlite3.SQLITE_CONSTRAINT_TRIGGER,
)

_TOUCH = """UPDATE listings SET touched = max(touched, json_extract(noted.value, '$[0]')),
    entries = max(entries, json_extract(noted.value, '$[1]')) FROM json_each(?) AS noted
    WHERE table_id = noted.key AND state <> 'archived'"""

_log = logging.getLogger(__name__)

T = TypeVar("T")
Waiting = tuple[Append, Done]
Job = Callable[[], None]


class Writer:
    """Appends and jobs, done in the order given."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path,
        lock: FileLock,
        reading: threading.Lock,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        """`lock` is held as long as there is somebody who writes, `reading` while somebody reads
        over another connection of this process."""
        self.problem: NotSaved | None = None
        self._connection = connection
        self._name = os.fspath(path)
        self._lock = lock
        self._reading = reading
        self._file = path.stat()
        self._looked = 0.0
        self._loop = loop
        self._queue: SimpleQueue[Waiting | Job | None] = SimpleQueue()
        self._unmoved = 0
        """Pages in the log, as far as can be told from what was written."""
        self._changes = 0
        self._last_day = (last_day(connection) or 0) * DAY
        """When that began. A clock that says it is earlier is not right."""
        self._touched: dict[str, tuple[int, int]] = {}
        self._noted = monotonic()
        self._thread = threading.Thread(target=self._run, name="pli-journal", daemon=True)
        self._thread.start()

    # Called on the event loop.

    def put(self, append: Append, done: Done) -> None:
        self._queue.put((append, done))

    def do(self, work: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        """Something else in a transaction of its own, after what is waiting now."""
        future: asyncio.Future[T] = self._loop.create_future()
        self._queue.put(lambda: self._do(work, future))
        return future

    async def close(self) -> None:
        """Ends it once all that waits is written."""
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _settle(self, batch: list[Waiting], problems: list[JournalProblem | None] | None) -> None:
        """Tells everybody what became of what is written, if the file is still there. It is looked
        for here and not in the thread, which would have to wait for Python's lock once more."""
        try:
            self._find()
        except NotSaved as gone:
            self._report(gone.code, gone)
            self._queue.put(self._try_again)  # and again until it is well
            problems = [gone for _ in batch]
        for at, (_, done) in enumerate(batch):
            try:
                done(problems[at] if problems is not None else None)
            except Exception as error:
                # One who fails at his own news must not keep it from the others.
                context = {"message": "an append's callback failed", "exception": error}
                self._loop.call_exception_handler(context)

    # Called in the thread.

    def _run(self) -> None:
        going = True
        while going:
            batch: list[Waiting] = []
            jobs: list[Job] = []
            for each in self._gather():
                if each is None:
                    going = False
                elif isinstance(each, tuple):
                    batch.append(each)
                else:
                    jobs.append(each)
            if batch:
                problems = self._save(batch)
                self._tell(self._settle, batch, problems)
            for job in jobs:
                job()
            self._tidy(closing=not going)
        self._connection.close()
        self._lock.release()

    def _gather(self) -> list[Waiting | Job | None]:
        """Waits for something to do, then takes all there is."""
        queue = self._queue
        while True:
            try:
                first = queue.get(timeout=None if self.problem is None else RETRY)
            except Empty:
                self._try_again()
            else:
                return [first, *(queue.get_nowait() for _ in range(queue.qsize()))]

    def _save(self, batch: Sequence[Waiting]) -> list[JournalProblem | None] | None:
        """What prevented each of them; nothing if all is well."""
        problems: list[JournalProblem | None] | None = None
        try:
            self._look()
            try:
                self._write_all(batch)
            except Exception as error:
                if problem_code(error) is not None:
                    raise
                self._undo()
                problems = self._write_each(batch)
        except Exception as error:
            code = self._trouble(error)
            return [NotSaved(code) for _ in batch]
        self._well()
        return problems

    def _write_all(self, batch: Sequence[Waiting]) -> None:
        """In one transaction, which a single statement is by itself."""
        rows = Rows((append for append, _ in batch), self._earliest())
        if rows.listings or rows.records or len(rows.entries) > 3 * MOST:
            self._connection.execute("BEGIN IMMEDIATE")
            rows.insert(self._connection)
            self._connection.execute("COMMIT")
        else:
            rows.insert(self._connection)
        self._written([rows])

    def _write_each(self, batch: Sequence[Waiting]) -> list[JournalProblem | None]:
        """Still in one transaction, but what can't be written harms nothing else."""
        problems: list[JournalProblem | None] = []
        written = []
        execute = self._connection.execute
        execute("BEGIN IMMEDIATE")
        for append, _ in batch:
            execute("SAVEPOINT one")
            try:
                rows = Rows([append], self._earliest())
                rows.insert(self._connection)
            except Exception as error:
                if problem_code(error) is not None:
                    raise
                execute("ROLLBACK TO one")
                problems.append(_refusal(append, error))
            else:
                written.append(rows)
                problems.append(None)
            execute("RELEASE one")
        execute("COMMIT")
        self._written(written)
        return problems

    def _written(self, written: Iterable[Rows]) -> None:
        now = self._now()
        for rows in written:
            self._count(rows.size())
            self._touched |= {table: (now, count) for table, count in rows.touched.items()}

    def _now(self) -> int:
        return max(int(time()), self._last_day)

    def _earliest(self) -> int:
        """When a table can have been touched by now; only a clock that is behind needs to know."""
        return self._last_day if time() < self._last_day else 0

    def _count(self, size: int = 0) -> None:
        """What was just written lies in the log."""
        changes = self._connection.total_changes
        self._unmoved += PAGES * (changes - self._changes) + size // PAGE
        self._changes = changes

    def _do(self, work: Callable[[sqlite3.Connection], T], future: asyncio.Future[T]) -> None:
        try:
            self._look()
            self._connection.execute("BEGIN IMMEDIATE")
            self._note()
            result = work(self._connection)
            self._connection.execute("COMMIT")
            self._count()
            self._find()
        except Exception as error:
            self._tell(_fail, future, NotSaved(self._trouble(error)))
        else:
            self._touched.clear()
            self._unmoved += 1
            self._well()
            self._tell(_succeed, future, result)

    def _tidy(self, closing: bool) -> None:
        """What nobody waits for. If it fails it is done another time."""
        try:
            if self._touched and (closing or monotonic() - self._noted > TOUCHING):
                self._noted = monotonic()
                self._note()
                self._touched.clear()
            if self._unmoved > CHECKPOINT:
                self._unmoved = 0
                self._checkpoint()
        except Exception as error:
            self._undo()
            _log.warning("the journal can't be tidied: %s", error)

    def _checkpoint(self) -> None:
        _, pages, _ = self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        if pages < LARGE or not self._reading.acquire(timeout=PAUSE):
            return
        try:
            # Other programs may read as well, and are not waited for.
            patience = self._connection.execute("PRAGMA busy_timeout").fetchone()[0]
            self._connection.execute(f"PRAGMA busy_timeout = {int(1000 * PAUSE)}")
            try:
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            finally:
                self._connection.execute(f"PRAGMA busy_timeout = {patience}")
        finally:
            self._reading.release()

    def _note(self) -> None:
        note_day(self._connection, self._now())
        self._connection.execute(_TOUCH, (encode(self._touched).decode(),))

    # Trouble

    def _look(self) -> None:
        """Nothing is written to a file that is known to be gone."""
        if monotonic() - self._looked >= LOOKING:
            self._find()

    def _find(self) -> None:
        """A file that was removed can be written for ever, to no avail. So what was written counts
        only if the file is there afterwards."""
        self._looked = 0.0
        try:
            found = os.stat(self._name)
        except OSError:
            raise NotSaved("journal_gone") from None
        if (found.st_dev, found.st_ino) != (self._file.st_dev, self._file.st_ino):
            raise NotSaved("journal_gone")
        self._looked = monotonic()

    def _trouble(self, error: Exception) -> str:
        """Nothing that was written counts. The code says why."""
        self._undo()
        code = error.code if isinstance(error, NotSaved) else problem_code(error)
        self._report(code or NotSaved.code, error)
        return code or NotSaved.code

    def _report(self, code: str, error: Exception) -> None:
        if self.problem is None or self.problem.code != code:
            _log.error("the journal can't be written: %s", code, exc_info=error)
        self.problem = NotSaved(code)

    def _well(self) -> None:
        if self.problem is not None:
            _log.warning("the journal can be written again")
            self.problem = None

    def _try_again(self) -> None:
        try:
            self._find()
            prove(self._connection)
        except Exception as error:
            self._trouble(error)
        else:
            self._well()

    def _undo(self) -> None:
        # If even that fails, so does what is tried next, and then it is tried again.
        with suppress(sqlite3.Error):
            self._connection.rollback()

    def _tell(self, function: Callable[..., None], *values: Any) -> None:
        with suppress(RuntimeError):  # nobody is left to be told
            self._loop.call_soon_threadsafe(function, *values)


def _refusal(append: Append, error: Exception) -> JournalProblem:
    if getattr(error, "sqlite_errorcode", 0) in _TAKEN:
        return Conflict(table=append.table, number=append.first)
    _log.error("an append can't be written", exc_info=error)
    return NotSaved()


def _succeed(future: asyncio.Future[T], result: T) -> None:
    if not future.done():
        future.set_result(result)


def _fail(future: asyncio.Future[Any], problem: JournalProblem) -> None:
    if not future.done():
        future.set_exception(problem)
