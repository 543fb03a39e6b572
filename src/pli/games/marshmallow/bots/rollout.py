"""How a search plays Marshmallow Test on below its tree: the rollout policy, and what a round's end
is worth."""

from typing import Any

from pli.games.marshmallow.bots.belief import fill
from pli.games.marshmallow.rules import choices, legal
from pli.games.marshmallow.state import (
    CARDS,
    COLOURS,
    DEALING,
    OVER,
    TRUMP,
    State,
)
from pli.kernel.bits import full, size
from pli.kernel.contract import Buffer
from pli.kernel.rule import rule
from pli.kernel.search import SearchModel, uniform


@rule
def paused(s: State) -> bool:
    return s.phase == OVER or s.phase == DEALING


# What so many points are worth between two rounds, for each number of seats: the chance to win is
# in proportion to these. Fitted to random games of the English edition, with 20 points to reach and
# the book's tricks to go out; bench/worth.py fits them anew, and with other deals the chances come
# out half a percent apart. With other numbers of tricks rounds pay less or more, and it is only
# an order: more points are better.
FULL_TARGET = 20

WORTH = {
    2: "1 1.15 1.35 1.56 1.87 2.1 2.51 2.96 3.56 4.18 "
    "5.13 6.29 7.91 9.53 11.8 16.3 22.6 30.7 40.8 49",
    3: "1 1.24 1.51 1.93 2.37 2.87 3.55 4.44 5.59 7.47 "
    "9.17 11.3 13.8 19 27.1 39.2 56.4 74.4 95.6 107",
    4: "1 1.24 1.74 2.07 2.75 3.55 4.95 6.78 9.26 12.3 "
    "15.1 18.4 26.7 39.3 57.8 89.3 126 170 216 249",
    5: "1 1.22 1.71 2.23 3.04 3.93 4.94 6.64 8.17 9.77 "
    "11 16.8 24.4 36.3 49.8 66.5 85.6 105 120 127",
}

LEAST_SEATS = min(WORTH)
WORTHS = tuple(float(each) for seats in sorted(WORTH) for each in WORTH[seats].split())


@rule
def worth(s: State, rewards: Any) -> None:
    if s.phase == OVER:
        for seat in range(s.seats):
            rewards[seat] = 0.0
        rewards[s.last_winner] = 1.0
        return
    total = 0.0
    for seat in range(s.seats):
        # Other targets are judged by how far there is to go.
        points = max(0, FULL_TARGET - (s.target - s.scores[seat]))
        rewards[seat] = WORTHS[(s.seats - LEAST_SEATS) * FULL_TARGET + points]
        total += rewards[seat]
    for seat in range(s.seats):
        rewards[seat] /= total


@rule
def policy(s: State, seat: int, buffer: Buffer, x: int) -> int:
    if s.phase == TRUMP:
        return CARDS + uniform(full(COLOURS), x)
    return uniform(choices(s, seat), x)


@rule
def mover(s: State) -> int:
    return s.turn


@rule
def left(s: State) -> int:
    cards = 0
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
