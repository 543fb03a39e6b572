"""Results that a thread computes and the event loop awaits: a `concurrent.futures.Future`, which
the loop wraps with `asyncio.wrap_future` and the thread settles here."""

from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


def succeed(future: Future[T], result: T) -> None:
    """Sets the result, unless the caller was cancelled meanwhile."""
    if future.set_running_or_notify_cancel():
        future.set_result(result)


def fail(future: Future[T], error: Exception) -> None:
    """Sets the exception, unless the caller was cancelled meanwhile."""
    if future.set_running_or_notify_cancel():
        future.set_exception(error)
