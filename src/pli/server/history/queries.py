"""Queries to the history of one priority class: single-flight, fair by client address, and with
bounded concurrency. A query is cancelled when its last requester has gone."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from functools import partial
from math import inf
from typing import Any, TypeVar

from pli.server.history.worker import WorkerThread
from pli.server.jobs import Job, JobQueue, Requester
from pli.slices import Slices

T = TypeVar("T")


class QueryQueue:
    """Belongs to the event loop. What a query needs in memory is loaded when its turn comes, so
    that queued queries cost nothing."""

    def __init__(
        self,
        worker: WorkerThread,
        concurrency: int,
        urgent: bool = False,
        max_waiting: float = inf,
        max_each: float = inf,
        seconds: float = inf,
    ) -> None:
        """`urgent` is the priority in the worker thread; at most so many queries may wait, in all
        and for each address; each may take so many seconds of CPU time."""
        self._worker = worker
        self._concurrency = concurrency
        self._urgent = urgent
        self._seconds = seconds
        self._jobs: JobQueue[_Query] = JobQueue("history", max_waiting, max_each)
        self._running = 0

    def __len__(self) -> int:
        """How many queries wait or run."""
        return len(self._jobs)

    async def ask(
        self, key: Hashable, address: str, table: str, answer: Callable[[], Awaitable[T]]
    ) -> T:
        """The result of `answer`, called when its turn comes; too_busy: too many wait already."""
        requester = Requester(address, table)
        must_wait = self._running >= self._concurrency
        query = self._jobs.request(key, requester, lambda: _Query(key, answer), limited=must_wait)
        self._start()
        try:
            result: T = await query.shared_result()
            return result
        finally:
            if self._jobs.leave(query, requester):
                self._jobs.remove(query)
                if query.task is not None:
                    query.task.cancel()

    async def compute(self, slices: Slices[T]) -> T:
        """Part of an answer, computed in the worker thread."""
        return await self._worker.run(slices, self._urgent, self._seconds)

    def _start(self) -> None:
        while self._running < self._concurrency and (query := self._jobs.take()) is not None:
            self._running += 1
            query.task = asyncio.ensure_future(query.answer())
            query.task.add_done_callback(partial(self._answered, query))

    def _answered(self, query: "_Query", task: "asyncio.Future[Any]") -> None:
        self._running -= 1
        self._jobs.remove(query)
        if task.cancelled():
            query.set_exception(asyncio.CancelledError())
        elif (error := task.exception()) is not None:
            query.set_exception(error)
        else:
            query.set_result(task.result())
        self._start()


class _Query(Job[Any]):
    def __init__(self, key: Hashable, answer: Callable[[], Awaitable[Any]]) -> None:
        super().__init__(key)
        self.answer = answer
        self.task: asyncio.Future[Any] | None = None
        """Once it is running."""
