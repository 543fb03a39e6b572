"""A journal whose process is killed at any moment keeps all that it acknowledged."""

import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.server.journal.samples import entry, opened, opened_at

KILLS = 10
TABLES = 20

pytestmark = pytest.mark.skipif(os.name == "nt", reason="killed another way there")

SERVER = f"""
import asyncio, os, sys
from pli.server.journal.api import Append
from pli.server.journal.open import open_journal

async def serve():
    '''Appends to all tables as fast as it can, and writes down what is acknowledged.'''
    journal = await open_journal(sys.argv[1], address="here:1")

    def go_on(table, number):
        count = 1 + number % 3
        entries = [b"%d of table %d" % (number + more, table) for more in range(count)]

        def done(problem):
            assert problem is None
            os.write(1, b"%d %d\\n" % (table, number + count - 1))
            go_on(table, number + count)

        journal.append_soon(Append(str(table), number, entries), done)

    for table in range({TABLES}):
        await journal.claim(str(table))
        go_on(table, len(await journal.entries(str(table))))
    await asyncio.Event().wait()

asyncio.run(serve())
"""


async def test_what_was_acknowledged_outlives_ten_kills_without_holes(
    place: str, tmp_path: Path
) -> None:
    rng = random.Random(1)
    heard = tmp_path / "acknowledged"
    acknowledged = [-1] * TABLES
    for _ in range(KILLS):
        with (
            heard.open("wb") as writing,
            subprocess.Popen([sys.executable, "-c", SERVER, place], stdout=writing) as server,
        ):
            while heard.stat().st_size == 0 and server.poll() is None:
                time.sleep(0.01)
            time.sleep(rng.random() * 0.2)
            server.kill()
        for line in heard.read_text().splitlines():
            table, number = map(int, line.split())
            assert number > acknowledged[table]
            acknowledged[table] = number
    assert min(acknowledged) > KILLS
    async with opened_at(place) as journal:
        for table, number in enumerate(acknowledged):
            entries = await journal.entries(str(table))
            assert len(entries) > number
            assert entries == [b"%d of table %d" % (n, table) for n in range(len(entries))]


async def test_the_log_does_not_grow_from_crash_to_crash(tmp_path: Path) -> None:
    path = tmp_path / "0" / "journal.db"
    sizes = []
    for crash in range(10):
        async with opened(path) as journal:
            for n in range(50):
                await journal.append(entry(f"T{crash}", n))
            sizes.append(Path(f"{path}-wal").stat().st_size)
            crashed = tmp_path / str(crash + 1) / "journal.db"
            crashed.parent.mkdir()
            for end in ("", "-wal"):  # as a crash leaves them
                shutil.copy(f"{path}{end}", f"{crashed}{end}")
        path = crashed
    assert max(sizes) < 2 * sizes[0]
    async with opened(path) as journal:
        assert len(await journal.entries("T0")) == len(await journal.entries("T9")) == 50
