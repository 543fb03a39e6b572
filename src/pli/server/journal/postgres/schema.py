"""The schema of the PostgreSQL journal: creation and migrations, in the schema `pli` of a database.

Servers of two versions may run on one journal while they are replaced one by one. So each migration
says which is the oldest version of servers that can still work with its result: those go on, and
leave the journal as it is; older ones refuse to start.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import asyncpg

from pli.server.journal.postgres.connect import Connector, NoConnection

LOCK = 0x506C6931
"""The number of the advisory lock under which one server at a time migrates."""


class Migration(NamedTuple):
    """From one version of the schema to the next."""

    oldest: int
    """Servers that know this version of the schema, or a later one, can work with the result."""
    statements: tuple[str, ...]


MIGRATIONS: tuple[Migration, ...] = (
    Migration(
        1,
        (
            # Identifiers are compared as bytes, which is quicker and the same everywhere.
            # The pages of `tables` are half empty: an update finds room beside the old row, and
            # changes no index.
            """CREATE TABLE pli.tables (
                id text COLLATE "C" NOT NULL PRIMARY KEY,
                owner text COLLATE "C",
                epoch bigint NOT NULL,
                entries bigint NOT NULL,
                touched bigint NOT NULL
            ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05)""",
            """CREATE TABLE pli.entries (
                table_id text COLLATE "C" NOT NULL,
                number bigint NOT NULL CHECK (number >= 0),
                entry bytea NOT NULL,
                PRIMARY KEY (table_id, number)
            )""",
            """CREATE TABLE pli.listings (
                table_id text COLLATE "C" NOT NULL PRIMARY KEY,
                game text NOT NULL,
                version bigint NOT NULL,
                state text COLLATE "C" NOT NULL,
                public boolean NOT NULL,
                created bigint NOT NULL,
                touched bigint NOT NULL,
                summary bytea NOT NULL,
                finished bigint NOT NULL,
                begun boolean NOT NULL
                    GENERATED ALWAYS AS (state <> 'waiting' OR finished > 0) STORED
            ) WITH (fillfactor = 70)""",
            "CREATE INDEX listings_by_touch ON pli.listings (touched) WHERE state <> 'archived'",
            """CREATE INDEX listings_unfinished ON pli.listings (begun, touched)
            WHERE state IN ('waiting', 'playing')""",
            """CREATE TABLE pli.records (
                table_id text COLLATE "C" NOT NULL,
                number bigint NOT NULL,
                text text NOT NULL,
                about bytea,
                PRIMARY KEY (table_id, number)
            )""",
            # Counters, since count(*) takes time proportional to the number of rows. Each server
            # has its own: no server waits for the transactions of another.
            """CREATE TABLE pli.counts (
                server text COLLATE "C" NOT NULL,
                state text COLLATE "C" NOT NULL,
                tables bigint NOT NULL,
                PRIMARY KEY (server, state)
            ) WITH (fillfactor = 50)""",
            """CREATE FUNCTION pli.count_tables() RETURNS trigger LANGUAGE plpgsql AS $$
            DECLARE
                here text := coalesce(current_setting('pli.server', true), '');
            BEGIN
                IF TG_OP <> 'INSERT' THEN
                    INSERT INTO pli.counts VALUES (here, OLD.state, -1) ON CONFLICT (server, state)
                    DO UPDATE SET tables = counts.tables - 1;
                END IF;
                IF TG_OP <> 'DELETE' THEN
                    INSERT INTO pli.counts VALUES (here, NEW.state, 1) ON CONFLICT (server, state)
                    DO UPDATE SET tables = counts.tables + 1;
                END IF;
                RETURN NULL;
            END $$""",
            """CREATE TRIGGER count_new_and_gone AFTER INSERT OR DELETE ON pli.listings
            FOR EACH ROW EXECUTE FUNCTION pli.count_tables()""",
            """CREATE TRIGGER count_changed AFTER UPDATE ON pli.listings
            FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION pli.count_tables()""",
            # Days on which the journal was in use, counted from 1970.
            "CREATE TABLE pli.days (day bigint NOT NULL PRIMARY KEY)",
            """CREATE TABLE pli.servers (
                id text COLLATE "C" NOT NULL PRIMARY KEY,
                address text NOT NULL,
                version text NOT NULL,
                alive_until timestamptz NOT NULL,
                listed bytea NOT NULL
            ) WITH (fillfactor = 50)""",
            # Random: 244 bits of two UUIDs, hashed to 32 bytes.
            "CREATE TABLE pli.cluster (secret bytea NOT NULL)",
            """INSERT INTO pli.cluster VALUES
            (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())))""",
        ),
    ),
    Migration(
        1,
        (
            """CREATE INDEX listings_finished ON pli.listings (touched)
            WHERE state IN ('over', 'archived')""",
        ),
    ),
)
"""The n-th migrates a journal from schema version n - 1 to n. A released migration never changes:
there are journals that were made with it."""

_VERSION = "SELECT version, oldest FROM pli.schema"


async def migrate(
    connection: Any, connector: Connector, migrations: Sequence[Migration] = MIGRATIONS
) -> None:
    """Creates or migrates the journal, in one transaction. NoConnection with `journal_newer` if
    this server is too old for it."""
    if await _is_current(connection, connector, migrations):
        return
    try:
        async with connection.transaction():
            await connection.execute("SET LOCAL statement_timeout = 0")
            await connection.execute("SET LOCAL lock_timeout = 0")
            await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
            # Another server may have done it while this one waited.
            if await _is_current(connection, connector, migrations):
                return
            if "schema" not in (found := await _tables(connection)):
                if found:
                    raise NoConnection("journal_foreign", file=connector.where)
                await connection.execute("CREATE SCHEMA IF NOT EXISTS pli")
                await connection.execute(
                    "CREATE TABLE pli.schema (version bigint NOT NULL, oldest bigint NOT NULL)"
                )
                await connection.execute("INSERT INTO pli.schema VALUES (0, 0)")
            version = await connection.fetchval("SELECT version FROM pli.schema")
            for migration in migrations[version:]:
                for statement in migration.statements:
                    await connection.execute(statement)
            await connection.execute(
                "UPDATE pli.schema SET version = $1, oldest = $2",
                len(migrations),
                max(each.oldest for each in migrations),
            )
    except (asyncpg.InsufficientPrivilegeError, asyncpg.DuplicateTableError) as error:
        code = "journal_rights" if error.sqlstate == "42501" else "journal_foreign"
        details = {} if code == "journal_rights" else {"file": connector.where}
        raise NoConnection(code, **details) from None


async def _tables(connection: Any) -> set[str]:
    """The names of all tables in our schema. Not by `to_regclass`: its cache may be older than the
    advisory lock."""
    rows = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'pli'")
    return {name for (name,) in rows}


async def _is_current(
    connection: Any, connector: Connector, migrations: Sequence[Migration]
) -> bool:
    """Whether there is nothing to migrate for this server."""
    if "schema" not in await _tables(connection):
        return False
    try:
        version, oldest = await connection.fetchrow(_VERSION)
    except (asyncpg.InsufficientPrivilegeError, asyncpg.UndefinedColumnError, TypeError) as error:
        rights = isinstance(error, asyncpg.InsufficientPrivilegeError)
        code = "journal_rights" if rights else "journal_foreign"
        raise NoConnection(code, **({} if rights else {"file": connector.where})) from None
    ours = len(migrations)
    if oldest > ours:
        raise NoConnection("journal_newer", file=connector.where, version=oldest, ours=ours)
    return bool(version >= ours)
