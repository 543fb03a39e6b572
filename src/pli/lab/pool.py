"""The processes of the lab, supervised: one run at a time in each.

A process that crashes or hangs costs its run alone. A run that nobody wants any more is cancelled,
and its process killed if it does not stop.
"""

import logging
import pickle
from collections.abc import Callable, Iterable
from math import inf
from time import monotonic
from typing import Any

from pli.errors import PliError
from pli.lab.worker import FAILED, OVER, PLAYING, READY, REFUSED, TOLD, CellResult, Run, work
from pli.processes import Supervisor, Worker
from pli.study.plan import Plan

PREPARATION = 300.0
"""Seconds in which a process must have compiled a game: once on a machine."""

SILENCE = 60.0
"""Seconds for which a process that plays may say nothing: a single game may be long."""

STOPPING = 5.0
"""Seconds in which a run must end that was cancelled."""

_log = logging.getLogger(__name__)


class LabRun:
    """One run: what becomes of it is told by `heard`, in the pool's thread."""

    def __init__(self, run: Run, heard: Callable[["LabRun"], None]) -> None:
        self.run = run
        self.playing = False
        """False: its game is still being compiled."""
        self.cells: list[CellResult] = []
        self.over = False
        self.problem: PliError | None = None
        self.cancelled = False
        self._heard = heard

    def tell(self) -> None:
        self._heard(self)

    def end(self, problem: PliError | None = None) -> None:
        if not self.over:
            self.over, self.problem = True, problem
            self.tell()


class _Player(Worker):
    """A process: starting, idle or running."""

    def __init__(self) -> None:
        super().__init__("pli-lab", work)
        self.run: LabRun | None = None

    def give(self, run: LabRun) -> None:
        self.run = run
        self.state, self.limit = "running", monotonic() + PREPARATION
        self.deliver(pickle.dumps(run.run))

    def cancel(self) -> None:
        """Frees the process from its run."""
        assert self.run is not None
        self.send(pickle.dumps(self.run.run.number))
        if self.run.playing:  # what was begun to be compiled is finished, for the next run
            self.limit = monotonic() + STOPPING
        self.run = None

    def heard(self, said: tuple[str, Any]) -> None:
        kind, told = said
        if kind == READY:
            self.prove()
            self.state, self.limit = "idle", inf
            return
        run = self.run
        if kind in (OVER, REFUSED, FAILED):
            self.prove()
            self.run, self.state, self.limit = None, "idle", inf
        elif run is not None:
            self.limit = monotonic() + SILENCE
        if run is not None:
            _tell(run, kind, told)

    def dropped(self) -> None:
        run, self.run = self.run, None
        if run is not None:
            run.end(PliError("server_fault"))


def _tell(run: LabRun, kind: str, told: Any) -> None:
    if kind == FAILED:
        _log.error("a run of the lab failed: %s", told)
        run.end(PliError("server_fault"))
    elif kind == REFUSED:
        code, details = told
        run.end(PliError(code, **details))
    elif kind == PLAYING:
        run.playing = True
        run.tell()
    else:
        run.cells = told
        if kind == TOLD:
            run.tell()
        else:
            run.end()


class LabPool(Supervisor[_Player]):
    """The processes, started when they are needed."""

    def __init__(self, processes: int) -> None:
        super().__init__("pli-lab-pool", [_Player() for _ in range(processes)])
        self._waiting: list[LabRun] = []
        """Runs without a process."""
        self._runs = 0

    def begin(self, plan: Plan, seconds: float, heard: Callable[[LabRun], None]) -> LabRun:
        """A new run, which waits for a free process."""
        self.start()
        with self._lock:
            self._runs += 1
            run = LabRun(Run(self._runs, plan, seconds), heard)
            self._waiting.append(run)
        self.wake()
        return run

    def cancel(self, run: LabRun) -> None:
        """Nobody wants to know any more."""
        run.cancelled = True
        self.wake()

    # What follows runs in the supervisor's thread.

    def check(self, now: float) -> None:
        with self._lock:
            self._waiting = [run for run in self._waiting if not run.cancelled]
        for worker in self._workers:
            if worker.run is not None and worker.run.cancelled:
                worker.cancel()

    def hand_out(self) -> None:
        for worker in self._workers:
            if worker.state == "idle":
                with self._lock:
                    run = self._waiting.pop(0) if self._waiting else None
                if run is not None:
                    worker.give(run)

    def wanted(self) -> bool:
        coming = sum(worker.state in ("starting", "idle") for worker in self._workers)
        with self._lock:
            return len(self._waiting) > coming

    def deadlines(self) -> Iterable[float]:
        return ()

    def answer_all(self) -> None:
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for run in [*waiting, *(each.run for each in self._workers if each.run is not None)]:
            run.end(PliError("server_fault"))
