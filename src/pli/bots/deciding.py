"""How bots make up their minds, apart from how long it takes them."""

import random
from collections.abc import Sequence
from typing import Any, Protocol

from pli.bots.bot import Moment
from pli.game import Event, Heuristic, Memory, Plausible


class Decider(Protocol):
    """Chooses for one seat, from what that seat may know."""

    def see(self, events: Sequence[Event], view: Any) -> None:
        """Is told all that the seat sees, in order."""
        ...

    def decide(self, view: Any, actions: Sequence[str]) -> str:
        """One of the actions."""
        ...


class Thumb:
    """Goes by rules of thumb, or by none at all; distracted in a share of its decisions."""

    def __init__(
        self,
        heuristic: Heuristic[Any] | None,
        seed: object,
        distracted: float = 0.0,
        plausible: Plausible[Any] | None = None,
        memory: Memory[Any] | None = None,
    ) -> None:
        self._heuristic = heuristic
        self._plausible = plausible
        self._distracted = distracted if heuristic is not None else 1.0
        self._memory = memory
        self._random = random.Random(str(seed))

    def see(self, events: Sequence[Event], view: Any) -> None:
        if self._memory is not None:
            self._memory.see(events, view)

    def decide(self, view: Any, actions: Sequence[str]) -> str:
        if self._heuristic is None or self._random.random() < self._distracted:
            if self._plausible is not None:
                actions = self._plausible(view, actions) or actions
            return self._random.choice(actions)
        if self._memory is not None:
            view = self._memory.recall(view)
        return self._heuristic(view, actions)


class Steady:
    """A bot that acts as soon as it is its turn."""

    watches = False

    def __init__(self, decider: Decider) -> None:
        self.decider = decider

    def choose(self, moment: Moment) -> str | None:
        self.decider.see(moment.events, moment.view)
        open_to_it = [each for each in moment.actions if each not in moment.refused]
        if len(open_to_it) < 2:
            return open_to_it[0] if open_to_it else None
        return self.decider.decide(moment.view, open_to_it)
