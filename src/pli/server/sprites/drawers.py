"""Draws sheets of pictures, in a few processes, while the tables go on.

Sheets wait in a queue in which addresses take turns, and then their tables: whoever asks for many
keeps nobody else waiting. A sheet is drawn once, however many ask for it. Whatever becomes of the
processes, who asks is answered: with the sheet, or with why there is none.
"""

import asyncio
import logging
import os
import pickle
from collections import Counter, deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from itertools import islice
from math import inf
from time import monotonic
from typing import NamedTuple

from pli.errors import PliError
from pli.fair import FairQueue
from pli.kernel.compiler import cache_home
from pli.motifs import kept_in
from pli.processes import Supervisor, Worker
from pli.server.cache import Cache
from pli.server.limits import Limits
from pli.server.sprites.drawing import DRAWN, FAILED, PREPARING, READY, Task, work
from pli.server.sprites.sheets import Sheets

DRAWERS = min(2, os.cpu_count() or 1)
"""Processes that draw: who wants to play waits for thirty sheets."""

PREPARATION = 300.0
"""Seconds in which a process must have drawn what all sheets are made from: once on a machine."""

TRIES = 2
"""Processes that may be lost over one sheet."""

TURNS = 4
"""Of so many sheets one is for a replay, if any waits; the others are for games."""

_log = logging.getLogger(__name__)


class Asker(NamedTuple):
    """Who waits for a sheet."""

    address: str
    table: str
    replay: bool = False
    """For a finished game, which can wait for those that people want to play."""


class Drawing(Future[bytes]):
    """A sheet that waits or is being drawn. It is running from when it is first handed out."""

    def __init__(self, name: str, task: Task, ends: float) -> None:
        super().__init__()
        self.name = name
        self.task = task
        self.ends = ends
        self.tries = 0
        self.askers: Counter[Asker] = Counter()


Returned = Callable[[Drawing, str | None, bytes], None]
"""What became of a drawing: DRAWN, FAILED or None, if the process was lost."""


class _Drawer(Worker):
    """One sheet at a time: starting, preparing, idle or drawing."""

    def __init__(self, seconds: float, returned: Returned) -> None:
        super().__init__("pli-drawer", work)
        self._seconds = seconds
        self._returned = returned
        self._drawing: Drawing | None = None

    def give(self, drawing: Drawing) -> None:
        drawing.tries += 1
        self._drawing = drawing
        self.state, self.limit = "drawing", monotonic() + self._seconds
        self.deliver(pickle.dumps(drawing.task))

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
        drawing, self._drawing = self._drawing, None
        if drawing is not None:
            self._returned(drawing, kind, file)


