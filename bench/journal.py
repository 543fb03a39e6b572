"""How many appends a second a journal makes durable, and how long each one takes.

Every table appends its next entry as soon as the one before is durable, as games do. With --work
the event loop is also kept busy at each append, as a server is that tells the seats; with --pace
each table waits between its appends.
"""

from __future__ import annotations

import asyncio
import gc
import os
import random
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer

from pli.server.journal.api import Append, Journal, JournalProblem
from pli.server.journal.open import open_journal


class Bench:
    def __init__(self, journal: Journal, tables: int, size: int, work: float, pace: float) -> None:
        self.journal = journal
        self.names = [os.urandom(9).hex() for _ in range(tables)]
        self.entry = os.urandom(size)
        self.work = work
        self.pace = pace
        self.going = True
        self.times: list[float] = []
        self.loop = asyncio.get_running_loop()

    async def run(self, seconds: float) -> float:
        begin = time.perf_counter()
        for name in self.names:
            self.loop.call_later(random.random() * self.pace, self.append, name, 0)
        await asyncio.sleep(seconds)
        self.going = False
        took = time.perf_counter() - begin
        await asyncio.sleep(self.pace)  # until nobody is about to append
        return took

    def append(self, name: str, number: int) -> None:
        begun = time.perf_counter()

        def done(problem: JournalProblem | None) -> None:
            if problem is not None:
                raise problem
            now = time.perf_counter()
            if self.going:
                self.times.append(now - begun)
            while time.perf_counter() < now + self.work:
                pass
            if self.going and self.pace:
                self.loop.call_later(self.pace, self.append, name, number + 1)
            elif self.going:
                self.append(name, number + 1)

        self.journal.append_soon(Append(name, number, (self.entry,)), done)


async def measure(
    folder: str, db: str, tables: int, size: int, work: float, pace: float, seconds: float
) -> str:
    with tempfile.TemporaryDirectory(dir=folder) as path:
        file = Path(path) / "journal.db"
        journal = await open_journal(db or str(file))
        bench = Bench(journal, tables, size, work, pace)
        used = time.process_time()
        took = await bench.run(seconds)
        used = time.process_time() - used
        log = 0 if db else Path(f"{file}-wal").stat().st_size
        await journal.close()
        times = sorted(bench.times)
        if not times:
            return "nothing came back in that time"
        median, late, last = (1000 * times[int(len(times) * p)] for p in (0.5, 0.99, 0.99999))
        told = (
            f"{len(times) / took:,.0f} appends/s; median {median:.2f} ms, 99 % {late:.2f} ms, "
            f"longest {last:.2f} ms; processor {1e6 * used / len(times):.1f} us an append"
        )
        if db:
            return told
        return f"{told}; log {log >> 20} MB, file {file.stat().st_size >> 20} MB"


def main(
    folder: Annotated[
        str, typer.Option(help="Where the file goes: on the disk to be measured.")
    ] = ".",
    db: Annotated[str, typer.Option(help="A database in place of a file.")] = "",
    tables: int = 500,
    size: int = 80,
    work: Annotated[float, typer.Option(help="Microseconds at each append.")] = 0,
    pace: Annotated[float, typer.Option(help="Seconds between a table's appends.")] = 0,
    seconds: float = 5,
) -> None:
    gc.disable()
    print(asyncio.run(measure(folder, db, tables, size, work / 1e6, pace, seconds)))


if __name__ == "__main__":
    typer.run(main)
