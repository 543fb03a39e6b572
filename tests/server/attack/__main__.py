"""`make attack`: all attacks, with a table of what came of each. Ends with 1 if one is felt."""

import argparse
import asyncio
import os
import signal
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.server.attack.attack_run import AttackRun, Bounds, Row
from tests.server.attack.attacks import ATTACKS
from tests.server.attack.victims import GAMES


def shown(rows: list[Row], bounds: Bounds) -> Table:
    table = Table(
        title="Beside each attack: what people at other tables feel of it",
        caption=f"p99: ms from action to told, below {1000 * bounds.p99:.0f}; the longest wait in "
        f"seconds for a log, a bot (a hard one thinks for one), a new table, its pictures; memory "
        f"more, below {bounds.memory} MB; disk, below {bounds.disk} MB an hour",
    )
    for name in ("attack", *(plan.name[:6] for plan in GAMES)):
        table.add_column(name, justify="left" if name == "attack" else "right")
    for name in ("log", "bot", "table", "sheets", "MB", "procs", "MB/h", "WAL"):
        table.add_column(name, justify="right")
    table.add_column("verdict")
    for row in rows:
        cells = [f"{1000 * row.p99[plan.name]:.0f}" for plan in GAMES]
        cells += [f"{each:.1f}" for each in (row.log, row.bot, row.table, row.sheets)]
        cells += [f"{row.memory:.0f}", str(row.processes), f"{row.disk:.0f}", f"{row.wal:.0f}"]
        verdict = "[red]" + ", ".join(row.over) if row.over else "[green]holds"
        table.add_row(row.name, *cells, verdict)
    return table


def tell_of(row: Row, console: Console) -> None:
    """Who was told what."""
    verdict = f"[red]{', '.join(row.over)}[/red]" if row.over else "[green]holds[/green]"
    told = ", ".join(f"{count} {escape(what)}" for what, count in row.answers.most_common(8))
    console.print(
        f"[bold]{row.name}[/bold] ({row.about}): {verdict}. p99 {1000 * row.worst:.0f} ms of "
        f"{row.actions} actions. The attackers: {told or 'none'}.",
        highlight=False,
    )
    for error, count in row.errors.most_common(6):
        console.print(f"  [red]{count}x[/red] {escape(error)}", highlight=False)


async def run(names: list[str], seconds: float, console: Console) -> list[Row]:
    """Whoever stops it, nothing that it started is left."""
    this = asyncio.current_task()
    assert this is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, this.cancel)
    columns = (TextColumn("{task.description:70}"), BarColumn(), MofNCompleteColumn())
    rows: list[Row] = []
    with (
        tempfile.TemporaryDirectory(prefix="pli-attack-") as folder,
        Progress(*columns, TimeElapsedColumn(), console=console, refresh_per_second=2) as bars,
    ):
        task = bars.add_task("", total=len(names) + 1)

        def tell(what: str) -> None:
            bars.update(task, description=what)

        async for row in AttackRun(Path(folder), seconds, tell=tell).run(names):
            rows.append(row)
            tell_of(row, console)
            bars.advance(task)
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(prog="make attack", description=__doc__)
    parser.add_argument("--only", action="append", choices=[*ATTACKS], help="one of them")
    parser.add_argument("--seconds", type=float, default=8.0, help="for each")
    asked = parser.parse_args()
    with suppress(OSError):  # what else this machine does is not to be measured
        os.nice(-10)
    console = Console(width=None if sys.stdout.isatty() else 150)
    begun = time.monotonic()
    rows = asyncio.run(run(asked.only or [*ATTACKS], asked.seconds, console))
    console.print(shown(rows, Bounds()))
    over = [row.name for row in rows if row.over]
    console.print(
        f"{len(rows) - 1} attacks in {time.monotonic() - begun:.0f} s, "
        + (f"[red]{len(over)} are felt: {', '.join(over)}" if over else "[green]none is felt")
    )
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
