"""A study: a plan, the folder in which its cells are, and its tables as Polars frames.

DIR/study.yaml              the plan
DIR/cells/0000/*.parquet    a cell: games, rounds, decisions
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Literal

import polars as pl

from pli import __version__
from pli import games as library
from pli.errors import PliError
from pli.processes import map_unordered
from pli.study import cluster
from pli.study.job import PLAYED, TABLES, in_bulk, keep_cell, run_cell
from pli.study.metrics import Measured, measure
from pli.study.plan import BadStudy, Cell, Plan, cells, make_plan, read_file, write
from pli.study.report.quotes import Texts
from pli.study.report.results import CellResult, Part, Results, kept
from pli.study.report.write import write_report
from pli.texts import LANGUAGES

PLAN = "study.yaml"
CELLS = "cells"

Table = Literal["games", "rounds", "decisions"]

Progress = Callable[[int], None]
"""Called with how many games have been played in all."""


class Study:
    """A plan and a folder, with as many of its cells as have been played."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan = plan
        self.folder = folder
        self.cells = cells(plan)

    def __repr__(self) -> str:
        done = len(self.finished)
        return f"<Study {self.plan.game!r}, {done} of {len(self.cells)} cells, {self.folder}>"

    @property
    def finished(self) -> list[Cell]:
        return [cell for cell in self.cells if self.place(cell).is_dir()]

    @property
    def complete(self) -> bool:
        return len(self.finished) == len(self.cells)

    @property
    def size(self) -> int:
        """All games that it asks for."""
        return self.plan.games * len(self.cells)

    def place(self, cell: Cell) -> Path:
        return self.folder / CELLS / cell.name

    def run(
        self, processes: int = 0, progress: Progress | None = None, ray: str | None = None
    ) -> Study:
        """Plays what is missing: cells of random bots on all threads of this process, others each
        in a process. With several processes a script needs `if __name__ == "__main__":`. With
        `ray`, the address of a Ray cluster, the cells are played there."""
        tell = progress or (lambda played: None)
        missing = [cell for cell in self.cells if not self.place(cell).is_dir()]
        folder = self.folder / CELLS
        folder.mkdir(parents=True, exist_ok=True)
        _sweep_up(folder)
        if ray is None:
            self._run_here(missing, processes or os.cpu_count() or 1, tell)
        elif missing:
            self._run_on_ray(missing, ray, tell)
        return self

    def _run_here(self, missing: Sequence[Cell], processes: int, tell: Progress) -> None:
        folder = self.folder / CELLS
        bulk = [cell for cell in missing if in_bulk(self.plan, cell)]
        rest = [cell for cell in missing if not in_bulk(self.plan, cell)]
        before = self.plan.games * (len(self.cells) - len(missing))
        tell(before)
        for number, cell in enumerate(bulk):
            past = before + number * self.plan.games
            run_cell(folder, self.plan, cell, processes, partial(_tell_more, tell, past))
        with closing(self._others(rest, processes)) as played:
            for _ in played:
                tell(self.played())

    def _run_on_ray(self, missing: Sequence[Cell], address: str, tell: Progress) -> None:
        done = self.plan.games * (len(self.cells) - len(missing))
        tell(done)
        with closing(cluster.play(address, self.plan, missing)) as played:
            for found in played:
                if found.cell is not None:
                    keep_cell(self.folder / CELLS, found.cell, found.files)
                    done += self.plan.games
                tell(done + found.running)

    def _others(self, rest: list[Cell], processes: int) -> Generator[None, None, None]:
        job = partial(_run_one, self.folder / CELLS, self.plan, rest)
        yield from map_unordered(job, len(rest), min(processes, max(1, len(rest))))

    def played(self) -> int:
        """Games in cells that are finished, and in those that are being played."""
        count = self.plan.games * len(self.finished)
        for file in (self.folder / CELLS).glob(f".*/{PLAYED}"):
            try:
                count += int(file.read_text() or 0)
            except (OSError, ValueError):  # it has just been finished, or is just being written
                continue
        return count

    def frame(self, table: Table = "games") -> Any:
        """A table of all finished cells in one, with the varied options in front."""
        if table not in TABLES:
            raise BadStudy("unknown_table", name=table, known=", ".join(TABLES))
        frames = [self.cell_frame(cell, table) for cell in self.finished]
        if not frames:
            return pl.DataFrame()
        return pl.concat(frames, how="diagonal")

    def metrics(self) -> Any:
        """What can be said of every finished cell (docs/lab.md), with 95 % intervals: a row each,
        with the varied options in front."""
        parts = []
        for cell in self.finished:
            found = self.measured(cell)
            columns = {
                "metric": [each.metric for each in found],
                "key": [each.key for each in found],
                "value": [each.value.value for each in found],
                "low": [each.value.low for each in found],
                "high": [each.value.high for each in found],
            }
            rows = pl.DataFrame(columns).fill_nan(None)
            parts.append(
                self.labelled(
                    cell, rows.with_columns(games=pl.Series([each.games for each in found]))
                )
            )
        return pl.concat(parts, how="diagonal") if parts else pl.DataFrame()

    def measured(self, cell: Cell) -> list[Measured]:
        """The metrics of one cell."""
        return measure({name: self.table(cell, name) for name in ("games", "decisions")}, cell)

    def part(self) -> Part:
        """The metrics of all finished cells, for a report."""
        found = []
        for cell in self.finished:
            values = {
                f"{each.metric}/{each.key}" if each.key else each.metric: kept(
                    each.value.value, each.value.low, each.value.high, each.games
                )
                for each in self.measured(cell)
            }
            known = {name: value for name, value in values.items() if value is not None}
            seats = int(cell.options.seats)
            found.append(CellResult(varied=cell.varied, seats=seats, values=known))
        return Part(plan=self.plan, rules=library.load(self.plan.game).version, cells=found)

    def report(
        self,
        to: str | Path | None = None,
        languages: Sequence[str] = LANGUAGES,
        texts: Texts | None = None,
    ) -> dict[str, Path]:
        """Writes the report in these languages, beside the study or into another folder; returns
        the HTML file of each. `texts` has what people wrote of it."""
        results = Results(version=__version__, parts=[self.part()])
        written = texts or Texts(question=self.plan.question)
        return write_report(results, written, Path(to or self.folder), languages)

    def cell_frame(self, cell: Cell, table: Table = "games") -> Any:
        """A table of one cell, with the varied options in front."""
        return self.labelled(cell, self.table(cell, table))

    def table(self, cell: Cell, table: str) -> Any:
        """As it is on disk."""
        return pl.read_parquet(self.place(cell) / f"{table}.parquet")

    def labelled(self, cell: Cell, frame: Any) -> Any:
        """A frame that belongs to a cell, with its number and its varied options in front."""
        varied = [
            pl.lit(value, dtype=self._kind(name)).alias(name) for name, value in cell.varied.items()
        ]
        return frame.select(pl.lit(cell.number, pl.UInt16).alias("cell"), *varied, pl.all())

    def _kind(self, name: str) -> Any:
        """Numbers, unless one of the values is a word."""
        values = self.plan.over.get(name, ())
        return pl.Int64 if values and all(isinstance(each, int) for each in values) else pl.String


