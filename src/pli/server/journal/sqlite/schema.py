"""The schema of the SQLite journal: creation, migrations, integrity checks, and opening the file.

A journal of an older schema version is migrated when it is opened. One of a newer version, one that
is damaged, and any other file are refused before anything is written to them.
"""

import errno
import os
import sqlite3
import threading
from pathlib import Path
from time import time
from typing import Any

from filelock import FileLock, Timeout

from pli.errors import Say
from pli.server.journal.api import NotOpened
from pli.server.journal.sqlite.days import check_clock, note_day

APPLICATION_ID = 0x506C6931
"""Tells our file from other SQLite databases."""

PAGE_SIZE = 2048
"""Bytes. Each append writes whole pages, so that small ones are better; but an entry that takes
more than a quarter of a page goes to overflow pages of its own."""

MIN_SQLITE = (3, 33, 0)
"""Older versions of SQLite lack `UPDATE FROM`, and take too few values in a statement."""

BUSY_TIMEOUT = 5.0
"""Seconds to wait for another process that has locked the file."""

CHECK_SECONDS = 2.0
"""Seconds that the integrity check may take at the start."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE entries (
            table_id TEXT NOT NULL,
            number INTEGER NOT NULL CHECK (number >= 0),
            entry BLOB NOT NULL,
            PRIMARY KEY (table_id, number)
        ) WITHOUT ROWID""",
        """CREATE TRIGGER no_holes BEFORE INSERT ON entries
        WHEN NEW.number > 0 AND NOT EXISTS (
            SELECT 1 FROM entries WHERE table_id = NEW.table_id AND number = NEW.number - 1
        ) BEGIN SELECT RAISE(ABORT, 'a hole'); END""",
        """CREATE TABLE listings (
            table_id TEXT NOT NULL PRIMARY KEY,
            game TEXT NOT NULL,
            version INTEGER NOT NULL,
            state TEXT NOT NULL,
            public INTEGER NOT NULL,
            created INTEGER NOT NULL,
            touched INTEGER NOT NULL,
            summary BLOB NOT NULL
        ) WITHOUT ROWID""",
        "CREATE INDEX listings_by_state ON listings (state, public, created)",
        f"PRAGMA application_id = {APPLICATION_ID}",
    ),
    (
        """CREATE TABLE records (
            table_id TEXT NOT NULL,
            number INTEGER NOT NULL,
            text TEXT NOT NULL,
            PRIMARY KEY (table_id, number)
        )""",
        "CREATE INDEX listings_by_touch ON listings (touched) WHERE state <> 'archived'",
        """CREATE TRIGGER archived_is_closed BEFORE INSERT ON entries
        WHEN NEW.number = 0 AND EXISTS (
            SELECT 1 FROM listings WHERE table_id = NEW.table_id AND state = 'archived'
        ) BEGIN SELECT RAISE(ABORT, 'archived'); END""",
        """CREATE TRIGGER archived_stays_so BEFORE UPDATE ON listings
        WHEN OLD.state = 'archived' AND NEW.state <> 'archived'
        BEGIN SELECT RAISE(ABORT, 'archived'); END""",
    ),
    (
        "ALTER TABLE records ADD COLUMN about BLOB",
        "ALTER TABLE listings ADD COLUMN finished INTEGER NOT NULL DEFAULT 0",
        # An archived table has no entries to count, only records.
        """UPDATE listings SET finished = max(
            (SELECT count(*) FROM entries WHERE entries.table_id = listings.table_id
                AND substr(entry, 1, 12) = CAST('{"e":"ended"' AS BLOB)),
            (SELECT coalesce(max(number), 0) FROM records
                WHERE records.table_id = listings.table_id))""",
    ),
    (
        """ALTER TABLE listings ADD COLUMN begun INTEGER
        GENERATED ALWAYS AS (state <> 'waiting' OR finished > 0) VIRTUAL""",
        # A lower bound of the number of entries: else missing last ones would go unnoticed.
        "ALTER TABLE listings ADD COLUMN entries INTEGER NOT NULL DEFAULT 0",
        """UPDATE listings SET entries = (
            SELECT ifnull(max(number), -1) + 1 FROM entries
            WHERE entries.table_id = listings.table_id
        )""",
        "DROP INDEX listings_by_state",
        """CREATE INDEX listings_unfinished ON listings (begun, touched)
        WHERE state IN ('waiting', 'playing')""",
        # Counters, since count(*) takes time proportional to the number of rows.
        "CREATE TABLE counts (state TEXT NOT NULL PRIMARY KEY, tables INTEGER NOT NULL)",
        """INSERT INTO counts SELECT column1, (SELECT count(*) FROM listings WHERE state = column1)
        FROM (VALUES ('waiting'), ('playing'), ('over'), ('archived'))""",
        """CREATE TRIGGER count_new AFTER INSERT ON listings
        BEGIN UPDATE counts SET tables = tables + 1 WHERE state = NEW.state; END""",
        """CREATE TRIGGER count_gone AFTER DELETE ON listings
        BEGIN UPDATE counts SET tables = tables - 1 WHERE state = OLD.state; END""",
        """CREATE TRIGGER count_changed AFTER UPDATE OF state ON listings
        WHEN OLD.state <> NEW.state BEGIN
            UPDATE counts SET tables = tables - 1 WHERE state = OLD.state;
            UPDATE counts SET tables = tables + 1 WHERE state = NEW.state;
        END""",
        # Days on which the journal was in use, counted from 1970.
        "CREATE TABLE days (day INTEGER NOT NULL PRIMARY KEY)",
        """INSERT INTO days SELECT created / 86400 FROM listings
        UNION SELECT touched / 86400 FROM listings""",
    ),
    (
        """CREATE INDEX listings_finished ON listings (touched)
        WHERE state IN ('over', 'archived')""",
        # When tables were deleted of which traces may be left: see `vacuum`.
        "CREATE TABLE traces (since INTEGER NOT NULL)",
    ),
)
"""The n-th migrates a journal from schema version n - 1 to n. A released migration never changes:
there are journals that were made with it."""

