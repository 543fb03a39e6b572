"""What bots know of Plingo: a heuristic, what a round's end is worth, and what they saw of the
state."""

from collections.abc import Sequence
from typing import Any

import msgspec

from pli.game import Event, seat_number
from pli.games.plingo.events import Cancelled, Revealed, Took
from pli.games.plingo.position import bid_number
from pli.games.plingo.rules import (
    BIDDING,
    BOXES,
    DECK,
    HIGHEST,
    LAST,
    MOST_BID,
    NO_BID,
    State,
    best,
    bid_of,
    has_use,
    highest_bid,
    in_reach,
    joker_taker,
    taken_by,
    team_of,
    uncancelled,
    values_once,
)
from pli.games.plingo.view import SIDES, PlingoView
from pli.kernel.bits import bit, from_list, has, size, to_list
from pli.kernel.rule import rule
from pli.kernel.stream import below
from pli.tricks import OVER, cards_left

# The heuristic: win what one's team still needs, leave to the others what it has already, and bid
# no more than a good hand brings.

JOKER_WORTH = 1.5
"""A 10 ticks any box."""

HOLDS = 0.75
"""How likely a card that is winning still is after each further one."""

CANCELS = 0.5
"""What it is worth that a card cancels its equals, so that no team gets them."""

GIVES_JOKER, GIVES = 0.5, 0.15
"""What it costs to give a card to another team."""

SPARE = 0.1
"""What a pip is worth in the hand: low cards go first."""

SAFE_BIDS = {1: 1, 2: 5, 3: 8}
"""So many boxes must be open for a bid to be made four times in five, whatever the hand: the fewer
are left, the more of what is taken is ticked already. A bid of one box risks nothing."""


def choose(view: PlingoView, actions: Sequence[str]) -> str:
    if view.phase == "bid":
        return _bid(view, actions)
    if view.phase == "trump":
        return max(actions, key=lambda action: _strength(view.hand, action.split()[1]))
    if view.phase == "joker":
        return actions[0]
    return max(actions, key=lambda action: _prospect(view, action.removeprefix("play ")))


def plausible(view: PlingoView, actions: Sequence[str]) -> Sequence[str]:
    """A distracted player still bids no more than it takes to be the highest."""
    return [actions[0], actions[-1]] if view.phase == "bid" else actions


def _strength(hand: Sequence[str], colour: str) -> float:
    """Long and high; no trump is better than a poor one."""
    if colour == "none":
        return 2.5 * HIGHEST
    return sum(int(card[1:]) + 5 for card in hand if card[0] == colour)


def _bid(view: PlingoView, actions: Sequence[str]) -> str:
    """The lowest bid there is, if it is safe: the master card is worth that much and no more."""
    if actions[0] == "pass":
        return "pass"
    needed = SAFE_BIDS.get(int(actions[0].split()[1]))
    open_boxes = BOXES - len(view.grids[view.teams[view.seat or 0]])
    return actions[0] if needed is not None and open_boxes >= needed else "pass"


def _prospect(view: PlingoView, card: str) -> float:
    """What the trick would bring as it stands, with the chance that it stays so."""
    value = int(card[1:])
    mine = bit(DECK.number(card))
    table = DECK.set_of(laid.card for laid in view.trick)
    left = uncancelled(table | mine)
    spare = -SPARE * value
    partners = [laid.card for laid in view.trick if _partner(view, laid.seat)]
    later = view.seats - len(view.trick) - 1
    asked = DECK.colour((view.trick[0].card if view.trick else card)[0])
    trump = 0 if view.trump is None else DECK.colour(view.trump)
    leads = DECK.names[best(left, trump, asked)] if left else None
    if leads in partners:
        return spare + _gain(view, left) * HOLDS**later
    if not left & mine:
        before = uncancelled(table)
        winning = DECK.names[best(before, trump, asked)] if before else None
        # A partner's trick is not to be cancelled away.
        return spare - _gain(view, before) if winning in partners else spare + CANCELS
    if leads != card:
        return spare - (GIVES_JOKER if value == HIGHEST else GIVES)
    return spare + _gain(view, left) * HOLDS**later


def _partner(view: PlingoView, seat: int) -> bool:
    return view.seat is not None and view.teams[seat] == view.teams[view.seat]


def _gain(view: PlingoView, cards: int) -> float:
    """Boxes that these cards could tick, less those that they would cost: a value taken twice
    counts no more."""
    ticked = view.grids[view.teams[view.seat or 0]]
    took = [int(card[1:]) for card in view.took]
    gain = 0.0
    for number in to_list(cards):
        value = number % HIGHEST + 1
        worth = JOKER_WORTH if value == HIGHEST else float(value not in ticked)
        if value not in took:
            gain += worth
        elif took.count(value) == 1:
            gain -= worth
    return gain


# Search

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


BOLD = 4
"""Rollouts bid once in so many times."""


@rule
def timid_bid(s: State, seat: int, x: int) -> int:
    """Mostly a pass, and one box more than the highest at most: bidding at random ticks
    nothing."""
    most = highest_bid(s)
    return most if most < MOST_BID and below(x, BOLD) == 0 else MOST_BID


@rule
def bids_and_cards_left(s: State) -> int:
    """Jokers come after the last card, one for each seat at most; bids before the first."""
    left = cards_left(s)
    if s.phase == BIDDING:
        for seat in range(s.seats):
            left += s.bids[seat] == NO_BID
    return left


# What is known of the state: by the view, and by what was played, taken and cancelled. No seat has
# to follow suit, so nothing more is known of a hand.


def recall(s: State, view: PlingoView) -> None:
    s.dealer = seat_number(view.master)
    s.side = SIDES.index(view.side)
    s.teams = len(view.grids)
    for team in range(s.teams):
        s.grids[team] = from_list(box - 1 for box in view.grids[team])
        s.new_boxes[team] = from_list(box - 1 for box in view.new_boxes[team])
    for seat, made in enumerate(view.bids):
        s.bids[seat] = bid_number(made)
    if view.phase == "joker":
        s.joker_seats = _jokers(s, seat_number(view.turn))


def note(s: State, event: Event) -> None:
    if isinstance(event, Cancelled):
        s.cancelled |= DECK.set_of(event.cards)
    elif isinstance(event, Took):
        s.taken[event.seat] |= DECK.set_of(event.cards)
    elif isinstance(event, Revealed):
        s.taken[event.seat] = DECK.set_of(event.cards)


def _jokers(s: State, turn: int) -> int:
    """Who has yet to use one: from the seat on turn on, up to the master (PL-11a); not who has
    missed a bid (PL-19a)."""
    jokers = 0
    for after in range((turn - s.dealer - 1) % s.seats, s.seats):
        seat = (s.dealer + 1 + after) % s.seats
        team = team_of(s, seat)
        unique, grid = values_once(taken_by(s, team)), s.grids[team] & ~s.new_boxes[team]
        made = in_reach(grid, unique) >= bid_of(s, team)
        if made and has_use(s.grids[team], unique) and joker_taker(s, team) == seat:
            jokers |= bit(seat)
    return jokers


def remembered(view: PlingoView, s: State) -> PlingoView:
    """With what one's partners took as if it were one's own: it counts as such (PL-18a), and was
    seen to pass."""
    if view.seat is None or len(view.grids) == view.seats:
        return view
    team = view.teams[view.seat]
    partners = [seat for seat in range(view.seats) if view.teams[seat] == team]
    took = [card for seat in partners for card in DECK.listed(s.taken[seat])]
    return msgspec.structs.replace(view, took=took)
