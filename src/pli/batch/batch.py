"""`Batch`: n games that go on step by step, as arrays.

One step is one action of each game, or in games of any moment one slice of time in each. All
arrays are made once and used again: what a step returns is overwritten by the next.
"""

from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from pli import games
from pli.batch.driver import (
    ALL_SEATS,
    DRAW,
    DRAWN,
    GIVEN,
    RENEW,
    RESET,
    Arrays,
    Run,
    compiled_look,
    compiled_step,
    declared,
    plain_look,
    plain_step,
)
from pli.batch.threads import Crew
from pli.game import AnyGame, read_options
from pli.kernel.layout import Layout
from pli.kernel.machine import Engine

Array = np.ndarray[Any, Any]

LONGEST = 10_000
"""Steps after which a game of any moment is cut off: most of an hour where a slice is a quarter of
a second. Who only waits never ends it."""


class IllegalAction(ValueError):
    """A batch was given an action that its mask does not have. That game has not gone on; all
    others have."""


class Moment(NamedTuple):
    """What a batch shows after a step. All are the batch's own arrays."""

    observation: Array
    """(n, size) of the seat to act; in games of any moment (n, seats, size)."""
    mask: Array
    """(n, actions), or (n, seats, actions): the actions that may be chosen."""
    rewards: Array
    """(n, seats): what the last step was worth to each seat."""
    done: Array
    """(n,): whether the last step ended the game."""
    seat: Array
    """(n,): whose turn it is; in games of any moment -1, since all act."""


class Copies:
    """Of a plain state: `copies[0]` is always a new one."""

    def __init__(self, layout: Layout[Any], state: Any) -> None:
        self._layout = layout
        self._state = state

    def __getitem__(self, place: int) -> Any:
        return self._layout.copy(self._state)


class Part(NamedTuple):
    """Some games of a batch, which one thread plays."""

    first: int
    last: int
    arrays: Arrays


def bytewise(array: Array) -> Array:
    """The same memory as the drivers take it: in one row, bytes as numbers."""
    row = array.reshape(-1)
    return row.view(np.int8) if row.itemsize == 1 else row