VERSION = len(MIGRATIONS)

LISTING_COLUMNS = "table_id, game, version, state, public, created, touched, summary, finished"
"""In the order of the fields of `Listing`."""

_SQLITE_PROBLEMS = {
    sqlite3.SQLITE_FULL: "journal_full",
    sqlite3.SQLITE_READONLY: "journal_read_only",
    sqlite3.SQLITE_BUSY: "journal_locked",
    sqlite3.SQLITE_LOCKED: "journal_locked",
    sqlite3.SQLITE_PROTOCOL: "journal_locked",
    sqlite3.SQLITE_IOERR: "journal_io",
    sqlite3.SQLITE_CANTOPEN: "journal_io",
    sqlite3.SQLITE_PERM: "journal_io",
    sqlite3.SQLITE_CORRUPT: "journal_corrupt",
    sqlite3.SQLITE_NOTADB: "journal_corrupt",
}


_OS_PROBLEMS = {
    errno.ENOSPC: "journal_full",
    errno.EDQUOT: "journal_full",
    errno.EROFS: "journal_read_only",
    errno.EACCES: "journal_read_only",
    errno.EPERM: "journal_read_only",
}


def problem_code(error: Exception) -> str | None:
    """The code of a storage problem; None if the error is not about storage."""
    if isinstance(error, OSError):
        return _OS_PROBLEMS.get(error.errno or 0, "journal_io")
    return _SQLITE_PROBLEMS.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)


def lock_file(path: Path) -> FileLock:
    """Keeps other servers off a journal, which need not exist yet, until it is released."""
    lock = FileLock(f"{path}.lock", thread_local=False)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire(blocking=False)
    except Timeout:
        raise NotOpened("journal_in_use", file=path) from None
    except OSError as error:
        raise not_opened(path, error) from error
    return lock


def open_writer(
    path: Path, timeout: float, trust_clock: bool = False, in_use: bool = True
) -> sqlite3.Connection:
    """The connection that writes, to a file that is created or migrated if needed. The caller holds
    the lock that keeps other servers off. With `in_use` this is a day on which the journal is."""
    if sqlite3.sqlite_version_info < MIN_SQLITE:
        oldest = ".".join(map(str, MIN_SQLITE))
        raise NotOpened("journal_sqlite", found=sqlite3.sqlite_version, oldest=oldest)
    try:
        crashed = Path(f"{path}-wal").exists()
        if not path.exists() or path.stat().st_size == 0:
            # Readable by the owner alone: it holds all hidden cards.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        else:
            check_file(path)
        connection = connect(path, timeout)
        try:
            _configure(connection, path)
            migrate(connection, VERSION)
            # Detects a read-only file if there was nothing to migrate.
            probe_write(connection)
            if in_use:
                check_clock(connection, int(time()), trust_clock)
                note_day(connection, int(time()))
            if crashed:
                # Servers that crash often may never live long enough for a checkpoint.
                connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        except BaseException:
            connection.close()
            raise
    except (sqlite3.Error, OSError) as error:
        raise not_opened(path, error) from error
    return connection


