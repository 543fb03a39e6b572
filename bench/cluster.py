"""`make bench-cluster`: what a journal in PostgreSQL costs against one in a file, and what a relay
between two servers adds, side by side in one run.

    PYTHONPATH=. python bench/cluster.py [--rounds 3] [--tables 100]

Processor time an action, at a hundred tables: a server on PostgreSQL and one on SQLite run in turns
for a quarter of a second each, under the same load; PostgreSQL's own is that of all its processes.
Latency: two servers on one PostgreSQL; at half of the tables all pages connect to the server that
runs them, at the others to the other server. Linux only.
"""

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

from processes import (
    OURS,
    SLICE,
    Contestant,
    Cost,
    Running,
    Spec,
    Unfit,
    costs,
    cpu_seconds,
    free_port,
    serving,
    start_load,
)
from rich.console import Console
from rich.progress import Progress

from tests.postgres import Postgres

DATA = Path(__file__).parents[1] / "build" / "bench-cluster"
"""Beside the sources: what is flushed here reaches a disk."""

WARM = 2.0
RATIO, SHARE, ADDED = 0.7, 0.25, 2.0
"""What is wanted: at least this much of the actions a CPU second on SQLite; at most this share of
the server's processor time for PostgreSQL; at most so many ms for a relay."""


def on_postgres(postgres: Postgres, url: Callable[[], str], clustered: bool) -> Contestant:
    def command(port: int, folder: Path) -> Sequence[str]:
        words = [*OURS.command(port, folder)]
        words[words.index("--db") + 1] = url()
        return [*words, "--internal", f"127.0.0.1:{free_port()}"] if clustered else words

    return Contestant(
        "Pli", "flushed by PostgreSQL", "pli", command, lambda: database_cpu(postgres)
    )


def database_cpu(postgres: Postgres) -> float:
    """CPU seconds of all processes of PostgreSQL, also of those that have ended."""
    pid = postgres.pid
    assert pid is not None
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ended = (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
    return cpu_seconds(pid) + ended


def figures(contestant: Contestant, server: Running, spec: Spec) -> Spec:
    """What a load says in the end."""
    process = start_load(contestant, server, spec)
    told: Spec = {}
    try:
        assert process.stdout is not None
        for line in process.stdout:
            told = json.loads(line)
            if told["at"] == "failed":
                raise Unfit(told["why"])
    finally:
        process.kill()
        process.wait()
    if told.get("at") != "end":
        raise Unfit("the load ended early")
    return told


@contextlib.contextmanager
def two_servers(postgres: Postgres) -> Iterator[tuple[Contestant, Running, Running]]:
    url = postgres.new_database()
    side = on_postgres(postgres, lambda: url, clustered=True)
    with serving(side, DATA / "one") as one, serving(side, DATA / "other") as other:
        yield side, one, other


def processor_time(
    postgres: Postgres, rounds: int, tables: int, seconds: float, advance: Callable[[float], None]
) -> list[tuple[Cost, Cost]]:
    """On SQLite and on PostgreSQL, round by round."""
    sides = (OURS, on_postgres(postgres, postgres.new_database, clustered=False))
    spec = {"tables": tables, "warm": WARM, "seconds": seconds}
    found = []
    for _ in range(rounds):
        file, database = costs(sides, spec, DATA / "data", lambda: advance(SLICE))
        found.append((file, database))
    return found


def latencies(
    postgres: Postgres, rounds: int, tables: int, pace: int, seconds: float,
    advance: Callable[[float], None],
) -> list[tuple[Spec, Spec]]:  # fmt: skip
    """Direct and relayed, round by round, at two servers that stay the same."""
    spec = {"tables": tables, "pace": pace, "warm": WARM, "seconds": seconds}
    found = []
    with two_servers(postgres) as (side, one, other):
        for _ in range(rounds):
            # Both at once, so that both meet the same machine.
            with ThreadPoolExecutor(2) as pool:
                direct = pool.submit(figures, side, one, spec)
                relayed = pool.submit(figures, side, one, {**spec, "play": other.url})
                found.append((direct.result(), relayed.result()))
            advance(seconds + WARM)
    return found


def report(times: Sequence[tuple[Cost, Cost]], waits: Sequence[tuple[Spec, Spec]]) -> list[str]:
    def an_action(cost: Cost) -> float:
        return 1e6 * cost.server / cost.actions

    ratio = median(an_action(file) / an_action(database) for file, database in times)
    share = median(database.beside / database.server for _, database in times)
    added = median(relayed["median"] - direct["median"] for direct, relayed in waits)
    yes = {True: "yes", False: "NO"}
    return [
        "| figure | | wanted | |",
        "| --- | --- | --- | --- |",
        f"| server's processor time an action, on SQLite |"
        f" {median(an_action(file) for file, _ in times):.0f} µs | | |",
        f"| the same on PostgreSQL |"
        f" {median(an_action(database) for _, database in times):.0f} µs | | |",
        f"| actions a CPU second, PostgreSQL ÷ SQLite | {ratio:.2f} | ≥ {RATIO} |"
        f" {yes[ratio >= RATIO]} |",
        f"| PostgreSQL's own processor time ÷ the server's | {share:.2f} | < {SHARE} |"
        f" {yes[share < SHARE]} |",
        f"| an action until all four are told, direct |"
        f" {median(direct['median'] for direct, _ in waits):.2f} ms | | |",
        f"| the same relayed | {median(relayed['median'] for _, relayed in waits):.2f} ms | | |",
        f"| added by the relay | {added:.2f} ms | < {ADDED:.0f} ms | {yes[added < ADDED]} |",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=24, help="of both servers in turns")
    parser.add_argument("--paced-tables", type=int, default=10, help="direct, and as many relayed")
    parser.add_argument("--pace", type=int, default=500, help="ms between a table's actions")
    chosen = parser.parse_args()
    DATA.mkdir(parents=True, exist_ok=True)
    postgres = Postgres().start()
    try:
        with Progress(console=Console(stderr=True)) as bar:
            paced = chosen.seconds / 3
            total = chosen.rounds * (chosen.seconds + paced + 2 * WARM)
            task = bar.add_task("measuring", total=total)

            def advance(seconds: float) -> None:
                bar.advance(task, seconds)

            times = processor_time(postgres, chosen.rounds, chosen.tables, chosen.seconds, advance)
            waits = latencies(
                postgres, chosen.rounds, chosen.paced_tables, chosen.pace, paced, advance
            )
    finally:
        postgres.remove()
    print("\n".join(report(times, waits)))


if __name__ == "__main__":
    try:
        main()
    except Unfit as error:
        sys.exit(str(error))
