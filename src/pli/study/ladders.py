"""A ladder for every combination of options, as a part of a study: how far skill goes with each.

DIR/ladder.yaml         the plan, whose bots are the rungs
DIR/rungs/0000.json     a combination: its rungs
"""

import os
from pathlib import Path

import msgspec

from pli import games as library
from pli.bots.arena.ladder import Rung, climb
from pli.errors import BadOption, PliError
from pli.study.plan import BadStudy, Cell, Plan, cells, read_file, write
from pli.study.report.results import CellResult, Part, Value, kept
from pli.study.study import Progress

LADDER = "ladder.yaml"
RUNGS = "rungs"


class LadderStudy:
    """A plan and a folder, with as many of its ladders as have been climbed."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        if len(plan.bots) < 2:
            raise BadOption(name="bots", value=",".join(plan.bots), allowed="A,B,C")
        self.plan = plan
        self.folder = folder
        lowest = plan.bots[0]
        self.cells = [cell for cell in cells(plan) if cell.bots == lowest]

    @property
    def size(self) -> int:
        """In games."""
        return self.plan.games * (len(self.plan.bots) - 1) * len(self.cells)

    @property
    def finished(self) -> list[Cell]:
        return [cell for cell in self.cells if self.place(cell).is_file()]

    def place(self, cell: Cell) -> Path:
        return self.folder / RUNGS / f"{cell.name}.json"

    def run(self, processes: int = 0, progress: Progress | None = None) -> "LadderStudy":
        game = library.load(self.plan.game)
        self.place(self.cells[0]).parent.mkdir(parents=True, exist_ok=True)
        rungs = len(self.plan.bots) - 1
        played = len(self.finished) * self.plan.games * rungs

        def tell() -> None:
            nonlocal played
            played += 1
            if progress is not None:
                progress(played)

        for cell in self.cells:
            if self.place(cell).is_file():
                continue
            threads = processes or os.cpu_count() or 1
            bots = self.plan.bots
            climbed = climb(
                game, cell.options, self.plan.games, self.plan.seed, threads, bots, tell
            )
            values = {rung.bot: _values(rung) for rung in climbed}
            beside = self.place(cell).with_suffix(f".{os.getpid()}")
            beside.write_bytes(msgspec.json.format(msgspec.json.encode(values)))
            beside.replace(self.place(cell))
        return self

    def part(self) -> Part:
        """What was found: a row for each rung."""
        found = []
        for cell in self.finished:
            rungs = msgspec.json.decode(
                self.place(cell).read_bytes(), type=dict[str, dict[str, Value]]
            )
            for bot, values in rungs.items():
                varied = {**cell.varied, "bots": bot}
                found.append(
                    CellResult(varied=varied, seats=int(cell.options.seats), values=values)
                )
        rules = library.load(self.plan.game).version
        return Part(plan=self.plan, ladder=True, rules=rules, cells=found)


def _values(rung: Rung) -> dict[str, Value]:
    found = {"gain": rung.gain, "elo": rung.elo}
    values = {
        name: kept(each.value, each.low, each.high, rung.games)
        for name, each in found.items()
        if each is not None
    }
    return {name: each for name, each in values.items() if each is not None}


def create_ladder(plan: Plan, folder: Path, resume: bool = False) -> LadderStudy:
    """A new ladder study in a folder; or, with `resume`, the same one that is there."""
    file = folder / LADDER
    if file.exists():
        if not resume:
            raise BadStudy("study_exists", folder=folder)
        if read_file(file) != plan:
            raise BadStudy("other_study", folder=folder)
    study = LadderStudy(plan, folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(write(plan), encoding="utf-8")
    except OSError:
        raise PliError("unwritable_file", file=file) from None
    return study


def open_ladder(folder: Path) -> LadderStudy:
    return LadderStudy(read_file(folder / LADDER), folder)
