"""The state of Twin It!, its options, and the rulebook's numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import msgspec

from pli.errors import BadOption
from pli.game import HOUSE, PRINTED, FirstSeat, Options
from pli.game import NO_SEAT as NO_SEAT
from pli.kernel.layout import Int8, Int16, Int32, Int64, Layout
from pli.kernel.refusals import OWN

# TW-1, TW-1a: 135 cards with 40 motifs three times, 60 twice, 30 once.
CARDS = 135
FACES = 2 * CARDS
COPIES = {3: 40, 2: 60, 1: 30}
MOTIFS = sum(COPIES.values())

MOST_SEATS = 6
HANDS = 2 * MOST_SEATS
TEAMS_COUNT = 2
TABOO_CARDS = 3  # TW-17
MINUTE = 60_000  # TW-22
PAIR_POINTS, TRIPLE_POINTS = 1, 2  # TW-23
LEVELS = ("beginners", "promising", "experts", "geniuses")
LEVELS_UP_TO = {  # TW-24
    1: (4, 6, 9),
    2: (9, 12, 17),
    3: (14, 18, 26),
    4: (19, 24, 35),
    5: (24, 30, 44),
    6: (29, 36, 53),
}

RACE, TEAMS, COOP, RUSH = range(4)
MODES = ("race", "teams", "coop", "rush")
LEAST_SEATS = {"race": 2, "teams": 4, "coop": 1, "rush": 1}

# Phases. The first two wait for a shuffle: of the seats, whose first begins; of the faces.
SEATING, DEALING, PLAY, OVER = range(4)
PHASES = ("seating", "dealing", "play", "over")

NO_CARD = -1

# Where a card is, in one byte. What can be touched comes after what can't; a place on the table is
# TABLE and more. Where a card is somebody's, the seat (or team) is added: all of these are
# multiples of OWNERS.
OUT, INSIDE = -128, -127
OWNERS = MOST_SEATS
TRIPLE_HEAD, TRIPLE_REST = -21 * OWNERS, -20 * OWNERS
TOP, TABOO = -19 * OWNERS, -18 * OWNERS
PAIR_HEAD, PAIR_REST = -17 * OWNERS, -16 * OWNERS
TABLE = -15 * OWNERS

# A card's link to the next one of its pile, of the table or of a catch, in one byte.
NO_LINK = -128
LINK = 64

LOWEST_MOTIF = -128
"""Motifs are numbered from here in the state, so that 256 of them fit a byte."""

MOST_TIES = MOST_SEATS
TIE_CARDS = 3  # TW-12a
WORDS = 3  # of places on the table, each a set of
IN_WORD = 48
PLACES = WORDS * IN_WORD
"""More than there are cards: where all of them lie on the table they can still be moved
(TW-22a)."""

# Actions.
FLIP = 0
TOUCH = 1
LIFT = TOUCH + CARDS
TURN = LIFT + CARDS
MOVE = TURN + CARDS  # of the first card to every place, then of the next card
ACTIONS = MOVE + CARDS * PLACES

# Why an action is refused, beside the reasons that games share.
REFUSALS = ("not_visible", "covered", "frozen", "no_hand_free", "no_pair")
NOT_VISIBLE, COVERED, FROZEN, NO_HAND_FREE, NO_PAIR = range(OWN, OWN + len(REFUSALS))


class TwinitOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    bound: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "taboo_seat": ("mode", "seats"),
        "taboo_team": ("mode", "seats"),  # TW-20b: asked of a team that is the larger one
    }

    seats: Annotated[int, msgspec.Meta(ge=1, le=MOST_SEATS)] = 4
    mode: Literal["race", "teams", "coop", "rush"] = "race"
    catches: Annotated[int, msgspec.Meta(ge=1, le=MOTIFS, extra=PRINTED)] = 5  # TW-16
    taboo_seat: Literal["none"] | Annotated[int, msgspec.Meta(ge=0, le=MOST_SEATS - 1)] = "none"
    taboo_team: Literal["none"] | Annotated[int, msgspec.Meta(ge=0, le=1)] = "none"
    first_player: FirstSeat = "random"
    count_ms: Annotated[int, msgspec.Meta(ge=1, le=600_000, extra=HOUSE)] = 3000
    minute_ms: Annotated[int, msgspec.Meta(ge=1, le=3_600_000, extra=PRINTED)] = MINUTE
    hand_ms: Annotated[int, msgspec.Meta(ge=0, le=600_000, extra=HOUSE)] = 0
    """After so long a hand is lifted that lies alone (0: never)."""

    def __post_init__(self) -> None:
        least = LEAST_SEATS[self.mode]
        if self.seats < least:
            raise BadOption(name="seats", value=self.seats, allowed=f"{least}-{MOST_SEATS}")
        if self.taboo_seat != "none" and (self.mode != "race" or self.taboo_seat >= self.seats):
            allowed = f"none, 0-{self.seats - 1}" if self.mode == "race" else "none"
            raise BadOption(name="taboo_seat", value=self.taboo_seat, allowed=allowed)
        if self.taboo_team != "none" and self.mode != "teams":
            raise BadOption(name="taboo_team", value=self.taboo_team, allowed="none")

    @property
    def sides(self) -> int:
        """TW-18a: whose catches lie together."""
        if self.mode == "teams":
            return TEAMS_COUNT
        return 1 if self.mode == "coop" else self.seats

    def departures(self) -> list[str]:
        """The minute and the catches to win each belong to two of the four modes."""
        idle = "catches" if self.mode in ("coop", "rush") else "minute_ms"
        return [name for name in super().departures() if name != idle]


@dataclass(slots=True)
class State:
    """One game. Hands are numbered twice the seat and one more; catches belong to an owner: a
    seat, a team, or in coop all."""

    since: Annotated[list[int], "i8", HANDS]  # when a hand came down
    tie_until: Annotated[list[int], "i8", MOST_TIES]
    minute_ends: Int64
    taken_places: Annotated[list[int], "i8", WORDS]
    count_ms: Int32
    minute_ms: Int32
    hand_ms: Int32
    hands: Annotated[list[int], "i2", HANDS]  # the card under each
    tie_cards: Annotated[list[int], "i2", MOST_TIES * TIE_CARDS]
    tops: Annotated[list[int], "i2", MOST_SEATS]
    bottoms: Annotated[list[int], "i2", MOST_SEATS]
    pile_sizes: Annotated[list[int], "i2", MOST_SEATS]
    newest: Annotated[list[int], "i2", MOST_SEATS]  # an owner's newest catch: its lowest card
    catch_counts: Annotated[list[int], "i2", MOST_SEATS]
    oldest_on_table: Int16
    newest_on_table: Int16
    tied_hands: Int16  # a set
    catches_to_win: Int16
    seats: Int8
    mode: Int8
    phase: Int8
    turn: Int8
    ties: Int8  # how many counts are running
    taboo_seat: Int8
    winning_seats: Int8
    motif: Annotated[list[int], "i1", FACES]
    side: Annotated[list[int], "i1", CARDS]  # which of a card's two faces shows
    spot: Annotated[list[int], "i1", CARDS]
    link: Annotated[list[int], "i1", CARDS]


LAYOUT = Layout(State)
