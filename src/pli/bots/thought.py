"""An answer to come, which there is by its deadline whatever happens: at worst a simple one."""

import logging
import threading
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Any, Literal

from pli import games
from pli.bots.thinking import Question, Ranking

How = Literal["thought", "only", "late", "hurried", "died", "failed", "closed"]

Whose = tuple[str, str]
"""The address for which a question is asked, and its table: they take turns."""

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


class Thought(Future[Any]):
    """What a worker will say to a question: an action, or a ranking if that is asked for.
    Cancelling it frees the worker."""

    def __init__(self, question: Question, ends: float, whose: Whose) -> None:
        super().__init__()
        self.question = question
        self.ends = ends
        self.whose = whose
        self.how: How | None = None
        """Where the answer came from; all but "thought" and "only" are simple ones."""
        self._lock = threading.Lock()

    def hurry(self) -> None:
        """Ends the thinking: the answer is a simple one, now."""
        self.settle("hurried")

    def settle(self, how: How, given: str | Ranking | None = None) -> None:
        """Gives the answer, unless somebody was faster. Of all actions there is no simple ranking,
        so that such a question is answered by an empty one."""
        with self._lock:
            if self.done() or self.how is not None:
                return
            self.how = how
        if given is None:
            given = [] if self.question.ranking else simple(self.question)
        with suppress(InvalidStateError):  # cancelled at this moment
            self.set_result(given)
