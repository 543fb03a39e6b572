"""`make bench`: random playouts of Pli and its peers, side by side in one run.

Prints a table of figures and a table of ratios, and writes both as Markdown when asked.
"""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated

import ours
import peers
import typer
from measure import (
    ALL_CORES,
    MAIN_GAME,
    MAIN_SEATS,
    ONE_CORE,
    Absent,
    Contestant,
    Figure,
    Result,
    bar,
    cpu_model,
    interleave,
)
from rich.console import Console
from rich.table import Table

PACKAGES = ("numba", "numpy", "open_spiel", "rlcard")
FIGURE_HEADS = ("contestant", "game", "seats", "actions/s", "games/s")
RATIO_HEADS = ("actions/s of", "÷ actions/s of", "ratio")
NUMBERS = ("seats", "actions/s", "games/s", "ratio")

Row = tuple[str, ...]


def cores() -> int:
    """The cores this process may use, which can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def machine() -> str:
    """One line on what the figures were measured with."""
    parts = [cpu_model(), f"{cores()} cores", f"Python {platform.python_version()}"]
    for package in PACKAGES:
        try:
            parts.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            parts.append(f"{package} not installed")
    return ", ".join(parts)


def readable(rate: float) -> str:
    """Three significant digits: the rounds of one run differ by more than that."""
    return f"{float(f'{rate:.3g}'):,.0f}" if rate >= 100 else f"{rate:.3g}"


def figure_row(figure: Figure) -> Row:
    seats = "" if figure.seats is None else str(figure.seats)
    rates = readable(figure.actions_per_second), readable(figure.games_per_second)
    return (figure.name, figure.game, seats, *rates)


def label(figure: Figure) -> str:
    seats = "" if figure.seats is None else f", {figure.seats} seats"
    return f"{figure.name}: {figure.game}{seats}"


def ratio_row(above: Result, below: Result) -> Row:
    ratio = above.ratio(below)
    shown = f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.2f}"
    return (label(above.figure), label(below.figure), shown)


def ratios(own: list[Result], others: list[Result], in_c: list[Result]) -> list[Row]:
    """Pli's main game over each peer, over C at the same seats, and all cores over one."""
    one_core = {each.figure.table: each for each in own if each.figure.name == ONE_CORE}
    all_cores = [each for each in own if each.figure.name == ALL_CORES]
    rows = []
    if main := one_core.get((MAIN_GAME, MAIN_SEATS)):
        rows += [ratio_row(main, each) for each in others]
    for above, below in [(one_core.get(each.figure.table), each) for each in in_c]:
        if above is not None:
            rows.append(ratio_row(above, below))
    rows += [ratio_row(each, one_core[each.figure.table]) for each in all_cores]
    return rows


def rich_table(heads: Row, rows: list[Row]) -> Table:
    table = Table()
    for head in heads:
        table.add_column(head, justify="right" if head in NUMBERS else "left")
    for row in rows:
        table.add_row(*row)
    return table


def markdown_table(heads: Row, rows: list[Row]) -> str:
    return "\n".join("| " + " | ".join(row) + " |" for row in (heads, ("---",) * len(heads), *rows))


def main(
    c: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="A C yardstick to compile.")
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="How often everybody plays.")] = 9,
    seconds: Annotated[float, typer.Option(min=0.01, help="How long each plays per round.")] = 0.5,
    out: Annotated[Path | None, typer.Option(help="Write the tables as Markdown here.")] = None,
) -> None:
    """Random playouts of Pli and its peers, side by side."""
    console = Console()
    invited: list[list[Contestant | Absent]] = [
        list(ours.contestants(cores())),
        peers.contestants(),
        peers.c_contestants(c) if c else [],
    ]
    present = [who for group in invited for who in group if isinstance(who, Contestant)]
    with bar() as progress:
        played = iter(interleave(present, rounds, seconds, progress))

    figures: list[list[Result]] = [[] for _ in invited]
    rows: list[Row] = []
    for group, kept in zip(invited, figures, strict=True):
        for who in group:
            if isinstance(who, Absent):
                rows.append((who.name, who.note, "", "", ""))
            else:
                kept.append(next(played))
                rows.append(figure_row(kept[-1].figure))
    compared = ratios(*figures)

    head = machine()
    how = f"Random playouts: medians of {rounds} interleaved rounds of {seconds:g} s each."
    console.print(head, how, sep="\n", highlight=False)
    console.print(rich_table(FIGURE_HEADS, rows))
    console.print(rich_table(RATIO_HEADS, compared))
    if out:
        tables = markdown_table(FIGURE_HEADS, rows), markdown_table(RATIO_HEADS, compared)
        out.write_text("\n\n".join(("# Benchmark", head, how, *tables)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
