"""Processes that think for bots, so that whoever asks goes on meanwhile, and never compiles.

A question holds all that its seat may know and nothing else, so any worker can answer it, and the
same question gets the same answer after any accident. Addresses take turns, then their tables; the
questions of one table are answered in the order asked. Whatever happens there is an answer by the
deadline: at worst a simple one.
"""

import asyncio
import logging
import os
import pickle
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import inf
from time import monotonic

from pli.bots.thinking import FAILED, READY, THINKING, WARMING, Job, Question, Ranking, work
from pli.bots.thought import Thought, Whose
from pli.fair import FairQueue
from pli.processes import PATIENCE, Supervisor, Worker

COMPILING = 300.0
"""Seconds that a worker is left alone with a compiler, whoever has stopped waiting."""

_log = logging.getLogger(__name__)


class _Thinker(Worker):
    """One question at a time: starting, idle, warming or thinking."""

    def __init__(self, games: Sequence[str]) -> None:
        super().__init__("pli-thinker", work)
        self.thought: Thought | None = None
        self._games = games
        self.cold: list[str] = []
        """Games that are still to be made ready, when there is nothing else to do."""
        self._job = 0

    def begin(self) -> None:
        self.cold = [*self._games]
        super().begin()

    def give(self, task: Question | str, thought: Thought | None = None) -> None:
        """Something to do for a worker that is idle."""
        self._job += 1
        seconds = thought.ends - monotonic() if thought is not None else inf
        try:
            data = pickle.dumps(Job(self._job, task, seconds))
        except Exception:
            _log.exception("a question can't be sent")
            if thought is not None:
                thought.settle("failed")
            return
        self.thought, self.state = thought, "warming" if thought is None else "thinking"
        self._await()
        self.deliver(data)

    def abandon(self) -> None:
        """Nobody waits for it any more."""
        self.thought = None
        self.send(pickle.dumps(self._job))
        self._await()

    def heard(self, said: tuple[str, str | Ranking]) -> None:
        kind, answer = said
        if kind == WARMING:
            self.state = "warming"
        elif kind == READY:
            self.prove()
            self.state = "idle"
        elif kind == THINKING:
            self.state = "thinking"
        else:
            self._answered(kind, answer)
        self._await()

    def _answered(self, kind: str, said: str | Ranking) -> None:
        thought, self.thought, self.state = self.thought, None, "idle"
        if kind == FAILED:
            _log.error("a worker failed at a question: %s", said)
        if thought is None:
            return
        named = [said] if isinstance(said, str) else [action for action, _ in said]
        if kind == FAILED or not set(named) <= set(thought.question.actions):
            thought.settle("failed")
        else:
            thought.settle("thought", said)

    def _await(self) -> None:
        """Until when something must be heard. A deadline is the thought's own."""
        if self.state == "warming":
            self.limit = monotonic() + COMPILING
        elif self.state == "thinking" and self.thought is None:
            self.limit = monotonic() + PATIENCE
        else:
            self.limit = inf

    def dropped(self) -> None:
        thought, self.thought = self.thought, None
        if thought is not None:
            thought.settle("died")


class Thinkers(Supervisor[_Thinker]):
    """A pool of workers. `games` are made ready in the background as soon as it starts; a first
    question starts it as well."""

    def __init__(self, processes: int | None = None, games: Sequence[str] = ()) -> None:
        # A core is left to who asks.
        count = processes or max(1, (os.cpu_count() or 1) - 1)
        # Each begins with another game, so that they compile side by side.
        turns = [n % max(1, len(games)) for n in range(count)]
        workers = [_Thinker([*games[turn:], *games[:turn]]) for turn in turns]
        super().__init__("pli-thinkers", workers)
        self._waiting: FairQueue[Thought] = FairQueue()

    def ask(self, question: Question, deadline: float, whose: Whose = ("", "")) -> Thought:
        """An action text in so many seconds at most. Bots that think for a time need some more."""
        if not question.actions:
            raise ValueError("there is nothing to choose from")
        thought = Thought(question, monotonic() + deadline, whose)
        if len(question.actions) == 1 and not question.ranking:
            thought.settle("only", question.actions[0])
            return thought
        self.start()
        with self._lock:
            if not self._closing:
                self._waiting.put(*whose, thought)
        if self._closing:
            thought.settle("closed")
        thought.add_done_callback(lambda _: self.wake())
        self.wake()
        return thought

    async def answer(self, question: Question, deadline: float, whose: Whose = ("", "")) -> str:
        """The same for a task; cancelling that frees the worker."""
        return str(await asyncio.wrap_future(self.ask(question, deadline, whose)))

    async def rank(self, question: Question, deadline: float, whose: Whose = ("", "")) -> Ranking:
        """The seat's actions, best first, in so many seconds at most. None of them if that was not
        enough, or if anything went wrong."""
        ranking = self.ask(replace(question, ranking=True), deadline, whose)
        return list(await asyncio.wrap_future(ranking))

    # What follows is done in the supervisor's thread.

    def check(self, now: float) -> None:
        """Deadlines, and questions that are settled otherwise."""
        with self._lock:
            waiting = [*self._waiting]
        for thought in [*waiting, *self._thoughts()]:
            if thought.ends <= now:
                thought.settle("late")
        with self._lock:
            for thought in [each for each in self._waiting if each.done()]:
                self._waiting.remove(*thought.whose, thought)
        for worker in self._workers:
            if worker.thought is not None and worker.thought.done():
                worker.abandon()

    def hand_out(self) -> None:
        for worker in self._workers:
            if worker.state != "idle":
                continue
            with self._lock:
                thought = self._waiting.take() if self._waiting else None
            if thought is not None:
                worker.give(thought.question, thought)
            elif worker.cold:
                worker.give(worker.cold.pop(0))

    def deadlines(self) -> Iterable[float]:
        with self._lock:
            waiting = [thought.ends for thought in self._waiting]
        return [*waiting, *(thought.ends for thought in self._thoughts())]

    def answer_all(self) -> None:
        with self._lock:
            waiting = [*self._waiting]
            self._waiting = FairQueue()
        for thought in [*waiting, *self._thoughts()]:
            thought.settle("closed")

    def _thoughts(self) -> list[Thought]:
        """What is being thought about."""
        return [worker.thought for worker in self._workers if worker.thought is not None]
