"""The journal in a PostgreSQL database, which any number of servers share."""

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import asyncpg

from pli.server.journal.api import (
    Append,
    Done,
    Flushed,
    JournalProblem,
    KeptRecord,
    Listing,
    NotRead,
    NotSaved,
    OwnedElsewhere,
    append_with_future,
)
from pli.server.journal.days import DAY, moment, warn_of_clock
from pli.server.journal.postgres.connect import Connector, NoConnection
from pli.server.journal.postgres.reader import Reader
from pli.server.journal.postgres.registry import LEASE, TAKEN, PostgresRegistry
from pli.server.journal.postgres.rows import LISTING_COLUMNS
from pli.server.journal.postgres.schema import migrate
from pli.server.journal.postgres.writer import NOTE_DAY, TOUCH_LISTINGS, Writer

UNFINISHED = "state IN ('waiting', 'playing')"
FINISHED = "state IN ('over', 'archived')"

START_SECONDS = 15.0
"""For the database to answer when it is opened."""

CHECK_INTERVAL = 10.0
"""Seconds between checks that the claimed tables are still ours."""

CLAIM_ATTEMPTS = 5
"""If other servers claim a table at the same time."""

# All entries in one row, which costs less than a row each.
_ENTRIES = """SELECT array_agg(entry ORDER BY number), min(number), max(number) + 1,
    (SELECT entries FROM pli.tables WHERE id = $1)
    FROM pli.entries WHERE table_id = $1 AND number >= $2"""

_DEAD = """NOT EXISTS
    (SELECT 1 FROM pli.servers WHERE id = t.owner AND alive_until > clock_timestamp())"""

_OWNER = f"""SELECT t.owner, t.epoch, s.address, {_DEAD}
    FROM pli.tables t LEFT JOIN pli.servers s ON s.id = t.owner WHERE t.id = $1"""

# Conditional on what was found: of two servers that claim a table one succeeds. The former owner's
# row is locked, so that its heartbeat comes before the claim, and it keeps the table, or after it,
# and it finds that it has lost it.
_CLAIM = f"""WITH former AS MATERIALIZED (
    SELECT alive_until FROM pli.servers WHERE id = $4::text AND id <> $2 FOR SHARE
), claimed AS (
    UPDATE pli.tables t SET owner = $2, epoch = epoch + 1
    WHERE id = $1 AND epoch = $3 AND owner IS NOT DISTINCT FROM $4::text
        AND ($5::boolean OR NOT EXISTS
            (SELECT 1 FROM former WHERE alive_until > clock_timestamp()))
    RETURNING epoch
)
SELECT epoch, CASE WHEN $4::text <> $2 THEN pg_notify('{TAKEN}', $1 || ' ' || $2) END
FROM claimed"""

_LOST = """SELECT w.id FROM unnest($2::text[], $3::bigint[]) AS w(id, epoch)
    LEFT JOIN pli.tables t USING (id)
    WHERE t.owner IS DISTINCT FROM $1 OR t.epoch IS DISTINCT FROM w.epoch"""

_MEND = "UPDATE pli.records SET text = $1, about = $2 WHERE table_id = $3 AND number = $4"

_DAYS_AGO = "SELECT day FROM pli.days WHERE day <= $1 ORDER BY day DESC LIMIT 1 OFFSET $2"

# Locked before anything is decided: an owner that appends meanwhile comes before or after it all.
_ARCHIVABLE = f"""SELECT id FROM pli.tables t WHERE id = ANY($1::text[])
    AND (owner IS NULL OR owner = $2 OR {_DEAD}) ORDER BY id FOR UPDATE"""
_EXPIRED = f"""SELECT l.table_id FROM pli.listings l
    JOIN unnest($1::text[], $2::bigint[]) AS w(table_id, touched) USING (table_id, touched)
    LEFT JOIN pli.tables t ON t.id = l.table_id
    WHERE l.{FINISHED} AND (t.id IS NULL OR t.id = ANY($3::text[])) FOR UPDATE OF l"""
