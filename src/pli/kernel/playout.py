"""Whole games with random legal play, for any game: one, or an array of them on several threads.

The drivers are made for a game from its rules, once, and run plain or compiled like the rules.
"""

from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from pli.kernel.bits import lowest, nth, without
from pli.kernel.bits import size as size_of
from pli.kernel.compiler import Entry
from pli.kernel.contract import NEVER, Rules
from pli.kernel.crew import as_done, dismissing
from pli.kernel.refusals import OK
from pli.kernel.rule import rule
from pli.kernel.stream import advance, below, below_low, start

PACE = 1000
"""In games with timers a seat acts at random within so many milliseconds."""

TRIES = 8
"""So many tries for each guess that there is, then another seat is asked: who has a single action
among many guesses is passed over once in three thousand times."""

CHUNK = 4096
"""Games that one thread plays before it reports."""

STUCK = -1
"""The number of actions of a game in which nobody may act and no timer runs: broken rules."""


@rule
def shuffle(deck: Any, size: int, dealt: int, x: int) -> int:
    """Fisher and Yates's shuffle of 0 .. size-1, of which the first `dealt` matter."""
    for i in range(size):
        deck[i] = i
    # Two draws from each step of the stream, and plain swaps: this loop is a fifth of a playout.
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


def make_batch(rules: Rules[Any]) -> Callable[..., None]:
    """The driver of a game: plays every state of an array to its end."""
    needs, give, dealt = rules.needs, rules.give, rules.dealt or rules.needs
    actors, act, over, due, tick = rules.actors, rules.act, rules.over, rules.due, rules.tick
    check, hunches = rules.check, rules.hunches
    winners, legal = rules.winners, rules.legal
    by_set, choices, base = rules.by_set, rules.choices, rules.base
    by_guess, guesses, guess = rules.by_guess, rules.guesses, rules.guess
    patience = rules.patience

    def batch(
        states: Any, seed: int, first: int, lengths: Any, won: Any, deck: Any, buffer: Any
    ) -> None:
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
                    # Who has nothing to do is passed over, and a moment passes too.
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
def compiled_batch(rules: Rules[Any]) -> Entry:
    states, seed, first, lengths, won = "record[::1]", "int64", "int64", "int64[::1]", "int64[::1]"
    deck, buffer = "int16[::1]", "int32[::1]"
    return Entry(rules, make_batch(rules), states, seed, first, lengths, won, deck, buffer)


@dataclass(frozen=True)
class Played:
    """Games played to their end: the final states, the actions each took, the sets of winners."""

    first: int
    states: Any
    lengths: Any
    winners: Any


class Playouts:
    """Random games of one set of rules, many at a time."""

    def __init__(self, rules: Rules[Any], plain: bool = False) -> None:
        self._rules = rules
        self._plain = plain
        self._batch = plain_batch(rules) if plain else compiled_batch(rules)

    def ready(self) -> None:
        """Compiles now what would be compiled at first use."""
        if isinstance(self._batch, Entry):
            self._batch.ready()

    def play(self, state: Any, games: int, seed: int, first: int = 0) -> Played:
        """Plays copies of a state to the end: the games number `first` and on of run `seed`."""
        rules = self._rules
        lengths, won = np.zeros(games, np.int64), np.zeros(games, np.int64)
        if self._plain:
            opened = [rules.layout.copy(state) for _ in range(games)]
            self._batch(opened, seed, first, lengths, won, [0] * rules.deck, [0] * rules.room)
            saved = b"".join(rules.layout.save(each) for each in opened)
            states = np.frombuffer(saved, dtype=rules.layout.dtype)
        else:
            states = rules.layout.array(state, games)
            deck, buffer = np.zeros(rules.deck, np.int16), np.zeros(rules.room, np.int32)
            self._batch(states, seed, first, lengths, won, deck, buffer)
        if (lengths == STUCK).any():
            stuck = first + int(np.argmax(lengths == STUCK))
            raise RuntimeError(f"{rules.name}: game {stuck} of run {seed} is stuck")
        return Played(first, states, lengths, won)

    def stream(
        self, state: Any, games: int, seed: int, threads: int = 1, chunk: int = CHUNK
    ) -> Generator[Played, None, None]:
        """The same in chunks, as threads finish them; what is played does not depend on threads."""

        def job(at: int) -> Played:
            return self.play(state, min(chunk, games - at), seed, at)

        pool = ThreadPoolExecutor(threads)
        with dismissing(pool):
            starts = range(0, games, chunk)
            yield from as_done(lambda at: pool.submit(job, at), starts, 2 * threads)
