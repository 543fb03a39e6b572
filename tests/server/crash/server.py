"""`pli serve` as a process that is killed and restarted on one port and one journal, and the
journal as it is read beside it."""

import asyncio
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import aiohttp

from pli.server.tables import entries as e
from pli.server.tables.table import hashed
from tests.server.crash.clients import GONE
from tests.server.crash.judge import Witness

NURSERY = """
import os, signal, sys
import uvloop, pli.cli, pli.server.main
from pli.__main__ import main

log = os.open(os.environ["PLI_LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
child = 0
for line in sys.stdin:
    if line == "start\\n":
        child = os.fork()
        if child == 0:
            os.setsid()
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(log, 1)
            os.dup2(log, 2)
            main()
        print(child, flush=True)
    else:
        found, status = os.waitpid(child, os.WNOHANG if line == "look\\n" else 0)
        print(os.waitstatus_to_exitcode(status) if found else "runs", flush=True)
        child = 0 if found else child
if child:
    os.kill(child, signal.SIGKILL)
"""
"""Makes processes that are `pli serve` with everything imported already: so a start is quick, even
on a busy machine. Each leads a session of its own."""

PATIENCE = 60.0
"""Seconds in which a server must be there, even on a busy machine."""

ORPHANS = 120.0
"""Seconds in which all that a killed server had started must be gone: a process that compiles does
so to the end, for whoever comes next."""


class NotStarted(Exception):
    """The process ended before it listened; with what it said."""


class Known(NamedTuple):
    """What a client was told by some moment."""

    table: str
    seat: int | None
    acknowledged: set[int]
    last: int
    """Entry that it was shown; -1: none."""


def known(witnesses: Mapping[str, Sequence[Witness]]) -> list[Known]:
    """What all clients were told by now."""
    return [
        Known(
            table,
            each.seat,
            {*each.acknowledged},
            max((seen.n for seen in each.seen), default=-1),
        )
        for table, all_of_it in witnesses.items()
        for each in all_of_it
    ]


