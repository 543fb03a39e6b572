"""Processes that think for bots, so that whoever asks goes on meanwhile, and never compiles.

A question holds all that its seat may know and nothing else, so any worker can answer it, and the
same question gets the same answer after any accident. Questions are answered in the order asked.
Whatever happens there is an answer by the deadline: at worst a simple one.
"""

import asyncio
import atexit
import logging
import os
import pickle
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf
from multiprocessing import connection, get_context
from time import monotonic
from types import TracebackType
from typing import Any, Literal

from pli.bots.thinking import FAILED, READY, THINKING, WARMING, Job, Question, Ranking, work
from pli.bots.thought import Thought
from pli.kernel.signals import deafen

STARTING = 60.0
"""Seconds that a process has until it says that it is there."""

COMPILING = 300.0
"""Seconds that a worker is left alone with a compiler, whoever has stopped waiting."""

PATIENCE = 1.0
"""Seconds in which a worker must stop when told to, or else it is replaced."""

PAUSES = (0.0, 0.5, 2.0, 10.0)
"""Seconds before a process that did not even start is started again, each time longer."""

_log = logging.getLogger(__name__)
_spawning = get_context("spawn")


class _Worker:
    """A place at which a process works, and another one if that is lost. Only the thread that
    looks after all of them touches it."""

    def __init__(self, games: Sequence[str]) -> None:
        self.process: Any = None
        self.pid = 0
        self.thought: Thought | None = None
        self.limit = -inf
        """When it is to be started, if there is no process; or given up, if nothing is heard."""
        self.state: Literal["none", "starting", "idle", "warming", "thinking"] = "none"
        self.link: Any = None
        self._games = games
        self.cold: list[str] = []
        """Games that are still to be made ready, when there is nothing else to do."""
        self._failures = 0
        self._job = 0

    def begin(self) -> None:
        self.cold = [*self._games]
        self.link, its_end = _spawning.Pipe()
        self.process = _spawning.Process(
            target=work, args=(its_end,), name="pli-thinker", daemon=True
        )
        try:
            self.process.start()
        except OSError:
            _log.exception("a worker can't be started")
            self.process = None
            self.link.close()
            self._again()
        else:
            self.state, self.limit = "starting", monotonic() + STARTING
            self.pid = self.process.pid
        finally:
            its_end.close()

    def give(self, task: Question | str, thought: Thought | None = None) -> None:
        """Something to do for a worker that is idle."""
        self._job += 1
        seconds = thought.ends - monotonic() if thought is not None else inf
        try:
            data = pickle.dumps(Job(self._job, task, seconds))
        except Exception:
            _log.exception("a question can't be sent")
            if thought is not None:
                thought.settle("failed")
            return
        self.thought, self.state = thought, "warming" if thought is None else "thinking"
        self._await()
        # A process that hangs does not read, and a long question fills what lies between.
        hanging = threading.Timer(PATIENCE, self.process.kill)
        hanging.start()
        self._send(data)
        hanging.cancel()

    def abandon(self) -> None:
        """Nobody waits for it any more."""
        self.thought = None
        self._send(pickle.dumps(self._job))
        self._await()

    def heard(self, kind: str, said: str | Ranking) -> None:
        if kind == WARMING:
            self.state = "warming"
        elif kind == READY:
            self._failures = 0
            self.state = "idle"
        elif kind == THINKING:
            self.state = "thinking"
        else:
            self._answered(kind, said)
        self._await()

    def _answered(self, kind: str, said: str | Ranking) -> None:
        thought, self.thought, self.state = self.thought, None, "idle"
        if kind == FAILED:
            _log.error("a worker failed at a question: %s", said)
        if thought is None:
            return
        named = [said] if isinstance(said, str) else [action for action, _ in said]
        if kind == FAILED or not set(named) <= set(thought.question.actions):
            thought.settle("failed")
        else:
            thought.settle("thought", said)

    def _await(self) -> None:
        """Until when something must be heard. A deadline is the thought's own."""
        if self.state == "warming":
            self.limit = monotonic() + COMPILING
        elif self.state == "thinking" and self.thought is None:
            self.limit = monotonic() + PATIENCE
        else:
            self.limit = inf

    def lost(self) -> None:
        """The process is gone, or has to go."""
        _log.warning("a worker was lost while %s", self.state)
        self.process.kill()
        self.end(PATIENCE)
        self._again()
        thought, self.thought = self.thought, None
        if thought is not None:
            thought.settle("died")

    def _again(self) -> None:
        self._failures += self.state in ("starting", "none")
        pause = PAUSES[min(self._failures, len(PAUSES) - 1)]
        self.state, self.limit = "none", monotonic() + pause

    def tell_to_end(self) -> None:
        if self.process is not None:
            self._send(pickle.dumps(None))

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

    def _send(self, data: bytes) -> None:
        # If it is gone, its end of the link is closed, which is seen when that is read.
        with suppress(OSError):
            self.link.send_bytes(data)


