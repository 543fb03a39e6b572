"""The server that is attacked, and what it takes of the machine. Linux only."""

import os
import shutil
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import aiohttp

from tests.server.crash.server import Server

MEGA = 1_000_000
USUAL_WAL = 16 * MEGA
"""Bytes of write-ahead log that are no growth: SQLite uses them again and again."""


@dataclass(frozen=True)
class Process:
    cpu: float
    """Seconds."""
    memory: int
    """Bytes."""


def processes(session: int) -> dict[int, Process]:
    """All processes of a session: a server, and whatever it has started."""
    found = {}
    for each in os.listdir("/proc"):
        if not each.isdigit():
            continue
        with suppress(OSError):
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == session and fields[0] != "Z":
                ticks = int(fields[11]) + int(fields[12])
                memory = int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
                found[int(each)] = Process(ticks / os.sysconf("SC_CLK_TCK"), memory)
    return found


def sockets(pid: int) -> int:
    """How many a process has open, of whatever kind."""
    count = 0
    for each in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):
            count += os.readlink(each).startswith("socket:")
    return count


@dataclass(frozen=True)
class Taken:
    """What a server takes at a moment."""

    memory: int
    """Bytes, with all its processes."""
    processes: int
    disk: int
    """Bytes of what was saved, wherever in the files it lies; and of a log that has grown."""
    wal: int


class Target(Server):
    """A server in a folder of its own, with the limits that any server has, but for those given."""

    def __init__(self, folder: Path, prepared: Path, limits: Sequence[str] = ()) -> None:
        shutil.copy(prepared, folder / "tables.db")
        super().__init__(folder, [part for each in limits for part in ("--limit", each)])

    async def begin(self) -> None:
        self.start()
        async with aiohttp.ClientSession() as session:
            await self.listens(session)

    def taken(self) -> Taken:
        found = processes(self.pid)
        wal = self._size("-wal")
        disk = self._saved() + max(0, wal - USUAL_WAL)
        return Taken(sum(each.memory for each in found.values()), len(found), disk, wal)

    def _size(self, end: str) -> int:
        with suppress(FileNotFoundError):
            return Path(f"{self.file}{end}").stat().st_size
        return 0

    def _saved(self) -> int:
        """The log is written over again and again, so what the files take says little over a few
        seconds: the pages that the database has, those in the log too, say more."""
        try:
            with self._reading() as database:
                pages = database.execute("PRAGMA page_count").fetchone()[0]
                size = database.execute("PRAGMA page_size").fetchone()[0]
                return int(pages * size)
        except sqlite3.Error:
            return self._size("")

    def written(self) -> dict[str, int]:
        """Bytes of all that was written for each table, without what storing them takes."""
        found: dict[str, int] = defaultdict(int)
        with self._reading() as database:
            for name in _names(database, "SELECT name FROM sqlite_master WHERE type = 'table'"):
                columns = _names(database, f"SELECT name FROM pragma_table_info('{name}')")
                if "table_id" in columns:
                    length = " + ".join(f"coalesce(length({each}), 0)" for each in columns)
                    asked = f"SELECT table_id, sum({length}) FROM {name} GROUP BY table_id"
                    for table, size in database.execute(asked):
                        found[table] += size
        return found

    def _reading(self) -> closing[sqlite3.Connection]:
        return closing(sqlite3.connect(f"file:{self.file}?mode=ro", uri=True))


def _names(database: sqlite3.Connection, asked: str) -> list[str]:
    return [name for (name,) in database.execute(asked)]