def _tell_more(tell: Progress, past: int, played: int) -> None:
    tell(past + played)


def _run_one(folder: Path, plan: Plan, rest: Sequence[Cell], number: int) -> None:
    run_cell(folder, plan, rest[number])


def _sweep_up(folder: Path) -> None:
    """Removes what processes left that were killed."""
    for left in folder.glob(".*"):
        shutil.rmtree(left, ignore_errors=True)


def sweep(
    game: str,
    over: Mapping[str, object] | None = None,
    bots: str | Sequence[str] = "random",
    *,
    to: str | Path,
    resume: bool = False,
    processes: int = 0,
    progress: Progress | None = None,
    ray: str | None = None,
    **rest: Any,
) -> Study:
    """A study in one call: `sweep(GAME, {"seats": "2..5"}, "random,medium", games=2000, to=DIR)`.
    What else there is to say is said as in `Plan`: options, seed, detailed, search, question."""
    return create(make_plan(game, over, bots, **rest), Path(to), resume).run(
        processes, progress, ray
    )


def create(plan: Plan, folder: Path, resume: bool = False) -> Study:
    """A new study in a folder; or, with `resume`, the same one that is there."""
    file = folder / PLAN
    if file.exists():
        if not resume:
            raise BadStudy("study_exists", folder=folder)
        if read_file(file) != plan:
            raise BadStudy("other_study", folder=folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            beside = file.with_name(f".{PLAN}.{os.getpid()}")
            beside.write_text(write(plan), encoding="utf-8")
            beside.replace(file)
    except OSError:
        raise PliError("unwritable_file", file=file) from None
    return Study(plan, folder)


def open_study(folder: str | Path) -> Study:
    """The study that is in a folder."""
    file = Path(folder) / PLAN
    if not file.is_file():
        raise BadStudy("no_study", folder=folder)
    plan = read_file(file)
    library.load(plan.game)
    return Study(plan, Path(folder))
