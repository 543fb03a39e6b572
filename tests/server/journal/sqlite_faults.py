"""Makes SQLite fail under an open journal, as a full or failing disk would."""

import asyncio
import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from pli.server.journal.sqlite import journal as sqlite_journal
from pli.server.journal.sqlite import schema as sqlite_schema


class Connections:
    """The two connections of the journal that was opened last."""

    path: Path
    writing: sqlite3.Connection
    reading: sqlite3.Connection
    _lock: sqlite3.Connection

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        connect = sqlite_schema.connect

        def to_write(path: Path, patience: float, mode: str = "rw") -> sqlite3.Connection:
            connection = connect(path, patience, mode)
            if mode == "rw":
                self.path, self.writing = path, connection
            return connection

        def to_read(path: Path, patience: float) -> sqlite3.Connection:
            self.reading = connect(path, patience)
            return self.reading

        monkeypatch.setattr(sqlite_schema, "connect", to_write)
        monkeypatch.setattr(sqlite_journal, "connect", to_read)

    async def execute(self, command: str) -> None:
        """On the connection that writes, between two of its transactions."""
        await asyncio.to_thread(self.writing.execute, command)

    async def fill_disk(self) -> None:
        (pages,) = self.writing.execute("PRAGMA page_count").fetchone()
        await self.execute(f"PRAGMA max_page_count = {pages}")

    async def make_room(self) -> None:
        await self.execute("PRAGMA max_page_count = 1000000")

    async def forbid_writing(self) -> None:
        await self.execute("PRAGMA query_only = ON")

    async def allow_writing(self) -> None:
        await self.execute("PRAGMA query_only = OFF")

    async def lock(self) -> None:
        await self.execute("PRAGMA busy_timeout = 50")
        self._lock = sqlite3.connect(self.path, isolation_level=None)
        self._lock.execute("BEGIN IMMEDIATE")

    async def unlock(self) -> None:
        self._lock.close()

    async def move_away(self) -> None:
        shutil.move(self.path, self.path.with_suffix(".away"))

    async def move_back(self) -> None:
        shutil.move(self.path.with_suffix(".away"), self.path)


Fault = Callable[[Connections], Awaitable[None]]
