"""The server of this tree against that of another commit, under the same load, side by side.

    python bench/server_before.py REV [--rounds 7] [--tables 10 100]

Each measurement has a fresh server with an empty folder; the two take turns, so that both meet the
same machine. What counts is the median of the ratios: below 0.97 the server has become slower.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median

from before import ROOT, checkout
from processes import OURS, Contestant, Outcome, Unfit, measure
from rich.console import Console
from rich.progress import Progress

DATA = ROOT / "build" / "bench-server"
"""Beside the sources: what is flushed here reaches a disk."""


def serve(source: Path, port: int, folder: Path) -> Sequence[str]:
    return ["env", f"PYTHONPATH={source}", *OURS.command(port, folder)]


def side(name: str, source: Path) -> Contestant:
    return Contestant(name, OURS.kept, OURS.protocol, partial(serve, source))


def row(tables: int, then: list[Outcome], now: list[Outcome]) -> str:
    def compared(of: Callable[[Outcome], float]) -> str:
        ratio = median(of(new) / of(old) for old, new in zip(then, now, strict=True))
        old, new = median(map(of, then)), median(map(of, now))
        return f"{old:,.1f} | {new:,.1f} | **{ratio:.3f}**"

    figures = (
        lambda outcome: outcome.rate,
        lambda outcome: outcome.rate / outcome.server_cpu,
        lambda outcome: outcome.p99,
    )
    return f"| {tables} | {' | '.join(map(compared, figures))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("revision", help="the commit to compare with")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--tables", type=int, nargs="+", default=[10, 100])
    chosen = parser.parse_args()
    heads = ("actions/s", "actions a CPU second", "p99 ms")
    columns = [f"{head}, before | now | now ÷ before" for head in heads]
    rows = [f"| tables | {' | '.join(columns)} |", "|" + " --- |" * 10]
    with (
        checkout(chosen.revision) as before,
        Progress(console=Console(stderr=True)) as bar,
    ):
        sides = (side("before", before), side("now", ROOT / "src"))
        task = bar.add_task("measuring", total=2 * chosen.rounds * len(chosen.tables))
        for tables in chosen.tables:
            spec = {"tables": tables, "warm": 2, "seconds": chosen.seconds}
            found: dict[str, list[Outcome]] = {each.name: [] for each in sides}
            for number in range(chosen.rounds):
                for each in sides if number % 2 else reversed(sides):
                    found[each.name].append(measure(each, spec, DATA / "data"))
                    bar.advance(task)
            rows.append(row(tables, found["before"], found["now"]))
    print("\n".join(rows))


if __name__ == "__main__":
    try:
        main()
    except Unfit as error:
        sys.exit(str(error))
