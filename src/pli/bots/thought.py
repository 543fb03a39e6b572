"""An answer to come, which there is by its deadline whatever happens: at worst a simple one."""

import logging
import threading
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Literal

from pli import games
from pli.bots.thinking import Question

How = Literal["thought", "only", "late", "hurried", "died", "failed", "closed"]

_log = logging.getLogger(__name__)


def simple(question: Question) -> str:
    """A sound answer at once: by the game's rules of thumb if it has any."""
    heuristic = games.load(question.game).heuristic
    if heuristic is not None:
        try:
            chosen = heuristic(question.view, question.actions)
        except Exception:
            _log.exception("a rule of thumb of %s failed", question.game)
        else:
            if chosen in question.actions:
                return chosen
    return question.actions[0]


class Thought(Future[str]):
    """What a worker will say to a question. Cancelling it frees the worker."""

    def __init__(self, question: Question, ends: float) -> None:
        super().__init__()
        self.question = question
        self.ends = ends
        self.how: How | None = None
        """Where the answer came from; all but "thought" and "only" are simple ones."""
        self._lock = threading.Lock()

    def hurry(self) -> None:
        """Ends the thinking: the answer is a simple one, now."""
        self.settle("hurried")

    def settle(self, how: How, text: str | None = None) -> None:
        """Gives the answer, unless somebody was faster."""
        with self._lock:
            if self.done() or self.how is not None:
                return
            self.how = how
        answer = simple(self.question) if text is None else text
        with suppress(InvalidStateError):  # cancelled at this moment
            self.set_result(answer)