class Server:
    """`pli serve`, one process after the other on the same port and journal."""

    def __init__(
        self, folder: Path, options: Sequence[str] = ("--no-limits",), db: str = ""
    ) -> None:
        """Without `db` the journal is a file in the folder."""
        self.file = folder / "tables.db"
        self.port = free_port()
        self._log = folder / "server.log"
        where = ["--port", str(self.port), "--db", db or f"sqlite:///{self.file}"]
        where += ["--workers", "1"]
        self._nursery = subprocess.Popen(
            [sys.executable, "-c", NURSERY, "serve", *where, "--log-level", "warning", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PLI_LOG": str(self._log)},
            text=True,
        )
        self._pid = 0
        self._stopping = False
        self._groups: dict[int, float] = {}
        """The sessions of servers that ended, of which something may still be there."""

    def _ask(self, word: str) -> str:
        assert self._nursery.stdin is not None
        assert self._nursery.stdout is not None
        self._nursery.stdin.write(f"{word}\n")
        self._nursery.stdin.flush()
        return self._nursery.stdout.readline().strip()

    def start(self) -> None:
        self._pid = int(self._ask("start"))
        self._stopping = False

    async def listens(self, session: aiohttp.ClientSession) -> None:
        async with asyncio.timeout(PATIENCE):
            while True:
                if not self.runs:
                    self._ended()
                    raise NotStarted(self.said())
                with suppress(*GONE):
                    async with session.get(f"{self.url}/api/health") as found:
                        if found.status == 200:
                            return
                await asyncio.sleep(0.02)

    @property
    def pid(self) -> int:
        """0: none runs."""
        return self._pid

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def runs(self) -> bool:
        return self._ask("look") == "runs"

    def kill(self) -> None:
        if self.runs:
            os.kill(self._pid, signal.SIGKILL)
            self._wait()
        elif not self._stopping:
            raise RuntimeError(f"the server ended by itself: {self.said()}")
        else:
            self._ended()

    def strike(self) -> None:
        """The same, for who must not lose time: `kill` is still to be called."""
        self._stopping = True
        os.kill(self._pid, signal.SIGKILL)

    def tell_to_stop(self) -> None:
        """As an operator would."""
        self._stopping = True
        os.kill(self._pid, signal.SIGTERM)

    async def stop(self) -> int:
        """The same, to its end; gives its exit code."""
        self.tell_to_stop()
        return await asyncio.to_thread(self._wait)

    def _wait(self) -> int:
        code = int(self._ask("wait"))
        self._ended()
        return code

    def _ended(self) -> None:
        self._groups[self._pid] = time.monotonic()
        self._pid = 0

    def remains(self, seconds: float = 0.0) -> list[int]:
        """Servers of which something is still there so long after their end."""
        for group in [*self._groups]:
            try:
                os.killpg(group, 0)
            except ProcessLookupError:
                del self._groups[group]
        return [each for each, end in self._groups.items() if time.monotonic() - end >= seconds]

    def end(self) -> None:
        """Nothing that was started here is left."""
        for group in {self._pid, *self._groups} - {0}:
            with suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
        self._nursery.communicate()

    def said(self) -> str:
        return self._log.read_text()[-2000:]


def free_port() -> int:
    """A free one that no outgoing line is given: else, while nobody listens there, somebody who
    tries to come back may be connected to himself."""
    while True:
        port = random.SystemRandom().randrange(12_000, 32_000)
        with socket.socket() as trial, suppress(OSError):
            trial.bind(("127.0.0.1", port))
            return port


class Ledger:
    """The journal as it was last read, with all tables' entries."""

    def __init__(self) -> None:
        self.entries: dict[str, list[bytes]] = {}
        self._ids: dict[tuple[str, int], set[int]] = defaultdict(set)

    def found(self, tables: Mapping[str, list[bytes]]) -> list[str]:
        """What is wrong with it now: nothing that was ever there may be gone or changed."""
        faults = []
        for table, known in self.entries.items():
            if tables.get(table, [])[: len(known)] != known:
                faults.append(f"{table}: the journal has changed")
        for table, bodies in tables.items():
            for body in bodies[len(self.entries.get(table, ())) :]:
                entry = e.decode(body)
                if isinstance(entry, e.Acted):
                    self._ids[table, entry.seat].add(entry.id)
        self.entries = dict(tables)
        return faults

    def lost(self, seats: Iterable[tuple[str, str]]) -> list[str]:
        """Which of these seats, given as table and token, are not in it."""
        found = {
            (table, entry.token)
            for table, bodies in self.entries.items()
            for entry in map(e.decode, bodies)
            if isinstance(entry, e.Sat)
        }
        given = [(table, hashed(token)) for table, token in seats]
        return [f"{seat[0]}: a seat that was given is lost" for seat in given if seat not in found]

    def missing(self, known: Known) -> list[str]:
        """What a client was told that is not in it."""
        table, seat = known.table, known.seat
        here = self._ids[table, seat] if seat is not None else set()
        faults = []
        if lost := known.acknowledged - here:
            faults.append(f"{table} seat {seat}: {sorted(lost)} acknowledged and lost")
        if known.last >= len(self.entries.get(table, ())):
            faults.append(f"{table} seat {seat}: saw entry {known.last}, which is lost")
        return faults


def read_file(file: Path) -> tuple[dict[str, list[bytes]], list[str]]:
    """All entries by table as they are on the disk when nobody is there, and what is wrong with the
    file: read from a copy, so that the server finds the file exactly as its end left it."""
    found: dict[str, list[bytes]] = defaultdict(list)
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        for end in ("", "-wal"):
            with suppress(FileNotFoundError):
                shutil.copy(f"{file}{end}", f"{folder}/copy.db{end}")
        connection = sqlite3.connect(f"{folder}/copy.db")
        asking = "SELECT table_id, entry FROM entries ORDER BY table_id, number"
        for table, entry in connection.execute(asking):
            found[table].append(entry)
        healthy = connection.execute("PRAGMA integrity_check").fetchone()[0]
        connection.close()
    return dict(found), [] if healthy == "ok" else [f"the file is damaged: {healthy}"]
