"""A worker thread for long computations, scheduled cooperatively in slices of a few milliseconds.

One thread: Python's interpreter lock makes several no faster together, and they would delay the
event loop more often. Between two slices work of higher priority goes first.
"""

import asyncio
import threading
from collections import deque
from concurrent.futures import Future
from time import thread_time
from typing import Any, TypeVar

from pli.errors import PliError
from pli.server.futures import fail, succeed
from pli.slices import Slices

SLICE = 0.004
"""Seconds of CPU time after which other work may go first."""

T = TypeVar("T")


class WorkerThread:
    """Two priority queues: urgent tasks are scheduled round-robin and before all others; of the
    others each is finished before the next is begun."""

    def __init__(self) -> None:
        self._urgent: deque[_Task] = deque()
        self._patient: deque[_Task] = deque()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    async def run(self, slices: Slices[T], urgent: bool, seconds: float) -> T:
        """The result of a computation; PliError: it took more than so many seconds of CPU time. It
        ends early if the caller is cancelled."""
        task = _Task(slices, urgent, seconds)
        with self._changed:
            self._queue(task).append(task)
            self._changed.notify()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="pli-work", daemon=True)
                self._thread.start()
        result: T = await asyncio.wrap_future(task)
        return result

    def close(self) -> None:
        """Drops unfinished tasks."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def _queue(self, task: "_Task") -> "deque[_Task]":
        return self._urgent if task.urgent else self._patient

    def _run(self) -> None:
        while True:
            with self._changed:
                while not (self._urgent or self._patient or self._closed):
                    self._changed.wait()
                if self._closed:
                    return
                task = (self._urgent or self._patient).popleft()
            if task.run_slice():
                with self._changed:
                    if task.urgent:
                        self._urgent.append(task)
                    else:
                        self._patient.appendleft(task)
            del task  # or its memory would be held until the next task comes


class _Task(Future[Any]):
    """One computation, and the future of its result."""

    def __init__(self, slices: Slices[Any], urgent: bool, seconds: float) -> None:
        super().__init__()
        self.urgent = urgent
        self._slices = slices
        self._left = seconds

    def run_slice(self) -> bool:
        """Whether there is more to do."""
        if self.cancelled():
            self._slices.close()
            return False
        began = thread_time()
        ends = began + SLICE
        try:
            while True:
                next(self._slices)
                if thread_time() > ends:
                    self._left -= thread_time() - began
                    if self._left < 0:
                        raise PliError("too_busy", limit="history_seconds")
                    return True
        except StopIteration as end:
            succeed(self, end.value)
        except Exception as error:
            fail(self, error)
        self._slices.close()
        return False
