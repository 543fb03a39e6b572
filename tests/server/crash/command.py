"""Trials at length as commands: their common options, progress bars, and what is printed."""

import argparse
import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.progress import Progress, TaskID, TimeElapsedColumn

from tests.server.crash.runs import proved
from tests.server.crash.trial import Report, Tell

PROVED = 50
"""Records that are handed to `pli verify` at the end; what it does is done with all before."""


def parse(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """With the options that all trials have."""
    parser.add_argument("--seed", default=str(int(time.time())))
    parser.add_argument("--pause", type=float, default=3.0, help="seconds of play before an event")
    parser.add_argument("--keep", type=Path, help="a folder for logs and records")
    asked = parser.parse_args()
    print(f"seed {asked.seed}", flush=True)
    return asked


def told(
    asked: argparse.Namespace, run: Callable[[Path, Tell], Coroutine[Any, Any, Report]]
) -> int:
    """Runs it with progress bars, and prints what was found; gives the exit code."""
    with ExitStack() as stack:
        folder = asked.keep or Path(stack.enter_context(TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        bars = stack.enter_context(Progress(*Progress.get_default_columns(), TimeElapsedColumn()))
        tasks: dict[str, TaskID] = {}

        def tell(what: str, done: int, of: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what, total=of)
            bars.update(tasks[what], completed=done)

        report = asyncio.run(run(folder, tell))
        report.faults += proved(sorted(folder.glob("*.pli"))[:PROVED])
    report.faults += report.late()
    for line in report.lines():
        print(line)
    for fault in report.faults[:50]:
        print(f"FAULT {fault}")
    print(f"{report.summary()}, seed {asked.seed}")
    return 1 if report.faults else 0
