"""A supervised pool of long-lived worker processes: a worker that crashes or hangs is replaced,
with backoff, and none outlives this process.

`Worker` is one slot of the pool, with the process that runs in it; `Supervisor` is the pool, whose
thread alone uses the slots. Subclasses say what the workers do.
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

from pli.kernel.interrupts import block_interrupts

STARTING = 60.0
"""Seconds in which a new process must send its first message."""

PATIENCE = 1.0
"""Seconds in which a process must react to a message, or else it is killed."""

PAUSES = (0.0, 0.5, 2.0, 10.0)
"""Backoff: seconds before a lost process is replaced, longer each time that one was of no use."""

_log = logging.getLogger(__name__)
_spawning = get_context("spawn")


class Worker(ABC):
    """A slot of the pool: a process, and after its loss another one. Used only by the supervisor's
    thread."""

    def __init__(self, name: str, work: Callable[[Any], None]) -> None:
        self.pid = 0
        self.state = "none"
        self.limit = -inf
        """When the process is to be started, if there is none; else when it is given up, unless a
        message comes before."""
        self.process: Any = None
        self.link: Any = None
        self._name = name
        self._work = work
        self._proved = False
        """Whether the process was of any use, which resets the backoff."""
        self._failures = 0

    @abstractmethod
    def heard(self, said: Any) -> None:
        """Handles a message from the process."""

    @abstractmethod
    def dropped(self) -> None:
        """The process was lost, and with it its job."""

    def begin(self) -> None:
        self._proved = False
        self.link, its_end = _spawning.Pipe()
        self.process = _spawning.Process(
            target=_main, args=(self._work, its_end), name=self._name, daemon=True
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
        """The process is of use: if it is lost, another one is started at once."""
        self._proved = True
        self._failures = 0

    def deliver(self, data: bytes) -> None:
        """Sends a job. A process that hangs does not read, so a long message would block in a full
        pipe: then the process is killed."""
        hanging = threading.Timer(PATIENCE, self.process.kill)
        hanging.start()
        self.send(data)
        hanging.cancel()

    def send(self, data: bytes) -> None:
        # If the process is gone, the pipe is closed, which is noticed when it is read.
        with suppress(OSError):
            self.link.send_bytes(data)

    def lost(self, gone: bool) -> None:
        """The process has ended by itself (`gone`), or is killed."""
        if gone:
            self.process.join(PATIENCE)
        code = self.process.exitcode
        why = "no message in time" if code is None else f"exit code {code}"
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
        """Joins the process, or kills it, so that not even a zombie is left."""
        if self.process is None:
            return
        self.process.join(patience)
        if self.process.is_alive():
            self.process.kill()
            self.process.join(PATIENCE)
        self.link.close()
        with suppress(ValueError):  # not even SIGKILL ends it: it hangs in a system call
            self.process.close()
        self.process = None
        self.pid = 0


W = TypeVar("W", bound=Worker)


class Supervisor(ABC, Generic[W]):
    """The pool, with a thread that is started by the first job."""

    def __init__(self, name: str, workers: Sequence[W]) -> None:
        self._name = name
        self._workers = workers
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closing = False
        self._woken = False
        self._wake_reader, self._wake_writer = _spawning.Pipe(duplex=False)

    def start(self) -> None:
        """Starts the thread, and with it the processes, if they are not running."""
        with self._lock:
            if self._thread is not None or self._closing:
                return
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()
        atexit.register(self.close)

    def close(self) -> None:
        """Answers all that is pending, and ends all processes."""
        with self._lock:
            self._closing = True
            thread = self._thread
        self.wake()
        if thread is None:
            self._wake_reader.close()
            self._wake_writer.close()
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
        """The running processes and their states."""
        return {worker.pid: worker.state for worker in self._workers if worker.pid}

    def wake(self) -> None:
        """Makes the thread look at the queue; from any thread."""
        with self._lock:
            if not self._woken and not self._wake_writer.closed:
                self._woken = True
                self._wake_writer.send_bytes(b".")

    # What follows runs in the thread, which alone uses the workers.

    @abstractmethod
    def check(self, now: float) -> None:
        """Handles deadlines and cancellations."""

    @abstractmethod
    def hand_out(self) -> None:
        """Gives jobs to idle workers."""

    @abstractmethod
    def deadlines(self) -> Iterable[float]:
        """The times at which `check` has something to do."""

    @abstractmethod
    def answer_all(self) -> None:
        """The pool closes: settles everything that is pending."""

    def wanted(self) -> bool:
        """Whether to start one more process, if a slot is free."""
        return True

    def _run(self) -> None:
        block_interrupts()  # Ctrl-C is for the process of the pool, not for its workers
        try:
            while not self._closing:
                now = monotonic()
                self.check(now)
                self._restart(now)
                self.hand_out()
                self._listen()
        except Exception:
            _log.exception("%s: the supervising thread failed", self._name)
        finally:
            self._end_all()

    def _restart(self, now: float) -> None:
        """Kills workers that hang, and starts processes in free slots."""
        for worker in self._workers:
            if worker.limit > now:
                continue
            if worker.process is not None:
                worker.lost(gone=False)
            elif self.wanted():
                worker.begin()

    def _listen(self) -> None:
        """Waits for a message, a call of `wake` or a deadline."""
        wanted = self.wanted()
        times = [w.limit for w in self._workers if wanted or w.process is not None]
        until = min([*times, *self.deadlines()], default=inf)
        links = {worker.link: worker for worker in self._workers if worker.process is not None}
        timeout = None if until == inf else max(0.0, until - monotonic())
        for ready in connection.wait([self._wake_reader, *links], timeout):
            if ready is self._wake_reader:
                with self._lock:
                    self._wake_reader.recv_bytes()
                    self._woken = False
                continue
            worker = links[ready]
            try:
                worker.heard(worker.link.recv())
            except (EOFError, OSError):
                worker.lost(gone=True)

    def _end_all(self) -> None:
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
            self._wake_reader.close()
            self._wake_writer.close()


# In the worker process


def _main(work: Callable[[Any], None], link: Any) -> None:
    """Ends when the pipe is closed at the latest. Ctrl-C is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        work(link)


def _end_with_parent() -> None:
    """A parent that was killed can't end its workers, which may be busy."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
