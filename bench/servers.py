"""`make bench-server`: our server and a boardgame.io server under the same loads, in one run.

    python bench/servers.py [--quick] [--only peer] [--out bench/SERVER.md]

One core for the server, another for the load; the contestants take turns, and the median round
counts. Every measurement has a fresh server with an empty folder.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median

from measure import cpu_model
from processes import (
    HERE,
    OURS,
    PEER,
    PEER_IN_FILES,
    Contestant,
    Outcome,
    Spec,
    Unfit,
    flush_time,
    measure,
    node,
    others_share,
)
from rich.console import Console

# Beside the sources: what is flushed here reaches a disk.
DATA = HERE.parents[1] / "build" / "bench-server"
PACKAGES = ("boardgame.io", "socket.io", "ws")
BUSY = 0.1
MANY = 500

console = Console(stderr=True, soft_wrap=True, highlight=False)


@dataclass(frozen=True)
class Plan:
    """How long everything takes: about nine minutes, or two."""

    rounds: int = 3
    seconds: float = 5
    warm: float = 3
    paced_seconds: float = 15
    growing_tables: int = 10
    growing_to: int = 12_000


QUICK = Plan(rounds=1, seconds=2, warm=1, paced_seconds=4, growing_tables=4, growing_to=3_000)

Measured = dict[Contestant, list[Outcome]]


def in_turns(contestants: Sequence[Contestant], rounds: int, spec: Spec, title: str) -> Measured:
    """Each contestant in each round; the slow file storage only in the first."""
    found: Measured = {each: [] for each in contestants}
    for number in range(rounds):
        for each in contestants:
            if number and each is PEER_IN_FILES:
                continue
            outcome = measure(each, spec, DATA / "data")
            found[each].append(outcome)
            console.print(
                f"{title}: {each.name}, {each.kept}: {outcome.rate:,.0f} actions/s,"
                f" {outcome.median:.1f} / {outcome.p99:.1f} ms,"
                f" server {outcome.server_cpu:.0%}, load {outcome.load_cpu:.0%}"
            )
    return found


def middle(outcomes: list[Outcome], of: Callable[[Outcome], float]) -> float:
    return median(map(of, outcomes))


# The report


def machine() -> str:
    versions = []
    for package in PACKAGES:
        about = json.loads((HERE / "node_modules" / package / "package.json").read_text())
        versions.append(f"{package} {about['version']}")
    running = subprocess.run([node(), "--version"], capture_output=True, text=True).stdout.strip()
    parts = [cpu_model(), f"Python {sys.version.split()[0]}"]
    for package in ("aiohttp", "msgspec"):
        try:
            parts.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            parts.append(f"{package} not installed")
    return ", ".join([*parts, f"Node.js {running.lstrip('v')}", *versions])


def markdown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows), ""]


def megabytes(size: float) -> str:
    return f"{size / 1e6:.0f}"


def milliseconds(time: float) -> str:
    return f"{time:.1f}" if time < 10 else f"{time:.0f}"


def times(ratio: float) -> str:
    return f"{ratio:.1f}"


RATE_HEADS = ("server", "an action is", "actions/s", "median ms", "p99 ms", "its CPU", "load CPU")


def rate_row(contestant: Contestant, outcomes: list[Outcome]) -> list[str]:
    return [
        contestant.name,
        contestant.kept,
        f"{middle(outcomes, lambda o: o.rate):,.0f}",
        milliseconds(middle(outcomes, lambda o: o.median)),
        milliseconds(middle(outcomes, lambda o: o.p99)),
        f"{middle(outcomes, lambda o: o.server_cpu):.0%}",
        f"{middle(outcomes, lambda o: o.load_cpu):.0%}",
    ]


def full_speed(measured: dict[int, Measured]) -> list[str]:
    rows = [
        [str(tables), *rate_row(contestant, outcomes)]
        for tables, found in measured.items()
        for contestant, outcomes in found.items()
    ]
    return ["## As fast as they can", "", *markdown(("tables", *RATE_HEADS), rows)]


def paced(found: Measured) -> list[str]:
    rows = [rate_row(contestant, outcomes) for contestant, outcomes in found.items()]
    title = f"## {MANY} tables, one action a second each"
    return [title, "", *markdown(RATE_HEADS, rows)]


def growing(found: Measured, plan: Plan) -> list[str]:
    rows, courses = [], []
    for contestant, (outcome, *_) in found.items():
        begin, end = outcome.rates[0], outcome.rates[-1]
        rates = [f"{begin:,.0f}", f"{end:,.0f}", f"{end / begin:.2f}"]
        rows.append([contestant.name, contestant.kept, *rates])
        course = ", ".join(f"{rate:,.0f}" for rate in outcome.rates)
        courses += [f"{contestant.name}, thousand by thousand: {course}.", ""]
    title = f"## {plan.growing_tables} tables, each growing to {plan.growing_to:,} actions"
    heads = ("server", "an action is", "actions/s at first", "at last", "last ÷ first")
    note = (
        "The first and the last thousand actions of each table, after warming up. A match of"
        " boardgame.io goes on without end; a game of ours goes to the highest target that can be"
        " chosen, and a rematch at the same table follows."
    )
    return [title, "", *markdown(heads, rows), note, "", *courses]


def remembered(found: Measured) -> list[str]:
    rows = [
        [
            contestant.name,
            megabytes(middle(outcomes, lambda o: o.at_start)),
            megabytes(middle(outcomes, lambda o: o.when_open)),
            megabytes(middle(outcomes, lambda o: o.at_end)),
        ]
        for contestant, outcomes in found.items()
    ]
    heads = ("server", "started", f"{MANY} tables seated", "after one action a second each")
    return ["## Memory of the server process, MB", "", *markdown(heads, rows)]


def ratios(measured: dict[int, Measured], steady: Measured) -> list[str]:
    if OURS not in steady or PEER not in steady:
        return []
    rows = []
    for tables, found in measured.items():
        rounds = list(zip(found[OURS], found[PEER], strict=True))
        faster = median(mine.rate / other.rate for mine, other in rounds)
        sooner = median(other.p99 / mine.p99 for mine, other in rounds)
        rows.append([f"{tables}, as fast as they can", times(faster), times(sooner)])
    mine, other = steady[OURS][0], steady[PEER][0]
    rows.append([f"{MANY}, one action a second", "", times(other.p99 / mine.p99)])
    heads = ("tables", "our actions/s ÷ its", "its p99 ÷ ours")
    return ["## Pli on disk against boardgame.io in memory", "", *markdown(heads, rows)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path)
    parser.add_argument("--quick", action="store_true", help="two minutes, for a first look")
    parser.add_argument("--only", choices=("pli", "peer"), help="one of the two")
    chosen = parser.parse_args()
    plan = QUICK if chosen.quick else Plan()
    try:
        report = compare(plan, chosen.only)
    except Unfit as error:
        sys.exit(str(error))
    print(report)
    if chosen.out and not chosen.only:
        chosen.out.write_text(report)


def compare(plan: Plan, only: str | None) -> str:
    node()
    both = [each for each in (OURS, PEER) if only in (None, each.protocol)]
    everyone = [*both, PEER_IN_FILES] if PEER in both else both
    busy = others_share()
    flush = flush_time(DATA)
    full = {"warm": plan.warm, "seconds": plan.seconds}
    measured = {
        tables: in_turns(everyone, plan.rounds, {"tables": tables, **full}, f"{tables} tables")
        for tables in (10, 100, MANY)
    }
    steadily = {"tables": MANY, "pace": 1000, "warm": plan.warm, "seconds": plan.paced_seconds}
    steady = in_turns(both, 1, steadily, "one a second")
    long = {"tables": plan.growing_tables, "actions": plan.growing_to, "warm": plan.warm}
    grown = in_turns(both, 1, long, "growing")
    lines = [
        "# Servers under load",
        "",
        f"Made by `make bench-server`. {machine()}.",
        f"A flush of the disk takes {flush:.2f} ms.",
    ]
    if busy > BUSY:
        lines += [f"The machine was not free: {busy:.0%} of it was taken before the run began."]
    lines += [
        "",
        "Marshmallow Test with four clients at each table. Times run from an action sent to the",
        "last of the four told of it. One core for the server, another for the load. The p99 is",
        f"the 99th percentile; medians of {plan.rounds} rounds in turns (with file storage one).",
        "",
        *ratios(measured, steady),
        *full_speed(measured),
        *paced(steady),
        *growing(grown, plan),
        *remembered(steady),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
