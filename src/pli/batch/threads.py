"""Threads that wait for the parts of a step: a pool of futures would cost as much as a thousand
games take."""

from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread
from weakref import finalize

Job = Callable[[], None]


class Crew:
    """The calling thread and so many helpers, which end when the crew is no longer used."""

    def __init__(self, helpers: int) -> None:
        self._jobs: list[SimpleQueue[Job | None]] = [SimpleQueue() for _ in range(helpers)]
        self._done: SimpleQueue[BaseException | None] = SimpleQueue()
        for jobs in self._jobs:
            Thread(target=_help, args=(jobs, self._done), daemon=True).start()
            finalize(self, jobs.put, None)

    def run(self, jobs: Sequence[Job]) -> None:
        """Does all of them, the first one itself; there is one more than helpers."""
        for waiting, job in zip(self._jobs, jobs[1:], strict=True):
            waiting.put(job)
        try:
            jobs[0]()
        finally:
            failed = [error for error in [self._done.get() for _ in self._jobs] if error]
        if failed:
            raise failed[0]


def _help(jobs: SimpleQueue[Job | None], done: SimpleQueue[BaseException | None]) -> None:
    while (job := jobs.get()) is not None:
        error: BaseException | None = None
        try:
            job()
        except BaseException as raised:  # it is the caller's, whatever it is
            error = raised
        del job  # it holds the batch
        done.put(error)