_UNTOUCHED = """SELECT l.table_id, l.begun FROM pli.listings l
    JOIN unnest($1::text[], $2::bigint[]) AS w(table_id, touched) USING (table_id, touched)
    LEFT JOIN pli.tables t ON t.id = l.table_id
    WHERE l.state <> 'archived' AND (t.id IS NULL OR t.id = ANY($3::text[]))
    FOR UPDATE OF l"""

_log = logging.getLogger(__name__)


class PostgresJournal:
    """See `Journal`."""

    def __init__(
        self, connector: Connector, address: str = "", version: str = "", lease: float = LEASE
    ) -> None:
        self.lost: Callable[[str], None] = lambda table: None
        self.registry = PostgresRegistry(
            connector, address, version, lease, self._taken, self._give_up_lost
        )
        self._connector = connector
        self._loop = asyncio.get_running_loop()
        self._reader = Reader(connector)
        self._writer = Writer(connector, self.registry, self._tell_lost)
        self._closed = False
        self._check_task: asyncio.Task[None] | None = None

    @classmethod
    async def open(
        cls,
        url: str,
        trust_clock: bool = False,
        address: str = "",
        version: str = "",
        lease: float = LEASE,
    ) -> "PostgresJournal":
        connector = Connector(url)
        try:
            connection = await connector.connect()
            try:
                await migrate(connection, connector)
                last_day = await _check_clock(connection, trust_clock)
            finally:
                connection.terminate()
            journal = cls(connector, address, version, lease)
            async with asyncio.timeout(START_SECONDS):
                await journal._start(last_day)
        except NoConnection as error:
            raise connector.not_opened(error) from None
        except asyncpg.InsufficientPrivilegeError:
            raise connector.not_opened(NoConnection("journal_rights")) from None
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            _log.error("the journal can't be opened: %s", type(error).__name__)
            raise connector.not_opened(NoConnection("journal_unreachable")) from None
        return journal

    async def _start(self, last_day: int) -> None:
        self._writer.last_day = last_day
        try:
            await self.registry.start()
            await self._writer.start()
        except BaseException:
            await self.registry.close()
            raise
        self._check_task = self._loop.create_task(self._check_owned())

    # Appends

    def append_soon(self, append: Append, done: Done) -> None:
        if self._closed:
            self._loop.call_soon(done, NotSaved("journal_closed"))
        else:
            self._writer.append(append, done)

    def append(self, append: Append) -> asyncio.Future[None]:
        return append_with_future(self, append)

    def on_flush(self, flushed: Flushed) -> None:
        self._writer.flushed = flushed

    # Ownership

    async def claim(self, table: str, *, force: bool = False) -> bool:
        if (releasing := self._writer.releasing.get(table)) is not None:
            await asyncio.wait([releasing])
        if table in self._writer.epochs:
            return False
        if self._closed:
            raise NotSaved("journal_closed")
        for _ in range(CLAIM_ATTEMPTS):
            found = await self._read(_OWNER, table)
            if not found:
                return False
            owner, epoch, address, dead = found[0]
            if owner not in (None, self.registry.id) and not dead and not force:
                raise OwnedElsewhere(owner, address or "")
            claimed = await self._read(_CLAIM, table, self.registry.id, epoch, owner, force)
            if claimed:
                self._writer.epochs[table] = claimed[0][0]
                taken = owner not in (None, self.registry.id)
                if taken:
                    _log.info("table claimed", extra={"table": table, "from": owner})
                return taken
        raise NotSaved()

    def epoch(self, table: str) -> int:
        return 0 if table in self._writer.releasing else self._writer.epochs.get(table, 0)

    def release(self, tables: Collection[str]) -> asyncio.Future[None]:
        released: asyncio.Future[None] = self._loop.create_future()
        if self._closed:
            released.set_result(None)
        else:
            # Even if it failed: then the lease ends by itself.
            self._writer.release(tables).add_done_callback(partial(_done, released))
        return released

    def _taken(self, table: str, owner: str) -> None:
        """Somebody has claimed a table of another server."""
        if owner != self.registry.id and self._writer.epochs.pop(table, None) is not None:
            self._tell_lost(table)

    def _tell_lost(self, table: str) -> None:
        _log.warning("another server has claimed a table", extra={"table": table})
        self.lost(table)

    async def _check_owned(self) -> None:
        """Now and then: a notification may have been lost."""
        while True:
            await asyncio.sleep(CHECK_INTERVAL)
            with suppress(NotRead):
                await self._give_up_lost()

    async def _give_up_lost(self) -> None:
        """Finds the tables that others have claimed."""
        mine = dict(self._writer.epochs)
        if not mine:
            return
        for (table,) in await self._read(_LOST, self.registry.id, [*mine], [*mine.values()]):
            if self._writer.epochs.get(table) == mine[table]:
                del self._writer.epochs[table]
                self._tell_lost(table)

    # Reading

    async def entries(self, table: str, since: int = 0) -> list[bytes]:
        ((found, first, end, known),) = await self._read(_ENTRIES, table, since)
        if found is None:
            found, first, end = [], since, since
        if (first, end) != (since, since + len(found)) or end < (known or 0):
            details = {"table": table, "found": len(found), "until": end, "known": known}
            _log.error("entries are missing", extra=details)
            raise NotRead("journal_damaged")
        return list(found)

    async def listing(self, table: str) -> Listing | None:
        rows = await self._read(
            f"SELECT {LISTING_COLUMNS} FROM pli.listings WHERE table_id = $1", table
        )
        return Listing(*rows[0]) if rows else None

    async def untouched(
        self,
        most: int,
        *,
        before: int | None = None,
        begun: bool | None = None,
        among: Collection[str] | None = None,
        but: Collection[str] = (),
    ) -> list[Listing]:
        values: list[object] = []
        conditions = ["state <> 'archived'"]

        def value(given: object) -> str:
            values.append(given)
            return f"${len(values)}"

        if among is not None:
            conditions.append(f"table_id = ANY({value([*among])}::text[])")
        if before is not None:
            conditions.append(f"touched < {value(before)}")
        if begun is not None:
            conditions.append(f"{UNFINISHED} AND begun = {value(begun)}")
        if but:
            conditions.append(f"table_id <> ALL({value([*but])}::text[])")
        query = f"SELECT {LISTING_COLUMNS} FROM pli.listings WHERE {' AND '.join(conditions)}"
        rows = await self._read(f"{query} ORDER BY touched LIMIT {value(most)}", *values)
        return [Listing(*row) for row in rows]

    async def count(self) -> int:
        query = f"SELECT coalesce(sum(tables), 0)::bigint FROM pli.counts WHERE {UNFINISHED}"
        return int((await self._read(query))[0][0])

    async def days_ago(self, days: int) -> int | None:
        now = int(self.registry.now())
        rows = await self._read(_DAYS_AGO, now // DAY, days)
        return moment(rows[0][0], now, days) if rows else None

    async def record(self, table: str, number: int) -> KeptRecord | None:
        query = "SELECT text, about FROM pli.records WHERE table_id = $1 AND number = $2"
        rows = await self._read(query, table, number)
        return KeptRecord(number, *rows[0]) if rows else None

    async def recorded(self, table: str) -> set[int]:
        query = "SELECT number FROM pli.records WHERE table_id = $1 AND about IS NOT NULL"
        return {number for (number,) in await self._read(query, table)}

    async def _read(self, query: str, *values: object) -> list[Any]:
        return await self._reader.rows(query, *values)

    # Other writes

    async def mend_record(self, table: str, record: KeptRecord) -> None:
        if self._closed:
            raise NotSaved("journal_closed")
        values = (record.text, record.about, table, record.number)
        await self._writer.transaction(lambda connection: connection.execute(_MEND, *values))

    async def archive(self, found: Sequence[Listing]) -> int:
        if self._closed:
            raise NotSaved("journal_closed")
        return await self._writer.transaction(lambda connection: self._archive(connection, found))

    async def _archive(self, connection: Any, found: Sequence[Listing]) -> int:
        """An archived table has no row in `tables` any more: whoever thinks to own it is
        refused."""
        names = [each.table for each in found]
        rows = await connection.fetch(_ARCHIVABLE, names, self.registry.id)
        free = [row[0] for row in rows]
        await connection.execute(TOUCH_LISTINGS, free)
        rows = await connection.fetch(_UNTOUCHED, names, [each.touched for each in found], free)
        gone = [table for table, _ in rows]
        fresh = [table for table, begun in rows if not begun]
        kept = [table for table, begun in rows if begun]
        for statement, tables in (
            ("UPDATE pli.listings SET state = 'archived' WHERE table_id = ANY($1::text[])", kept),
            ("DELETE FROM pli.listings WHERE table_id = ANY($1::text[])", fresh),
            ("DELETE FROM pli.entries WHERE table_id = ANY($1::text[])", gone),
            ("DELETE FROM pli.tables WHERE id = ANY($1::text[])", gone),
        ):
            if tables:
                await connection.execute(statement, tables)
        for table in gone:
            self._writer.epochs.pop(table, None)
        return len(gone)

    async def expired(self, most: int, *, before: int, but: Collection[str] = ()) -> list[Listing]:
        query = f"SELECT {LISTING_COLUMNS} FROM pli.listings WHERE {FINISHED} AND touched < $1"
        query += " AND table_id <> ALL($2::text[]) ORDER BY touched LIMIT $3"
        return [Listing(*row) for row in await self._read(query, before, [*but], most)]

    async def delete(self, found: Sequence[Listing]) -> int:
        if self._closed:
            raise NotSaved("journal_closed")
        return await self._writer.transaction(lambda connection: self._delete(connection, found))

    async def _delete(self, connection: Any, found: Sequence[Listing]) -> int:
        names = [each.table for each in found]
        rows = await connection.fetch(_ARCHIVABLE, names, self.registry.id)
        free = [row[0] for row in rows]
        await connection.execute(TOUCH_LISTINGS, free)
        rows = await connection.fetch(_EXPIRED, names, [each.touched for each in found], free)
        gone = [row[0] for row in rows]
        for column in ("entries.table_id", "records.table_id", "listings.table_id", "tables.id"):
            table, _, key = column.partition(".")
            await connection.execute(f"DELETE FROM pli.{table} WHERE {key} = ANY($1::text[])", gone)
        for table in gone:
            self._writer.epochs.pop(table, None)
        return len(gone)

    async def purge(self, quiet: bool = True) -> bool:
        """When the space of deleted rows is used again is for the database to decide."""
        return True

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._check_task is not None:
            self._check_task.cancel()
        await self._writer.close()
        await self._reader.close()
        await self.registry.close()

    async def probe(self) -> None:
        if not self._closed:
            with suppress(NotSaved):
                await self._writer.transaction(self._writer.probe)

    @property
    def problem(self) -> JournalProblem | None:
        return self._writer.problem

    @property
    def healthy(self) -> bool:
        return self._writer.problem is None


def _done(future: asyncio.Future[None], _: object) -> None:
    if not future.done():
        future.set_result(None)


async def _check_clock(connection: Any, trusted: bool) -> int:
    """Warns if the database's clock is far from when the journal was last used. If it is `trusted`,
    the days between count as days of use. Returns the last of them."""
    now = int(await connection.fetchval("SELECT extract(epoch FROM clock_timestamp())::float8"))
    today = now // DAY
    last: int | None = await connection.fetchval("SELECT max(day) FROM pli.days")
    if last is not None and trusted:
        async with connection.transaction():
            await connection.execute(
                "INSERT INTO pli.days SELECT generate_series((SELECT min(day) FROM pli.days), $1)"
                " ON CONFLICT DO NOTHING",
                today,
            )
            await connection.execute("DELETE FROM pli.days WHERE day > $1", today)
            await connection.execute("UPDATE pli.listings SET touched = $1 WHERE touched > $1", now)
    elif last is not None:
        warn_of_clock(last, today)
    await connection.execute(NOTE_DAY, today)
    return today if trusted or last is None else max(last, today)