class Batch:
    """n games with the same options. Game i is the same whatever n and the number of threads are,
    and the same bytes plain and compiled."""

    def __init__(
        self,
        game: str | AnyGame,
        n: int,
        seed: int = 0,
        autoreset: bool = True,
        threads: int = 1,
        *,
        engine: Engine = "compiled",
        slice_ms: int | None = None,
        limit: int | None = None,
        forfeits: bool = False,
        only: int | None = None,
        **options: object,
    ) -> None:
        """With `autoreset` a game that ends is followed at once by another: `done` and the rewards
        are of the one that ended, all else of the new one. Games are cut off, without a winner,
        after `limit` steps (0: never). With `forfeits` an illegal action ends its game, with -1 for
        its seat, and is no error. With `only`, where one seat is awaited, that seat alone is asked:
        the actions of others are drawn on the way. Begins with `reset(seed)`."""
        self.game = games.load(game) if isinstance(game, str) else game
        self.declared = declared(self.game)
        self.options = read_options(self.game, options)
        if n < 1 or threads < 1:
            raise ValueError("n and threads are at least 1")
        self.n = n
        self.seats = int(self.options.seats)
        self.actions = self.declared.actions
        self.size = self.declared.size(self.seats)
        self.autoreset = autoreset
        self.seed = seed
        self.slice_ms = self.declared.slice_ms if slice_ms is None else slice_ms
        if self.game.live and self.slice_ms < 1:
            raise ValueError("slice_ms is at least 1")
        if only is not None and (self.game.live or not 0 <= only < self.seats):
            raise ValueError("only is a seat of a game in which one seat is awaited")
        self.forfeits = forfeits
        self.only = only
        longest = LONGEST if self.game.live else self.game.rules.patience
        self.limit = longest if limit is None else limit
        self._compiled = engine == "compiled"
        self._step = compiled_step(self.game) if self._compiled else plain_step(self.game)
        self._look = compiled_look(self.game) if self._compiled else plain_look(self.game)
        self._each = (n, self.seats) if self.game.live else (n,)
        """The shape of what there is for each that acts."""
        self._make_arrays()
        self._threads = min(threads, n)
        self._crew = Crew(self._threads - 1) if self._threads > 1 else None
        bounds = [n * k // self._threads for k in range(self._threads + 1)]
        self._parts = [self._part(*ends) for ends in pairwise(bounds)]
        self.reset(seed)

    # Stepping

    def reset(self, seed: int | None = None) -> Moment:
        """Begins all games anew; without a seed the same ones as before."""
        if seed is not None:
            self.seed = seed
        self._run(RESET)
        return self._moment

    def step(self, actions: Any = None) -> Moment:
        """Plays an action in each game, or random legal ones if none are given. Whatever is given
        for a game that is over, and not followed by another, changes nothing."""
        if actions is None:
            self._run(DRAWN)
            return self._moment
        given = np.asarray(actions)
        if given.shape != self._each or given.dtype.kind not in "iu":
            raise ValueError(f"actions are whole numbers of shape {self._each}")
        if given is not self._actions:
            # A number too high for the type would come out as another.
            np.copyto(self._actions, given.clip(-1, self.actions), casting="unsafe")
        self._run(GIVEN)
        return self._moment

    def renew(self, which: Array) -> Moment:
        """Begins the games anew that are true in `which`, with other deals: those that are over, of
        a batch that does not reset by itself. Nothing else changes."""
        np.copyto(self._arrays.marks, np.asarray(which, np.bool_))
        self._run(RENEW)
        return self._moment

    def look(self, game: int, seat: int) -> Array:
        """What a seat of one game observes now, whoever's turn it is."""
        if not (0 <= game < self.n and 0 <= seat < self.seats):
            raise ValueError(f"games are 0-{self.n - 1}, seats 0-{self.seats - 1}")
        if self._compiled:
            out = np.empty(self.size, np.int8)
            self._look(self._states, self._memories, game, seat, out)
            return out.view(self.declared.numbers)
        row = [0] * self.size
        self._look(self._states, self._memories, game, seat, row)
        return np.array(row).astype(self.declared.numbers)

    def random_actions(self) -> Array:
        """Legal actions, each as likely as the others of its seat: what `step()` plays. Each call
        draws anew."""
        self._run(DRAW)
        return self._actions

    @property
    def cut(self) -> Array:
        """(n,): of the games that the last step ended, which were cut off by `limit`."""
        return self._cuts

    @property
    def observation(self) -> Array:
        """What is observed, game by game (docs/agents.md)."""
        return self._moment.observation

    @property
    def mask(self) -> Array:
        """Which actions are legal, by their numbers."""
        return self._moment.mask

    @property
    def done(self) -> Array:
        """Which games the last step ended."""
        return self._moment.done

    @property
    def seat(self) -> Array:
        """Whose turn it is, game by game."""
        return self._moment.seat

    @property
    def rewards(self) -> Array:
        """What the last step was worth to each seat, game by game."""
        return self._moment.rewards

    @property
    def nbytes(self) -> int:
        """How much memory the games take, all in all."""
        own = [self._states, self._memories] if self._compiled else []
        return sum(int(each.nbytes) for each in [*self._arrays, *own])

    def fields(self) -> dict[str, Array]:
        """The observation by field: views of the same array."""
        return self.declared.split(self._moment.observation, self.seats)

    def states(self) -> bytes:
        """All states, for tests and tools."""
        if self._compiled:
            return bytes(self._states.tobytes())
        return b"".join(map(self.game.rules.layout.save, self._states))

    # Arrays

    def _make_arrays(self) -> None:
        n, each = self.n, self._each
        self._moment = Moment(
            np.zeros((*each, self.size), self.declared.numbers),
            np.zeros((*each, self.actions), np.bool_),
            np.zeros((n, self.seats), np.float32),
            np.zeros(n, np.bool_),
            np.zeros(n, np.int32),
        )
        self._cuts = np.zeros(n, np.bool_)
        self._actions = np.zeros(each, np.int32)
        layout, memory = self.game.rules.layout, self.declared.memory
        state = self.game.setup(self.options)
        self._states: Any
        self._memories: Any
        self._fresh: Any
        self._blank: Any
        if self._compiled:
            self._states, self._memories = layout.array(state, n), memory.array(memory.blank(), n)
            self._fresh, self._blank = layout.array(state), memory.array(memory.blank())
        else:
            self._states, self._memories = [None] * n, [None] * n
            self._fresh, self._blank = Copies(layout, state), Copies(memory, memory.blank())
        observation, mask, rewards, done, seat = self._moment
        self._arrays = Arrays(
            actions=self._actions,
            observations=observation,
            masks=mask,
            rewards=rewards,
            dones=done,
            cuts=self._cuts,
            seats=seat,
            counts=np.zeros(each, np.int32),
            streams=np.zeros(n, np.uint64),
            draws=np.zeros(n, np.uint64),
            clocks=np.zeros(n, np.int64),
            steps=np.zeros(n, np.int32),
            marks=np.zeros(n, np.bool_),
            deck=np.zeros(0, np.int16),
            faults=np.zeros(0, np.int64),
        )

    def _part(self, first: int, last: int) -> "Part":
        """The games that one thread plays, with scratch memory of its own."""
        rows = [bytewise(each[first:last]) for each in self._arrays[:-2]]
        deck, faults = np.zeros(self.game.rules.deck, np.int16), np.zeros(3, np.int64)
        return Part(first, last, Arrays._make([*rows, deck, faults]))

    def _run(self, what: int) -> None:
        if self._crew is None:
            self._play(self._parts[0], what)
        else:
            self._crew.run([partial(self._play, part, what) for part in self._parts])
        wrong = [part for part in self._parts if part.arrays.faults[0]]
        if wrong:
            _, game, seat = wrong[0].arrays.faults.tolist()
            count = sum(int(part.arrays.faults[0]) for part in wrong)
            self._complain(count, wrong[0].first + game, seat)

    def _play(self, part: "Part", what: int) -> None:
        first, last = part.first, part.last
        part.arrays.faults[:] = 0
        run = Run(
            what,
            self.seed,
            first,
            self.seats,
            self.size,
            int(self.autoreset),
            self.limit,
            self.slice_ms,
            int(self.forfeits),
            ALL_SEATS if self.only is None else self.only,
        )
        if self._compiled:
            states, memories = self._states[first:last], self._memories[first:last]
            self._step(states, memories, self._fresh, self._blank, part.arrays, run)
            return
        # Python's own integers, as rules compute with them; what is kept is copied back.
        lists = Arrays(*(each.tolist() for each in part.arrays))
        states, memories = self._states[first:last], self._memories[first:last]
        self._step(states, memories, self._fresh, self._blank, lists, run)
        self._states[first:last], self._memories[first:last] = states, memories
        for kept, made in zip(part.arrays, lists, strict=True):
            kept[:] = np.array(made, kept.dtype)

    def _complain(self, wrong: int, game: int, seat: int) -> None:
        action = int(self._actions[game, seat] if self.game.live else self._actions[game])
        known = 0 <= action < self.actions
        named = f"{action} ({self.declared.names[action]})" if known else "no action at all"
        more = f", and {wrong - 1} more" if wrong > 1 else ""
        raise IllegalAction(
            f"{self.game.name}, game {game}, seat {seat}: {named} is not legal{more}"
        )
