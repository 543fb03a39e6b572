"""The crash test: many tables play, and the server is killed again and again, at any moment.

As a program (`make crash`) it does so at length and prints what it found.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.progress import Progress, TaskID, TimeElapsedColumn
from typer.testing import CliRunner

from pli.cli import app
from pli.kernel.machine import Engine
from tests.server.crash_people import Plan
from tests.server.crash_storm import Report, Storm, Tell

MOMENTS = ("play", "told", "loading", "burst", "starting", "told", "idle", "leaving", "loading")
"""When the server is killed: at any time; as soon as somebody hears of an action; while tables are
read again; while all act at once; before it listens; while nobody does anything; while it takes its
leave."""

QUICK = (
    Plan("marshmallow", {"seats": 2, "target": 8}, 2),
    Plan("plingo", {"seats": 2}, 2, watched=True),
    Plan("marshmallow", {"seats": 3, "target": 5}, 3, settings={"grace": 1}),
    Plan("plingo", {"seats": 3}, 3, settings={"clock": 2}),
    Plan("merci", {"seats": 3, "fault_window_ms": 150}, 3, watched=True),
    Plan("twinit", {"seats": 2, "mode": "coop", "minute_ms": 4000}, 2, settings={"grace": 1}),
    Plan("marshmallow", {"seats": 4, "target": 5}, 2),
    Plan("plingo", {"seats": 4}, 3),
)
"""Tables of which the last game is soon over."""

SLOW = (
    Plan("merci", {"seats": 4, "fault_window_ms": 100, "rules": "full"}, 3),
    Plan("twinit", {"seats": 3, "mode": "race", "catches": 2, "count_ms": 500}, 2),
)
"""Where bots take the time that people take."""

THINKING = Plan("plingo", {"seats": 3}, 2, level="hard")
"""Where bots think in processes of their own, which must not outlive the server."""

PROVED = 50
"""Records that are handed to `pli verify` at the end; what it does is done with all before."""


def crash(
    folder: Path,
    plans: Sequence[Plan],
    moments: Sequence[str],
    seed: object,
    pause: float = 2.0,
    patience: float = 120.0,
    engine: Engine = "plain",
    tell: Tell = lambda what, done, of: None,
) -> Report:
    """Kills a server at such moments, with at most so many seconds of play before each, and then
    lets all games end, for which there is some patience."""
    storm = Storm(folder, plans, seed, pause, tell)
    return asyncio.run(storm.run(moments, patience, engine))


def proved(records: Iterable[Path]) -> list[str]:
    """What `pli verify` says of those that it does not prove."""
    told = [(each, CliRunner().invoke(app, ["verify", str(each)])) for each in records]
    return [f"{each.name}: {result.output}" for each, result in told if result.exit_code]


def main() -> int:
    """As many tables and kills as asked for, with what was found in a few lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", default=str(int(time.time())))
    parser.add_argument("--pause", type=float, default=3.0, help="seconds of play before a kill")
    parser.add_argument("--keep", type=Path, help="a folder for the journal and the records")
    asked = parser.parse_args()
    every = (*QUICK, *SLOW)
    plans = [THINKING if n % 100 == 50 else every[n % len(every)] for n in range(asked.tables)]
    moments = [
        each
        for number in range(asked.kills)
        for each in ([MOMENTS[number % len(MOMENTS)]] + ["stop"] * (number % 10 == 5))
    ]
    with ExitStack() as stack:
        folder = asked.keep or Path(stack.enter_context(TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        bars = stack.enter_context(Progress(*Progress.get_default_columns(), TimeElapsedColumn()))
        tasks: dict[str, TaskID] = {}

        def tell(what: str, done: int, of: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what, total=of)
            bars.update(tasks[what], completed=done)

        patience = 300 + asked.tables * 3
        report = crash(folder, plans, moments, asked.seed, asked.pause, patience, "compiled", tell)
        report.faults += proved(sorted(folder.glob("*.pli"))[:PROVED])
    print(f"seed {asked.seed}")
    for line in report.lines():
        print(line)
    for fault in report.faults[:50]:
        print(f"FAULT {fault}")
    print(f"{len(report.faults)} faults" if report.faults else "nothing was lost")
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())