class DrawerPool(Supervisor[_Drawer]):
    """The queue, the processes, and the last sheets. Processes are started when they are needed."""

    def __init__(self, limits: Limits, processes: int = DRAWERS) -> None:
        seconds = limits.drawing_seconds
        drawers = [_Drawer(seconds, self._returned) for _ in range(processes)]
        super().__init__("pli-drawers", drawers)
        self._limits = limits
        self._preparing = False
        # What follows is touched with the lock.
        self._cache = Cache(limits.drawing_bytes)
        self._asked: dict[str, Drawing] = {}
        """All that is waited for, by name: what was asked for first comes first."""
        self._games: FairQueue[Drawing] = FairQueue()
        self._replays: FairQueue[Drawing] = FairQueue()
        self._again: deque[Drawing] = deque()
        """Sheets whose process was lost."""
        self._turn = 0

    async def draw(self, sheets: Sheets, name: str, asker: Asker) -> bytes:
        """A sheet as a file. Who is cancelled waits no more, and what nobody waits for is not
        drawn."""
        task = sheets.drawing(name)
        with self._lock:
            kept = self._cache.get(name)
            if kept is not None:
                return kept
            drawing = self._queued(name, task, asker)
        self.start()
        self.wake()
        try:
            return await asyncio.shield(asyncio.wrap_future(drawing))
        finally:
            self._leave(drawing, asker)

    def prepare(self) -> None:
        """What all sheets are made from takes seconds to draw, once on a machine: not when somebody
        waits for it."""
        if not kept_in(cache_home()).exists():
            self._preparing = True
            self.start()
            self.wake()

    @property
    def waiting(self) -> int:
        """How many sheets wait, each for every address that asked for it."""
        return len(self._games) + len(self._replays)

    @property
    def unfinished(self) -> int:
        """How many sheets wait or are being drawn, each once."""
        return len(self._asked)

    @property
    def cached_bytes(self) -> int:
        return self._cache.size

    def _queued(self, name: str, task: Task, asker: Asker) -> Drawing:
        if self._closing:
            raise PliError("server_fault")
        drawing = self._asked.get(name)
        begun = drawing is not None and drawing.running()
        if not begun and (drawing is None or asker not in drawing.askers):
            of_address = self._games.of(asker.address) + self._replays.of(asker.address)
            if self.waiting >= self._limits.drawing_waiting:
                raise PliError("too_busy", limit="drawing_waiting")
            if of_address >= self._limits.drawing_each:
                raise PliError("too_busy", limit="drawing_each")
            if drawing is None:
                ends = monotonic() + self._limits.drawing_wait_seconds
                drawing = self._asked[name] = Drawing(name, task, ends)
            self._line(asker).put(asker.address, asker.table, drawing)
        assert drawing is not None
        drawing.askers[asker] += 1
        return drawing

    def _leave(self, drawing: Drawing, asker: Asker) -> None:
        with self._lock:
            drawing.askers[asker] -= 1
            if drawing.askers[asker]:
                return
            del drawing.askers[asker]
            self._line(asker).remove(asker.address, asker.table, drawing)
            if not drawing.askers and drawing.cancel():
                del self._asked[drawing.name]

    def _line(self, asker: Asker) -> FairQueue[Drawing]:
        return self._replays if asker.replay else self._games

    # What follows is done in the supervisor's thread.

    def wanted(self) -> bool:
        if self._preparing and not self.pids and not kept_in(cache_home()).exists():
            return True
        there = sum(each.state in ("starting", "preparing", "idle") for each in self._workers)
        return self.waiting + len(self._again) > there

    def check(self, now: float) -> None:
        """Nobody waits for ever: not even if no process can be started."""
        late = 0
        with self._lock:
            while self._asked and (oldest := next(iter(self._asked.values()))).ends <= now:
                self._settle(oldest, "too_busy")
                late += 1
        if late:
            _log.error("sheets waited too long to be drawn: %d", late)

    def hand_out(self) -> None:
        for worker in self._workers:
            if worker.state == "idle":
                with self._lock:
                    drawing = self._next()
                if drawing is None:
                    return
                worker.give(drawing)

    def deadlines(self) -> Iterable[float]:
        with self._lock:
            return [each.ends for each in islice(self._asked.values(), 1)]

    def answer_all(self) -> None:
        with self._lock:
            for drawing in [*self._asked.values()]:
                self._settle(drawing, "server_fault")

    def _next(self) -> Drawing | None:
        if self._again:
            return self._again.popleft()
        self._turn += 1
        lines = [self._games, self._replays]
        if self._turn % TURNS == 0:
            lines.reverse()
        for line in lines:
            if line:
                drawing = line.take()
                self._unqueue(drawing)  # for whom else it waited
                drawing.set_running_or_notify_cancel()
                return drawing
        return None

    def _unqueue(self, drawing: Drawing) -> None:
        for asker in drawing.askers:
            self._line(asker).remove(asker.address, asker.table, drawing)

    def _settle(self, drawing: Drawing, answer: bytes | str) -> None:
        """The sheet, or the code that tells why there is none."""
        del self._asked[drawing.name]
        self._unqueue(drawing)
        if drawing in self._again:
            self._again.remove(drawing)
        if isinstance(answer, bytes):
            drawing.set_result(answer)
        else:
            drawing.set_exception(PliError(answer))

    def _returned(self, drawing: Drawing, kind: str | None, file: bytes) -> None:
        if kind == FAILED:
            _log.error("a sheet can't be drawn: %s", file.decode())
        elif kind is None and drawing.tries >= TRIES:
            _log.error("a sheet can't be drawn: %d processes were lost over it", drawing.tries)
        with self._lock:
            if kind == DRAWN:
                self._cache.put(drawing.name, file)
            if drawing.done():
                return  # it waited too long
            if kind is None and drawing.tries < TRIES:
                self._again.append(drawing)
            else:
                self._settle(drawing, file if kind == DRAWN else "server_fault")