class Thinkers:
    """A pool of workers. `games` are made ready in the background as soon as it starts."""

    def __init__(self, processes: int | None = None, games: Sequence[str] = ()) -> None:
        # A core is left to who asks.
        count = processes or max(1, (os.cpu_count() or 1) - 1)
        # Each begins with another game, so that they compile side by side.
        turns = [n % max(1, len(games)) for n in range(count)]
        self._workers = [_Worker([*games[turn:], *games[:turn]]) for turn in turns]
        self._waiting: deque[Thought] = deque()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closing = False
        self._woken = False
        self._bell, self._button = _spawning.Pipe(duplex=False)

    def start(self) -> None:
        """Starts the processes, if they are not; a first question does so as well."""
        with self._lock:
            if self._thread is not None or self._closing:
                return
            self._thread = threading.Thread(target=self._run, name="pli-thinkers", daemon=True)
            self._thread.start()
        atexit.register(self.close)

    def close(self) -> None:
        """Ends all processes; who still waits gets a simple answer."""
        with self._lock:
            self._closing = True
            thread = self._thread
        self._wake()
        if thread is None:
            self._bell.close()
            self._button.close()
        elif thread is not threading.current_thread():
            thread.join()
        atexit.unregister(self.close)

    def __enter__(self) -> "Thinkers":
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def ask(self, question: Question, deadline: float) -> Thought:
        """An action text in so many seconds at most. Bots that think for a time need some more."""
        if not question.actions:
            raise ValueError("there is nothing to choose from")
        thought = Thought(question, monotonic() + deadline)
        if len(question.actions) == 1 and not question.ranking:
            thought.settle("only", question.actions[0])
            return thought
        self.start()
        with self._lock:
            if not self._closing:
                self._waiting.append(thought)
        if self._closing:
            thought.settle("closed")
        thought.add_done_callback(lambda _: self._wake())
        self._wake()
        return thought

    async def answer(self, question: Question, deadline: float) -> str:
        """The same for a task; cancelling that frees the worker."""
        return str(await asyncio.wrap_future(self.ask(question, deadline)))

    async def rank(self, question: Question, deadline: float) -> Ranking:
        """The seat's actions, best first, in so many seconds at most. None of them if that was not
        enough, or if anything went wrong."""
        ranking = self.ask(replace(question, ranking=True), deadline)
        return list(await asyncio.wrap_future(ranking))

    @property
    def pids(self) -> dict[int, str]:
        """The processes that there are, and what they do: starting, idle, warming or thinking."""
        return {worker.pid: worker.state for worker in self._workers if worker.pid}

    # What follows is done in a thread of its own, which alone touches the workers.

    def _run(self) -> None:
        deafen()  # the process that asks answers Ctrl-C
        try:
            while not self._closing:
                self._look_after()
                self._hand_out()
                self._listen()
        except Exception:
            _log.exception("bots go on without thinking")
        finally:
            self._dismiss()

    def _look_after(self) -> None:
        """Deadlines, questions that are settled otherwise, workers that hang."""
        now = monotonic()
        with self._lock:
            waiting = [*self._waiting]
        for thought in [*waiting, *(w.thought for w in self._workers if w.thought is not None)]:
            if thought.ends <= now:
                thought.settle("late")
        with self._lock:
            self._waiting = deque(each for each in self._waiting if not each.done())
        for worker in self._workers:
            if worker.thought is not None and worker.thought.done():
                worker.abandon()
            if worker.limit <= now:
                if worker.process is None:
                    worker.begin()
                else:
                    worker.lost()

    def _hand_out(self) -> None:
        for worker in self._workers:
            if worker.state != "idle":
                continue
            with self._lock:
                thought = self._waiting.popleft() if self._waiting else None
            if thought is not None:
                worker.give(thought.question, thought)
            elif worker.cold:
                worker.give(worker.cold.pop(0))

    def _listen(self) -> None:
        """Waits until something is heard, asked or due."""
        with self._lock:
            times = [thought.ends for thought in self._waiting]
        for worker in self._workers:
            times.append(worker.limit)
            if worker.thought is not None:
                times.append(worker.thought.ends)
        until = min(times)
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
                worker.heard(*worker.link.recv())
            except (EOFError, OSError):
                worker.lost()

    def _wake(self) -> None:
        """From any thread: there is news."""
        with self._lock:
            if not self._woken and not self._button.closed:
                self._woken = True
                self._button.send_bytes(b".")

    def _dismiss(self) -> None:
        with self._lock:
            self._closing = True
            thoughts = [*self._waiting]
            self._waiting.clear()
        for thought in [*thoughts, *(w.thought for w in self._workers if w.thought is not None)]:
            thought.settle("closed")
        for worker in self._workers:
            worker.tell_to_end()
        until = monotonic() + PATIENCE
        for worker in self._workers:
            worker.end(max(0.0, until - monotonic()))
            worker.state = "none"
        with self._lock:
            self._bell.close()
            self._button.close()
