"""How long the lab takes: a sweep of 24 cells with 100,000 random games each, and a million games
of one cell into Parquet. Each is a run of the command `pli study` from its start to its end."""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

GAME = "marshmallow"
ROUNDS = 3

RUNS = {
    "24 cells of 100,000 games": (
        ("--over", "seats=2..5", "--over", "target=15,20,25,30,40,50", "--games", "100000"),
        60.0,
    ),
    "1,000,000 games": (("--over", "seats=4", "--games", "1000000"), 5.0),
}
"""With the seconds in which each should be done."""


def run(more: tuple[str, ...]) -> tuple[float, int, int]:
    """Seconds, cells and bytes."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pli", "study", GAME, *more, "--to", folder]
        began = perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        took = perf_counter() - began
        files = [file for file in Path(folder).rglob("*.parquet") if file.is_file()]
        cells = len({file.parent for file in files})
        return took, cells, sum(file.stat().st_size for file in files)


def main() -> None:
    run(("--games", "10"))  # compiles, if that has not been done
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    for name, (more, goal) in RUNS.items():
        found = [run(more) for _ in range(ROUNDS)]
        seconds = sorted(each[0] for each in found)
        _, cells, size = found[0]
        print(
            f"{name}: {seconds[0]:.1f} s at best, {seconds[len(seconds) // 2]:.1f} s in the middle"
            f" of {ROUNDS} (goal {goal:.0f} s), {cells} cells, {size / 1e6:.1f} MB,"
            f" load {os.getloadavg()[0]:.1f}"
        )


if __name__ == "__main__":
    main()
