"""Processes that work for this one, looked after by one thread: there are never more of them than
places, one that is lost is replaced, and none is left behind.

What they work at is for others to say: `Worker` is a place at which a process works, `Supervisor`
the thread that alone touches all places.
"""

import atexit
import logging
import os
import pickle
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from math import inf
from multiprocessing import connection, get_context, parent_process
from time import monotonic
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from pli.kernel.signals import deafen

STARTING = 60.0
"""Seconds that a process has until it says that it is there."""

PATIENCE = 1.0
"""Seconds in which a process must stop when told to, or else it is killed."""

PAUSES = (0.0, 0.5, 2.0, 10.0)
"""Seconds before a lost process is replaced: longer each time that one was of no use at all."""

_log = logging.getLogger(__name__)
_spawning = get_context("spawn")


class Worker(ABC):
    """A place at which a process works, and another one if that is lost. Only the thread that looks
    after all of them touches it."""

    def __init__(self, name: str, work: Callable[[Any], None]) -> None:
        self.pid = 0
        self.state = "none"
        self.limit = -inf
        """When it is to be started, if there is no process; or given up, if nothing is heard."""
        self.process: Any = None
        self.link: Any = None
        self._name = name
        self._work = work
        self._proved = False
        """Whether the process was of any use."""
        self._failures = 0

    @abstractmethod
    def heard(self, said: Any) -> None:
        """What the process says."""

    @abstractmethod
    def dropped(self) -> None:
        """The process was lost: what it was doing is not done."""

    def begin(self) -> None:
        self._proved = False
        self.link, its_end = _spawning.Pipe()
        self.process = _spawning.Process(
            target=_live, args=(self._work, its_end), name=self._name, daemon=True
        )
        try:
            self.process.start()
        except OSError:
            _log.exception("%s can't be started", self._name)
            self.process = None
            self.link.close()
            self._again()
        else:
            self.state, self.limit = "starting", monotonic() + STARTING
            self.pid = self.process.pid
        finally:
            its_end.close()

    def prove(self) -> None:
        """It is of use: should it be lost, another one is started at once."""
        self._proved = True
        self._failures = 0

    def deliver(self, data: bytes) -> None:
        """Something to do. A process that hangs does not read, and what is long fills all that lies
        between: then it is killed."""
        hanging = threading.Timer(PATIENCE, self.process.kill)
        hanging.start()
        self.send(data)
        hanging.cancel()

    def send(self, data: bytes) -> None:
        # If it is gone, its end of the link is closed, which is seen when that is read.
        with suppress(OSError):
            self.link.send_bytes(data)

    def lost(self, gone: bool) -> None:
        """The process is gone by itself, or has to go."""
        if gone:
            self.process.join(PATIENCE)
        code = self.process.exitcode
        why = "nothing is heard of it" if code is None else f"exit code {code}"
        _log.warning("%s was lost while %s: %s", self._name, self.state, why)
        self.process.kill()
        self.end(PATIENCE)
        self._again()
        self.dropped()

    def _again(self) -> None:
        self._failures += not self._proved
        pause = PAUSES[min(self._failures, len(PAUSES) - 1)]
        self.state, self.limit = "none", monotonic() + pause

    def tell_to_end(self) -> None:
        if self.process is not None:
            self.send(pickle.dumps(None))

    def end(self, patience: float) -> None:
        """No process is left behind, nor what the system remembers of it."""
        if self.process is None:
            return
        self.process.join(patience)
        if self.process.is_alive():
            self.process.kill()
            self.process.join(PATIENCE)
        self.link.close()
        with suppress(ValueError):  # it hangs where even the system can't end it
            self.process.close()
        self.process = None
        self.pid = 0


W = TypeVar("W", bound=Worker)


class Supervisor(ABC, Generic[W]):
    """Looks after all places, in a thread of its own which is started when there is something to
    do."""

    def __init__(self, name: str, workers: Sequence[W]) -> None:
        self._name = name
        self._workers = workers
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closing = False
        self._woken = False
        self._bell, self._button = _spawning.Pipe(duplex=False)

    def start(self) -> None:
        """Starts looking after processes, if it has not begun."""
        with self._lock:
            if self._thread is not None or self._closing:
                return
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()
        atexit.register(self.close)

    def close(self) -> None:
        """Ends all processes; who still waits is answered."""
        with self._lock:
            self._closing = True
            thread = self._thread
        self.wake()
        if thread is None:
            self._bell.close()
            self._button.close()
        elif thread is not threading.current_thread():
            thread.join()
        atexit.unregister(self.close)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def pids(self) -> dict[int, str]:
        """The processes that there are, and what they do."""
        return {worker.pid: worker.state for worker in self._workers if worker.pid}

    def wake(self) -> None:
        """From any thread: there is news."""
        with self._lock:
            if not self._woken and not self._button.closed:
                self._woken = True
                self._button.send_bytes(b".")

    # What follows is done in the thread, which alone touches the workers.

    @abstractmethod
    def check(self, now: float) -> None:
        """What is waited for: what is late, or not wanted any more."""

    @abstractmethod
    def hand_out(self) -> None:
        """Gives something to do to whoever is idle."""

    @abstractmethod
    def deadlines(self) -> Iterable[float]:
        """When `check` is to be called at the latest."""

    @abstractmethod
    def answer_all(self) -> None:
        """It closes: nobody may be left waiting."""

    def wanted(self) -> bool:
        """Whether one more process is to be started, if there is a place for it."""
        return True

    def _run(self) -> None:
        deafen()  # the process that asks answers Ctrl-C
        try:
            while not self._closing:
                now = monotonic()
                self.check(now)
                self._look_after(now)
                self.hand_out()
                self._listen()
        except Exception:
            _log.exception("%s: nobody looks after the processes any more", self._name)
        finally:
            self._dismiss()

    def _look_after(self, now: float) -> None:
        for worker in self._workers:
            if worker.limit > now:
                continue
            if worker.process is not None:
                worker.lost(gone=False)
            elif self.wanted():
                worker.begin()

    def _listen(self) -> None:
        """Waits until something is heard, asked or due."""
        wanted = self.wanted()
        times = [w.limit for w in self._workers if wanted or w.process is not None]
        until = min([*times, *self.deadlines()], default=inf)
        links = {worker.link: worker for worker in self._workers if worker.process is not None}
        timeout = None if until == inf else max(0.0, until - monotonic())
        for ready in connection.wait([self._bell, *links], timeout):
            if ready is self._bell:
                with self._lock:
                    self._bell.recv_bytes()
                    self._woken = False
                continue
            worker = links[ready]
            try:
                worker.heard(worker.link.recv())
            except (EOFError, OSError):
                worker.lost(gone=True)

    def _dismiss(self) -> None:
        with self._lock:
            self._closing = True
        self.answer_all()
        for worker in self._workers:
            worker.tell_to_end()
        until = monotonic() + PATIENCE
        for worker in self._workers:
            worker.end(max(0.0, until - monotonic()))
            worker.state = "none"
        with self._lock:
            self._bell.close()
            self._button.close()


# In the process that works


def _live(work: Callable[[Any], None], link: Any) -> None:
    """Until the other end of the link says so, or is gone. Ctrl-C is not for it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_its_starter, daemon=True).start()
    with suppress(EOFError, OSError):
        work(link)


def _end_with_its_starter() -> None:
    """Who is killed can't tell its processes to go, and they may be busy."""
    starter = parent_process()
    if starter is not None:
        starter.join()
        os._exit(0)
