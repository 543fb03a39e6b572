"""The rules and the search of this tree against those of another commit, side by side.

    python bench/before.py REV [--rounds 5] [--turns 20] [--only twinit] [--search] [--control]

Random games with compiled rules, in actions a CPU second; with `--search` iterations of the search
in the middle of rounds. In each round every side is a new process, and they take turns of a tenth
of a second, so that all meet the same machine. A round's figure is the median of the ratios of its
turns; what counts is the median of the rounds. Below 0.97 a game has become slower, if the range of
the rounds does not reach over 1: where a process happens to lie in memory makes some 2% a round.
`--control` has the other commit run twice, and shows how far apart the same code is measured.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.progress import Progress
from search_speed import TABLES as SEARCHED

ROOT = Path(__file__).parents[1]

Table = tuple[str, dict[str, Any], int]

TABLES: tuple[Table, ...] = (
    ("marshmallow", {"seats": 4, "edition": "en"}, 20_000),
    ("marshmallow", {"seats": 4, "edition": "fr"}, 20_000),
    ("plingo", {"seats": 3}, 20_000),
    ("plingo", {"seats": 4}, 20_000),
    ("plingo", {"seats": 6}, 20_000),
    ("merci", {"seats": 4, "rules": "start", "false_denounce": "free"}, 1_000),
    ("merci", {"seats": 4, "rules": "full", "false_denounce": "free"}, 1_000),
    ("twinit", {"seats": 4, "mode": "race"}, 200),
    ("twinit", {"seats": 4, "mode": "teams"}, 200),
)
"""A game, options that both sides know and take alike, and games a turn."""

RULES_WORKER = """
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
    began = time.process_time()
    played = playouts.play(start, games=count, seed=int(line))
    print(float(played.lengths.sum()) / (time.process_time() - began), flush=True)
"""

SEARCH_WORKER = """
import json, sys
from itertools import islice
try:
    import search_speed
except ModuleNotFoundError:
    import searching as search_speed  # of older commits

name, options, actions = sys.argv[1], json.loads(sys.argv[2]), int(sys.argv[3])
matches = search_speed.positions(name, options, actions)
open_ones = (match for match in matches if search_speed.pace(match, 100) is not None)
kept = list(islice(open_ones, 5))
print("ready", flush=True)
for line in sys.stdin:
    print(search_speed.pace(kept[int(line) % len(kept)], 25_000), flush=True)
"""
"""With the commit's own `search_speed`, which knows what its search is called."""


@contextmanager
def worker(source: Path, code: str, table: Table) -> Iterator[Any]:
    """A process that runs what is in this folder, ready when it has compiled it."""
    name, options, count = table
    process = subprocess.Popen(
        [sys.executable, "-c", code, name, json.dumps(options), str(count)],
        env={**os.environ, "PYTHONPATH": f"{source}{os.pathsep}{source.parent / 'bench'}"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def rate(process: Any, turn: int) -> float:
    """Actions or iterations a CPU second."""
    process.stdin.write(f"{turn}\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def in_turns(
    sources: Sequence[Path], code: str, table: Table, turns: int, advance: Callable[[], None]
) -> list[list[float]]:
    """The rates of new processes, one for each source, by turn."""
    with ExitStack() as stack:
        sides = [stack.enter_context(worker(source, code, table)) for source in sources]
        for source, process in zip(sources, sides, strict=True):
            if process.stdout.readline().strip() != "ready":
                raise SystemExit(f"{table[0]} {table[1]} can't be played by {source}")
        rates: list[list[float]] = [[] for _ in sides]
        for turn in range(turns):
            order = range(len(sides))
            for side in order if turn % 2 else reversed(order):
                rates[side].append(rate(sides[side], turn))
            advance()
    return rates


def compared(rounds: Sequence[Sequence[Sequence[float]]], side: int) -> str:
    """The ratio of a side to the first: the median of rounds, and their range."""
    ratios = [
        median(new / old for old, new in zip(sides[0], sides[side], strict=True))
        for sides in rounds
    ]
    return f"**{median(ratios):.3f}** ({min(ratios):.3f} - {max(ratios):.3f})"


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
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--turns", type=int, default=20, help="of each side in a round")
    parser.add_argument("--only", default="", help="a game")
    parser.add_argument("--search", action="store_true", help="the search, not the rules")
    parser.add_argument("--control", action="store_true", help="the other commit against itself")
    chosen = parser.parse_args()
    code, known = (SEARCH_WORKER, SEARCHED) if chosen.search else (RULES_WORKER, TABLES)
    tables = [table for table in known if chosen.only in table[0]]
    heads = ["game", "options", "before", "now", "now ÷ before (rounds)"]
    heads += ["before ÷ before"] if chosen.control else []
    print(f"| {' | '.join(heads)} |", "|" + " --- |" * len(heads), sep="\n", flush=True)
    with (
        checkout(chosen.revision) as before,
        Progress(console=Console(stderr=True)) as bar,
    ):
        sources = [before, ROOT / "src", *([before] if chosen.control else [])]
        task = bar.add_task("playing", total=len(tables) * chosen.rounds * chosen.turns)
        for table in tables:
            rounds = [
                in_turns(sources, code, table, chosen.turns, lambda: bar.advance(task))
                for _ in range(chosen.rounds)
            ]
            cells = [table[0], " ".join(f"{name}={value}" for name, value in table[1].items())]
            for side in range(2):
                cells.append(f"{median(median(sides[side]) for sides in rounds):,.3g}")
            cells += [compared(rounds, side) for side in range(1, len(sources))]
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
