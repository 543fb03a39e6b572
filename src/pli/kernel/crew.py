"""Many jobs on several threads or processes, and what they give as soon as they are done."""

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from itertools import islice
from queue import SimpleQueue
from typing import TypeVar

from pli.kernel.signals import undisturbed

N = TypeVar("N")
T = TypeVar("T")


@contextmanager
def dismissing(
    pool: Executor, first: Callable[[], None] = lambda: None
) -> Generator[None, None, None]:
    """In the end nobody is given anything more, and all are waited for."""
    try:
        yield
    finally:
        with undisturbed():
            first()
            pool.shutdown(cancel_futures=True)


def as_done(
    submit: Callable[[N], "Future[T]"], numbers: Iterable[N], ahead: int
) -> Generator[T, None, None]:
    """What a job gives for each number, in any order, with so many on their way at a time.

    A future's locks may not be left in mid-air, so Ctrl-C is heard only where none is taken: while
    waiting. That is why they are waited for at a queue, which knows no half measures.
    """
    rest = iter(numbers)
    done: SimpleQueue[Future[T]] = SimpleQueue()

    def send(count: int) -> int:
        with undisturbed():
            futures = [submit(number) for number in islice(rest, count)]
            for future in futures:
                future.add_done_callback(done.put)
        return len(futures)

    under_way = send(ahead)
    while under_way:
        future = done.get()
        under_way += send(1) - 1
        yield future.result()
