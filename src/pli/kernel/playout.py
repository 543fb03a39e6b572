"""Random playouts: whole games of uniformly random legal actions, an array of them on several
threads.

The driver is a closure over a game's rules, made once, and runs plain or compiled like the rules.
It may record what happens, for studies: a row for every game, round and decision.
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
from pli.kernel.recording import (
    D_CHOICES,
    D_GAME,
    D_NUMBER,
    D_ROUND,
    D_SEAT,
    D_TIME,
    G_CHOICES,
    G_CHOSEN,
    G_FIRST,
    G_LONGEST,
    G_ROUNDS,
    G_ROWS,
    G_TIME,
    G_TURNS,
    G_WAITED,
    GAME_COLUMNS,
    NO_LOG,
    NOBODY,
    R_ACTIONS,
    R_FIRST,
    R_GAME,
    R_ROUND,
    R_TIME,
    ROUND_COLUMNS,
    Log,
    room_for,
)
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
    begun: Annotated[Any, "int64[::1]"]
    """Rounds, by game."""
    deck: Annotated[Any, "int16[::1]"]
    buffer: Annotated[Any, "int32[::1]"]
    # Of a driver that records:
    games: Annotated[Any, "int64[:,::1]"]
    rounds: Annotated[Any, "int64[:,::1]"]
    decisions: Annotated[Any, "int64[:,::1]"]
    last: Annotated[Any, "int64[::1]"]
    """By seat the number of its last action."""
    used: Annotated[Any, "int64[::1]"]
    """How many rows of rounds and of decisions there are; those without room are only counted. The
    third number: decisions are recorded of the games below that number."""


def make_batch(rules: Rules[Any], recording: bool = False) -> Callable[..., None]:
    """The driver of a game: plays every state of an array to its end."""
    needs, give, dealt = rules.needs, rules.give, rules.dealt or rules.needs
    actors, act, over, due, tick = rules.actors, rules.act, rules.over, rules.due, rules.tick
    check, hunches = rules.check, rules.hunches
    winners, legal = rules.winners, rules.legal
    by_set, choices, base = rules.by_set, rules.choices, rules.base
    by_guess, guesses, guess = rules.by_guess, rules.guesses, rules.guess
    patience = rules.patience
    rounds_of, points = rules.rounds, rules.points

    def batch(states: Any, seed: int, first: int, arrays: BatchArrays) -> None:
        lengths, won, begun_rounds = arrays.lengths, arrays.winners, arrays.begun
        deck, buffer = arrays.deck, arrays.buffer
        if recording:
            games, rounds, decisions = arrays.games, arrays.rounds, arrays.decisions
            last, used = arrays.last, arrays.used
            seats = len(last)
        for game in range(len(states)):
            s = states[game]
            x = start(seed, first + game)
            now = 0
            actions = 0
            if recording:
                for column in range(GAME_COLUMNS):
                    games[game, column] = 0
                games[game, G_FIRST] = NOBODY
                opener = NOBODY
                before = used[0]
                chosen = choosing = turns = waited = longest = 0
                for seat in range(seats):
                    last[seat] = NOBODY
            while not over(s) and (patience == 0 or actions < patience):
                size = needs(s)
                if size > 0:
                    x = shuffle(deck, size, dealt(s), x)
                    if recording:
                        # What the round would leave, should the shuffle begin another one.
                        begun = rounds_of(s)
                        row = used[0]
                        if row < len(rounds):
                            rounds[row, R_GAME] = first + game
                            rounds[row, R_ROUND] = begun
                            rounds[row, R_FIRST] = opener
                            rounds[row, R_ACTIONS] = actions
                            rounds[row, R_TIME] = now
                            for seat in range(seats):
                                rounds[row, ROUND_COLUMNS + seat] = points(s, seat)
                    give(s, deck)
                    if recording and rounds_of(s) != begun:
                        opener = NOBODY
                        if begun > 0:
                            used[0] += 1
                    continue
                acting = actors(s)
                moment = due(s)
                if moment != NEVER:
                    x = advance(x)
                    soon = now + below(x, PACE)
                    if acting == 0 or moment <= soon:
                        now = max(now, moment)
                        tick(s)
                        continue
                    now = soon
                if acting == 0:
                    actions = STUCK
                    break
                x = advance(x)
                seat = lowest(acting)
                if acting & (acting - 1) != 0:
                    seat = nth(acting, below_low(x, size_of(acting)))
                listed = 0
                if by_set:
                    members = choices(s, seat)
                    if recording:
                        listed = size_of(members)
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
                        acting = without(acting, seat)
                        if action >= 0 or acting == 0:
                            break
                        if moment != NEVER:
                            x = advance(x)
                            now += below(x, PACE)
                            if moment <= now:
                                break
                        x = advance(x)
                        seat = nth(acting, below_low(x, size_of(acting)))
                    if action < 0:
                        continue
                else:
                    listed = legal(s, seat, buffer)
                    if listed == 0:
                        continue
                    action = buffer[below(x, listed)]
                if hunches and not by_guess and check(s, seat, action, now) != OK:
                    continue
                if recording:
                    if opener == NOBODY:
                        opener = seat
                        if actions == 0:
                            games[game, G_FIRST] = seat
                    since = actions - last[seat] - 1
                    longest = max(longest, since)
                    if last[seat] != NOBODY:
                        turns += 1
                        waited += since
                    last[seat] = actions
                    if listed > 1:
                        chosen += 1
                        choosing += listed
                    if first + game < used[2]:
                        row = used[1]
                        if row < len(decisions):
                            decisions[row, D_GAME] = first + game
                            decisions[row, D_ROUND] = rounds_of(s)
                            decisions[row, D_SEAT] = seat
                            decisions[row, D_NUMBER] = actions
                            decisions[row, D_CHOICES] = listed
                            decisions[row, D_TIME] = now
                        used[1] += 1
                act(s, seat, action, now)
                actions += 1
            lengths[game] = actions
            won[game] = winners(s)
            begun_rounds[game] = rounds_of(s)
            if recording:
                row = used[0]
                if row < len(rounds):
                    rounds[row, R_GAME] = first + game
                    rounds[row, R_ROUND] = rounds_of(s)
                    rounds[row, R_FIRST] = opener
                    rounds[row, R_ACTIONS] = actions
                    rounds[row, R_TIME] = now
                    for seat in range(seats):
                        rounds[row, ROUND_COLUMNS + seat] = points(s, seat)
                used[0] += 1
                for seat in range(seats):
                    longest = max(longest, actions - last[seat] - 1)
                games[game, G_TIME] = now
                games[game, G_ROUNDS] = rounds_of(s)
                games[game, G_CHOSEN] = chosen
                games[game, G_CHOICES] = choosing
                games[game, G_TURNS] = turns
                games[game, G_WAITED] = waited
                games[game, G_LONGEST] = longest
                games[game, G_ROWS] = used[0] - before

    return batch


plain_batch = cache(make_batch)


@cache
def compiled_batch(rules: Rules[Any], recording: bool = False) -> CompiledFunction:
    states, seed, first = "record[::1]", "int64", "int64"
    return CompiledFunction(rules, make_batch(rules, recording), states, seed, first, BatchArrays)


@dataclass(frozen=True)
class PlayoutResults:
    """A chunk of playouts: the number of its first game, the final states, their lengths in
    actions, their winners as bit sets and how many rounds they had; and what was recorded, if that
    was wanted."""

    first: int
    states: Any
    lengths: Any
    winners: Any
    rounds: Any
    log: Log | None = None


class Playouts:
    """Random playouts of one set of rules, plain or compiled."""

    def __init__(
        self,
        rules: Rules[Any],
        plain: bool = False,
        recording: bool = False,
        detailed: int = 0,
    ) -> None:
        """With `recording` every game and round is recorded, and the decisions of the games with
        a number below `detailed`."""
        self._rules = rules
        self._plain = plain
        self._recording = recording
        self._detailed = detailed
        self._batch = (plain_batch if plain else compiled_batch)(rules, recording)

    def ready(self) -> None:
        """Compiles now what would be compiled at first use."""
        if isinstance(self._batch, CompiledFunction):
            self._batch.ready()

    def play(self, state: Any, games: int, seed: int, first: int = 0) -> PlayoutResults:
        """Plays copies of a state to the end: the games from number `first` on of run `seed`."""
        rules = self._rules
        lengths, won, begun = (np.zeros(games, np.int64) for _ in range(3))
        seats = int(state.seats) if self._recording else 0
        detailed = min(games, max(0, self._detailed - first)) if self._recording else 0
        room = room_for(games, detailed, seats) if self._recording else NO_LOG
        while True:
            used = np.array([0, 0, self._detailed], np.int64)
            record = (*room, np.zeros(seats, np.int64), used)
            states = self._run(state, seed, first, (lengths, won, begun), record)
            if used[0] <= len(room.rounds) and used[1] <= len(room.decisions):
                break
            room = room_for(games, detailed, seats, int(used[0]), int(used[1]))
        if (lengths == STUCK).any():
            stuck = first + int(np.argmax(lengths == STUCK))
            raise RuntimeError(f"{rules.name}: game {stuck} of run {seed} is stuck")
        log = None
        if self._recording:
            log = Log(room.games, room.rounds[: used[0]], room.decisions[: used[1]])
        return PlayoutResults(first, states, lengths, won, begun, log)

    def _run(
        self,
        state: Any,
        seed: int,
        first: int,
        results: tuple[Any, Any, Any],
        record: tuple[Any, ...],
    ) -> Any:
        """Plays as many games as there is room for results; returns the final states."""
        rules, games = self._rules, len(results[0])
        if self._plain:
            opened = [rules.layout.copy(state) for _ in range(games)]
            scratch: tuple[Any, Any] = [0] * rules.deck, [0] * rules.room
            self._batch(opened, seed, first, BatchArrays(*results, *scratch, *record))
            saved = b"".join(rules.layout.save(each) for each in opened)
            return np.frombuffer(saved, dtype=rules.layout.dtype)
        states = rules.layout.array(state, games)
        scratch = np.zeros(rules.deck, np.int16), np.zeros(rules.room, np.int32)
        self._batch(states, seed, first, BatchArrays(*results, *scratch, *record))
        return states

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
