"""What an append to PostgreSQL costs with asyncpg and with psycopg: the statement of the journal,
with batches of 1, 10 and 100 tables, one entry of 120 bytes each.

The two take turns in one run, on one server with every commit flushed, which is started for it.
Printed are medians over the rounds: processor time of this process and time on the clock.

November 2026, PostgreSQL 18, two cores that others use too, microseconds an append:

| batch | asyncpg processor | psycopg processor | asyncpg clock | psycopg clock |
| --- | --- | --- | --- | --- |
| 1 | 110.0 | 239.4 | 5056.1 | 4310.1 |
| 10 | 13.9 | 33.1 | 495.8 | 529.7 |
| 100 | 2.7 | 8.5 | 94.7 | 60.5 |

So it is asyncpg: the time on the clock is that of the flush, the processor time is the server's.
"""

from __future__ import annotations

import os
import re
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any

import asyncpg
import psycopg
import typer
import uvloop

from pli.server.journal.postgres.rows import MOVES
from pli.server.journal.postgres.schema import MIGRATIONS

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.postgres import Postgres

SIZE = 120
OWNER = "bench"

Append = Callable[[list[str], list[int], list[int], list[bytes]], Awaitable[Any]]


async def with_asyncpg(url: str) -> Append:
    connection = await asyncpg.connect(
        url, server_settings={"plan_cache_mode": "force_generic_plan", "jit": "off"}
    )
    statement = await connection.prepare(MOVES)

    async def append(
        ids: list[str], firsts: list[int], epochs: list[int], entries: list[bytes]
    ) -> Any:
        return await statement.fetchval(OWNER, 1, ids, firsts, epochs, entries)

    return append


async def with_psycopg(url: str) -> Append:
    connection = await psycopg.AsyncConnection.connect(
        url,
        autocommit=True,
        prepare_threshold=0,
        options="-c plan_cache_mode=force_generic_plan -c jit=off",
    )
    names = ("owner", "now", "ids", "firsts", "epochs", "entries")
    types = ("text", "bigint", "text[]", "bigint[]", "bigint[]", "bytea[]")
    query = re.sub(
        r"\$(\d)(::\w+(\[\])?)?",
        lambda m: f"%({names[int(m[1]) - 1]})s::{types[int(m[1]) - 1]}",
        MOVES,
    )
    cursor = connection.cursor(binary=True)

    async def append(
        ids: list[str], firsts: list[int], epochs: list[int], entries: list[bytes]
    ) -> Any:
        values = (OWNER, 1, ids, firsts, epochs, entries)
        await cursor.execute(query.encode(), dict(zip(names, values, strict=True)), binary=True)
        row = await cursor.fetchone()
        return row[0] if row else None

    return append


async def measure(url: str, rounds: int, seconds: float) -> None:
    setting_up = await asyncpg.connect(url)
    await setting_up.execute("CREATE SCHEMA pli")
    for migration in MIGRATIONS:
        for statement in migration.statements:
            await setting_up.execute(statement)
    drivers = {"asyncpg": await with_asyncpg(url), "psycopg": await with_psycopg(url)}
    for size in (1, 10, 100):
        used: dict[str, list[float]] = {name: [] for name in drivers}
        took: dict[str, list[float]] = {name: [] for name in drivers}
        for turn in range(rounds + 1):
            for name, append in drivers.items():
                ids = [os.urandom(6).hex() for _ in range(size)]
                for each in ids:
                    await setting_up.execute(
                        "INSERT INTO pli.tables VALUES ($1, $2, 1, 1, 0)", each, OWNER
                    )
                entries, epochs = [os.urandom(SIZE) for _ in ids], [1] * size
                number = 1
                begun, processor = time.perf_counter(), time.process_time()
                while time.perf_counter() < begun + seconds:
                    refused = await append(ids, [number] * size, epochs, entries)
                    assert refused is None
                    number += 1
                if turn:  # the first one warms up
                    appends = size * (number - 1) / 1e6
                    used[name].append((time.process_time() - processor) / appends)
                    took[name].append((time.perf_counter() - begun) / appends)
        figures = [statistics.median(each[name]) for each in (used, took) for name in drivers]
        print(f"| {size} | " + " | ".join(f"{each:.1f}" for each in figures) + " |", flush=True)


def main(
    rounds: Annotated[int, typer.Option(help="Turns of each driver.")] = 7, seconds: float = 1.0
) -> None:
    server = Postgres().start()
    try:
        uvloop.run(measure(server.new_database(), rounds, seconds))
    finally:
        server.remove()


if __name__ == "__main__":
    typer.run(main)
