"""Information-set Monte-Carlo tree search, and its plain yardstick, over any game's rules.

Each iteration deals the unseen cards anew, goes down one common tree along the actions that this
deal allows (Cowling, Powley & Whitehouse 2012: one tree for the searching seat's information sets,
actions weighed by how often they were there to choose), adds a node, plays on by the game's rules
of thumb, and tells everybody on the way what the end was worth to them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import log, sqrt
from typing import Any, Generic, TypeVar

from pli.kernel.bits import bit, nth
from pli.kernel.bits import size as size_of
from pli.kernel.contract import Rules
from pli.kernel.dealing import deal_unseen
from pli.kernel.playout import shuffle
from pli.kernel.rule import hot, rule
from pli.kernel.stream import advance, below, start

S = TypeVar("S")

# Columns of a node.
ACTION, MOVER, PARENT, CHILD, SIBLING, VISITS, AVAILABLE = range(7)
COLUMNS = 7
NONE = -1


@hot
def nothing_follows(s: Any, me: int, x: int) -> int:
    """`follow` of a game in which nothing happens but what somebody decides."""
    return x


@dataclass(frozen=True)
class Insight(Generic[S]):
    """What search must know of a game beside its rules."""

    fill: Callable[[S, Any], None]
    """(s, dealt): puts the sets dealt to the slots where they belong."""
    paused: Callable[[S], bool]
    """Whether a round is over, or the game: what comes then is not searched but judged."""
    worth: Callable[[S, Any], None]
    """(s, rewards): of a state that has paused, each seat's chance to win the game."""
    mover: Callable[[S], int]
    """Who is to act; search lets nobody else."""
    options: Callable[[S, int, Any], int]
    """(s, seat, buffer): the actions worth a thought, and how many they are."""
    policy: Callable[[S, int, Any, int], int]
    """(s, seat, buffer, x): what a seat does that does not search; x is random."""
    left: Callable[[S], int]
    """How many more actions a round has at most: few enough are solved, not guessed."""
    deal: Callable[..., int] = deal_unseen
    """Deals what is unseen into slots; the arguments are those of `deal_unseen`."""
    follow: Callable[[S, int, int], int] = nothing_follows
    """(s, me, x): all that happens after an action before there is something to search for me:
    shuffles, timers, what others do unasked. Says how far the random stream x has come."""


@rule
def uniform(members: int, x: int) -> int:
    """Any member, each as likely as the next."""
    return nth(members, below(x, size_of(members)))


SOLVED = 6
"""So few actions from a round's end a deal is solved exactly, everybody playing for itself."""

AFTER = 8
"""Choices that may follow a round's last card, at most."""

FRAMES = SOLVED + AFTER
"""States that solving needs room for; the search's own come before them."""

OWN_STATES = 2


def make_solve(rules: Rules[Any], insight: Insight[Any]) -> Callable[..., None]:
    """Solves the rest of a round with open cards: every seat takes what is best for itself (max^n,
    Luckhardt & Irani 1986); of equals the first."""
    act, mover, options = rules.act, insight.mover, insight.options
    paused, worth = insight.paused, insight.worth

    @rule
    def solve(states: Any, first: int, frames: Any, moves: Any, outcomes: Any) -> None:
        """Of states[first], into outcomes[0]. `frames` hold who moves, how many moves there are
        and how many were tried."""
        depth = 0
        entering = True
        while depth >= 0:
            s = states[first + depth]
            if entering:
                if paused(s):
                    worth(s, outcomes[depth])
                    frames[depth, 1] = 0
                else:
                    frames[depth, 0] = mover(s)
                    frames[depth, 1] = options(s, frames[depth, 0], moves[depth])
                    outcomes[depth, frames[depth, 0]] = -1.0
                frames[depth, 2] = 0
            if frames[depth, 2] < frames[depth, 1] and depth + 1 < FRAMES:
                states[first + depth + 1] = states[first + depth]
                act(
                    states[first + depth + 1],
                    frames[depth, 0],
                    moves[depth, frames[depth, 2]],
                    0,
                )
                frames[depth, 2] += 1
                depth += 1
                entering = True
                continue
            depth -= 1
            entering = False
            if depth >= 0:
                me = frames[depth, 0]
                if outcomes[depth + 1, me] > outcomes[depth, me]:
                    for seat in range(outcomes.shape[1]):
                        outcomes[depth, seat] = outcomes[depth + 1, seat]

    return solve


