"""Administration of an SQLite journal. Reading goes on beside a server that runs; who writes has
the file for itself."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock
from msgspec.structs import astuple

from pli.errors import PliError
from pli.server.journal.api import KeptRecord, Listing, NotOpened, NotRead, NotSaved, State
from pli.server.journal.maintenance import Contents, Edit, TableRow
from pli.server.journal.sqlite.schema import (
    BUSY_TIMEOUT,
    LISTING_COLUMNS,
    VERSION,
    check_file,
    connect,
    delete_table,
    has_traces,
    lock_file,
    not_opened,
    note_traces,
    open_writer,
    problem_code,
    vacuum,
)

_ROW = f"""SELECT {LISTING_COLUMNS}, (SELECT count(*) FROM entries e WHERE e.table_id = l.table_id),
    (SELECT total(length(entry)) FROM entries e WHERE e.table_id = l.table_id) FROM listings l"""

# The different values of a key's first column, found by jumping from one to the next.
_NEXT = """WITH RECURSIVE
    e(id) AS (SELECT min(table_id) FROM entries WHERE table_id > ?1 UNION ALL
        SELECT (SELECT min(table_id) FROM entries WHERE table_id > id) FROM e
        WHERE id IS NOT NULL LIMIT ?2),
    r(id) AS (SELECT min(table_id) FROM records WHERE table_id > ?1 UNION ALL
        SELECT (SELECT min(table_id) FROM records WHERE table_id > id) FROM r
        WHERE id IS NOT NULL LIMIT ?2),
    l(id) AS (SELECT table_id FROM listings WHERE table_id > ?1 ORDER BY table_id LIMIT ?2)
    SELECT id FROM (SELECT id FROM e UNION SELECT id FROM r UNION SELECT id FROM l)
    WHERE id IS NOT NULL ORDER BY id LIMIT ?2"""

_MENTIONING = """SELECT table_id FROM entries
    WHERE table_id > ?1 AND table_id <= ?2 AND instr(entry, ?3)
    UNION SELECT table_id FROM listings
    WHERE table_id > ?1 AND table_id <= ?2 AND instr(summary, ?3)
    UNION SELECT table_id FROM records
    WHERE table_id > ?1 AND table_id <= ?2 AND (instr(CAST(text AS BLOB), ?3) OR instr(about, ?3))
    ORDER BY table_id"""

_COUNTS = """SELECT counts.state FROM counts LEFT JOIN
    (SELECT state, count(*) AS found FROM listings GROUP BY state) USING (state)
    WHERE tables <> coalesce(found, 0)"""


class SqliteMaintenance:
    """See `Maintenance`. Nothing else runs beside it in its process, so it may block."""

    def __init__(self, connection: sqlite3.Connection, lock: FileLock | None) -> None:
        self._connection = connection
        self._connection.text_factory = bytes
        self._lock = lock

    @classmethod
    async def open(
        cls, path: Path, write: bool = False, create: bool = False
    ) -> "SqliteMaintenance":
        """NotOpened with `journal_in_use`: a server has the file, and it is to be written."""
        path = path.expanduser().resolve()
        if not path.is_file() and not create:
            raise PliError("unreadable_file", file=path)
        if not write:
            return cls(_open_reader(path), None)
        lock = lock_file(path)
        try:
            return cls(open_writer(path, BUSY_TIMEOUT, in_use=False), lock)
        except BaseException:
            lock.release()
            raise

    async def rows(self, most: int, state: State | None, game: str | None) -> list[TableRow]:
        query = f"{_ROW} WHERE (?1 IS NULL OR state = ?1) AND (?2 IS NULL OR game = ?2)"
        found = self._read(f"{query} ORDER BY touched DESC, table_id LIMIT ?3", state, game, most)
        return [_row(*each) for each in found]

    async def row(self, table: str) -> TableRow | None:
        found = self._read(f"{_ROW} WHERE table_id = ?", table)
        return _row(*found[0]) if found else None

    async def count(self) -> int:
        return int(self._read("SELECT count(*) FROM listings")[0][0])

    async def names(self, after: str, most: int) -> list[str]:
        return [_text(name) for (name,) in self._read(_NEXT, after, most)]

    async def contents(self, table: str) -> Contents:
        with self._transaction("DEFERRED"):
            return self._contents(table)

    async def mentioning(self, text: bytes, after: str, until: str) -> list[str]:
        return [_text(name) for (name,) in self._read(_MENTIONING, after, until, text)]

    async def days(self) -> list[int]:
        return [day for (day,) in self._read("SELECT day FROM days ORDER BY day")]

    async def faults(self) -> list[str]:
        found = [_text(each) for (each,) in self._read("PRAGMA integrity_check(20)")]
        wrong = [_text(each) for (each,) in self._read(_COUNTS)]
        return [each for each in found if each != "ok"] + [f"counts: {each}" for each in wrong]

    # Writing

    async def rewrite(self, table: str, edit: Edit) -> bool:
        with self._transaction("IMMEDIATE"):
            before = self._contents(table)
            after = edit(before)
            if after == before:
                return False
            self._write(after, before)
            note_traces(self._connection)
        return True

    async def delete(self, table: str) -> bool:
        with self._transaction("IMMEDIATE"):
            found = self._contents(table)
            delete_table(self._connection, table)
        return bool(found.listing or found.entries or found.records)

    async def load(self, tables: Sequence[Contents]) -> None:
        with self._transaction("IMMEDIATE"):
            for each in tables:
                self._write(each, Contents(each.table, None, {}, {}))

    async def set_days(self, days: Sequence[int]) -> None:
        with self._transaction("IMMEDIATE"):
            self._connection.execute("DELETE FROM days")
            self._connection.executemany("INSERT INTO days VALUES (?)", [(day,) for day in days])

    async def purge(self) -> None:
        with _problems(NotSaved):
            if has_traces(self._connection):
                vacuum(self._connection)
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    async def close(self) -> None:
        self._connection.close()
        if self._lock is not None:
            self._lock.release()

    # Details

    def _read(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with _problems(NotRead):
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _transaction(self, kind: str) -> Iterator[None]:
        with _problems(NotSaved if kind == "IMMEDIATE" else NotRead):
            self._connection.execute(f"BEGIN {kind}")
            try:
                yield
                self._connection.execute("COMMIT")
            finally:
                if self._connection.in_transaction:
                    self._connection.rollback()

    def _contents(self, table: str) -> Contents:
        execute = self._connection.execute
        query = "SELECT number, entry FROM entries WHERE table_id = ? ORDER BY number"
        entries = dict(execute(query, (table,)))
        query = "SELECT number, text, about FROM records WHERE table_id = ? ORDER BY number"
        records = {
            number: KeptRecord(number, _text(text), about)
            for number, text, about in execute(query, (table,))
        }
        query = f"SELECT entries, {LISTING_COLUMNS} FROM listings WHERE table_id = ?"
        rows = execute(query, (table,)).fetchall()
        listing = _listing(*rows[0][1:]) if rows else None
        known = rows[0][0] if listing is not None and listing.state != "archived" else 0
        return Contents(table, listing, entries, records, known)

    def _write(self, after: Contents, before: Contents) -> None:
        """Writes the rows that differ."""
        execute = self._connection.execute
        for number, entry in after.entries.items():
            old = before.entries.get(number)
            if old is None:
                execute("INSERT INTO entries VALUES (?, ?, ?)", (after.table, number, entry))
            elif old != entry:
                change = "UPDATE entries SET entry = ? WHERE table_id = ? AND number = ?"
                execute(change, (entry, after.table, number))
        for number, record in after.records.items():
            if before.records.get(number) != record:
                change = "INSERT OR REPLACE INTO records VALUES (?, ?, CAST(? AS TEXT), ?)"
                text = record.text.encode(errors="surrogateescape")
                execute(change, (after.table, number, text, record.about))
        if after.listing is not None and after.listing != before.listing:
            columns = LISTING_COLUMNS.split(", ")
            changes = ", ".join(f"{each} = excluded.{each}" for each in columns[1:])
            execute(
                f"INSERT INTO listings ({LISTING_COLUMNS}) VALUES ({', '.join('?' * len(columns))})"
                f" ON CONFLICT (table_id) DO UPDATE SET {changes}",
                astuple(after.listing),
            )
        known = max(after.known, len(after.entries))
        change = "UPDATE listings SET entries = max(entries, ?) WHERE table_id = ?"
        execute(change, (known, after.table))


def _open_reader(path: Path) -> sqlite3.Connection:
    check_file(path)
    try:
        connection = connect(path, BUSY_TIMEOUT)
        try:
            connection.execute("PRAGMA query_only = ON")
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version != VERSION:
                raise NotOpened("journal_older", file=path)
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as error:
        raise not_opened(path, error) from error
    return connection


@contextmanager
def _problems(kind: type[NotRead] | type[NotSaved]) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise kind(problem_code(error)) from error


def _row(*columns: Any) -> TableRow:
    *listing, entries, size = columns
    return TableRow(_listing(*listing), entries, int(size))


def _listing(*columns: Any) -> Listing:
    table, game, version, state, public, *others = columns
    known: Any = _text(state)
    return Listing(_text(table), _text(game), version, known, bool(public), *others)


def _text(data: bytes) -> str:
    """Text that damage may have made invalid; it can be encoded again."""
    return data.decode(errors="surrogateescape")
