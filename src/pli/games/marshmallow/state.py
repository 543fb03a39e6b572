"""The state of Marshmallow Test, its options, and the rulebook's numbers."""

from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec

from pli.cards import Deck
from pli.errors import BadOption
from pli.game import NO_SEAT as NO_SEAT
from pli.game import PRINTED, FirstSeat, Options
from pli.kernel.layout import Int8, Int16, Int32, Int64, Layout

MOST_SEATS = 5
COLOURS = 5
HIGHEST = 12
DECK = Deck(COLOURS, HIGHEST)  # MT-1
CARDS = len(DECK)
HAND = 12  # MT-4
TRICKS_TO_GO_OUT = {2: 6, 3: 4, 4: 3, 5: 3}  # MT-10

NO_CARD = -1
NO_COLOUR = -1

# Phases. The first two wait for a shuffle: of the seats, whose first deals (MT-3); of the cards.
SEATING, DEALING, TRUMP, PLAY, OVER = range(5)

# Actions: 0 .. 59 play that card; from here on they name a trump colour.
NAME_TRUMP = CARDS


class MarshmallowOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    seats: Annotated[int, msgspec.Meta(ge=min(TRICKS_TO_GO_OUT), le=MOST_SEATS)] = 4
    edition: Literal["en", "fr"] = "en"
    target: Annotated[int, msgspec.Meta(ge=1, le=1000, extra=PRINTED)] = 20  # MT-20
    tricks_to_go_out: Annotated[
        Literal["book"] | Annotated[int, msgspec.Meta(ge=1, le=HAND - 1)],
        msgspec.Meta(extra=PRINTED),
    ] = "book"
    """MT-10's number; others are not in the book."""
    first_dealer: FirstSeat = "random"

    def __post_init__(self) -> None:
        if self.seats == 2 and self.tricks_to_go_out == 1:  # pays nothing, and ends the round
            raise BadOption(name="tricks_to_go_out", value=1, allowed=f"book, 2-{HAND - 1}")

    def departures(self) -> list[str]:
        """The book's own number, if somebody says it, is no departure."""
        book = TRICKS_TO_GO_OUT[self.seats] == self.tricks_to_go_out
        found = super().departures()
        return [name for name in found if not (book and name == "tricks_to_go_out")]


@dataclass(slots=True)
class State:
    """One game. Cards are sets of bits; seats too where a name ends in `_seats`."""

    hands: Annotated[list[int], "i8", MOST_SEATS]
    lead_cards: Int64  # the cards of the lead suit; all cards while nobody has led
    trump_cards: Int64  # the cards of the trump suit; none while there is no trump
    played: Int64  # cards laid in this round, the trick on the table included
    hidden: Int64  # cards set aside and hands discarded in this round: seen by nobody
    round_number: Int32  # 1 in the first round; 0 before it
    target: Int16
    best_strength: Int16
    scores: Annotated[list[int], "i2", MOST_SEATS]
    seats: Int8
    must_trump: Int8  # the French edition's MT-18
    tricks_to_go_out: Int8
    phase: Int8
    dealer: Int8
    turn: Int8  # NO_SEAT while nobody is awaited
    leader: Int8
    trump: Int8
    trumped: Int8  # a trump was added to a trick of another lead suit
    best_seat: Int8  # who is winning the trick
    in_seats: Int8  # who has not gone out
    holding_seats: Int8  # of those, who has cards left
    waiting_seats: Int8  # of those, who has yet to play to the trick
    tricks: Annotated[list[int], "i1", MOST_SEATS]
    trick: Annotated[list[int], "i1", MOST_SEATS]
    last_trick: Annotated[list[int], "i1", MOST_SEATS]
    last_leader: Int8
    last_winner: Int8


LAYOUT = Layout(State)
