"""The rules of this tree against those of another commit: compiled random games, side by side.

    python bench/before.py REV [--repeats 21] [--only plingo]

Each side runs in a process of its own; they take turns, so that both meet the same machine. What
counts is the median of the ratios: below 0.97 a game has become slower.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

ROOT = Path(__file__).parents[1]

TABLES: list[tuple[str, dict[str, Any], int]] = [
    ("marshmallow", {"seats": 4, "edition": "en"}, 20_000),
    ("marshmallow", {"seats": 4, "edition": "fr"}, 20_000),
    ("plingo", {"seats": 3}, 20_000),
    ("plingo", {"seats": 4}, 20_000),
    ("plingo", {"seats": 6}, 20_000),
    ("merci", {"seats": 4, "rules": "start", "false_denounce": "free"}, 1_000),
    ("merci", {"seats": 4, "rules": "full", "false_denounce": "free"}, 1_000),
    ("twinit", {"seats": 4, "mode": "race"}, 200),
    ("twinit", {"seats": 4, "mode": "teams"}, 200),
]
"""A game, options that both sides know and take alike, and games a turn."""

WORKER = """
import json, sys, time
from pli import games
from pli.game import read_options
from pli.kernel.playout import Playouts

name, options, count = sys.argv[1], json.loads(sys.argv[2]), int(sys.argv[3])
game = games.load(name)
start = game.setup(read_options(game, options))
playouts = Playouts(game.rules)
playouts.play(start, games=50, seed=0)
print("ready", flush=True)
for line in sys.stdin:
    began = time.perf_counter()
    played = playouts.play(start, games=count, seed=int(line))
    print(float(played.lengths.sum()) / (time.perf_counter() - began), flush=True)
"""


@contextmanager
def worker(source: Path, table: tuple[str, dict[str, Any], int]) -> Iterator[Any]:
    """A process that plays with the rules in this folder, ready when it has compiled them."""
    name, options, count = table
    process = subprocess.Popen(
        [sys.executable, "-c", WORKER, name, json.dumps(options), str(count)],
        env={**os.environ, "PYTHONPATH": str(source)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        if process.stdout.readline().strip() != "ready":
            raise SystemExit(f"{name} {options} can't be played by {source}")
        yield process
    finally:
        process.kill()
        process.wait()


def rate(process: Any, seed: int) -> float:
    """Actions a second."""
    process.stdin.write(f"{seed}\n")
    process.stdin.flush()
    return float(process.stdout.readline())


@contextmanager
def checkout(revision: str) -> Iterator[Path]:
    """The sources of another commit, in a folder that goes again."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), revision], check=True)
        try:
            yield tree / "src"
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("revision", help="the commit to compare with")
    parser.add_argument("--repeats", type=int, default=21)
    parser.add_argument("--only", default="", help="a game")
    chosen = parser.parse_args()
    tables = [table for table in TABLES if chosen.only in table[0]]
    rows = ["| game | options | before | now | now ÷ before |", "| --- | --- | --- | --- | --- |"]
    with (
        checkout(chosen.revision) as before,
        Progress(console=Console(stderr=True)) as bar,
    ):
        task = bar.add_task("playing", total=len(tables) * chosen.repeats)
        for table in tables:
            rates: tuple[list[float], list[float]] = ([], [])
            with worker(before, table) as then, worker(ROOT / "src", table) as now:
                for seed in range(chosen.repeats):
                    sides = [(then, rates[0]), (now, rates[1])]
                    for process, found in sides if seed % 2 else reversed(sides):
                        found.append(rate(process, seed))
                    bar.advance(task)
            ratio = statistics.median(new / old for old, new in zip(*rates, strict=True))
            old, new = (f"{statistics.median(found) / 1e6:.1f} million" for found in rates)
            options = " ".join(f"{name}={value}" for name, value in table[1].items())
            rows.append(f"| {table[0]} | {options} | {old} | {new} | **{ratio:.3f}** |")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
