"""The journal in an SQLite file: embedded, for one server process at a time.

A writer thread and a reader thread have a connection each (WAL mode), so that neither blocks the
other, and neither blocks the event loop.
"""

import asyncio
import itertools
import logging
import sqlite3
import threading
import time
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from msgspec.json import encode

from pli.server.journal.api import (
    Append,
    Done,
    JournalProblem,
    KeptRecord,
    Listing,
    NotOpened,
    NotRead,
    NotSaved,
)
from pli.server.journal.sqlite.days import DAY, DAYS_AGO, moment
from pli.server.journal.sqlite.schema import (
    BUSY_TIMEOUT,
    LISTING_COLUMNS,
    connect,
    not_opened,
    open_writer,
    probe_write,
    problem_code,
)
from pli.server.journal.sqlite.writer import Writer

UNFINISHED = "state IN ('waiting', 'playing')"

# All entries in one row: fetching a row releases the interpreter lock, and a busy event loop may
# then hold it for milliseconds. The text may hold any bytes, since nothing decodes it.
_ENTRIES = """SELECT group_concat(length(entry)), group_concat(CAST(entry AS TEXT), ''),
    min(number), max(number) + 1,
    (SELECT entries FROM listings WHERE table_id = ?1 AND state <> 'archived') FROM
    (SELECT number, entry FROM entries WHERE table_id = ?1 AND number >= ?2 ORDER BY number)"""

_log = logging.getLogger(__name__)