def make_search(rules: Rules[Any], insight: Insight[Any]) -> Callable[..., None]:
    """The search of a game."""
    left, solve = insight.left, make_solve(rules, insight)
    act, deal, fill, mover = rules.act, insight.deal, insight.fill, insight.mover
    options, paused, policy = insight.options, insight.paused, insight.policy
    follow = insight.follow

    def search(
        states: Any,
        cards: Any,
        counts: Any,
        order: Any,
        sizes: Any,
        banned: Any,
        known: int,
        table: Any,
        dealt: Any,
        rest: Any,
        nodes: Any,
        values: Any,
        buffer: Any,
        frames: Any,
        moves: Any,
        outcomes: Any,
        seed: int,
        first: int,
        iterations: int,
        survey: float,
        explore: float,
    ) -> None:
        """Goes on with the tree for so many iterations; `states` are the root, room for
        one and for solving. How much is tried that has not looked best so far: `survey` of the
        decision itself, `explore` of those after it."""
        used = nodes[0, ACTION]  # the root has none, and so tells how many nodes there are
        me = mover(states[0])
        for iteration in range(first, first + iterations):
            states[1] = states[0]
            s = states[1]
            x = start(seed, iteration)
            x = deal(cards, counts, order, sizes, banned, known, table, dealt, rest, x)
            fill(s, dealt)
            node = 0
            trying = survey
            while not paused(s):
                seat = mover(s)
                listed = options(s, seat, buffer)
                tried = 0  # these come first in the buffer
                best = NONE
                most = -1.0
                child = nodes[node, CHILD]
                while child != NONE:
                    action = nodes[child, ACTION]
                    for i in range(tried, listed):
                        if buffer[i] == action:
                            buffer[i] = buffer[tried]
                            buffer[tried] = action
                            tried += 1
                            nodes[child, AVAILABLE] += 1
                            visits = nodes[child, VISITS]
                            bound = values[child] / visits + trying * sqrt(
                                log(nodes[child, AVAILABLE]) / visits
                            )
                            if bound > most:
                                most = bound
                                best = child
                            break
                    child = nodes[child, SIBLING]
                if tried < listed and used < len(nodes):
                    x = advance(x)
                    action = buffer[tried + below(x, listed - tried)]
                    nodes[used, ACTION] = action
                    nodes[used, MOVER] = seat
                    nodes[used, PARENT] = node
                    nodes[used, CHILD] = NONE
                    nodes[used, SIBLING] = nodes[node, CHILD]
                    nodes[used, VISITS] = 0
                    nodes[used, AVAILABLE] = 1
                    values[used] = 0.0
                    nodes[node, CHILD] = used
                    node = used
                    used += 1
                    act(s, seat, action, 0)
                    x = follow(s, me, x)
                    break
                if best == NONE:
                    break
                node = best
                trying = explore
                act(s, seat, nodes[best, ACTION], 0)
                x = follow(s, me, x)
            while not paused(s) and left(s) > SOLVED:
                seat = mover(s)
                x = advance(x)
                act(s, seat, policy(s, seat, buffer, x), 0)
                x = follow(s, me, x)
            states[OWN_STATES] = states[1]
            solve(states, OWN_STATES, frames, moves, outcomes)
            while node > 0:
                nodes[node, VISITS] += 1
                values[node] += outcomes[0, nodes[node, MOVER]]
                node = nodes[node, PARENT]
            nodes[0, VISITS] += 1
        nodes[0, ACTION] = used

    return search


def make_flat(rules: Rules[Any], insight: Insight[Any]) -> Callable[..., None]:
    """The yardstick: each action once in every deal, then random play to the end of the game."""
    act, needs, give, dealt_of = rules.act, rules.needs, rules.give, rules.dealt or rules.needs
    over, winners = rules.over, rules.winners
    deal, fill, mover, options = insight.deal, insight.fill, insight.mover, insight.options
    follow = insight.follow

    def flat(
        states: Any,
        cards: Any,
        counts: Any,
        order: Any,
        sizes: Any,
        banned: Any,
        known: int,
        table: Any,
        dealt: Any,
        rest: Any,
        wins: Any,
        deck: Any,
        buffer: Any,
        seed: int,
        deals: int,
    ) -> None:
        """Counts wins by action; states are the root, room for the deal and for one more."""
        me = mover(states[0])
        for number in range(deals):
            x = start(seed, number)
            states[1] = states[0]
            x = deal(cards, counts, order, sizes, banned, known, table, dealt, rest, x)
            fill(states[1], dealt)
            for choice in range(options(states[1], me, buffer)):
                options(states[1], me, buffer)
                action = buffer[choice]
                states[2] = states[1]
                s = states[2]
                act(s, me, action, 0)
                x = follow(s, me, x)
                while not over(s):
                    size = needs(s)
                    if size > 0:
                        x = shuffle(deck, size, dealt_of(s), x)
                        give(s, deck)
                        continue
                    seat = mover(s)
                    x = advance(x)
                    act(s, seat, buffer[below(x, options(s, seat, buffer))], 0)
                    x = follow(s, me, x)
                won = winners(s)
                if won & bit(me):
                    wins[action] += 1.0 / size_of(won)

    return flat
