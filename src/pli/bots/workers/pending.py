"""A worker's answer to come. It is there by its deadline whatever happens: at worst a fallback."""

import logging
import threading
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Any, Literal

from pli import games
from pli.bots.workers.worker import DecisionRequest, Ranking

Source = Literal["worker", "forced", "late", "crashed", "failed", "closed"]
"""Where an answer came from: a worker, or the only legal action; all others are fallbacks, because
the deadline passed, the worker crashed, the bot raised an error, or the pool was closed."""

QueueKey = tuple[str, str]
"""The client address for which a request is made, and its table: they take turns."""

_log = logging.getLogger(__name__)


def fallback(request: DecisionRequest) -> str:
    """A sound action at once: by the game's heuristic if it has one."""
    heuristic = games.load(request.game).heuristic
    if heuristic is not None:
        try:
            chosen = heuristic(request.view, request.actions)
        except Exception:
            _log.exception("the heuristic of %s failed", request.game)
        else:
            if chosen in request.actions:
                return chosen
    return request.actions[0]


class PendingDecision(Future[Any]):
    """The future of a request: an action, or a ranking if that was requested. Cancelling it frees
    the worker."""

    def __init__(self, request: DecisionRequest, deadline: float, key: QueueKey) -> None:
        super().__init__()
        self.request = request
        self.deadline = deadline
        self.key = key
        self.source: Source | None = None
        self._lock = threading.Lock()

    def settle(self, source: Source, given: str | Ranking | None = None) -> None:
        """Sets the answer, from any thread; the first call counts. The default is the fallback,
        which for a ranking is an empty one."""
        with self._lock:
            if self.done() or self.source is not None:
                return
            self.source = source
        if given is None:
            given = [] if self.request.ranking else fallback(self.request)
        with suppress(InvalidStateError):  # cancelled meanwhile
            self.set_result(given)
