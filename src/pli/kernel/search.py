"""Single-observer information-set Monte-Carlo tree search (SO-ISMCTS), and flat Monte-Carlo as its
baseline, over any game's rules.

Cowling, Powley & Whitehouse 2012: one tree over the information sets of the searching seat. Each
iteration samples a determinization (a deal of the unseen cards), selects down the tree by UCB1
among the actions that are legal in this deal, where an action's availability count stands for the
parent's visits, expands one node, plays on by the game's rollout policy, and backs the reward of
each seat up to the nodes where that seat moved.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import log, sqrt
from typing import Annotated, Any, Generic, NamedTuple, TypeVar

import numpy as np

from pli.kernel.bits import bit, nth
from pli.kernel.bits import size as size_of
from pli.kernel.contract import Rules
from pli.kernel.dealing import MOST_SLOTS, DealArrays, deal_unseen
from pli.kernel.playout import shuffle
from pli.kernel.rule import hot, rule
from pli.kernel.stream import advance, below, start

S = TypeVar("S")

# Columns of a node: CHILD is its first one, SIBLING the parent's next.
ACTION, MOVER, PARENT, CHILD, SIBLING, VISITS, AVAILABLE = range(7)
COLUMNS = 7
NONE = -1


@hot
def nothing_follows(s: Any, me: int, x: int) -> int:
    """`follow` of a game without shuffles, timers and interruptions within a round."""
    return x


@dataclass(frozen=True)
class SearchModel(Generic[S]):
    """What search needs of a game besides its rules."""

    fill: Callable[[S, Any], None]
    """(s, dealt): completes the state with the cards dealt to the slots."""
    paused: Callable[[S], bool]
    """Whether the round or the game is over: a leaf, which `worth` evaluates."""
    worth: Callable[[S, Any], None]
    """(s, rewards): the evaluation of a leaf: each seat's chance to win the game."""
    mover: Callable[[S], int]
    """The seat to act; search considers actions of no other."""
    options: Callable[[S, int, Any], int]
    """(s, seat, buffer): fills the buffer with the actions to search; returns how many."""
    policy: Callable[[S, int, Any, int], int]
    """(s, seat, buffer, x): the rollout policy's action; x is random."""
    left: Callable[[S], int]
    """How many more actions the round has at most: the last SOLVED are solved exactly."""
    deal: Callable[..., int] = deal_unseen
    """(unseen, x): samples a determinization into `unseen.dealt`; returns the random stream."""
    follow: Callable[[S, int, int], int] = nothing_follows
    """(s, me, x): plays on after an action to the next decision that is searched for seat `me`:
    shuffles, timers, what others do out of turn. Returns the random stream."""


@rule
def uniform(members: int, x: int) -> int:
    """A uniformly random member."""
    return nth(members, below(x, size_of(members)))


SOLVED = 6
"""With so few actions left in a round the deal is solved exactly, by max^n."""

AFTER = 8
"""Decisions that may follow a round's last card, at most."""

FRAMES = SOLVED + AFTER
"""The solver's stack depth, in states; the search's own states come before them."""

OWN_STATES = 2
"""The root, and the state that an iteration plays on."""


class SearchMemory(NamedTuple):
    """The tree, and scratch memory of the search and of the solver."""

    nodes: Annotated[Any, "int32[:,::1]"]
    """The action column of node 0, the root, holds the number of nodes in use."""
    values: Annotated[Any, "float64[::1]"]
    """The sum of the mover's rewards, by node."""
    buffer: Annotated[Any, "int32[::1]"]
    """Actions of one state."""
    frames: Annotated[Any, "int32[:,::1]"]
    """The solver's stack: who moves, how many actions there are, how many were tried."""
    moves: Annotated[Any, "int32[:,::1]"]
    """The actions of each stack frame."""
    outcomes: Annotated[Any, "float64[:,::1]"]
    """The best rewards found so far, by stack frame and seat; frame 0 has the solution."""

    @classmethod
    def make(cls, nodes: int, actions: int) -> "SearchMemory":
        """For a tree of so many nodes, in a game of so many actions a seat."""
        memory = cls(
            nodes=np.zeros((nodes, COLUMNS), np.int32),
            values=np.zeros(nodes),
            buffer=np.zeros(actions, np.int32),
            frames=np.zeros((FRAMES, 3), np.int32),
            moves=np.zeros((FRAMES, actions), np.int32),
            outcomes=np.zeros((FRAMES, MOST_SLOTS)),
        )
        memory.nodes[0] = (1, 0, NONE, NONE, NONE, 0, 0)
        return memory


