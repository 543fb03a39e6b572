"""Single-flight jobs behind a fair queue: expensive work that several clients may wait for.

A job is named by a key: a replay to compute, a sprite sheet to render. Requests for the same key
share one job. Queued jobs are taken in turns by client address, then by table (`FairQueue`), so
that a client with many requests does not delay the others; a job whose last requester has left
before it was taken is dropped.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from typing import Any, Generic, NamedTuple, TypeVar

from pli.errors import PliError
from pli.fair import FairQueue

BACKGROUND_SHARE = 4
"""Every so many jobs one is taken from the background queue, if any waits there."""


class Requester(NamedTuple):
    """Where a request waits in the queue: under its client's address, and there under its table."""

    address: str
    table: str
    background: bool = False
    """Lower priority: it can wait for requests of running games."""


T = TypeVar("T")
J = TypeVar("J", bound="Job[Any]")


class Job(Future[T]):
    """Pending while it is queued, running once it is taken."""

    def __init__(self, key: Hashable) -> None:
        super().__init__()
        self.key = key
        self.requesters: Counter[Requester] = Counter()

    async def shared_result(self) -> T:
        """The result, for one of several requesters: if this one is cancelled the job goes on."""
        return await asyncio.shield(asyncio.wrap_future(self))


class JobQueue(Generic[J]):
    """All unfinished jobs of one kind. Not thread-safe: used on the event loop, or with a lock."""

    def __init__(self, limits: str, max_waiting: float, max_each: float) -> None:
        """At most so many may wait, in all and for each address; `limits` begins the names of these
        limits (`drawing` for drawing_waiting, drawing_each)."""
        self._limits = limits
        self._max_waiting = max_waiting
        self._max_each = max_each
        self._jobs: dict[Hashable, J] = {}
        self._foreground: FairQueue[J] = FairQueue()
        self._background: FairQueue[J] = FairQueue()
        self._taken = 0

    def __len__(self) -> int:
        """How many jobs are queued or running."""
        return len(self._jobs)

    def __iter__(self) -> Iterator[J]:
        """In the order in which they were first requested."""
        return iter(self._jobs.values())

    @property
    def waiting(self) -> int:
        """How many jobs are queued, counted once for each place they wait at."""
        return len(self._foreground) + len(self._background)

    def request(
        self, key: Hashable, requester: Requester, make: Callable[[], J], limited: bool = True
    ) -> J:
        """The job of that key, made and queued if there is none; too_busy: too many wait. Each
        request is followed by `leave`."""
        job = self._jobs.get(key)
        if job is None or not (job.running() or requester in job.requesters):
            if limited:
                self._check_limits(requester.address)
            if job is None:
                job = self._jobs[key] = make()
            self._queue(requester).put(requester.address, requester.table, job)
        job.requesters[requester] += 1
        return job

    def leave(self, job: J, requester: Requester) -> bool:
        """A request was answered or cancelled. Says whether it was the last one for this job; a job
        that is not running yet is then dropped."""
        job.requesters[requester] -= 1
        if job.requesters[requester]:
            return False
        del job.requesters[requester]
        self._queue(requester).remove(requester.address, requester.table, job)
        if job.requesters:
            return False
        if job.cancel():
            self.remove(job)
        return True

    def take(self) -> J | None:
        """The next job, now running; None if none is queued."""
        self._taken += 1
        queues = [self._foreground, self._background]
        if self._taken % BACKGROUND_SHARE == 0:
            queues.reverse()
        for queue in queues:
            if queue:
                job = queue.take()
                self._unqueue(job)  # the other requesters share it
                job.set_running_or_notify_cancel()
                return job
        return None

    def remove(self, job: J) -> None:
        """The job is finished or given up: a new request for its key makes a new one."""
        if self._jobs.get(job.key) is job:
            del self._jobs[job.key]
        self._unqueue(job)

    def _check_limits(self, address: str) -> None:
        if self.waiting >= self._max_waiting:
            raise PliError("too_busy", limit=f"{self._limits}_waiting")
        if self._foreground.of(address) + self._background.of(address) >= self._max_each:
            raise PliError("too_busy", limit=f"{self._limits}_each")

    def _queue(self, requester: Requester) -> FairQueue[J]:
        return self._background if requester.background else self._foreground

    def _unqueue(self, job: J) -> None:
        for requester in job.requesters:
            self._queue(requester).remove(requester.address, requester.table, job)
