"""A function applied to numbers in a pool of processes, with cancellation and without being
disturbed by Ctrl-C."""

import multiprocessing
import signal
from collections.abc import Callable, Generator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from typing import TypeVar

from pli.errors import PliError
from pli.kernel.executors import results_as_completed, shutting_down
from pli.kernel.interrupts import children_without_interrupts

T = TypeVar("T")


def map_unordered(
    job: Callable[[int], T], count: int, processes: int = 1
) -> Generator[T, None, None]:
    """The results of a job for each number below a count. One process is this one, with results in
    order; several give them in the order of completion. The job must be picklable."""
    if processes == 1:
        yield from map(job, range(count))
        return
    # Spawned, not forked: this process has threads, such as the progress bar's.
    context = multiprocessing.get_context("spawn")
    processes = min(processes, count)
    cancelled = context.Event()
    pool = ProcessPoolExecutor(processes, context, initializer=_begin, initargs=(cancelled,))

    def submit(number: int) -> "Future[T | _Failure]":
        with children_without_interrupts():  # Ctrl-C is for the process that wants the results
            return pool.submit(_run, job, number)

    # A process that is still starting would not find its arguments, so all are joined at the end.
    with shutting_down(pool, cancelled.set):
        for found in results_as_completed(submit, range(count), 2 * processes):
            if isinstance(found, _Failure):
                raise PliError(found.code, **found.details)
            yield found


class Cancelled(Exception):
    """The caller of `map_unordered` wants no more results."""


def check_cancelled() -> None:
    """To be called now and then in a long job: raises if its result is not wanted any more."""
    if _cancelled is not None and _cancelled.is_set():
        raise Cancelled


_cancelled: Event | None = None
"""In a process of the pool: set when no more results are wanted."""


def _begin(cancelled: Event) -> None:
    global _cancelled
    _cancelled = cancelled
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@dataclass(frozen=True)
class _Failure:
    """A PliError, which can't be pickled itself, as its parts."""

    code: str
    details: dict[str, object]


def _run(job: Callable[[int], T], number: int) -> T | _Failure:
    try:
        check_cancelled()
        return job(number)
    except PliError as error:
        return _Failure(error.code, error.details)
