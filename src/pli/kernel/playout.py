"""Random playouts: whole games of uniformly random legal actions, an array of them on several
threads.

The driver is a closure over a game's rules, made once, and runs plain or compiled like the rules.
"""

from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, NamedTuple

import numpy as np

from pli.kernel.bits import lowest, nth, without
from pli.kernel.bits import size as size_of
from pli.kernel.compiler import CompiledFunction
from pli.kernel.contract import NEVER, Rules
from pli.kernel.executors import results_as_completed, shutting_down
from pli.kernel.refusals import OK
from pli.kernel.rule import rule
from pli.kernel.stream import advance, below, below_low, start

PACE = 1000
"""In games with timers the next action comes at random within so many milliseconds."""

TRIES = 8
"""So many tries for each guess that there is, then another seat is drawn: a seat with a single
action among many guesses is passed over once in three thousand times."""

CHUNK = 4096
"""Games that one thread plays between two results."""

STUCK = -1
"""The length of a game in which no seat may act and no timer runs: broken rules."""


@rule
def shuffle(deck: Any, size: int, dealt: int, x: int) -> int:
    """A Fisher-Yates shuffle of 0 .. size-1, stopped after the first `dealt`."""
    for i in range(size):
        deck[i] = i
    # Two draws from each counter, and swaps written out: this loop is a fifth of a playout.
    for pair in range(dealt >> 1):
        i = 2 * pair
        x = advance(x)
        j = i + below(x, size - i)
        card = deck[i]
        deck[i] = deck[j]
        deck[j] = card
        j = i + 1 + below_low(x, size - i - 1)
        card = deck[i + 1]
        deck[i + 1] = deck[j]
        deck[j] = card
    if dealt & 1:
        i = dealt - 1
        x = advance(x)
        j = i + below(x, size - i)
        card = deck[i]
        deck[i] = deck[j]
        deck[j] = card
    return x


class BatchArrays(NamedTuple):
    """The results of a batch of playouts, and its scratch memory."""

    lengths: Annotated[Any, "int64[::1]"]
    """Actions, by game."""
    winners: Annotated[Any, "int64[::1]"]
    """Bit sets of seats, by game."""
    deck: Annotated[Any, "int16[::1]"]
    buffer: Annotated[Any, "int32[::1]"]


def make_batch(rules: Rules[Any]) -> Callable[..., None]:
    """The driver of a game: plays every state of an array to its end."""
    needs, give, dealt = rules.needs, rules.give, rules.dealt or rules.needs
    actors, act, over, due, tick = rules.actors, rules.act, rules.over, rules.due, rules.tick
    check, hunches = rules.check, rules.hunches
    winners, legal = rules.winners, rules.legal
    by_set, choices, base = rules.by_set, rules.choices, rules.base
    by_guess, guesses, guess = rules.by_guess, rules.guesses, rules.guess
    patience = rules.patience

    def batch(states: Any, seed: int, first: int, arrays: BatchArrays) -> None:
        lengths, won, deck, buffer = arrays
        for game in range(len(states)):
            s = states[game]
            x = start(seed, first + game)
            now = 0
            actions = 0
            while not over(s) and (patience == 0 or actions < patience):
                size = needs(s)
                if size > 0:
                    x = shuffle(deck, size, dealt(s), x)
                    give(s, deck)
                    continue
                seats = actors(s)
                moment = due(s)
                if moment != NEVER:
                    x = advance(x)
                    soon = now + below(x, PACE)
                    if seats == 0 or moment <= soon:
                        now = max(now, moment)
                        tick(s)
                        continue
                    now = soon
                if seats == 0:
                    actions = STUCK
                    break
                x = advance(x)
                seat = lowest(seats)
                if seats & (seats - 1) != 0:
                    seat = nth(seats, below_low(x, size_of(seats)))
                if by_set:
                    members = choices(s, seat)
                    action = base(s) + nth(members, below(x, size_of(members)))
                elif by_guess:
                    # A seat without an action is passed over, and time goes on.
                    action = -1
                    while True:
                        count = guesses(s, seat)
                        # The only guess is not worth a second try.
                        tries = TRIES * count if count > 1 else count
                        while tries > 0:
                            action = guess(s, seat, below(x, count))
                            if action >= 0 and check(s, seat, action, now) == OK:
                                break
                            action = -1
                            tries -= 1
                            x = advance(x)
                        seats = without(seats, seat)
                        if action >= 0 or seats == 0:
                            break
                        if moment != NEVER:
                            x = advance(x)
                            now += below(x, PACE)
                            if moment <= now:
                                break
                        x = advance(x)
                        seat = nth(seats, below_low(x, size_of(seats)))
                    if action < 0:
                        continue
                else:
                    listed = legal(s, seat, buffer)
                    if listed == 0:
                        continue
                    action = buffer[below(x, listed)]
                if hunches and not by_guess and check(s, seat, action, now) != OK:
                    continue
                act(s, seat, action, now)
                actions += 1
            lengths[game] = actions
            won[game] = winners(s)

    return batch


plain_batch = cache(make_batch)


@cache
def compiled_batch(rules: Rules[Any]) -> CompiledFunction:
    states, seed, first = "record[::1]", "int64", "int64"
    return CompiledFunction(rules, make_batch(rules), states, seed, first, BatchArrays)


@dataclass(frozen=True)
class PlayoutResults:
    """A chunk of playouts: the number of its first game, the final states, their lengths in actions
    and their winners as bit sets."""

    first: int
    states: Any
    lengths: Any
    winners: Any


class Playouts:
    """Random playouts of one set of rules, plain or compiled."""

    def __init__(self, rules: Rules[Any], plain: bool = False) -> None:
        self._rules = rules
        self._plain = plain
        self._batch = plain_batch(rules) if plain else compiled_batch(rules)

    def ready(self) -> None:
        """Compiles now what would be compiled at first use."""
        if isinstance(self._batch, CompiledFunction):
            self._batch.ready()

    def play(self, state: Any, games: int, seed: int, first: int = 0) -> PlayoutResults:
        """Plays copies of a state to the end: the games from number `first` on of run `seed`."""
        rules = self._rules
        lengths, won = np.zeros(games, np.int64), np.zeros(games, np.int64)
        if self._plain:
            opened = [rules.layout.copy(state) for _ in range(games)]
            arrays = BatchArrays(lengths, won, [0] * rules.deck, [0] * rules.room)
            self._batch(opened, seed, first, arrays)
            saved = b"".join(rules.layout.save(each) for each in opened)
            states = np.frombuffer(saved, dtype=rules.layout.dtype)
        else:
            states = rules.layout.array(state, games)
            deck, buffer = np.zeros(rules.deck, np.int16), np.zeros(rules.room, np.int32)
            self._batch(states, seed, first, BatchArrays(lengths, won, deck, buffer))
        if (lengths == STUCK).any():
            stuck = first + int(np.argmax(lengths == STUCK))
            raise RuntimeError(f"{rules.name}: game {stuck} of run {seed} is stuck")
        return PlayoutResults(first, states, lengths, won)

    def stream(
        self, state: Any, games: int, seed: int, threads: int = 1, chunk: int = CHUNK
    ) -> Generator[PlayoutResults, None, None]:
        """The same in chunks, as threads complete them; the games do not depend on the threads."""

        def job(at: int) -> PlayoutResults:
            return self.play(state, min(chunk, games - at), seed, at)

        pool = ThreadPoolExecutor(threads)
        with shutting_down(pool):
            starts = range(0, games, chunk)
            yield from results_as_completed(lambda at: pool.submit(job, at), starts, 2 * threads)
