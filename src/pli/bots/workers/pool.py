"""A pool of bot worker processes, so that the caller goes on meanwhile and never compiles.

A request holds everything that its seat may know and nothing else, so any worker can answer it, and
the same request gets the same answer after a crash. Requests wait in a fair queue: addresses take
turns, then their tables; those of one table are answered in order. There is always an answer by the
deadline: at worst a fallback.
"""

import asyncio
import logging
import os
import pickle
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import inf
from time import monotonic

from pli.bots.workers.pending import PendingDecision, QueueKey
from pli.bots.workers.worker import (
    COMPILING,
    FAILED,
    READY,
    THINKING,
    DecisionRequest,
    Job,
    Ranking,
    work,
)
from pli.fair import FairQueue
from pli.processes import PATIENCE, Supervisor, Worker

COMPILE_SECONDS = 300.0
"""Seconds after which a worker that compiles is given up, even if its request was given up
sooner."""

_log = logging.getLogger(__name__)


class _BotWorker(Worker):
    """One request at a time. Its states: starting, idle, compiling, thinking."""

    def __init__(self, games: Sequence[str]) -> None:
        super().__init__("pli-bot-worker", work)
        self.decision: PendingDecision | None = None
        self._games = games
        self.uncompiled: list[str] = []
        """Games to compile when there is nothing else to do."""
        self._job = 0

    def begin(self) -> None:
        self.uncompiled = [*self._games]
        super().begin()

    def give(self, task: DecisionRequest | str, decision: PendingDecision | None = None) -> None:
        """A job for an idle worker."""
        self._job += 1
        seconds = decision.deadline - monotonic() if decision is not None else inf
        try:
            data = pickle.dumps(Job(self._job, task, seconds))
        except Exception:
            _log.exception("a request can't be pickled")
            if decision is not None:
                decision.settle("failed")
            return
        self.decision, self.state = decision, "compiling" if decision is None else "thinking"
        self._set_limit()
        self.deliver(data)

    def abandon(self) -> None:
        """Cancels the job: its request was settled otherwise."""
        self.decision = None
        self.send(pickle.dumps(self._job))
        self._set_limit()

    def heard(self, said: tuple[str, str | Ranking]) -> None:
        kind, answer = said
        if kind == COMPILING:
            self.state = "compiling"
        elif kind == READY:
            self.prove()
            self.state = "idle"
        elif kind == THINKING:
            self.state = "thinking"
        else:
            self._answered(kind, answer)
        self._set_limit()

    def _answered(self, kind: str, answer: str | Ranking) -> None:
        decision, self.decision, self.state = self.decision, None, "idle"
        if kind == FAILED:
            _log.error("a worker failed at a request: %s", answer)
        if decision is None:
            return
        named = [answer] if isinstance(answer, str) else [action for action, _ in answer]
        if kind == FAILED or not set(named) <= set(decision.request.actions):
            decision.settle("failed")
        else:
            decision.settle("worker", answer)

    def _set_limit(self) -> None:
        """Until when the worker must send something. The deadline of a request is checked apart."""
        if self.state == "compiling":
            self.limit = monotonic() + COMPILE_SECONDS
        elif self.state == "thinking" and self.decision is None:
            self.limit = monotonic() + PATIENCE
        else:
            self.limit = inf

    def dropped(self) -> None:
        decision, self.decision = self.decision, None
        if decision is not None:
            decision.settle("crashed")


class BotPool(Supervisor[_BotWorker]):
    """The workers and the queue. `games` are compiled in the background as soon as the pool starts,
    at the latest with the first request."""

    def __init__(self, processes: int | None = None, games: Sequence[str] = ()) -> None:
        # One core is left to the caller.
        count = processes or max(1, (os.cpu_count() or 1) - 1)
        # Each worker begins with another game, so that they compile in parallel.
        turns = [n % max(1, len(games)) for n in range(count)]
        workers = [_BotWorker([*games[turn:], *games[:turn]]) for turn in turns]
        super().__init__("pli-bot-pool", workers)
        self._queue: FairQueue[PendingDecision] = FairQueue()

    def ask(
        self, request: DecisionRequest, deadline: float, key: QueueKey = ("", "")
    ) -> PendingDecision:
        """An action within `deadline` seconds, which have to be more than the bot's own budget."""
        if not request.actions:
            raise ValueError("there is nothing to choose from")
        decision = PendingDecision(request, monotonic() + deadline, key)
        if len(request.actions) == 1 and not request.ranking:
            decision.settle("forced", request.actions[0])
            return decision
        self.start()
        with self._lock:
            if not self._closing:
                self._queue.put(*key, decision)
        if self._closing:
            decision.settle("closed")
        decision.add_done_callback(lambda _: self.wake())
        self.wake()
        return decision

    async def answer(
        self, request: DecisionRequest, deadline: float, key: QueueKey = ("", "")
    ) -> str:
        """The same for a task; cancelling it frees the worker."""
        return str(await asyncio.wrap_future(self.ask(request, deadline, key)))

    async def rank(
        self, request: DecisionRequest, deadline: float, key: QueueKey = ("", "")
    ) -> Ranking:
        """The seat's actions, best first, within `deadline` seconds; empty if that was too short or
        anything went wrong."""
        ranking = self.ask(replace(request, ranking=True), deadline, key)
        return list(await asyncio.wrap_future(ranking))

    # What follows runs in the supervisor's thread.

    def check(self, now: float) -> None:
        """Settles requests at their deadlines, and forgets those that are settled."""
        with self._lock:
            queued = [*self._queue]
        for decision in [*queued, *self._under_way()]:
            if decision.deadline <= now:
                decision.settle("late")
        with self._lock:
            for decision in [each for each in self._queue if each.done()]:
                self._queue.remove(*decision.key, decision)
        for worker in self._workers:
            if worker.decision is not None and worker.decision.done():
                worker.abandon()

    def hand_out(self) -> None:
        for worker in self._workers:
            if worker.state != "idle":
                continue
            with self._lock:
                decision = self._queue.take() if self._queue else None
            if decision is not None:
                worker.give(decision.request, decision)
            elif worker.uncompiled:
                worker.give(worker.uncompiled.pop(0))

    def deadlines(self) -> Iterable[float]:
        with self._lock:
            queued = [decision.deadline for decision in self._queue]
        return [*queued, *(decision.deadline for decision in self._under_way())]

    def answer_all(self) -> None:
        with self._lock:
            queued = [*self._queue]
            self._queue = FairQueue()
        for decision in [*queued, *self._under_way()]:
            decision.settle("closed")

    def _under_way(self) -> list[PendingDecision]:
        """The requests that workers are answering."""
        return [worker.decision for worker in self._workers if worker.decision is not None]
