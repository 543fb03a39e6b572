"""The drivers of a batch: one step of many games that go on side by side, a seat's turn or a slice
of time in which all seats act or wait.

A driver is a closure over a game's rules and its observation, made once, and runs plain or compiled
like them. Each game has random streams of its own, so what happens in it depends neither on the
other games nor on the threads among which they are divided.
"""

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, NamedTuple

from pli.game import AnyGame
from pli.kernel.bits import bit, lowest, nth, without
from pli.kernel.bits import size as size_of
from pli.kernel.compiler import CompiledFunction
from pli.kernel.observation import WAIT, Observation, nth_one, raw
from pli.kernel.playout import shuffle
from pli.kernel.refusals import OK
from pli.kernel.rule import rule
from pli.kernel.stream import advance, below, start

# What a driver is to do: play the actions that were given, or draw legal ones and play them, or
# only draw them; or begin all games anew, or those that are marked.
GIVEN, DRAWN, DRAW, RESET, RENEW = range(5)

FORFEIT = -1.0
"""The reward of a seat whose illegal action ends the game; the others get nothing."""

ALL_SEATS = -1
NOBODY = -1

APART = 1 << 40
"""The stream of drawn actions is that of a game with a number so much higher: drawing changes
nothing in what else is left to chance."""


class Arrays(NamedTuple):
    """All that is kept of the games beside their states and memories, one row a game, and scratch
    memory. Truth values are bytes."""

    actions: Annotated[Any, "int32[::1]"]
    """By game; in games of any moment by game and seat."""
    observations: Annotated[Any, "int8[::1]"]
    masks: Annotated[Any, "int8[::1]"]
    rewards: Annotated[Any, "float32[::1]"]
    """By game and seat."""
    dones: Annotated[Any, "int8[::1]"]
    cuts: Annotated[Any, "int8[::1]"]
    """Whether a game that is done was cut off."""
    seats: Annotated[Any, "int32[::1]"]
    """Whose turn it is; -1 where all act."""
    counts: Annotated[Any, "int32[::1]"]
    """How many actions a mask has."""
    streams: Annotated[Any, "uint64[::1]"]
    draws: Annotated[Any, "uint64[::1]"]
    clocks: Annotated[Any, "int64[::1]"]
    """The time in the game."""
    steps: Annotated[Any, "int32[::1]"]
    """How many the game has taken."""
    marks: Annotated[Any, "int8[::1]"]
    """Which games to begin anew."""
    deck: Annotated[Any, "int16[::1]"]
    faults: Annotated[Any, "int64[::1]"]
    """How many games were given an action that is not legal, the first of them, and its seat."""


class Run(NamedTuple):
    """What to do with all games."""

    what: Annotated[int, "int64"]
    seed: Annotated[int, "int64"]
    first: Annotated[int, "int64"]
    """The number of the first game."""
    seats: Annotated[int, "int64"]
    width: Annotated[int, "int64"]
    """The size of an observation."""
    autoreset: Annotated[int, "int64"]
    limit: Annotated[int, "int64"]
    """A game is cut off after so many steps; 0: never."""
    slice_ms: Annotated[int, "int64"]
    forfeits: Annotated[int, "int64"]
    """1: an illegal action ends the game."""
    only: Annotated[int, "int64"]
    """Where one seat is awaited: the seat whose actions are given, or ALL_SEATS; the actions of
    others are drawn on the way to its next turn."""


def declared(game: AnyGame) -> Observation[Any]:
    if game.observation is None:
        raise ValueError(f"{game.name} has no observation")
    return game.observation


def make_settle(game: AnyGame) -> Callable[..., int]:
    """The part of a step that both kinds of games have."""
    rules, observation = game.rules, declared(game)
    needs, give, dealt, over = rules.needs, rules.give, rules.dealt or rules.needs, rules.over
    after = observation.after

    @rule
    def settle(s: Any, m: Any, deck: Any, x: int) -> int:
        """Supplies the shuffles that a state asks for; returns the random stream. To be called
        where some are asked for: a call with an array costs more than the question."""
        while not over(s):
            size = needs(s)
            if size == 0:
                break
            x = shuffle(deck, size, dealt(s), x)
            give(s, deck)
            after(s, m)
        return x

    return settle


