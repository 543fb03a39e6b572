"""A thread beside the event loop for work that takes long. It works a few milliseconds at a time,
so that what is urgent goes first even in the middle of something else. One thread, since more would
not be faster together, but hold up everybody who plays."""

import asyncio
import threading
from collections import deque
from contextlib import suppress
from time import thread_time
from typing import Any, TypeVar

from pli.errors import PliError
from pli.slices import Slices

SLICE = 0.004
"""Seconds of the processor after which something else may go first."""

T = TypeVar("T")


class BackgroundThread:
    """Belongs to the event loop on which its first work is given to it."""

    def __init__(self) -> None:
        self._urgent: deque[_Work] = deque()
        self._patient: deque[_Work] = deque()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    async def work(self, slices: Slices[T], urgent: bool, seconds: float) -> T:
        """What comes of it. Urgent work takes turns and goes before all other; PliError: it took
        more of the processor's time than it may. Who no longer waits for it ends it."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        work = _Work(slices, future, urgent, seconds)
        with self._changed:
            self._line(work).append(work)
            self._changed.notify()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="pli-work", daemon=True)
                self._thread.start()
        try:
            return await future
        finally:
            work.dropped = True

    def close(self) -> None:
        """What is not done is dropped."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def _line(self, work: "_Work") -> "deque[_Work]":
        return self._urgent if work.urgent else self._patient

    def _run(self) -> None:
        while True:
            with self._changed:
                while not (self._urgent or self._patient or self._closed):
                    self._changed.wait()
                if self._closed:
                    return
                work = (self._urgent or self._patient).popleft()
            if work.slice():
                with self._changed:
                    # Urgent work takes turns; other work is finished before the next is begun.
                    if work.urgent:
                        self._urgent.append(work)
                    else:
                        self._patient.appendleft(work)
            del work  # or what it holds would be held until there is something else to do


class _Work:
    """One piece, and who waits for it."""

    def __init__(
        self, slices: Slices[Any], future: asyncio.Future[Any], urgent: bool, seconds: float
    ) -> None:
        self.urgent = urgent
        self.dropped = False
        self._slices = slices
        self._future = future
        self._loop = asyncio.get_running_loop()
        self._left = seconds

    def slice(self) -> bool:
        """Works for a moment. Says whether there is more to do."""
        began = thread_time()
        ends = began + SLICE
        try:
            while not self.dropped:
                next(self._slices)
                if thread_time() > ends:
                    self._left -= thread_time() - began
                    if self._left < 0:
                        raise PliError("too_busy", limit="history_seconds")
                    return True
        except StopIteration as end:
            self._tell(end.value, None)
        except Exception as error:
            self._tell(None, error)
        self._slices.close()
        return False

    def _tell(self, result: Any, error: Exception | None) -> None:
        with suppress(RuntimeError):  # the loop is gone
            self._loop.call_soon_threadsafe(_settle, self._future, result, error)


def _settle(future: asyncio.Future[Any], result: Any, error: Exception | None) -> None:
    if future.done():
        return  # nobody waits any more
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(result)
