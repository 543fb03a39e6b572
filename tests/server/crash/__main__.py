"""The crash test at length (`make crash`): many tables play, and the server is killed again and
again, at any moment. Prints what was found."""

import argparse
import asyncio
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.progress import Progress, TaskID, TimeElapsedColumn

from tests.server.crash.runs import MOMENTS, QUICK, SLOW, THINKING, crash, proved

PROVED = 50
"""Records that are handed to `pli verify` at the end; what it does is done with all before."""


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
        report = asyncio.run(
            crash(folder, plans, moments, asked.seed, asked.pause, patience, "compiled", tell)
        )
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
