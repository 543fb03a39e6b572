"""What a seat may know of a game of Plingo."""

from typing import Any, Literal

import msgspec

from pli.game import Seat, View, shown_seat
from pli.games.plingo.rules import (
    GRID,
    actors,
    team_of,
)
from pli.games.plingo.state import (
    CHOOSING,
    DECK,
    NO_BID,
    NO_COLOUR,
    OVER,
    PASSED,
    State,
)
from pli.kernel.bits import size, to_list
from pli.tricks import TrickCard, trick_cards

PHASES = ("seating", "dealing", "bid", "trump", "play", "joker", "over")
SIDES = ("front", "back", "last")
Bid = int | Literal["pass"] | None
"""A number of boxes; None: not yet, or there is no auction."""


class PlingoView(View, frozen=True, kw_only=True):
    round: int
    master: Seat
    side: str
    """Of the master card: front, back, or last (round)."""
    leader: Seat
    trump: str | None
    teams: list[int]
    """Each seat's team; where everybody plays alone, the seats themselves."""
    grids: list[list[int]]
    """The boxes that each team has ticked."""
    new_boxes: list[list[int]]
    """Of those, what each team has ticked at this round's reveal."""
    bids: list[Bid]
    """By seat, of this round."""
    auction: bool
    joker_may: bool
    """Whether a joker may be left unused."""
    cards: list[int]
    """How many cards each seat holds."""
    taken: list[int]
    """How many cards each seat has taken in this round."""
    took: list[str]
    """What the viewer itself has taken in this round: it saw the cards pass."""
    revealed: list[list[str]]
    """What each seat took, once it lies open at the reveal."""
    hand: list[str]
    """The viewer's own cards; none for a spectator."""
    trick: list[TrickCard]
    last_trick: list[TrickCard]
    last_winner: Seat
    full_grid: bool
    """Whether the game ended by a full grid; otherwise by the last round."""


def boxes(grid: int) -> list[int]:
    return [box + 1 for box in to_list(grid)]


def bid_shown(bid: int) -> Bid:
    if bid == NO_BID:
        return None
    return "pass" if bid == PASSED else bid


def own(s: State, seat: int) -> dict[str, Any]:
    """What a seat knows beside what all can see."""
    return {"seat": seat, "took": DECK.listed(s.taken[seat]), "hand": DECK.listed(s.hands[seat])}


def view(s: State, seat: Seat) -> PlingoView:
    seats = range(s.seats)
    at_reveal = s.phase in (CHOOSING, OVER)
    shown = PlingoView(
        seat=None,
        seats=s.seats,
        phase=PHASES[s.phase],
        round=s.round_number,
        master=shown_seat(s.master),
        side=SIDES[s.side],
        turn=shown_seat(s.turn),
        awaited=to_list(actors(s)),
        leader=shown_seat(s.leader),
        trump=None if s.trump == NO_COLOUR else DECK.colours[s.trump],
        teams=[team_of(s, each) for each in seats],
        grids=[boxes(s.grids[team]) for team in range(s.teams)],
        new_boxes=[boxes(s.new_boxes[team]) for team in range(s.teams)],
        bids=[bid_shown(s.bids[each]) for each in seats],
        auction=bool(s.auction),
        joker_may=bool(s.joker_may),
        cards=[size(s.hands[each]) for each in seats],
        taken=[size(s.taken[each]) for each in seats],
        took=[],
        revealed=[DECK.listed(s.taken[each]) for each in seats] if at_reveal else [],
        hand=[],
        trick=trick_cards(s.trick, s.leader, s.seats, DECK),
        last_trick=trick_cards(s.last_trick, s.last_leader, s.seats, DECK),
        last_winner=shown_seat(s.last_winner),
        winners=to_list(s.winning_seats),
        full_grid=s.phase == OVER and GRID in s.grids,
    )
    return shown if seat is None else msgspec.structs.replace(shown, **own(s, seat))