def make_turns(game: AnyGame) -> Callable[..., None]:
    """The driver of a game in which one seat is awaited."""
    rules, observation = game.rules, declared(game)
    actors, check, act, over, winners = (
        rules.actors, rules.check, rules.act, rules.over, rules.winners,
    )  # fmt: skip
    choices, base, needs = rules.choices, rules.base, rules.needs
    look, mask, worth = observation.look, observation.mask, observation.worth
    before, after = observation.before, observation.after
    settle, room = make_settle(game), observation.actions

    def turns(states: Any, memories: Any, fresh: Any, blank: Any, arrays: Arrays, run: Run) -> None:
        observations, masks = raw(arrays.observations), raw(arrays.masks)
        actions = arrays.actions
        rewards, dones, cuts, turn = arrays.rewards, arrays.dones, arrays.cuts, arrays.seats
        counts, steps, faults = arrays.counts, arrays.steps, arrays.faults
        streams, draws, deck = arrays.streams, arrays.draws, arrays.deck
        what, seats = run.what, run.seats
        for g in range(len(states)):
            if what == RENEW and arrays.marks[g] == 0:
                continue
            if what != DRAW:
                for seat in range(seats):
                    rewards[g * seats + seat] = 0.0
                if run.autoreset != 0:
                    dones[g] = 0
                    cuts[g] = 0
            forfeit = NOBODY
            seat = 0
            action = 0
            if what == RESET or what == RENEW:
                dones[g] = 0
                cuts[g] = 0
                if what == RESET:
                    streams[g] = start(run.seed, run.first + g)
                    draws[g] = start(run.seed, run.first + g + APART)
            elif dones[g] != 0 and run.autoreset == 0:
                continue
            else:
                seat = turn[g]
                wrong = False
                if what != GIVEN:
                    members = choices(states[g], seat)
                    y = advance(draws[g])
                    draws[g] = y
                    actions[g] = base(states[g]) + nth(members, below(y, size_of(members)))
                    if what == DRAW:
                        continue
                else:
                    wrong = check(states[g], seat, actions[g], 0) != OK
                if wrong:
                    if run.forfeits == 0:
                        if faults[0] == 0:
                            faults[1] = g
                            faults[2] = seat
                        faults[0] += 1
                        continue
                    forfeit = seat
                    steps[g] += 1
                else:
                    action = actions[g]
            begin = what == RESET or what == RENEW
            while True:
                if begin:
                    states[g] = fresh[0]
                    memories[g] = blank[0]
                    steps[g] = 0
                    begin = False
                elif forfeit < 0:
                    before(states[g], memories[g], seat, action)
                    act(states[g], seat, action, 0)
                    after(states[g], memories[g])
                    steps[g] += 1
                if needs(states[g]) != 0:
                    streams[g] = settle(states[g], memories[g], deck, streams[g])
                ended = over(states[g])
                if not ended and forfeit < 0 and (run.limit == 0 or steps[g] < run.limit):
                    if run.only < 0:
                        break
                    seat = lowest(actors(states[g]))
                    if seat == run.only:
                        break
                    members = choices(states[g], seat)
                    y = advance(draws[g])
                    draws[g] = y
                    action = base(states[g]) + nth(members, below(y, size_of(members)))
                    continue
                dones[g] = 1
                cuts[g] = not ended and forfeit < 0
                if forfeit >= 0:
                    rewards[g * seats + forfeit] = FORFEIT
                elif ended:
                    won = winners(states[g])
                    for seat in range(seats):
                        rewards[g * seats + seat] = worth(states[g], won, seats, seat)
                if run.autoreset == 0:
                    break
                forfeit = NOBODY
                begin = True
            if dones[g] != 0 and run.autoreset == 0:
                seat = turn[g] if run.only < 0 else run.only
                look(states[g], memories[g], seat, observations, g * run.width)
                for action in range(room):
                    masks[g * room + action] = 1
                continue
            seat = lowest(actors(states[g]))
            turn[g] = seat
            look(states[g], memories[g], seat, observations, g * run.width)
            counts[g] = mask(states[g], seat, masks, g * room)

    return turns


