"""The state that trick-taking games share. A game adds fields of its own in a class derived from
it."""

from dataclasses import dataclass
from typing import Annotated, TypeVar

from pli.game import NO_SEAT as NO_SEAT
from pli.kernel.layout import Int8, Int16, Int32, Int64, Layout

SEATS = "seats"
"""The length of a list with an entry for each seat."""

NO_CARD = -1
NO_COLOUR = -1

# Phases. The first two wait for a shuffle: of the seats, whose first deals; of the cards. A game's
# choices are phases as well, from FIRST_CHOICE on.
SEATING, DEALING, PLAY, OVER, FIRST_CHOICE = range(5)


@dataclass(slots=True)
class TrickState:
    """One game. Cards are sets of bits; seats too where a name ends in `_seats`."""

    hands: Annotated[list[int], "i8", SEATS]
    lead_cards: Int64  # the cards of the lead suit; all cards while nobody has led
    trump_cards: Int64  # the cards of the trump suit; none while there is no trump
    played: Int64  # cards laid in this round, the trick on the table included
    earlier: Int64  # of those, what was laid before this trick
    hidden: Int64  # cards set aside and hands discarded in this round: seen by nobody
    round_number: Int32  # 1 in the first round; 0 before it
    best_strength: Int16
    scores: Annotated[list[int], "i2", SEATS]
    seats: Int8
    phase: Int8
    dealer: Int8
    turn: Int8  # NO_SEAT while nobody is awaited
    leader: Int8
    trump: Int8  # NO_COLOUR while there is none
    trumped: Int8  # a trump was added to a trick of another lead suit
    best_seat: Int8  # who is winning the trick
    holding_seats: Int8  # who has cards left
    waiting_seats: Int8  # of those, who has yet to play to the trick
    winning_seats: Int8  # none before the end
    tricks: Annotated[list[int], "i1", SEATS]  # taken in this round
    trick: Annotated[list[int], "i1", SEATS]
    last_trick: Annotated[list[int], "i1", SEATS]
    last_leader: Int8
    last_winner: Int8


S = TypeVar("S", bound=TrickState)


def blank(layout: Layout[S], seats: int) -> S:
    """Before the first shuffle."""
    s = layout.blank()
    s.seats = seats
    s.turn = s.last_leader = s.last_winner = NO_SEAT
    s.trump = NO_COLOUR
    s.trick = [NO_CARD] * len(s.trick)
    s.last_trick = [NO_CARD] * len(s.trick)
    return s
