"""What runs in a process of the lab: it plays one plan after the other, and tells how far it is.

Everything sent between the processes is pickled: both run the same code.
"""

import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Any

from pli.errors import PliError
from pli.lab.playing import PlayedCell, play
from pli.lab.totals import Interval
from pli.study.plan import Plan

TELL = 0.25
"""Seconds between two words about a run."""

NICE = 15
"""How far the process steps back behind those that people wait for."""

MEMORY = 2 << 30
"""Bytes that a process may take: several times what it needs."""

# The kinds of messages from a worker.
READY, PLAYING, TOLD, OVER, REFUSED, FAILED = "ready", "playing", "told", "over", "no", "failed"


@dataclass(frozen=True)
class Run:
    """A plan to be played."""

    number: int
    plan: Plan
    seconds: float
    """After which it is over, whether all games were played or not; compiling is not counted."""


@dataclass(frozen=True)
class CellResult:
    """A cell, so far."""

    varied: dict[str, int | str]
    games: int
    undecided: int
    seats: list[Interval]
    places: list[Interval]
    actions: Interval | None
    rounds: Interval | None
    minutes: Interval | None


def work(link: Any) -> None:
    """The worker's main loop, until the pool sends None."""
    _step_back()
    link.send((READY, None))
    while (given := link.recv()) is not None:
        if isinstance(given, Run):  # else a cancellation of the run that was just finished
            link.send(_run(link, given))


def _step_back() -> None:
    """Low priority, and not all of the memory. Windows has neither."""
    if sys.platform != "win32":
        import resource

        with suppress(OSError):
            os.nice(NICE)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def _run(link: Any, run: Run) -> tuple[str, Any]:
    """The last message of a run."""
    began = told = monotonic()

    def ready() -> None:
        nonlocal began
        began = monotonic()
        link.send((PLAYING, None))

    played: Sequence[PlayedCell] = ()
    try:
        for played in play(run.plan, ready):
            now = monotonic()
            if now - told < TELL:
                continue
            told = now
            link.send((TOLD, results(played)))
            if now - began >= run.seconds or _cancelled(link, run):
                break
    except PliError as error:
        return REFUSED, (error.code, error.details)
    except Exception:
        return FAILED, traceback.format_exc()
    return OVER, results(played)


def _cancelled(link: Any, run: Run) -> bool:
    """Whether the pool wants nothing more of the run, or of this process."""
    while link.poll():
        given = link.recv()
        if given is None or given == run.number:
            return True
    return False


def results(played: Sequence[PlayedCell]) -> list[CellResult]:
    return [
        CellResult(
            varied={name: value for name, value in each.cell.varied.items() if name != "bots"},
            games=each.totals.games,
            undecided=each.totals.undecided,
            seats=each.totals.seats,
            places=each.totals.places,
            actions=each.totals.length("actions"),
            rounds=each.totals.length("rounds"),
            minutes=each.totals.length("minutes"),
        )
        for each in played
    ]
