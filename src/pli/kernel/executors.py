"""Running jobs on a thread or process pool so that Ctrl-C can never leave a lock taken.

The pools are those of `concurrent.futures`. Their locks are taken and released in Python code,
where a KeyboardInterrupt may be raised between the two.
"""

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from itertools import islice
from queue import SimpleQueue
from typing import TypeVar

from pli.kernel.interrupts import deferred_interrupt

N = TypeVar("N")
T = TypeVar("T")


@contextmanager
def shutting_down(
    pool: Executor, before: Callable[[], None] = lambda: None
) -> Generator[None, None, None]:
    """At the end cancels the jobs that have not begun and joins the pool, after calling
    `before`."""
    try:
        yield
    finally:
        with deferred_interrupt():
            before()
            pool.shutdown(cancel_futures=True)


def results_as_completed(
    submit: Callable[[N], "Future[T]"], numbers: Iterable[N], ahead: int
) -> Generator[T, None, None]:
    """The result of a job for each number, in the order of completion, with `ahead` of them
    submitted at a time.

    `concurrent.futures.as_completed` waits while it holds locks of the futures. Here completed
    futures come through a SimpleQueue, whose `get` is atomic, so Ctrl-C is handled only while
    waiting there.
    """
    rest = iter(numbers)
    done: SimpleQueue[Future[T]] = SimpleQueue()

    def send(count: int) -> int:
        with deferred_interrupt():
            futures = [submit(number) for number in islice(rest, count)]
            for future in futures:
                future.add_done_callback(done.put)
        return len(futures)

    pending = send(ahead)
    while pending:
        future = done.get()
        pending += send(1) - 1
        yield future.result()
