"""Online backup of the SQLite journal: a consistent copy while a server may write to it."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from pli.errors import PliError
from pli.server.journal.sqlite.schema import BUSY_TIMEOUT, check_file, connect, not_opened

STEP = 1024
"""Pages between two calls of the progress callback."""

Progress = Callable[[int, int], None]
"""Called with the pages that are copied, and all pages."""


def back_up(source: Path, copy: Path, progress: Progress = lambda done, of: None) -> int:
    """Writes the copy atomically, after an integrity check. Returns the number of tables in it."""
    source = source.resolve()
    if not source.is_file():
        raise PliError("unreadable_file", file=source)
    if copy.exists() and copy.samefile(source):
        raise PliError("backup_itself", file=copy)
    check_file(source)
    temporary = copy.with_name(f".{copy.name}.{os.getpid()}")
    try:
        copy.parent.mkdir(parents=True, exist_ok=True)
        # Readable by the owner alone: it holds all hidden cards.
        os.close(os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError:
        raise PliError("unwritable_file", file=copy) from None
    try:
        tables = _copy(source, temporary, progress)
        _flush(temporary)
        temporary.replace(copy)
        _flush(copy.parent)
    except sqlite3.Error as error:
        raise not_opened(source, error) from error
    finally:
        for end in ("", "-journal", "-wal", "-shm"):
            Path(f"{temporary}{end}").unlink(missing_ok=True)
    return tables


def _copy(source: Path, temporary: Path, progress: Progress) -> int:
    with (
        closing(connect(source, BUSY_TIMEOUT)) as reading,
        closing(connect(temporary, 0)) as writing,
    ):
        # A read transaction: otherwise each write of the server would restart the copy.
        reading.execute("BEGIN")
        reading.execute("SELECT 1 FROM listings LIMIT 1").fetchall()
        reading.backup(
            writing,
            pages=STEP,
            progress=lambda _, left, of: progress(of - left, of),
        )
        reading.execute("ROLLBACK")
        writing.execute("PRAGMA journal_mode = DELETE")  # a single file, without -wal and -shm
        (found,) = writing.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            raise PliError("backup_damaged", file=source, why=found)
        return int(writing.execute("SELECT count(*) FROM listings").fetchone()[0])


def _flush(path: Path) -> None:
    """fsync; of a folder too, so that the new name is durable."""
    if os.name == "nt" and path.is_dir():
        return
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
