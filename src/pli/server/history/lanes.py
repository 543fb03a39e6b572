"""Questions that take long to answer, and who waits for each: addresses take turns, the same
question is worked on once, and not at all when nobody waits for it any more."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from functools import partial
from math import inf
from typing import Any, TypeVar

from pli.errors import PliError
from pli.fair import FairQueue
from pli.server.history.background import BackgroundThread
from pli.slices import Slices

T = TypeVar("T")
Place = tuple[str, str]
"""Where a question waits: an address, and a table."""


class Lane:
    """Those of one kind. What a question needs in memory is got when its turn comes."""

    def __init__(
        self,
        worker: BackgroundThread,
        at_once: int,
        urgent: bool = False,
        waiting: float = inf,
        each: float = inf,
        seconds: float = inf,
    ) -> None:
        """So many are worked on `at_once`; so many may wait, in all and of `each` address."""
        self._worker = worker
        self._at_once = at_once
        self._urgent = urgent
        self._most_waiting = waiting
        self._most_each = each
        self._seconds = seconds
        self._queue: FairQueue[Hashable] = FairQueue()
        self._asked: dict[Hashable, _Asked] = {}
        self._working = 0

    def __len__(self) -> int:
        """How many wait or are being worked on."""
        return len(self._asked)

    async def ask(
        self, question: Hashable, address: str, table: str, answer: Callable[[], Awaitable[T]]
    ) -> T:
        """What `answer` gives, when its turn comes; too_busy: too much waits already."""
        asked = self._asked.get(question)
        if asked is None or asked.task is None:
            self._let_wait(question, address, table)
        if asked is None:
            future = asyncio.get_running_loop().create_future()
            asked = self._asked[question] = _Asked(answer, future)
        place = (address, table)
        asked.waiters[place] += 1
        if asked.task is None:
            self._queue.put(address, table, question)
            self._begin()
        try:
            result: T = await asyncio.shield(asked.future)
            return result
        finally:
            asked.waiters[place] -= 1
            self._left(question, asked, place)

    async def work(self, slices: Slices[T]) -> T:
        """Part of an answer, done in the worker's thread."""
        return await self._worker.work(slices, self._urgent, self._seconds)

    def _let_wait(self, question: Hashable, address: str, table: str) -> None:
        if question in self._asked and self._asked[question].waiters[address, table]:
            return  # it waits there already
        if self._working < self._at_once:
            return  # it need not wait
        if len(self._queue) >= self._most_waiting:
            raise PliError("too_busy", limit="history_waiting")
        if self._queue.of(address) >= self._most_each:
            raise PliError("too_busy", limit="history_each")

    def _left(self, question: Hashable, asked: "_Asked", place: Place) -> None:
        """Somebody waits no longer."""
        if not asked.waiters[place]:
            del asked.waiters[place]
            self._queue.remove(*place, question)
        if not asked.waiters and not asked.future.done():
            del self._asked[question]
            asked.future.cancel()
            if asked.task is not None:
                asked.task.cancel()

    def _begin(self) -> None:
        while self._working < self._at_once and len(self._queue):
            question = self._queue.take()
            asked = self._asked[question]
            for place in asked.waiters:
                self._queue.remove(*place, question)
            self._working += 1
            asked.task = asyncio.ensure_future(asked.answer())
            asked.task.add_done_callback(partial(self._answered, question, asked))

    def _answered(self, question: Hashable, asked: "_Asked", task: "asyncio.Future[Any]") -> None:
        self._working -= 1
        if self._asked.get(question) is asked:
            del self._asked[question]
        if task.cancelled():
            asked.future.cancel()
        elif (error := task.exception()) is not None:
            if not asked.future.done():
                asked.future.set_exception(error)
        elif not asked.future.done():
            asked.future.set_result(task.result())
        self._begin()


@dataclass(eq=False)
class _Asked:
    """A question, and how many wait for its answer in each place."""

    answer: Callable[[], Awaitable[Any]]
    future: asyncio.Future[Any]
    waiters: Counter[Place] = field(default_factory=Counter)
    task: asyncio.Future[Any] | None = None
    """Once it is being worked on."""