class SqliteJournal:
    """See `Journal`."""

    def __init__(
        self, path: Path, lock: FileLock, connections: tuple[sqlite3.Connection, sqlite3.Connection]
    ) -> None:
        writing, self._reading = connections
        self._loop = asyncio.get_running_loop()
        self._reader = ThreadPoolExecutor(1, "pli-journal-reader")
        self._reading_lock = threading.Lock()
        """Held while the reader thread reads."""
        self._writer = Writer(writing, path, lock, self._reading_lock, self._loop)
        self._closed = False

    @classmethod
    async def open(
        cls, path: Path, timeout: float = BUSY_TIMEOUT, trust_clock: bool = False
    ) -> "SqliteJournal":
        # Resolved, so that all symbolic links to a file share one lock.
        path = path.expanduser().resolve()
        lock = FileLock(f"{path}.lock", thread_local=False)
        return cls(path, lock, await asyncio.to_thread(_open, path, lock, timeout, trust_clock))

    def append_soon(self, append: Append, done: Done) -> None:
        if self._closed:
            self._loop.call_soon(done, NotSaved("journal_closed"))
        else:
            self._writer.append(append, done)

    def append(self, append: Append) -> asyncio.Future[None]:
        future: asyncio.Future[None] = self._loop.create_future()

        def done(problem: JournalProblem | None) -> None:
            if future.done():
                return  # the caller was cancelled
            if problem is None:
                future.set_result(None)
            else:
                future.set_exception(problem)

        self.append_soon(append, done)
        return future

    async def entries(self, table: str, since: int = 0) -> list[bytes]:
        (row,) = await self._read(_ENTRIES, table, since)
        lengths, whole, first, end, known = row
        ends = [0, *itertools.accumulate(map(int, lengths.split(b",")))] if lengths else [0]
        found = [whole[a:b] for a, b in itertools.pairwise(ends)]
        first, end = (since, since) if first is None else (first, end)
        if (first, end) != (since, since + len(found)) or end < (known or 0):
            details = {"table": table, "found": len(found), "until": end, "known": known}
            _log.error("entries are missing", extra=details)
            raise NotRead("journal_damaged")
        return found

    async def listing(self, table: str) -> Listing | None:
        rows = await self._read(f"SELECT {LISTING_COLUMNS} FROM listings WHERE table_id = ?", table)
        return _listing(*rows[0]) if rows else None

    async def untouched(
        self,
        most: int,
        *,
        before: int | None = None,
        begun: bool | None = None,
        among: Collection[str] | None = None,
        but: Collection[str] = (),
    ) -> list[Listing]:
        source = "listings"
        values: list[object] = []
        conditions = ["state <> 'archived'"]
        if among is not None:
            # A CROSS JOIN keeps this order; otherwise all unfinished tables would be scanned.
            source = "json_each(?) CROSS JOIN listings ON table_id = value"
            values.append(_names(among))
        if before is not None:
            conditions.append("touched < ?")
            values.append(before)
        if begun is not None:
            conditions.append(f"{UNFINISHED} AND begun = ?")
            values.append(begun)
        if but:
            conditions.append("table_id NOT IN (SELECT value FROM json_each(?))")
            values.append(_names(but))
        query = f"SELECT {LISTING_COLUMNS} FROM {source} WHERE {' AND '.join(conditions)}"
        rows = await self._read(f"{query} ORDER BY touched LIMIT ?", *values, most)
        return [_listing(*row) for row in rows]

    async def count(self) -> int:
        query = f"SELECT sum(tables) FROM counts WHERE {UNFINISHED}"
        return int((await self._read(query))[0][0])

    async def days_ago(self, days: int) -> int | None:
        now = int(time.time())
        rows = await self._read(DAYS_AGO, now // DAY, days)
        return moment(rows[0][0], now, days) if rows else None

    async def record(self, table: str, number: int) -> KeptRecord | None:
        query = "SELECT text, about FROM records WHERE table_id = ? AND number = ?"
        rows = await self._read(query, table, number)
        if not rows:
            return None
        text, about = rows[0]
        # Damage is found when it is parsed: each line of a record has a check sum.
        return KeptRecord(number, text.decode(errors="replace"), about)

    async def recorded(self, table: str) -> set[int]:
        query = "SELECT number FROM records WHERE table_id = ? AND about IS NOT NULL"
        return {number for (number,) in await self._read(query, table)}

    async def mend_record(self, table: str, record: KeptRecord) -> None:
        if self._closed:
            raise NotSaved("journal_closed")
        statement = "UPDATE records SET text = ?, about = ? WHERE table_id = ? AND number = ?"
        values = (record.text, record.about, table, record.number)
        await self._writer.transaction(lambda connection: connection.execute(statement, values))

    async def archive(self, found: Sequence[Listing]) -> int:
        if self._closed:
            raise NotSaved("journal_closed")
        return await self._writer.transaction(lambda connection: _archive(connection, found))

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        # The last connection to close removes the WAL: the writer's, which may write.
        await self._loop.run_in_executor(self._reader, self._reading.close)
        self._reader.shutdown()
        await self._writer.close()

    async def probe(self) -> None:
        if not self._closed:
            with suppress(NotSaved):
                await self._writer.transaction(probe_write)

    @property
    def problem(self) -> JournalProblem | None:
        return self._writer.problem

    @property
    def healthy(self) -> bool:
        return self._writer.problem is None

    async def _read(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows, with all text columns as bytes."""
        if self._closed:
            raise NotRead("journal_closed")
        try:
            return await self._loop.run_in_executor(self._reader, self._rows, query, values)
        except sqlite3.Error as error:
            raise NotRead(problem_code(error)) from error

    def _rows(self, query: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        with self._reading_lock:
            return self._reading.execute(query, values).fetchall()


def _open(
    path: Path, lock: FileLock, timeout: float, trust_clock: bool
) -> tuple[sqlite3.Connection, sqlite3.Connection]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire(blocking=False)
    except Timeout:
        raise NotOpened("journal_in_use", file=path) from None
    except OSError as error:
        raise not_opened(path, error) from error
    try:
        writing = open_writer(path, timeout, trust_clock)
        try:
            reading = connect(path, timeout)
            reading.text_factory = bytes
            reading.execute("PRAGMA query_only = ON")
            reading.execute("SELECT 1 FROM listings LIMIT 1").fetchall()  # opens the WAL as well
        except BaseException:
            writing.close()
            raise
    except sqlite3.Error as error:
        lock.release()
        raise not_opened(path, error) from error
    except BaseException:
        lock.release()
        raise
    return writing, reading


def _archive(connection: sqlite3.Connection, found: Sequence[Listing]) -> int:
    count = 0
    for each in found:
        same = "table_id = ? AND touched = ? AND state <> 'archived'"
        change = f"UPDATE listings SET state = 'archived' WHERE {same}"
        if not each.begun:
            change = f"DELETE FROM listings WHERE {same} AND NOT begun"
        if connection.execute(change, (each.table, each.touched)).rowcount:
            connection.execute("DELETE FROM entries WHERE table_id = ?", (each.table,))
            count += 1
    return count


def _names(tables: Collection[str]) -> str:
    return encode([*tables]).decode()


def _listing(*row: Any) -> Listing:
    table, game, version, state, public, created, touched, summary, finished = row
    known = (table.decode(), game.decode(), version, state.decode(), bool(public))
    return Listing(*known, created, touched, summary, finished)