def not_opened(path: Path, error: Exception) -> NotOpened:
    return NotOpened(file=path, why=Say(f"errors.{problem_code(error) or 'journal_io'}"))


def connect(path: Path, timeout: float, mode: str = "rw") -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=timeout,
        isolation_level=None,  # no implicit transactions
        check_same_thread=False,  # it is opened in one thread and used in another
    )


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Applies the migrations up to a version, each in a transaction of its own."""
    for number in range(_pragma(connection, "user_version"), version):
        connection.execute("BEGIN IMMEDIATE")
        try:
            for statement in MIGRATIONS[number]:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number + 1}")
            connection.execute("COMMIT")
        except BaseException:
            connection.rollback()
            raise


def delete_table(connection: sqlite3.Connection, table: str) -> None:
    """With all that is known of it. Its traces are gone after `vacuum`."""
    for each in ("entries", "records", "listings"):
        connection.execute(f"DELETE FROM {each} WHERE table_id = ?", (table,))
    note_traces(connection)


def note_traces(connection: sqlite3.Connection) -> None:
    """Something was deleted of which traces may be left in the file."""
    unknown = "SELECT ? WHERE NOT EXISTS (SELECT 1 FROM traces)"
    connection.execute(f"INSERT INTO traces {unknown}", (int(time()),))


def has_traces(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("SELECT 1 FROM traces").fetchall())


def vacuum(connection: sqlite3.Connection) -> None:
    """Writes the file anew, so that nothing is left in it of what was deleted. `secure_delete`
    overwrites deleted rows; but where rows were once moved from page to page, copies may be left
    between the rows of a page. The WAL has to be truncated afterwards."""
    connection.execute("VACUUM")
    connection.execute("DELETE FROM traces")


def probe_write(connection: sqlite3.Connection) -> None:
    """Writes what is there already, to find out whether the file can be written."""
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _configure(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")  # takes effect on an empty file only
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # on macOS, where fsync stops at the drive's cache
    connection.execute("PRAGMA wal_autocheckpoint = 0")  # the writer does it when no append waits
    connection.execute(f"PRAGMA journal_size_limit = {32 << 20}")
    connection.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten
    connection.execute("PRAGMA cache_size = -8000")
    # Some file systems and builds of SQLite ignore these: then a crash would lose games.
    mode, flushing = _pragma(connection, "journal_mode"), _pragma(connection, "synchronous")
    if (mode, flushing) != ("wal", 2):
        raise NotOpened("journal_unflushed", file=path, found=f"{mode}, {flushing}")


def check_file(path: Path) -> None:
    """Refuses a file that is not a journal of ours, is newer, or is damaged. Only reads it."""
    if path.is_file() and path.stat().st_nlink > 1:
        # Each hard link would have a WAL of its own, which the others do not see.
        raise NotOpened("journal_linked", file=path)
    wal = Path(f"{path}-wal")
    # Without a WAL that a crash left behind, no -wal and -shm files are created for reading.
    crashed = wal.exists() and wal.stat().st_size > 0
    connection = connect(path, 0, "ro" if crashed else "ro&immutable=1")
    timer = threading.Timer(CHECK_SECONDS, connection.interrupt)
    try:
        version = _pragma(connection, "user_version")
        tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        if _pragma(connection, "application_id") != APPLICATION_ID and (tables or version):
            raise NotOpened("journal_foreign", file=path)
        if version > VERSION:
            raise NotOpened("journal_newer", file=path, version=version, ours=VERSION)
        timer.start()
        if _pragma(connection, "quick_check(1)") != "ok":
            raise NotOpened(file=path, why=Say("errors.journal_corrupt"))
    except sqlite3.Error as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
            raise NotOpened("journal_foreign", file=path) from error
        if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:  # no damage found in that time
            raise
    finally:
        timer.cancel()
        if timer.ident is not None:
            timer.join()  # or it could interrupt a closed connection
        connection.close()


def _pragma(connection: sqlite3.Connection, name: str) -> Any:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]
