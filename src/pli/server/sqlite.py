"""The journal in a file of SQLite: nothing to install, one server at a time.

One thread writes and another one reads, each with its own connection, so that neither waits for the
other and the event loop waits for none.
"""

import asyncio
import itertools
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from filelock import FileLock, Timeout

from pli.server.journal import (
    Append,
    Done,
    JournalProblem,
    Listing,
    NotOpened,
    NotRead,
    NotSaved,
    State,
)
from pli.server.sqlite_schema import LISTING, connect, not_opened, open_file, problem_code, prove
from pli.server.sqlite_writer import Writer

PATIENCE = 5.0
"""Seconds to wait for somebody else who has locked the file."""

UNFINISHED: tuple[State, ...] = ("waiting", "playing")

# All in one row: each row that is fetched gives up Python's lock, and a busy event loop may keep
# it for milliseconds. As a text it may hold any bytes, since nothing decodes it.
_ENTRIES = """SELECT group_concat(length(entry)), group_concat(CAST(entry AS TEXT), '') FROM
    (SELECT entry FROM entries WHERE table_id = ? AND number >= ? ORDER BY number)"""

T = TypeVar("T")


class SqliteJournal:
    """See `Journal`."""

    def __init__(
        self, path: Path, lock: FileLock, connections: tuple[sqlite3.Connection, sqlite3.Connection]
    ) -> None:
        writing, self._reading = connections
        self._loop = asyncio.get_running_loop()
        self._reader = ThreadPoolExecutor(1, "pli-journal-reader")
        self._writer = Writer(writing, path, lock, self._loop)
        self._closed = False

    @classmethod
    async def open(cls, path: Path, patience: float = PATIENCE) -> "SqliteJournal":
        path = path.expanduser()
        lock = FileLock(f"{path}.lock", thread_local=False)
        return cls(path, lock, await asyncio.to_thread(_open, path, lock, patience))

    def append_soon(self, append: Append, done: Done) -> None:
        if self._closed:
            self._loop.call_soon(done, NotSaved("journal_closed"))
        else:
            self._writer.put(append, done)

    def append(self, append: Append) -> asyncio.Future[None]:
        future: asyncio.Future[None] = self._loop.create_future()

        def done(problem: JournalProblem | None) -> None:
            if future.done():
                return  # nobody waits any more
            if problem is None:
                future.set_result(None)
            else:
                future.set_exception(problem)

        self.append_soon(append, done)
        return future

    async def entries(self, table: str, since: int = 0) -> list[bytes]:
        (row,) = await self._read(_ENTRIES, table, since)
        lengths, whole = row
        if lengths is None:
            return []
        ends = [0, *itertools.accumulate(map(int, lengths.split(b",")))]
        return [whole[begin:end] for begin, end in itertools.pairwise(ends)]

    async def listing(self, table: str) -> Listing | None:
        rows = await self._read(f"SELECT {LISTING} FROM listings WHERE table_id = ?", table)
        return _listing(*rows[0]) if rows else None

    async def listings(
        self,
        state: State | None = None,
        public: bool | None = None,
        limit: int = 100,
        untouched_since: int | None = None,
    ) -> list[Listing]:
        wanted = {"state =": state, "public =": public, "touched <": untouched_since}
        given = {name: value for name, value in wanted.items() if value is not None}
        where = " AND ".join(["true", *(f"{name} ?" for name in given)])
        found = f"SELECT {LISTING} FROM listings WHERE {where}"
        newest = f"{found} ORDER BY created DESC, table_id LIMIT ?"
        rows = await self._read(newest, *given.values(), limit)
        return [_listing(*row) for row in rows]

    async def count(self, *states: State) -> int:
        states = states or UNFINISHED
        places = ", ".join("?" * len(states))
        counting = f"SELECT count(*) FROM listings WHERE state IN ({places})"
        return int((await self._read(counting, *states))[0][0])

    async def record(self, table: str, number: int) -> str | None:
        finding = "SELECT text FROM records WHERE table_id = ? AND number = ?"
        rows = await self._read(finding, table, number)
        return rows[0][0].decode() if rows else None

    async def archive(self, before: int) -> int:
        # One at a time, so that those who play wait for one at most.
        for count in itertools.count():
            if self._closed:
                raise NotSaved("journal_closed")
            if not await self._writer.do(lambda connection: _archive_one(connection, before)):
                return count
        raise AssertionError

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        # The writer's connection goes last: that one leaves a single file behind.
        await self._loop.run_in_executor(self._reader, self._reading.close)
        self._reader.shutdown()
        await self._writer.close()

    async def probe(self) -> None:
        if not self._closed:
            with suppress(NotSaved):
                await self._writer.do(prove)

    @property
    def problem(self) -> JournalProblem | None:
        return self._writer.problem

    @property
    def healthy(self) -> bool:
        return self._writer.problem is None

    async def _read(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows, with all texts as bytes."""
        if self._closed:
            raise NotRead("journal_closed")
        try:
            return await self._loop.run_in_executor(
                self._reader, _rows, self._reading, query, values
            )
        except sqlite3.Error as error:
            raise NotRead(problem_code(error)) from error


def _open(
    path: Path, lock: FileLock, patience: float
) -> tuple[sqlite3.Connection, sqlite3.Connection]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire(blocking=False)
    except Timeout:
        raise NotOpened("journal_in_use", file=path) from None
    except OSError as error:
        raise not_opened(path, error) from error
    try:
        writing = open_file(path, patience)
        try:
            reading = connect(path, patience)
            reading.text_factory = bytes
            reading.execute("PRAGMA query_only = ON")
            reading.execute("SELECT count(*) FROM listings").fetchall()  # opens all it will need
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


def _rows(
    connection: sqlite3.Connection, query: str, values: tuple[object, ...]
) -> list[tuple[Any, ...]]:
    return connection.execute(query, values).fetchall()


def _archive_one(connection: sqlite3.Connection, before: int) -> bool:
    finding = "SELECT table_id FROM listings WHERE state <> 'archived' AND touched < ? LIMIT 1"
    found = connection.execute(finding, (before,)).fetchone()
    if found is None:
        return False
    connection.execute("DELETE FROM entries WHERE table_id = ?", found)
    connection.execute("UPDATE listings SET state = 'archived' WHERE table_id = ?", found)
    return True


def _listing(
    table: bytes, game: bytes, version: int, state: bytes, public: int, *rest: Any
) -> Listing:
    told: Any = state.decode()
    return Listing(table.decode(), game.decode(), version, told, bool(public), *rest)
