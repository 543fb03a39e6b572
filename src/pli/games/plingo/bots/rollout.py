"""How a search plays Plingo on below its tree: the rollout policy, and what a round's end is
worth."""

from typing import Any

from pli.games.plingo.bots.belief import fill
from pli.games.plingo.rules import (
    choices,
    highest_bid,
    legal,
    team_of,
)
from pli.games.plingo.state import (
    BID,
    BIDDING,
    CHOOSING,
    COLOURS,
    DEALING,
    LAST,
    MOST_BID,
    NAME_TRUMP,
    NO_BID,
    OVER,
    PASS,
    TICK,
    TRUMP,
    State,
)
from pli.kernel.bits import full, has, size
from pli.kernel.contract import Buffer
from pli.kernel.rule import rule
from pli.kernel.search import SearchModel, uniform
from pli.kernel.stream import below


@rule
def paused(s: State) -> bool:
    return s.phase == OVER or s.phase == DEALING


# What so many boxes are worth between two rounds: the chance to win is in proportion to these.
# Fitted to random games, and rounded by hand between the tables of 2 to 6 seats, which differ
# little; bench/worth.py fits one table for all, and its chances are half a percent apart.
WORTH = (1.0, 1.26, 1.6, 2.05, 2.7, 3.75, 5.5, 9.0, 16.0)
WORTH_LAST = (1.0, 1.5, 2.3, 3.6, 5.6, 9.2, 15.5, 28.0, 53.0)


@rule
def worth(s: State, rewards: Any) -> None:
    """Partners win together (PL-18a): each has its team's chance."""
    total = 0.0
    for team in range(s.teams):
        if s.phase == OVER:
            chance = 1.0 if has(s.winning_seats, team) else 0.0
        elif s.side == LAST:
            chance = WORTH_LAST[size(s.grids[team])]
        else:
            chance = WORTH[size(s.grids[team])]
        rewards[team] = chance
        total += chance
    for seat in range(s.seats - 1, -1, -1):
        rewards[seat] = rewards[team_of(s, seat)] / total


@rule
def policy(s: State, seat: int, buffer: Buffer, x: int) -> int:
    if s.phase == BIDDING:
        return timid_bid(s, x)
    if s.phase == TRUMP:
        return NAME_TRUMP + uniform(full(COLOURS + 1), x)
    if s.phase == CHOOSING:
        return TICK + uniform(choices(s, seat), x)
    return uniform(choices(s, seat), x)


BOLD = 4
"""The rollout policy bids once in so many times."""


@rule
def timid_bid(s: State, x: int) -> int:
    """Mostly a pass, and one box more than the highest at most: bidding at random ticks
    nothing."""
    most = highest_bid(s)
    return BID + most if most < MOST_BID and below(x, BOLD) == 0 else PASS


@rule
def mover(s: State) -> int:
    return s.turn


@rule
def left(s: State) -> int:
    """Jokers come after the last card, one for each seat at most; bids before the first."""
    cards = 0
    if s.phase == BIDDING:
        for seat in range(s.seats):
            cards += s.bids[seat] == NO_BID
    for seat in range(s.seats):
        cards += size(s.hands[seat])
    return cards


ROLLOUT: SearchModel[State] = SearchModel(
    fill=fill,
    paused=paused,
    worth=worth,
    mover=mover,
    options=legal,
    policy=policy,
    left=left,
)
