"""Who plays when nobody does. A bot gets its seat's view and its actions, never the state."""

import random
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from pli.errors import PliError


class Bot(Protocol):
    """Answers with one of the actions."""

    def choose(self, view: Any, actions: Sequence[str]) -> str: ...


class RandomBot:
    """Any legal action, each as likely as the next."""

    def __init__(self, seed: object = None) -> None:
        self._random = random.Random(str(seed) if seed is not None else None)

    def choose(self, view: Any, actions: Sequence[str]) -> str:
        return self._random.choice(actions)


BOTS: dict[str, Callable[[object], Bot]] = {"random": RandomBot}


def known_bot(name: str) -> str:
    if name not in BOTS:
        raise PliError("unknown_bot", name=name, known=", ".join(BOTS))
    return name
