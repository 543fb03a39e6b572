"""Administration of a PostgreSQL journal while servers run on it. Who changes a table takes it from
its owner in the same transaction: the owner's next append is refused, and it reads the table
again."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
from msgspec.structs import astuple

from pli.server.journal.api import KeptRecord, Listing, NotOpened, NotRead, NotSaved, State
from pli.server.journal.maintenance import Contents, Edit, TableRow
from pli.server.journal.postgres.connect import Connector, NoConnection, problem_code
from pli.server.journal.postgres.registry import TAKEN
from pli.server.journal.postgres.rows import LISTING_COLUMNS
from pli.server.journal.postgres.schema import MIGRATIONS, migrate

LOCK_SECONDS = 10
"""That are waited for a table's row."""

_ADMIN = "admin"
"""In the place of an owner's id, where servers are told that a table was taken."""

_TOUCHED = LISTING_COLUMNS.replace("touched", "greatest(l.touched, t.touched)")
_LISTED = "pli.listings l LEFT JOIN pli.tables t ON t.id = l.table_id"

_ROW = f"""SELECT {_TOUCHED},
    (SELECT count(*) FROM pli.entries e WHERE e.table_id = l.table_id),
    (SELECT coalesce(sum(length(entry)), 0)::bigint FROM pli.entries e
        WHERE e.table_id = l.table_id),
    (SELECT coalesce(nullif(s.address, ''), s.id) FROM pli.servers s
        WHERE s.id = t.owner AND s.alive_until > clock_timestamp()) FROM {_LISTED}"""

# The different values of a key's first column, found by jumping from one to the next.
_NEXT = """WITH RECURSIVE
    e(id) AS ((SELECT min(table_id) FROM pli.entries WHERE table_id > $1) UNION ALL
        SELECT (SELECT min(table_id) FROM pli.entries WHERE table_id > e.id) FROM e
        WHERE e.id IS NOT NULL),
    r(id) AS ((SELECT min(table_id) FROM pli.records WHERE table_id > $1) UNION ALL
        SELECT (SELECT min(table_id) FROM pli.records WHERE table_id > r.id) FROM r
        WHERE r.id IS NOT NULL)
    SELECT id FROM (
        (SELECT id FROM e LIMIT $2)
        UNION (SELECT id FROM r LIMIT $2)
        UNION (SELECT table_id FROM pli.listings WHERE table_id > $1 ORDER BY table_id LIMIT $2)
        UNION (SELECT id FROM pli.tables WHERE id > $1 ORDER BY id LIMIT $2)
    ) AS found WHERE id IS NOT NULL ORDER BY id LIMIT $2"""

_MENTIONING = """SELECT table_id FROM pli.entries
    WHERE table_id > $1 AND table_id <= $2 AND position($3::bytea IN entry) > 0
    UNION SELECT table_id FROM pli.listings
    WHERE table_id > $1 AND table_id <= $2 AND position($3::bytea IN summary) > 0
    UNION SELECT table_id FROM pli.records
    WHERE table_id > $1 AND table_id <= $2 AND (position($3::bytea IN about) > 0
        OR position($3::bytea IN convert_to(text, 'UTF8')) > 0)
    ORDER BY table_id"""

_COUNTS = """SELECT state FROM
    (SELECT state, sum(tables) AS counted FROM pli.counts GROUP BY state) AS c
    FULL JOIN (SELECT state, count(*) AS found FROM pli.listings GROUP BY state) AS l USING (state)
    WHERE coalesce(counted, 0) <> coalesce(found, 0)"""

_CONTENTS = f"""SELECT {_TOUCHED}, t.entries FROM {_LISTED} WHERE l.table_id = $1"""

_TAKE = f"""WITH taken AS (
    UPDATE pli.tables SET owner = NULL, epoch = epoch + 1, entries = $2 WHERE id = $1
)
SELECT pg_notify('{TAKEN}', $1 || ' {_ADMIN}')"""

