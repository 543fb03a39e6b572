"""Deciders that look ahead: tree search over deals of the unseen cards, and its yardsticks.

They get what their seat may know and deal the rest themselves. The same seed and the same number of
iterations give the same answer.
"""

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from pli.game import AnyGame, Event
from pli.kernel.compiler import Entry
from pli.kernel.dealing import MOST_SLOTS, Unseen, count_ways
from pli.kernel.search import (
    ACTION,
    CHILD,
    COLUMNS,
    FRAMES,
    NONE,
    OWN_STATES,
    SIBLING,
    VISITS,
    make_flat,
    make_search,
)

SURVEY = 2.0
"""How much search tries what has not looked best so far, in chances to win: of the decision itself,
where all that can be done has to be judged well,"""

EXPLORE = 0.1
"""and of those after it, where everybody should do what is best."""

CHUNK = 1000
"""Iterations between two looks at the clock."""

MOST_NODES = 500_000

_UNSEEN = (
    *("int64[::1]", "int64[::1]", "int64[::1]", "int64[::1]", "int64[::1]", "int64"),
    *("float64[:,:,::1]", "int64[::1]", "int64[::1]"),
)


@dataclass(frozen=True)
class Ranked:
    """An action, how often search came to it, and the chance to win that it found."""

    action: str
    visits: int
    chance: float


class Engine:
    """A game's compiled search."""

    def __init__(self, game: AnyGame) -> None:
        assert game.rollout is not None
        rules = game.rules
        self.search = Entry(
            rules, make_search(rules, game.rollout), "record[::1]", *_UNSEEN,
            "int32[:,::1]", "float64[::1]", "int32[::1]",
            "int32[:,::1]", "int32[:,::1]", "float64[:,::1]", "int64", "int64", "int64", "float64",
            "float64",
        )  # fmt: skip
        self.flat = Entry(
            rules, make_flat(rules, game.rollout), "record[::1]", *_UNSEEN,
            "float64[::1]", "int16[::1]", "int32[::1]", "int64", "int64",
        )  # fmt: skip
        self.count_ways = Entry(
            rules, count_ways, "int64[::1]", "int64[::1]", "int64[::1]", "int64", "float64[:,:,::1]"
        )


@cache
def engine(game: AnyGame) -> Engine:
    return Engine(game)


def number(*parts: object) -> int:
    """A seed for compiled code, the same on every machine."""
    text = " ".join(map(str, parts)).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=7).digest(), "big")


class Searcher:
    """Looks ahead by so many iterations, or for so long, or until it is told to stop."""

    def __init__(
        self,
        game: AnyGame,
        seed: object,
        iterations: int | None = None,
        seconds: float | None = None,
        survey: float = SURVEY,
        explore: float = EXPLORE,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        assert game.belief is not None
        self._game = game
        self._engine = engine(game)
        self._guesswork = game.belief()
        self._seed = seed
        self._iterations = iterations
        self._seconds = seconds
        self._trying = (survey, explore)
        self.stop = stop
        """Asked between chunks: whether what was found so far has to do."""
        self._decisions = 0

    def see(self, events: Sequence[Event], view: Any) -> None:
        self._guesswork.see(events, view)

    def decide(self, view: Any, actions: Sequence[str]) -> str:
        """What search came to most often, of the actions that are open."""
        for ranked in self.rank(view):
            if ranked.action in actions:
                return ranked.action
        return actions[0]

    def rank(self, view: Any) -> list[Ranked]:
        """The actions that search thought of, best first."""
        state, unseen = self._guesswork.infer(view)
        self._decisions += 1
        seed = number(self._seed, self._decisions)
        rules = self._game.rules
        states = rules.layout.array(state, OWN_STATES + FRAMES)
        size = min(MOST_NODES, (self._iterations or MOST_NODES) + 1)
        nodes, values = np.zeros((size, COLUMNS), np.int32), np.zeros(size)
        nodes[0] = (1, 0, NONE, NONE, NONE, 0, 0)
        buffer = np.zeros(rules.room, np.int32)
        frames, moves = np.zeros((FRAMES, 3), np.int32), np.zeros((FRAMES, rules.room), np.int32)
        solving = (frames, moves, np.zeros((FRAMES, MOST_SLOTS)))
        arrays = self._arrays(unseen)
        done = 0
        ends = time.perf_counter() + (self._seconds or 0.0)
        while done < self._iterations if self._iterations else time.perf_counter() < ends:
            chunk = min(CHUNK, self._iterations - done) if self._iterations else CHUNK
            self._engine.search(
                states, *arrays, nodes, values, buffer, *solving, seed, done, chunk, *self._trying
            )
            done += chunk
            if self.stop is not None and self.stop():
                break
        found = []
        child = nodes[0, CHILD]
        while child != NONE:
            visits = int(nodes[child, VISITS])
            text = self._game.notation.show(int(nodes[child, ACTION]))
            found.append(Ranked(text, visits, float(values[child]) / max(1, visits)))
            child = nodes[child, SIBLING]
        return sorted(found, key=lambda each: (-each.visits, -each.chance, each.action))

    def _arrays(self, unseen: Unseen) -> tuple[Any, ...]:
        counted = (unseen.counts, unseen.sizes, unseen.banned, unseen.known, unseen.table)
        self._engine.count_ways(*counted)
        return arrays(unseen)


def arrays(unseen: Unseen) -> tuple[Any, ...]:
    """What compiled code deals from, with room for what it deals."""
    dealt, rest = np.zeros(unseen.room, np.int64), np.zeros(len(unseen.cards), np.int64)
    return (
        unseen.cards, unseen.counts, unseen.order, unseen.sizes, unseen.banned, unseen.known,
        unseen.table, dealt, rest,
    )  # fmt: skip


class Flat:
    """The yardstick: so many deals, each action once in each, random play to the end of the game;
    the action that won most."""

    cheats = False

    def __init__(self, game: AnyGame, seed: object, deals: int) -> None:
        assert game.belief is not None
        self._game = game
        self._engine = engine(game)
        self._guesswork = game.belief()
        self._seed = seed
        self._deals = deals
        self._decisions = 0

    def see(self, events: Sequence[Event], view: Any) -> None:
        self._guesswork.see(events, view)

    def decide(self, view: Any, actions: Sequence[str]) -> str:
        state, unseen = self._known(view)
        self._decisions += 1
        game, rules = self._game, self._game.rules
        counted = (unseen.counts, unseen.sizes, unseen.banned, unseen.known, unseen.table)
        self._engine.count_ways(*counted)
        wins, deck = np.zeros(len(game.notation)), np.zeros(rules.deck, np.int16)
        buffer = np.zeros(rules.room, np.int32)
        states = rules.layout.array(state, 3)
        seed = number(self._seed, self._decisions)
        self._engine.flat(states, *arrays(unseen), wins, deck, buffer, seed, self._deals)
        return max(actions, key=lambda text: float(wins[game.notation.parse(text)]))

    def _known(self, view: Any) -> tuple[Any, Unseen]:
        return self._guesswork.infer(view)


class Oracle(Flat):
    """The same with the true cards: it shows what sight would be worth. It cheats."""

    cheats = True
    truth: Any = None
    """The state, from those who let it look."""

    def _known(self, view: Any) -> tuple[Any, Unseen]:
        # Nothing is unseen: what is dealt is empty, and fills nothing.
        return self.truth, Unseen([[]], [(0, 0)] * (view.seats + 1))
