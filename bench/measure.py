"""What a benchmark figure is, and how contestants are timed side by side in one run."""

from __future__ import annotations

import platform
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

# The names the ratios look for; bench/ours.py gives its contestants these names.
ONE_CORE = "Pli compiled, 1 core"
ALL_CORES = "Pli compiled, all cores"
PLAIN = "Pli plain"
MAIN_GAME = "Marshmallow Test"
MAIN_SEATS = 4


@dataclass(frozen=True)
class Figure:
    """What one contestant did in one stretch of timed play."""

    name: str
    game: str
    seats: int | None
    actions: int
    games: int
    seconds: float

    @property
    def actions_per_second(self) -> float:
        return self.actions / self.seconds

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds

    @property
    def table(self) -> tuple[str, int | None]:
        """The game and its seats: figures are alike in kind when these are equal."""
        return (self.game, self.seats)


@dataclass(frozen=True)
class Contestant:
    """Somebody who can play; `run` warms up, then plays for about the given seconds."""

    name: str
    run: Callable[[float], Figure]


@dataclass(frozen=True)
class Absent:
    """A contestant who could not come, and why, in one line for the table."""

    name: str
    note: str


def cpu_model() -> str:
    """The processor's name; /proc knows it better than Python where it exists."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def bar() -> Progress:
    """A progress bar that leaves nothing behind, so that the table stands alone."""
    return Progress(
        TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn(), transient=True
    )


@dataclass(frozen=True)
class Result:
    """All rounds of one contestant."""

    rounds: tuple[Figure, ...]

    @property
    def figure(self) -> Figure:
        """The round in the middle by actions per second; of two in the middle, the slower."""
        ranked = sorted(self.rounds, key=lambda figure: figure.actions_per_second)
        return ranked[(len(ranked) - 1) // 2]

    def ratio(self, other: Result) -> float:
        """The median of the ratios round by round: what slows a round slows both."""
        pairs = zip(self.rounds, other.rounds, strict=True)
        return statistics.median(a.actions_per_second / b.actions_per_second for a, b in pairs)


def interleave(
    contestants: Sequence[Contestant], rounds: int, seconds: float, progress: Progress
) -> list[Result]:
    """The rounds of each contestant, in the order given.

    Everybody plays once in each round, rather than all rounds of one and then of the next: a
    machine that is busy or throttled for a while then slows all of them alike.
    """
    played: list[list[Figure]] = [[] for _ in contestants]
    task = progress.add_task("", total=rounds * len(contestants))
    for number in range(rounds):
        for contestant, figures in zip(contestants, played, strict=True):
            progress.update(task, description=f"{number + 1}/{rounds} {contestant.name}")
            figures.append(contestant.run(seconds))
            progress.advance(task)
    return [Result(tuple(figures)) for figures in played]
