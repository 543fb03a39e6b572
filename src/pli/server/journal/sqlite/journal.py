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
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from filelock import FileLock
from msgspec.json import encode

from pli.server.journal.api import (
    Alone,
    Append,
    Done,
    Flushed,
    JournalProblem,
    KeptRecord,
    Listing,
    NotRead,
    NotSaved,
    append_with_future,
)
from pli.server.journal.days import DAY, moment
from pli.server.journal.sqlite.days import DAYS_AGO
from pli.server.journal.sqlite.schema import (
    BUSY_TIMEOUT,
    LISTING_COLUMNS,
    connect,
    delete_table,
    lock_file,
    not_opened,
    note_traces,
    open_writer,
    probe_write,
    problem_code,
)
from pli.server.journal.sqlite.writer import Writer

UNFINISHED = "state IN ('waiting', 'playing')"
FINISHED = "state IN ('over', 'archived')"

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
        self.registry = Alone()
        self.lost: Callable[[str], None] = lambda table: None
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
        return cls(path, *await asyncio.to_thread(_open, path, timeout, trust_clock))

    def append_soon(self, append: Append, done: Done) -> None:
        if self._closed:
            self._loop.call_soon(done, NotSaved("journal_closed"))
        else:
            self._writer.append(append, done)

    def on_flush(self, flushed: Flushed) -> None:
        self._writer.flushed = flushed

    def append(self, append: Append) -> asyncio.Future[None]:
        return append_with_future(self, append)

    async def claim(self, table: str, *, force: bool = False) -> bool:
        """The file belongs to this process, and so do all tables."""
        return False

    def epoch(self, table: str) -> int:
        return 1

    def release(self, tables: Collection[str]) -> asyncio.Future[None]:
        """Nobody else could claim them."""
        released: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        released.set_result(None)
        return released

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

    async def expired(self, most: int, *, before: int, but: Collection[str] = ()) -> list[Listing]:
        kept = "table_id NOT IN (SELECT value FROM json_each(?))"
        query = (
            f"SELECT {LISTING_COLUMNS} FROM listings WHERE {FINISHED} AND touched < ? AND {kept}"
        )
        rows = await self._read(f"{query} ORDER BY touched LIMIT ?", before, _names(but), most)
        return [_listing(*row) for row in rows]

    async def delete(self, found: Sequence[Listing]) -> int:
        if self._closed:
            raise NotSaved("journal_closed")
        return await self._writer.transaction(lambda connection: _delete(connection, found))

    async def purge(self, quiet: bool = True) -> bool:
        if self._closed:
            raise NotSaved("journal_closed")
        return await self._writer.purge(quiet)

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
    path: Path, timeout: float, trust_clock: bool
) -> tuple[FileLock, tuple[sqlite3.Connection, sqlite3.Connection]]:
    lock = lock_file(path)
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
    return lock, (writing, reading)


def _archive(connection: sqlite3.Connection, found: Sequence[Listing]) -> int:
    count = 0
    for each in found:
        same = "table_id = ? AND touched = ? AND state <> 'archived'"
        change = f"UPDATE listings SET state = 'archived' WHERE {same}"
        if not each.begun:
            change = f"DELETE FROM listings WHERE {same} AND NOT begun"
        if connection.execute(change, (each.table, each.touched)).rowcount:
            connection.execute("DELETE FROM entries WHERE table_id = ?", (each.table,))
            if not each.begun:
                note_traces(connection)
            count += 1
    return count


def _delete(connection: sqlite3.Connection, found: Sequence[Listing]) -> int:
    count = 0
    for each in found:
        same = "SELECT 1 FROM listings WHERE table_id = ? AND touched = ?"
        if connection.execute(same, (each.table, each.touched)).fetchone():
            delete_table(connection, each.table)
            count += 1
    return count


def _names(tables: Collection[str]) -> str:
    return encode([*tables]).decode()


def _listing(*row: Any) -> Listing:
    table, game, version, state, public, created, touched, summary, finished = row
    known = (table.decode(), game.decode(), version, state.decode(), bool(public))
    return Listing(*known, created, touched, summary, finished)
