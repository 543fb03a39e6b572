"""Bots that don't look ahead: uniformly random ones, and a game's heuristic as a policy."""

import random
from collections.abc import Sequence
from typing import Any

from pli.bots.api import Moment
from pli.game import Event, Heuristic, Memory, Plausible


class RandomBot:
    """A uniformly random legal action."""

    watches = False

    def __init__(self, seed: object = None) -> None:
        self._random = random.Random(str(seed) if seed is not None else None)

    def choose(self, moment: Moment[Any]) -> str | None:
        actions = [each for each in moment.actions if each not in moment.refused]
        return self._random.choice(actions) if actions else None


class HeuristicPolicy:
    """Epsilon-greedy over a game's heuristic: with probability `epsilon` a random plausible action
    instead. Without a heuristic it is always random."""

    def __init__(
        self,
        heuristic: Heuristic[Any] | None,
        seed: object,
        epsilon: float = 0.0,
        plausible: Plausible[Any] | None = None,
        memory: Memory[Any] | None = None,
    ) -> None:
        self._heuristic = heuristic
        self._plausible = plausible
        self._epsilon = epsilon if heuristic is not None else 1.0
        self._memory = memory
        self._random = random.Random(str(seed))

    def see(self, events: Sequence[Event], view: Any) -> None:
        if self._memory is not None:
            self._memory.see(events, view)

    def decide(self, view: Any, actions: Sequence[str]) -> str:
        if self._heuristic is None or self._random.random() < self._epsilon:
            if self._plausible is not None:
                actions = self._plausible(view, actions) or actions
            return self._random.choice(actions)
        if self._memory is not None:
            view = self._memory.recall(view)
        return self._heuristic(view, actions)
