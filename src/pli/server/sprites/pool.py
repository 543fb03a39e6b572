"""A process pool that renders sprite sheets off the event loop.

Requests wait in a fair queue and share one job a sheet (`jobs`). Every request is answered whatever
becomes of the processes: with the sheet, or with an error.
"""

import logging
import os
import pickle
from collections import deque
from collections.abc import Callable, Iterable
from itertools import islice
from math import inf
from time import monotonic

from pli.errors import PliError
from pli.kernel.compiler import cache_home
from pli.motifs import kept_in
from pli.processes import Supervisor, Worker
from pli.server.cache import Cache
from pli.server.jobs import Job, JobQueue, Requester
from pli.server.limits import Limits
from pli.server.sprites.preview import Preview
from pli.server.sprites.sheets import Sheets
from pli.server.sprites.worker import FAILED, PREPARING, READY, RENDERED, Task, work

PROCESSES = min(2, os.cpu_count() or 1)
"""A game needs thirty sheets before it can be played."""

PREPARATION = 300.0
"""Seconds in which a process must have rendered the motifs of which all sheets consist: once on a
machine."""

ATTEMPTS = 3
"""Processes that may be lost over one sheet before it is refused."""

_log = logging.getLogger(__name__)


class RenderJob(Job[bytes]):
    """A sheet that is queued or being rendered."""

    def __init__(self, name: str, task: Task, deadline: float) -> None:
        super().__init__(name)
        self.task = task
        self.deadline = deadline
        self.attempts = 0


Returned = Callable[[RenderJob, str | None, bytes], None]
"""The outcome of a job: RENDERED with the file, FAILED with a traceback, None: the process died."""


class _Renderer(Worker):
    """A worker process: starting, preparing, idle or rendering one sheet."""

    def __init__(self, seconds: float, returned: Returned) -> None:
        super().__init__("pli-renderer", work)
        self._seconds = seconds
        self._returned = returned
        self._job: RenderJob | None = None

    def give(self, job: RenderJob) -> None:
        job.attempts += 1
        self._job = job
        self.state, self.limit = "rendering", monotonic() + self._seconds
        self.deliver(pickle.dumps(job.task))

    def heard(self, said: tuple[str, bytes]) -> None:
        kind, file = said
        if kind == PREPARING:
            self.state, self.limit = "preparing", monotonic() + PREPARATION
            return
        self.state, self.limit = "idle", inf
        if kind != READY:
            self.prove()
            self._give_back(kind, file)

    def dropped(self) -> None:
        self._give_back(None)

    def _give_back(self, kind: str | None, file: bytes = b"") -> None:
        job, self._job = self._job, None
        if job is not None:
            self._returned(job, kind, file)


class RenderPool(Supervisor[_Renderer]):
    """The queue, the processes, and a cache of sheets. Processes are started on demand."""

    def __init__(self, limits: Limits, processes: int = PROCESSES) -> None:
        seconds = limits.drawing_seconds
        workers = [_Renderer(seconds, self._returned) for _ in range(processes)]
        super().__init__("pli-render-pool", workers)
        self._max_wait = limits.drawing_wait_seconds
        self._preparing = False
        # Guarded by the lock:
        self._cache = Cache(limits.drawing_bytes)
        self._jobs: JobQueue[RenderJob] = JobQueue(
            "drawing", limits.drawing_waiting, limits.drawing_each
        )
        self._retries: deque[RenderJob] = deque()
        """Sheets whose process was lost."""

    async def render(self, sheets: Sheets, name: str, requester: Requester) -> bytes:
        """A sheet as an image file. If the caller is cancelled before it is begun, and no other
        request asked for it, it is not rendered."""
        return await self._render(name, sheets.task(name), requester)

    async def preview(self, name: str, wanted: Preview, requester: Requester) -> bytes:
        """The picture of a link preview, under a name that no sheet and no other preview has."""
        return await self._render(name, wanted, requester)

    async def _render(self, name: str, task: Task, requester: Requester) -> bytes:
        with self._lock:
            cached = self._cache.get(name)
            if cached is not None:
                return cached
            if self._closing:
                raise PliError("server_fault")
            deadline = monotonic() + self._max_wait
            job = self._jobs.request(name, requester, lambda: RenderJob(name, task, deadline))
        self.start()
        self.wake()
        try:
            return await job.shared_result()
        finally:
            with self._lock:
                self._jobs.leave(job, requester)

    def prepare(self) -> None:
        """Renders the motifs of which all sheets consist, if this machine has not done so yet. It
        takes seconds, which the first players should not have to wait for."""
        if not kept_in(cache_home()).exists():
            self._preparing = True
            self.start()
            self.wake()

    @property
    def waiting(self) -> int:
        """How many sheets are queued, counted once for each place they wait at."""
        return self._jobs.waiting

    @property
    def unfinished(self) -> int:
        """How many sheets are queued or being rendered, counted once each."""
        return len(self._jobs)

    @property
    def cached_bytes(self) -> int:
        return self._cache.size

    # Called in the supervisor's thread.

    def wanted(self) -> bool:
        if self._preparing and not self.pids and not kept_in(cache_home()).exists():
            return True
        there = sum(each.state in ("starting", "preparing", "idle") for each in self._workers)
        return self.waiting + len(self._retries) > there

    def check(self, now: float) -> None:
        """Requests time out, even if no process can be started."""
        late = 0
        with self._lock:
            for oldest in [*self._jobs]:
                if oldest.deadline > now:
                    break
                self._finish(oldest, "too_busy")
                late += 1
        if late:
            _log.error("sprite sheets timed out before they were rendered: %d", late)

    def hand_out(self) -> None:
        for worker in self._workers:
            if worker.state == "idle":
                with self._lock:
                    job = self._retries.popleft() if self._retries else self._jobs.take()
                if job is None:
                    return
                worker.give(job)

    def deadlines(self) -> Iterable[float]:
        with self._lock:
            return [each.deadline for each in islice(self._jobs, 1)]

    def answer_all(self) -> None:
        with self._lock:
            for job in [*self._jobs]:
                self._finish(job, "server_fault")

    def _finish(self, job: RenderJob, answer: bytes | str) -> None:
        """With the file, or the code of an error."""
        self._jobs.remove(job)
        if job in self._retries:
            self._retries.remove(job)
        if isinstance(answer, bytes):
            job.set_result(answer)
        else:
            job.set_exception(PliError(answer))

    def _returned(self, job: RenderJob, kind: str | None, file: bytes) -> None:
        if kind == FAILED:
            _log.error("a sprite sheet can't be rendered: %s", file.decode())
        elif kind is None and job.attempts >= ATTEMPTS:
            _log.error("a sprite sheet can't be rendered: %d processes died of it", job.attempts)
        with self._lock:
            if kind == RENDERED:
                self._cache.put(str(job.key), file)
            if job.done():
                return  # it timed out
            if kind is None and job.attempts < ATTEMPTS:
                self._retries.append(job)
            else:
                self._finish(job, file if kind == RENDERED else "server_fault")