_columns = LISTING_COLUMNS.split(", ")
_LIST = f"""INSERT INTO pli.listings ({LISTING_COLUMNS})
    VALUES ({", ".join(f"${n}" for n in range(1, len(_columns) + 1))})
    ON CONFLICT (table_id) DO UPDATE SET {", ".join(f"{c} = excluded.{c}" for c in _columns[1:])}"""

_RECORD = """INSERT INTO pli.records (table_id, number, text, about) VALUES ($1, $2, $3, $4)
    ON CONFLICT (table_id, number) DO UPDATE SET text = excluded.text, about = excluded.about"""


class PostgresMaintenance:
    """See `Maintenance`."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    @classmethod
    async def open(
        cls, url: str, write: bool = False, create: bool = False
    ) -> "PostgresMaintenance":
        connector = Connector(url)
        lock = str(1000 * LOCK_SECONDS)
        try:
            connection = await connector.connect(statement_timeout="0", lock_timeout=lock)
            try:
                await _check_schema(connection, connector, write, create)
            except BaseException:
                connection.terminate()
                raise
        except NoConnection as error:
            raise connector.not_opened(error) from None
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            raise connector.not_opened(NoConnection("journal_unreachable")) from None
        return cls(connection)

    async def rows(self, most: int, state: State | None, game: str | None) -> list[TableRow]:
        query = f"{_ROW} WHERE ($1::text IS NULL OR state = $1) AND ($2::text IS NULL OR game = $2)"
        query += " ORDER BY greatest(l.touched, t.touched) DESC, table_id LIMIT $3"
        return [_row(*each) for each in await self._read(query, state, game, most)]

    async def row(self, table: str) -> TableRow | None:
        found = await self._read(f"{_ROW} WHERE table_id = $1", table)
        return _row(*found[0]) if found else None

    async def count(self) -> int:
        return int((await self._read("SELECT count(*) FROM pli.listings"))[0][0])

    async def names(self, after: str, most: int) -> list[str]:
        return [name for (name,) in await self._read(_NEXT, after, most)]

    async def contents(self, table: str) -> Contents:
        async with self._transaction(NotRead, isolation="repeatable_read", readonly=True):
            return await self._contents(table)

    async def mentioning(self, text: bytes, after: str, until: str) -> list[str]:
        return [name for (name,) in await self._read(_MENTIONING, after, until, text)]

    async def days(self) -> list[int]:
        return [day for (day,) in await self._read("SELECT day FROM pli.days ORDER BY day")]

    async def faults(self) -> list[str]:
        """PostgreSQL has tools of its own for its files: pg_amcheck, pg_checksums."""
        return [f"counts: {state}" for (state,) in await self._read(_COUNTS)]

    # Writing

    async def rewrite(self, table: str, edit: Edit) -> bool:
        async with self._transaction(NotSaved):
            await self._lock(table)
            before = await self._contents(table)
            after = edit(before)
            if after == before:
                return False
            await self._write(after, before)
            await self._connection.execute(_TAKE, table, max(after.known, len(after.entries)))
        return True

    async def delete(self, table: str) -> bool:
        async with self._transaction(NotSaved):
            await self._lock(table)
            found = await self._contents(table)
            for column, where in (
                ("table_id", "entries"),
                ("table_id", "records"),
                ("table_id", "listings"),
                ("id", "tables"),
            ):
                statement = f"DELETE FROM pli.{where} WHERE {column} = $1"
                await self._connection.execute(statement, table)
            await self._connection.execute(_TAKE, table, 0)
        return bool(found.listing or found.entries or found.records)

    async def load(self, tables: Sequence[Contents]) -> None:
        entries = [
            (each.table, number, entry) for each in tables for number, entry in each.entries.items()
        ]
        records = [
            (each.table, number, kept.text, kept.about)
            for each in tables
            for number, kept in each.records.items()
        ]
        listings = [astuple(each.listing) for each in tables if each.listing is not None]
        known = [
            (each.table, None, 1, max(each.known, len(each.entries)), 0)
            for each in tables
            if each.entries
        ]
        async with self._transaction(NotSaved):
            for name, columns, rows in (
                ("tables", ["id", "owner", "epoch", "entries", "touched"], known),
                ("entries", ["table_id", "number", "entry"], entries),
                ("records", ["table_id", "number", "text", "about"], records),
                ("listings", _columns, listings),
            ):
                await self._connection.copy_records_to_table(
                    name, schema_name="pli", columns=columns, records=rows
                )

    async def set_days(self, days: Sequence[int]) -> None:
        async with self._transaction(NotSaved):
            await self._connection.execute("DELETE FROM pli.days")
            statement = "INSERT INTO pli.days SELECT unnest($1::bigint[])"
            await self._connection.execute(statement, [*days])

    async def purge(self) -> None:
        """When the space of deleted rows is used again is for the database to decide."""

    async def close(self) -> None:
        self._connection.terminate()

    # Details

    async def _read(self, query: str, *values: object) -> list[Any]:
        async with _problems(NotRead):
            found: list[Any] = await self._connection.fetch(query, *values)
            return found

    @asynccontextmanager
    async def _transaction(
        self, kind: type[NotRead] | type[NotSaved], **options: Any
    ) -> AsyncIterator[None]:
        async with _problems(kind), self._connection.transaction(**options):
            yield

    async def _lock(self, table: str) -> None:
        """The owner's appends wait until the transaction ends."""
        statement = "SELECT 1 FROM pli.tables WHERE id = $1 FOR UPDATE"
        await self._connection.execute(statement, table)

    async def _contents(self, table: str) -> Contents:
        fetch = self._connection.fetch
        query = "SELECT number, entry FROM pli.entries WHERE table_id = $1 ORDER BY number"
        entries = dict(map(tuple, await fetch(query, table)))
        query = "SELECT number, text, about FROM pli.records WHERE table_id = $1 ORDER BY number"
        records = {number: KeptRecord(number, *kept) for number, *kept in await fetch(query, table)}
        listing, known = None, 0
        for *columns, count in await fetch(_CONTENTS, table):
            listing, known = Listing(*columns), count or 0
        return Contents(table, listing, entries, records, known)

    async def _write(self, after: Contents, before: Contents) -> None:
        """Writes the rows that differ."""
        execute, table = self._connection.execute, after.table
        for number, entry in after.entries.items():
            old = before.entries.get(number)
            if old is None:
                await execute("INSERT INTO pli.entries VALUES ($1, $2, $3)", table, number, entry)
            elif old != entry:
                change = "UPDATE pli.entries SET entry = $3 WHERE table_id = $1 AND number = $2"
                await execute(change, table, number, entry)
        for number, record in after.records.items():
            if before.records.get(number) != record:
                await execute(_RECORD, table, number, record.text, record.about)
        if after.listing is not None and after.listing != before.listing:
            await execute(_LIST, *astuple(after.listing))


async def _check_schema(connection: Any, connector: Connector, write: bool, create: bool) -> None:
    """NotOpened, NoConnection: there is no journal, or one of another version."""
    if not create and await connection.fetchval("SELECT to_regclass('pli.schema')") is None:
        raise NotOpened("journal_foreign", file=connector.where)
    if write:
        await migrate(connection, connector)
        return
    version, oldest = await connection.fetchrow("SELECT version, oldest FROM pli.schema")
    ours = len(MIGRATIONS)
    if oldest > ours:
        raise NotOpened("journal_newer", file=connector.where, version=oldest, ours=ours)
    if version < ours:
        raise NotOpened("journal_older", file=connector.where)


@asynccontextmanager
async def _problems(kind: type[NotRead] | type[NotSaved]) -> AsyncIterator[None]:
    try:
        yield
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        # Not chained: what the driver says may quote values.
        raise kind(problem_code(error)) from None


def _row(*columns: Any) -> TableRow:
    *listing, entries, size, owner = columns
    return TableRow(Listing(*listing), entries, size, owner)
