"""The state of Merci, its options, and the rulebook's numbers."""

from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec

from pli.cards import COLOURS as LETTERS
from pli.game import HOUSE, FirstSeat, Options
from pli.game import NO_SEAT as NO_SEAT
from pli.kernel.layout import Int8, Int32, Int64, Layout
from pli.kernel.refusals import OWN

# ME-1: 1-6 in five colours, two of each, except one of each 1 and 6.
COLOURS = 5
HIGHEST = 6
FRONTS = COLOURS * HIGHEST
CARDS_IN_COLOUR = 10
CARDS = COLOURS * CARDS_IN_COLOUR
HEARTS = 25

MOST_SEATS = 6
HAND = 6  # ME-2
STACKS = 3
ROUND_HEARTS = 2  # ME-22
CARDS_A_HEART = 3  # ME-23
HEARTS_TO_WIN = {3: 6, 4: 6, 5: 5, 6: 5}  # ME-25

# Backs (ME-1a).
ONE, GIFT, HEART, TWO = range(4)
BACKS = ("one", "gift", "heart", "two")
BACK_COUNTS = (13, 13, 12, 12)

# Words said before a card, and words of thanks.
PLAY, SIOUPLAIT, SKUZ = range(3)
WORDS = ("play", "siouplait", "skuz")
MERCI, MERCI_BEAUCOUP, TAKE = range(3)
THANKS_WORDS = ("merci", "merci-beaucoup", "take")

# Phases. The first three wait for a shuffle: of the seats, whose first begins; of the backs; of the
# cards.
SEATING, BACKING, DEALING, TURN, CHOOSE_HEART, CHOOSE, GIVE, THANKS, OVER = range(9)

# Faults (ME-15, ME-19, ME-28): of words with a card, and of thanks.
NO_FAULT, SKUZ_FORGOTTEN, SIOUPLAIT_FOR_SKUZ, SKUZ_WRONG = range(4)
SIOUPLAIT_FORGOTTEN, SIOUPLAIT_WRONG, OUT_OF_TURN, NO_THANKS, WRONG_THANKS = range(4, 9)
FAULTS = (
    "none",
    "skuz_forgotten",
    "siouplait_for_skuz",
    "skuz_wrong",
    "siouplait_forgotten",
    "siouplait_wrong",
    "out_of_turn",
    "no_thanks",
    "wrong_thanks",
)

# What comes once cards have been drawn, which may have to wait for a shuffle.
NOTHING, NEXT_TURN, SHOW_EFFECT, GIFT_DRAWN, THANKED, UNTHANKED, MISTHANKED = range(7)

NO_CARD = -1

# Actions. A card is named by its front, and by its back where that is needed (0: not named).
NAMES = len(BACKS) + 1
CARD_NAMES = FRONTS * NAMES
LAY = 0
DRAW = LAY + 3 * STACKS * CARD_NAMES
CHOOSE_SEAT = DRAW + 1
GIVE_CARD = CHOOSE_SEAT + MOST_SEATS
THANK = GIVE_CARD + CARD_NAMES * MOST_SEATS
DENOUNCE = THANK + 3
ACTIONS = DENOUNCE + 1
Variant = Annotated[Literal["auto", "on", "off"], msgspec.Meta(extra=HOUSE)]
"""A part of the full rules that stands apart from `rules`; auto: what those say."""

VARIANTS = ("malpoli", "interception", "last_card_wait")

# Why an action is refused, beside the reasons that games share.
REFUSALS = ("no_match", "not_identical", "skuz_lost", "nothing_to_denounce")
NO_MATCH, NOT_IDENTICAL, SKUZ_LOST, NOTHING_TO_DENOUNCE = range(OWN, OWN + len(REFUSALS))


class MerciOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    seats: Annotated[int, msgspec.Meta(ge=min(HEARTS_TO_WIN), le=MOST_SEATS)] = 4
    rules: Literal["start", "full"] = "start"
    first_player: FirstSeat = "random"
    fault_window_ms: Annotated[int, msgspec.Meta(ge=1, le=600_000, extra=HOUSE)] = 6000
    fault_ends: Annotated[Literal["next_card", "time"], msgspec.Meta(extra=HOUSE)] = "next_card"
    false_denounce: Annotated[Literal["auto", "free", "draw"], msgspec.Meta(extra=HOUSE)] = "auto"
    malpoli: Variant = "auto"
    interception: Variant = "auto"
    last_card_wait: Variant = "auto"
    helper: Literal["on", "off"] = "on"
    """Whether a page reminds of a forgotten word under start rules. The rules don't know of it."""

    def holds(self, variant: str) -> bool:
        """Whether a part of the full rules is played."""
        chosen = getattr(self, variant)
        return self.rules == "full" if chosen == "auto" else chosen == "on"

    @property
    def false_costs(self) -> bool:
        """ME-28c: whether a false denunciation costs a card."""
        if self.false_denounce == "auto":
            return self.rules == "full"
        return self.false_denounce == "draw"

    def departures(self) -> list[str]:
        """The options by which a game departs from what its rule set says in print, in order of the
        alphabet: the others settle what the book leaves open."""
        full = self.rules == "full"
        return sorted(each for each in VARIANTS if self.holds(each) != full)


@dataclass(slots=True)
class State:
    """One game. Cards are numbers, or sets of bits; seats too where a name ends in `_seats`."""

    hands: Annotated[list[int], "i8", MOST_SEATS]
    laid: Int64  # under the tops
    younger: Int64  # cards that came to a hand after their equal that is there too
    skuz_lost: Int64  # cards that may not be laid on an identical one any more (ME-19)
    window_until: Int64  # how long the last card laid or taken can be denounced
    earlier_until: Int64  # the same of what `earlier_mover` did
    older_until: Int64  # the same of an older fault
    ending_at: Int64  # when a round ends whose last card has been laid (ME-29a)
    now: Int64  # the time of the last action: what follows from it may wait for a shuffle
    round_number: Int32
    fault_window: Int32
    seats: Int8
    full_rules: Int8  # what is told; the rules go by these:
    malpoli: Int8  # every impoliteness can be denounced (ME-28)
    interception: Int8  # ME-30
    last_card_wait: Int8  # a round's end waits for a denunciation (ME-29a)
    faults_last: Int8  # only time closes a fault (ME-28b)
    false_draw: Int8  # a false denunciation costs a card (ME-28c)
    hearts_to_win: Int8
    phase: Int8
    turn: Int8
    first: Int8  # who begins the round
    after_effect: Int8  # whose turn it is when an effect is settled
    speaker: Int8
    owes: Int8
    owed: Int8  # how many cards, while somebody owes thanks
    gift: Int8  # the card that is being given
    fault: Int8
    fault_stack: Int8
    covered: Int8  # the top that the last card was laid on
    mover: Int8  # who laid or took the last card, while it can be denounced
    earlier_mover: Int8  # the last who did so but for the mover, while only time closes a fault
    older_fault: Int8  # one that stays open behind the last card; what the next four tell is of it
    older_seat: Int8
    older_stack: Int8
    older_card: Int8
    older_covered: Int8
    forgetful: Int8  # who used the last turn on a forgotten SKUZ, and may get it back (ME-19a)
    ending_seat: Int8  # who has no card left, while its effect or the window runs
    drawing: Int8  # a draw is under way, and may wait for a shuffle
    draw_seat: Int8
    draw_count: Int8
    draw_then: Int8
    rebuilding: Int8
    winning_seats: Int8
    tops: Annotated[list[int], "i1", STACKS]
    pile_size: Int8
    pile: Annotated[list[int], "i1", CARDS]  # the top is the last
    back: Annotated[list[int], "i1", CARDS]
    hearts: Annotated[list[int], "i1", MOST_SEATS]


LAYOUT = Layout(State)


def front_name(front: int) -> str:
    return f"{LETTERS[front // HIGHEST]}{front % HIGHEST + 1}"


FRONT_NUMBERS = {front_name(front): front for front in range(FRONTS)}


def card_names() -> list[str]:
    """Every way to name a card, in the order of the actions: Y3, Y3/one, Y3/gift, ..."""
    return [
        front_name(front) + back
        for front in range(FRONTS)
        for back in ("", *("/" + b for b in BACKS))
    ]
