"""What bots know of Marshmallow Test: a heuristic, what a round's end is worth, and what a view
tells of the state."""

from collections.abc import Sequence
from typing import Any

from pli.games.marshmallow.rules import HAND, State
from pli.games.marshmallow.view import MarshmallowView
from pli.kernel.bits import from_list, full
from pli.kernel.rule import rule
from pli.tricks import OVER

# The heuristic: keep the high cards, and win tricks late.

WORTH_IT = {2: 7, 3: 9, 4: 9}
"""Points for which one goes out, by the number of rivals still in; before the last one at once.
Where so many or so few tricks take one out that this can't be had, one waits as long as one can."""

SLACK = 2
"""Cards beyond those that are needed with which one begins to win."""


def choose(view: MarshmallowView, actions: Sequence[str]) -> str:
    if actions[0].startswith("trump"):
        return max(actions, key=lambda action: _strength(view.hand, action[-1]))
    cards = [action.removeprefix("play ") for action in actions]
    return f"play {_lead(view, cards) if not view.trick else _follow(view, cards)}"


def _value(card: str) -> int:
    return int(card[1:])


def _strength(hand: Sequence[str], colour: str) -> int:
    """Long and high."""
    return sum(_value(card) + 5 for card in hand if card[0] == colour)


def _wants(view: MarshmallowView) -> bool:
    """Whether this trick is welcome."""
    me = view.seat or 0
    missing = view.tricks_to_go_out - view.tricks[me]
    rivals = view.seats - len(view.out) - 1
    if rivals <= 1:
        return True
    if missing > 1:
        return view.cards[me] <= missing + SLACK
    pay = sum(view.tricks) - view.tricks[me]
    wins_game = view.scores[me] + pay >= view.target
    return wins_game or pay >= WORTH_IT[rivals] or view.cards[me] <= SLACK


def _lead(view: MarshmallowView, cards: Sequence[str]) -> str:
    return max(cards, key=_value) if _wants(view) else min(cards, key=_value)


def _follow(view: MarshmallowView, cards: Sequence[str]) -> str:
    lead = view.trick[0].card[0]

    def rank(card: str) -> int:
        if card[0] == view.trump:
            return 200 + _value(card)
        return 100 + _value(card) if card[0] == lead else 0

    best = max(rank(laid.card) for laid in view.trick)
    winning = [card for card in cards if rank(card) > best]
    losing = [card for card in cards if rank(card) <= best]
    if winning and (_wants(view) or not losing):
        return min(winning, key=rank)
    return min(losing, key=_value)


# Search

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


def recall(s: State, view: MarshmallowView) -> None:
    s.must_trump = int(view.edition == "fr")
    s.in_seats = full(s.seats) & ~from_list(view.out)


def unseen(view: MarshmallowView, seat: int, plays: int) -> int:
    """Who went out has discarded the rest of its hand unseen."""
    return HAND - plays if seat in view.out else view.cards[seat]
