"""Search policies: information-set Monte-Carlo tree search (ISMCTS) over determinizations, and flat
Monte-Carlo as its baseline.

They get what their seat may know and deal the unseen cards themselves. The same seed and the same
number of iterations give the same answer on every machine.
"""

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from pli.game import AnyGame, Event
from pli.kernel.compiler import CompiledFunction
from pli.kernel.dealing import DealArrays, Unseen, count_ways
from pli.kernel.search import (
    ACTION,
    CHILD,
    FRAMES,
    NONE,
    OWN_STATES,
    SIBLING,
    VISITS,
    FlatMemory,
    SearchMemory,
    SearchRun,
    make_flat,
    make_search,
)

ROOT_EXPLORATION = 2.0
"""The UCB constant at the root, where every action has to be judged well: regret does not
matter."""

EXPLORATION = 0.1
"""The UCB constant below the root, where every seat should play the best action known."""

CHUNK = 1000
"""Iterations between two looks at the clock."""

MOST_NODES = 500_000


@dataclass(frozen=True)
class RankedAction:
    """An action, its visits, and the chance to win that search found."""

    action: str
    visits: int
    chance: float


class CompiledSearch:
    """The compiled search functions of a game."""

    def __init__(self, game: AnyGame) -> None:
        assert game.rollout is not None
        rules, states = game.rules, "record[::1]"
        search, flat = make_search(rules, game.rollout), make_flat(rules, game.rollout)
        self.search = CompiledFunction(rules, search, states, DealArrays, SearchMemory, SearchRun)
        self.flat = CompiledFunction(rules, flat, states, DealArrays, FlatMemory, "int64", "int64")
        self.count_ways = CompiledFunction(rules, count_ways, DealArrays)


@cache
def compiled_search(game: AnyGame) -> CompiledSearch:
    return CompiledSearch(game)


def seed_number(*parts: object) -> int:
    """A seed for compiled code, the same on every machine."""
    text = " ".join(map(str, parts)).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=7).digest(), "big")


class _Search:
    """A seat's belief, and a new seed for every decision."""

    def __init__(self, game: AnyGame, seed: object) -> None:
        assert game.belief is not None
        self._game = game
        self._compiled = compiled_search(game)
        self._belief = game.belief()
        self._seed = seed
        self._decisions = 0

    def see(self, events: Sequence[Event], view: Any) -> None:
        self._belief.see(events, view)

    def _known(self, view: Any) -> tuple[Any, Unseen]:
        """The state as far as the seat knows it, and its belief about the rest."""
        return self._belief.infer(view)

    def _root(self, view: Any) -> tuple[Any, DealArrays, int]:
        """What a search starts from: the known state, the belief to deal from, and a seed."""
        state, unseen = self._known(view)
        self._decisions += 1
        arrays = unseen.arrays()
        self._compiled.count_ways(arrays)
        return state, arrays, seed_number(self._seed, self._decisions)


class IsMcts(_Search):
    """ISMCTS with a budget of iterations or of seconds."""

    def __init__(
        self,
        game: AnyGame,
        seed: object,
        iterations: int | None = None,
        seconds: float | None = None,
        root_exploration: float = ROOT_EXPLORATION,
        exploration: float = EXPLORATION,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        super().__init__(game, seed)
        self._iterations = iterations
        self._seconds = seconds
        self._exploration = (root_exploration, exploration)
        self.stop = stop
        """Asked between chunks of iterations: whether to end the search before its budget."""

    def decide(self, view: Any, actions: Sequence[str]) -> str:
        """The most visited of the actions."""
        for ranked in self.rank(view):
            if ranked.action in actions:
                return ranked.action
        return actions[0]

    def rank(self, view: Any) -> list[RankedAction]:
        """The root's children, most visited first."""
        state, unseen, seed = self._root(view)
        rules = self._game.rules
        states = rules.layout.array(state, OWN_STATES + FRAMES)
        size = min(MOST_NODES, (self._iterations or MOST_NODES) + 1)
        memory = SearchMemory.make(size, rules.room)
        done = 0
        ends = time.perf_counter() + (self._seconds or 0.0)
        while done < self._iterations if self._iterations else time.perf_counter() < ends:
            chunk = min(CHUNK, self._iterations - done) if self._iterations else CHUNK
            run = SearchRun(seed, done, chunk, *self._exploration)
            self._compiled.search(states, unseen, memory, run)
            done += chunk
            if self.stop is not None and self.stop():
                break
        return self._children(memory)

    def _children(self, memory: SearchMemory) -> list[RankedAction]:
        found = []
        child = memory.nodes[0, CHILD]
        while child != NONE:
            visits = int(memory.nodes[child, VISITS])
            text = self._game.notation.show(int(memory.nodes[child, ACTION]))
            found.append(RankedAction(text, visits, float(memory.values[child]) / max(1, visits)))
            child = memory.nodes[child, SIBLING]
        return sorted(found, key=lambda each: (-each.visits, -each.chance, each.action))


class FlatMonteCarlo(_Search):
    """The baseline: a number of determinizations, in each every action once with a random playout
    to the end of the game; the action with the most wins."""

    cheats = False

    def __init__(self, game: AnyGame, seed: object, deals: int) -> None:
        super().__init__(game, seed)
        self._deals = deals

    def decide(self, view: Any, actions: Sequence[str]) -> str:
        state, unseen, seed = self._root(view)
        game, rules = self._game, self._game.rules
        states = rules.layout.array(state, 3)
        wins, deck = np.zeros(len(game.notation)), np.zeros(rules.deck, np.int16)
        memory = FlatMemory(wins, deck, np.zeros(rules.room, np.int32))
        self._compiled.flat(states, unseen, memory, seed, self._deals)
        return max(actions, key=lambda text: float(wins[game.notation.parse(text)]))


class OracleMonteCarlo(FlatMonteCarlo):
    """Flat Monte-Carlo with the true cards, to measure the worth of perfect information. It
    cheats."""

    cheats = True
    truth: Any = None
    """The state, set by `ask_seat`."""

    def _known(self, view: Any) -> tuple[Any, Unseen]:
        # There is nothing to deal: no cards, and slots of size 0.
        return self.truth, Unseen([[]], [(0, 0)] * (view.seats + 1))
