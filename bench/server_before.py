"""The server of this tree against that of another commit, under the same load, side by side.

    python bench/server_before.py REV [--rounds 5] [--tables 10 100]

Two figures, medians of rounds with fresh servers. Actions a CPU second: both servers are up, and
run in turns for a quarter of a second each, so that both meet the same machine; what is left of
noise is where a process happens to lie in memory, some 2% a round. Below 0.97 the server has become
slower. The 99th percentile from an action to all four pages being told: one server after the other,
and as noisy as the machine.
"""

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import median

from before import ROOT, checkout
from processes import OURS, SLICE, Contestant, Unfit, efficiency, measure
from rich.console import Console
from rich.progress import Progress

DATA = ROOT / "build" / "bench-server"
"""Beside the sources: what is flushed here reaches a disk."""

WARM = 2


def serve(source: Path, port: int, folder: Path) -> Sequence[str]:
    return ["env", "PYTHONHASHSEED=0", f"PYTHONPATH={source}", *OURS.command(port, folder)]


def side(name: str, source: Path) -> Contestant:
    return Contestant(name, OURS.kept, OURS.protocol, partial(serve, source))


def row(tables: int, *figures: Sequence[Sequence[float]]) -> str:
    def compared(pairs: Sequence[Sequence[float]]) -> str:
        then, now = (median(side) for side in zip(*pairs, strict=True))
        return f"{then:,.1f} | {now:,.1f} | **{median(b / a for a, b in pairs):.3f}**"

    return f"| {tables} | {' | '.join(map(compared, figures))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("revision", help="the commit to compare with")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=24, help="of both servers in turns")
    parser.add_argument("--tables", type=int, nargs="+", default=[10, 100])
    chosen = parser.parse_args()
    heads = ("actions a CPU second", "p99 ms")
    columns = [f"{head}, before | now | now ÷ before" for head in heads]
    rows = [f"| tables | {' | '.join(columns)} |", "|" + " --- |" * 7]
    with (
        checkout(chosen.revision) as before,
        Progress(console=Console(stderr=True)) as bar,
    ):
        sides = (side("before", before), side("now", ROOT / "src"))
        total = (chosen.seconds + WARM + 16) * chosen.rounds * len(chosen.tables)
        task = bar.add_task("measuring", total=total)
        for tables in chosen.tables:
            spec = {"tables": tables, "warm": WARM, "seconds": chosen.seconds}
            rates, times = [], []
            for _ in range(chosen.rounds):
                rates.append(
                    efficiency(sides, spec, DATA / "data", lambda: bar.advance(task, SLICE))
                )
                alone = [measure(side, {**spec, "seconds": 4}, DATA / "data") for side in sides]
                times.append([outcome.p99 for outcome in alone])
                bar.advance(task, 16)
            rows.append(row(tables, rates, times))
    print("\n".join(rows))


if __name__ == "__main__":
    try:
        main()
    except Unfit as error:
        sys.exit(str(error))
