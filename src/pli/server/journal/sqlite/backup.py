"""A copy of the embedded journal, as it is at one moment, whether a server writes to it or not."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from pli.errors import PliError
from pli.server.journal.sqlite.schema import PATIENCE, connect, examine, not_opened

STEP = 1024
"""Pages between two tellings of how far it is."""

Progress = Callable[[int, int], None]
"""Told how many pages are copied, and of how many."""


def back_up(source: Path, copy: Path, progress: Progress = lambda done, of: None) -> int:
    """Writes the copy, wholly or not at all, and examines it. Tells how many tables it has."""
    source = source.resolve()
    if not source.is_file():
        raise PliError("unreadable_file", file=source)
    if copy.exists() and copy.samefile(source):
        raise PliError("backup_itself", file=copy)
    examine(source)
    beside = copy.with_name(f".{copy.name}.{os.getpid()}")
    try:
        copy.parent.mkdir(parents=True, exist_ok=True)
        # Whoever can read it knows what is in everyone's hands.
        os.close(os.open(beside, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError:
        raise PliError("unwritable_file", file=copy) from None
    try:
        tables = _copy(source, beside, progress)
        _flush(beside)
        beside.replace(copy)
        _flush(copy.parent)
    except sqlite3.Error as error:
        raise not_opened(source, error) from error
    finally:
        for end in ("", "-journal", "-wal", "-shm"):
            Path(f"{beside}{end}").unlink(missing_ok=True)
    return tables


def _copy(source: Path, beside: Path, progress: Progress) -> int:
    with closing(connect(source, PATIENCE)) as reading, closing(connect(beside, 0)) as writing:
        # What is written from here on is not seen, or each entry would begin the copy anew.
        reading.execute("BEGIN")
        reading.execute("SELECT 1 FROM listings LIMIT 1").fetchall()
        reading.backup(
            writing,
            pages=STEP,
            progress=lambda _, left, of: progress(of - left, of),
        )
        reading.execute("ROLLBACK")
        writing.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it
        (found,) = writing.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            raise PliError("backup_damaged", file=source, why=found)
        return int(writing.execute("SELECT count(*) FROM listings").fetchone()[0])


def _flush(path: Path) -> None:
    """To the disk; a folder too, so that the new name outlives a crash."""
    if os.name == "nt" and path.is_dir():
        return
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
