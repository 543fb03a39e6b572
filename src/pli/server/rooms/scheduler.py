"""Timers and tasks of one room."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any


class Scheduler:
    """Belongs to the event loop on which it is made."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[None]] = set()

    def time(self) -> float:
        return self._loop.time()

    def soon(self, work: Callable[[], None]) -> None:
        """After what is being done now."""
        self._loop.call_soon(work)

    def later(self, seconds: float, work: Callable[[], None]) -> asyncio.TimerHandle:
        return self._loop.call_later(seconds, work)

    def spawn(self, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """A task that is kept alive until it is done: the loop itself only keeps a weak
        reference."""
        task = self._loop.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
