"""The embedded journal's file: how it is made, brought up to date, examined and opened.

A journal of an older version is brought up to this one when it is opened. One of a newer version,
one that is damaged, and any other file are refused before anything is written to them.
"""

import errno
import os
import sqlite3
import threading
from pathlib import Path
from time import time
from typing import Any

from pli.errors import Say
from pli.server.journal.api import NotOpened
from pli.server.journal.sqlite.days import check_clock, note_day

APPLICATION = 0x506C6931
"""Marks the file as ours, among all that are SQLite's."""

PAGE = 2048
"""Bytes. Each append changes a page, which is written as a whole, so that small ones are better;
but an entry that takes more than a quarter of one is kept apart from the others."""

OLDEST = (3, 33, 0)
"""Of SQLite itself: older ones lack `UPDATE FROM`, and take too few values in a statement."""

PATIENCE = 5.0
"""Seconds to wait for somebody else who has locked the file."""

EXAMINING = 2.0
"""Seconds that may be spent on looking for damage at the start."""

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
        f"PRAGMA application_id = {APPLICATION}",
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
        # Of an archived table only its records can tell.
        """UPDATE listings SET finished = max(
            (SELECT count(*) FROM entries WHERE entries.table_id = listings.table_id
                AND substr(entry, 1, 12) = CAST('{"e":"ended"' AS BLOB)),
            (SELECT coalesce(max(number), 0) FROM records
                WHERE records.table_id = listings.table_id))""",
    ),
    (
        """ALTER TABLE listings ADD COLUMN begun INTEGER
        GENERATED ALWAYS AS (state <> 'waiting' OR finished > 0) VIRTUAL""",
        # How many entries there are at least: the last ones could be missing unnoticed.
        "ALTER TABLE listings ADD COLUMN entries INTEGER NOT NULL DEFAULT 0",
        """UPDATE listings SET entries = (
            SELECT ifnull(max(number), -1) + 1 FROM entries
            WHERE entries.table_id = listings.table_id
        )""",
        "DROP INDEX listings_by_state",
        """CREATE INDEX listings_unfinished ON listings (begun, touched)
        WHERE state IN ('waiting', 'playing')""",
        # To count rows takes the longer the more there are.
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
        # On which the journal was in use, counted from 1970.
        "CREATE TABLE days (day INTEGER NOT NULL PRIMARY KEY)",
        """INSERT INTO days SELECT created / 86400 FROM listings
        UNION SELECT touched / 86400 FROM listings""",
    ),
)
"""Each brings a journal from the version before to its own number, counted from 1. What is once
released never changes: there are journals that were made with it."""

VERSION = len(MIGRATIONS)

LISTING = "table_id, game, version, state, public, created, touched, summary, finished"
"""The columns of a listing in the order of its fields."""

_PROBLEMS = {
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


_PROBLEMS_OF_THE_SYSTEM = {
    errno.ENOSPC: "journal_full",
    errno.EDQUOT: "journal_full",
    errno.EROFS: "journal_read_only",
    errno.EACCES: "journal_read_only",
    errno.EPERM: "journal_read_only",
}


def problem_code(error: Exception) -> str | None:
    """What is wrong with the storage; nothing if it is not the storage that is wrong."""
    if isinstance(error, OSError):
        return _PROBLEMS_OF_THE_SYSTEM.get(error.errno or 0, "journal_io")
    return _PROBLEMS.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)


def open_file(path: Path, patience: float, trust_clock: bool = False) -> sqlite3.Connection:
    """The connection that writes. Nobody else may have the file open for writing."""
    if sqlite3.sqlite_version_info < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise NotOpened("journal_sqlite", found=sqlite3.sqlite_version, oldest=oldest)
    try:
        crashed = Path(f"{path}-wal").exists()
        if not path.exists() or path.stat().st_size == 0:
            # Whoever can read it knows what is in everyone's hands.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        else:
            examine(path)
        connection = connect(path, patience)
        try:
            _set_up(connection, path)
            migrate(connection, VERSION)
            # A migration would have failed; where there is none, a read-only file is found here.
            prove(connection)
            check_clock(connection, int(time()), trust_clock)
            note_day(connection, int(time()))
            if crashed:
                # Of servers that crash often none may live long enough to tidy up.
                connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        except BaseException:
            connection.close()
            raise
    except (sqlite3.Error, OSError) as error:
        raise not_opened(path, error) from error
    return connection


def not_opened(path: Path, error: Exception) -> NotOpened:
    return NotOpened(file=path, why=Say(f"errors.{problem_code(error) or 'journal_io'}"))


def connect(path: Path, patience: float, mode: str = "rw") -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=patience,
        isolation_level=None,  # transactions are begun and ended by those who write
        check_same_thread=False,  # it is opened in one thread and then used in another
    )


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Brings the journal up to a version, one step at a time, each of them wholly or not at all."""
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


def prove(connection: sqlite3.Connection) -> None:
    """Writes something, for the sake of writing."""
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _set_up(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute(f"PRAGMA page_size = {PAGE}")  # of a file that is still empty
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # where flushing else ends in the drive's memory
    connection.execute("PRAGMA wal_autocheckpoint = 0")  # done when nobody waits for it
    connection.execute(f"PRAGMA journal_size_limit = {32 << 20}")
    connection.execute("PRAGMA cache_size = -8000")
    # A file system or a build of SQLite may not do as told, and then a crash loses games.
    mode, flushing = _pragma(connection, "journal_mode"), _pragma(connection, "synchronous")
    if (mode, flushing) != ("wal", 2):
        raise NotOpened("journal_unflushed", file=path, found=f"{mode}, {flushing}")


def examine(path: Path) -> None:
    """Refuses what is not ours to write to. It is only read for that."""
    if path.is_file() and path.stat().st_nlink > 1:
        # Beside each name would be a log of its own, and what is in one is not seen by the other.
        raise NotOpened("journal_linked", file=path)
    log = Path(f"{path}-wal")
    # Without a log that a crash left, not even the files beside it are made that reading one needs.
    left = log.exists() and log.stat().st_size > 0
    connection = connect(path, 0, "ro" if left else "ro&immutable=1")
    in_time = threading.Timer(EXAMINING, connection.interrupt)
    try:
        version = _pragma(connection, "user_version")
        tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        if _pragma(connection, "application_id") != APPLICATION and (tables or version):
            raise NotOpened("journal_foreign", file=path)
        if version > VERSION:
            raise NotOpened("journal_newer", file=path, version=version, ours=VERSION)
        in_time.start()
        if _pragma(connection, "quick_check(1)") != "ok":
            raise NotOpened(file=path, why=Say("errors.journal_corrupt"))
    except sqlite3.Error as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
            raise NotOpened("journal_foreign", file=path) from error
        if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:  # so far there is no damage
            raise
    finally:
        in_time.cancel()
        if in_time.ident is not None:
            in_time.join()  # or it interrupts a connection that is closed
        connection.close()


def _pragma(connection: sqlite3.Connection, name: str) -> Any:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]