class SearchRun(NamedTuple):
    """Which iterations to run, and how."""

    seed: Annotated[int, "int64"]
    first: Annotated[int, "int64"]
    """The number of the first iteration: each has its own random stream."""
    iterations: Annotated[int, "int64"]
    root_exploration: Annotated[float, "float64"]
    """The UCB constant at the root."""
    exploration: Annotated[float, "float64"]
    """The UCB constant below the root."""


class FlatMemory(NamedTuple):
    """The results and scratch memory of flat Monte-Carlo."""

    wins: Annotated[Any, "float64[::1]"]
    """By action; shared wins are divided."""
    deck: Annotated[Any, "int16[::1]"]
    buffer: Annotated[Any, "int32[::1]"]


def make_solve(rules: Rules[Any], model: SearchModel[Any]) -> Callable[..., None]:
    """The perfect-information solver of a round's end by max^n (Luckhardt & Irani 1986): each seat
    maximizes its own reward; ties go to the first action."""
    act, mover, options = rules.act, model.mover, model.options
    paused, worth = model.paused, model.worth

    @rule
    def solve(states: Any, first: int, memory: SearchMemory) -> None:
        """Solves states[first] into outcomes[0]; the states after it are the stack."""
        frames, moves, outcomes = memory.frames, memory.moves, memory.outcomes
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


def make_search(rules: Rules[Any], model: SearchModel[Any]) -> Callable[..., None]:
    """The ISMCTS driver of a game."""
    left, solve = model.left, make_solve(rules, model)
    act, deal, fill, mover = rules.act, model.deal, model.fill, model.mover
    options, paused, policy = model.options, model.paused, model.policy
    follow = model.follow

    def search(states: Any, unseen: DealArrays, memory: SearchMemory, run: SearchRun) -> None:
        """Runs more iterations on the tree; `states` are the root, OWN_STATES - 1 for an iteration
        and FRAMES for the solver."""
        nodes, values, buffer = memory.nodes, memory.values, memory.buffer
        outcomes, dealt = memory.outcomes, unseen.dealt
        used = nodes[0, ACTION]
        me = mover(states[0])
        for iteration in range(run.first, run.first + run.iterations):
            states[1] = states[0]
            s = states[1]
            x = start(run.seed, iteration)
            x = deal(unseen, x)
            fill(s, dealt)
            node = 0
            exploration = run.root_exploration
            while not paused(s):
                seat = mover(s)
                listed = options(s, seat, buffer)
                tried = 0  # actions that have a child come first in the buffer
                best = NONE
                best_ucb = -1.0
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
                            ucb = values[child] / visits + exploration * sqrt(
                                log(nodes[child, AVAILABLE]) / visits
                            )
                            if ucb > best_ucb:
                                best_ucb = ucb
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
                exploration = run.exploration
                act(s, seat, nodes[best, ACTION], 0)
                x = follow(s, me, x)
            while not paused(s) and left(s) > SOLVED:
                seat = mover(s)
                x = advance(x)
                act(s, seat, policy(s, seat, buffer, x), 0)
                x = follow(s, me, x)
            states[OWN_STATES] = states[1]
            solve(states, OWN_STATES, memory)
            while node > 0:
                nodes[node, VISITS] += 1
                values[node] += outcomes[0, nodes[node, MOVER]]
                node = nodes[node, PARENT]
            nodes[0, VISITS] += 1
        nodes[0, ACTION] = used

    return search


def make_flat(rules: Rules[Any], model: SearchModel[Any]) -> Callable[..., None]:
    """The driver of flat Monte-Carlo: in every determinization each action once, followed by a
    random playout to the end of the game."""
    act, needs, give, dealt_of = rules.act, rules.needs, rules.give, rules.dealt or rules.needs
    over, winners = rules.over, rules.winners
    deal, fill, mover, options = model.deal, model.fill, model.mover, model.options
    follow = model.follow

    def flat(states: Any, unseen: DealArrays, memory: FlatMemory, seed: int, deals: int) -> None:
        """Counts wins by action; `states` are the root, the determinization and the playout's."""
        wins, deck, buffer = memory
        me = mover(states[0])
        for number in range(deals):
            x = start(seed, number)
            states[1] = states[0]
            x = deal(unseen, x)
            fill(states[1], unseen.dealt)
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
