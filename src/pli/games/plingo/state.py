"""The state of Plingo, its options, and the rulebook's numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import msgspec

from pli.cards import Deck
from pli.errors import BadOption
from pli.game import HOUSE, PROPOSAL, FirstSeat, Options
from pli.game import NO_SEAT as NO_SEAT
from pli.kernel.layout import Int8, Int32, Int64, Layout

MOST_SEATS = 6
COLOURS = 4
HIGHEST = 10
DECK = Deck(COLOURS, HIGHEST)  # PL-1
CARDS = len(DECK)
HAND = {2: 10, 3: 9, 4: 8, 5: 7, 6: 6}  # PL-3
BOXES = 9  # PL-2a
JOKER = BOXES
"""A 10 in a set of values, which are counted from 0: it has no box and ticks any (PL-11)."""

NO_CARD = -1
NO_COLOUR = -1

TEAM_SEATS = (4, 6)  # PL-18: the numbers of seats at which there are teams

# Phases. The first two wait for a shuffle: of the seats, whose first is master (PL-4), and of the
# cards.
SEATING, DEALING, BIDDING, TRUMP, PLAY, CHOOSING, OVER = range(7)

# The master card's sides (PL-12).
FRONT, BACK, LAST = range(3)

# Bids (PL-19): a number of boxes, or one of these.
NO_BID, PASSED = -1, 0
MOST_BID = BOXES

# Actions: 0 .. 39 play that card; then name a trump colour, or none; then tick a box by a joker, or
# none; then bid 1 .. 9, or pass.
NAME_TRUMP = CARDS
NO_TRUMP = NAME_TRUMP + COLOURS
TICK = NO_TRUMP + 1
TICK_NONE = TICK + BOXES
BID = TICK_NONE + 1
PASS = BID + MOST_BID
ACTIONS = PASS + 1


class PlingoOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    bound: ClassVar[Mapping[str, tuple[str, ...]]] = {"teams": ("seats",)}

    seats: Annotated[int, msgspec.Meta(ge=min(HAND), le=MOST_SEATS)] = 4
    first_master: FirstSeat = "random"
    joker: Annotated[Literal["must", "may"], msgspec.Meta(extra=HOUSE)] = "must"
    teams: Annotated[Literal["none", "pairs", "halves"], msgspec.Meta(extra=PROPOSAL)] = "none"
    auction: Annotated[Literal["off", "on"], msgspec.Meta(extra=PROPOSAL)] = "off"

    def __post_init__(self) -> None:
        if self.teams != "none" and self.seats not in TEAM_SEATS:
            raise BadOption(name="teams", value=self.teams, allowed="none")

    @property
    def sides(self) -> int:
        """PL-18: how many grids there are."""
        if self.teams == "none":
            return self.seats
        return 2 if self.teams == "halves" else self.seats // 2


@dataclass(slots=True)
class State:
    """One game. Cards are sets of bits; seats too where a name ends in `_seats`."""

    hands: Annotated[list[int], "i8", MOST_SEATS]
    taken: Annotated[list[int], "i8", MOST_SEATS]  # kept through the reveal, until the next deal
    table: Int64  # the trick, as a set
    cancelled: Int64  # in this round
    hidden: Int64  # not dealt in this round
    round_number: Int32  # 1 in the first round; 0 before it
    grids: Annotated[list[int], "i2", MOST_SEATS]  # boxes ticked, by team
    new_boxes: Annotated[list[int], "i2", MOST_SEATS]  # of those, ticked at this reveal
    seats: Int8
    teams: Int8  # as many as seats where everybody plays alone; a seat's is its rest by this
    joker_may: Int8  # a joker need not be used
    auction: Int8
    hand_size: Int8
    phase: Int8
    master: Int8
    side: Int8  # of the master card
    turn: Int8  # NO_SEAT while nobody is awaited
    leader: Int8
    trump: Int8
    asked: Int8  # the colour asked for
    holding_seats: Int8  # who has cards left
    waiting_seats: Int8  # of those, who has yet to play to the trick
    joker_seats: Int8  # who has yet to use a joker
    bids: Annotated[list[int], "i1", MOST_SEATS]  # boxes; NO_BID, PASSED
    winning_seats: Int8
    trick: Annotated[list[int], "i1", MOST_SEATS]
    last_trick: Annotated[list[int], "i1", MOST_SEATS]
    last_leader: Int8
    last_winner: Int8  # NO_SEAT if all its cards cancelled each other


LAYOUT = Layout(State)