def make_slices(game: AnyGame) -> Callable[..., None]:
    """The driver of a game in which any seat may act at any moment. Time goes on by a slice, and
    timers run out on the way; then the seats that act do so at the same moment, in an order by lot.
    What the rules refuse by then, because another seat was quicker, is void."""
    rules, observation = game.rules, declared(game)
    check, act, over, winners = rules.check, rules.act, rules.over, rules.winners
    due, tick, needs = rules.due, rules.tick, rules.needs
    look, mask, worth = observation.look, observation.mask, observation.worth
    before, after, action_of = observation.before, observation.after, observation.action
    settle, room = make_settle(game), observation.actions

    def slices(
        states: Any, memories: Any, fresh: Any, blank: Any, arrays: Arrays, run: Run
    ) -> None:
        observations, masks = raw(arrays.observations), raw(arrays.masks)
        actions = arrays.actions
        rewards, dones, cuts, turn = arrays.rewards, arrays.dones, arrays.cuts, arrays.seats
        counts, steps, faults = arrays.counts, arrays.steps, arrays.faults
        streams, draws, deck = arrays.streams, arrays.draws, arrays.deck
        what, seats = run.what, run.seats
        for g in range(len(states)):
            row = g * seats
            if what == RENEW and arrays.marks[g] == 0:
                continue
            if what != DRAW:
                for seat in range(seats):
                    rewards[row + seat] = 0.0
                if run.autoreset != 0:
                    dones[g] = 0
                    cuts[g] = 0
            wrong = NOBODY
            if what == RESET or what == RENEW:
                dones[g] = 0
                cuts[g] = 0
                if what == RESET:
                    streams[g] = start(run.seed, run.first + g)
                    draws[g] = start(run.seed, run.first + g + APART)
            elif dones[g] != 0 and run.autoreset == 0:
                continue
            else:
                if what != GIVEN:
                    y = draws[g]
                    for seat in range(seats):
                        y = advance(y)
                        k = below(y, counts[row + seat])
                        actions[row + seat] = nth_one(masks, (row + seat) * room, room, k)
                    draws[g] = y
                    if what == DRAW:
                        continue
                acting = 0
                for seat in range(seats):
                    number = actions[row + seat]
                    if number < 0 or number >= room or masks[(row + seat) * room + number] == 0:
                        wrong = seat
                        break
                    if number != WAIT:
                        acting |= bit(seat)
                if wrong >= 0 and run.forfeits == 0:
                    if faults[0] == 0:
                        faults[1] = g
                        faults[2] = wrong
                    faults[0] += 1
                    continue
                now = arrays.clocks[g] + run.slice_ms
                arrays.clocks[g] = now
                x = streams[g]
                if wrong >= 0:
                    acting = 0
                while not over(states[g]) and due(states[g]) <= now:
                    tick(states[g])
                    after(states[g], memories[g])
                    if needs(states[g]) != 0:
                        x = settle(states[g], memories[g], deck, x)
                while acting != 0 and not over(states[g]):
                    x = advance(x)
                    seat = nth(acting, below(x, size_of(acting)))
                    acting = without(acting, seat)
                    action = action_of(states[g], seat, actions[row + seat])
                    if action >= 0 and check(states[g], seat, action, now) == OK:
                        before(states[g], memories[g], seat, action)
                        act(states[g], seat, action, now)
                        after(states[g], memories[g])
                        if needs(states[g]) != 0:
                            x = settle(states[g], memories[g], deck, x)
                streams[g] = x
                steps[g] += 1
            begin = what == RESET or what == RENEW
            while True:
                if begin:
                    states[g] = fresh[0]
                    memories[g] = blank[0]
                    arrays.clocks[g] = 0
                    steps[g] = 0
                    if needs(states[g]) != 0:
                        streams[g] = settle(states[g], memories[g], deck, streams[g])
                ended = over(states[g])
                if not ended and wrong < 0 and (run.limit == 0 or steps[g] < run.limit):
                    break
                dones[g] = 1
                cuts[g] = not ended and wrong < 0
                if wrong >= 0:
                    rewards[row + wrong] = FORFEIT
                elif ended:
                    won = winners(states[g])
                    for seat in range(seats):
                        rewards[row + seat] = worth(states[g], won, seats, seat)
                if run.autoreset == 0:
                    break
                wrong = NOBODY
                begin = True
            for seat in range(seats):
                turn[g] = -1
                look(states[g], memories[g], seat, observations, (row + seat) * run.width)
                if dones[g] != 0 and run.autoreset == 0:
                    for action in range(room):
                        masks[(row + seat) * room + action] = 1
                else:
                    counts[row + seat] = mask(states[g], seat, masks, (row + seat) * room)

    return slices


def make_look(game: AnyGame) -> Callable[..., None]:
    """What one seat of one game observes."""
    look = declared(game).look

    def one_look(states: Any, memories: Any, game: int, seat: int, out: Any) -> None:
        look(states[game], memories[game], seat, raw(out), 0)

    return one_look


@cache
def plain_look(game: AnyGame) -> Callable[..., None]:
    return make_look(game)


@cache
def compiled_look(game: AnyGame) -> CompiledFunction:
    kinds = "record[::1]", "memory[::1]", "int64", "int64", "int8[::1]"
    return CompiledFunction(game.rules, plain_look(game), *kinds, memory=declared(game).memory)


@cache
def plain_step(game: AnyGame) -> Callable[..., None]:
    return make_slices(game) if game.live else make_turns(game)


@cache
def compiled_step(game: AnyGame) -> CompiledFunction:
    kinds = "record[::1]", "memory[::1]", "record[::1]", "memory[::1]", Arrays, Run
    return CompiledFunction(game.rules, plain_step(game), *kinds, memory=declared(game).memory)
