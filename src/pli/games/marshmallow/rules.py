"""The rules of Marshmallow Test, in the order of its rulebook; what is like in all trick-taking
games is in `pli.tricks`."""

from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec

from pli.errors import BadOption
from pli.game import PRINTED, FirstSeat, Options
from pli.kernel.bits import bit, clockwise, full, select, without
from pli.kernel.layout import Int8, Int16
from pli.kernel.refusals import MUST_FOLLOW, MUST_TRUMP
from pli.kernel.rule import hot, rule
from pli.tricks import (
    FIRST_CHOICE,
    PLAY,
    Deck,
    TrickState,
    ask,
    end_game,
    lead_next,
    next_deal,
)

MOST_SEATS = 5
COLOURS = 5
HIGHEST = 12
DECK = Deck(COLOURS, HIGHEST)  # MT-1
HAND = 12  # MT-4
TRICKS_TO_GO_OUT = {2: 6, 3: 4, 4: 3, 5: 3}  # MT-10
SUITS = DECK.colour_sets

TRUMP = FIRST_CHOICE
"""The phase in which a round's trump is named."""

PATIENCE = 100_000
"""Actions of a random game, which has no end where nearly all tricks are needed to go out. By the
book one to 20 points takes some hundreds, one to 1000 points some 15,000."""


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
class State(TrickState):
    """`hidden` are also the hands discarded in this round."""

    target: Int16
    must_trump: Int8  # the French edition's MT-18
    tricks_to_go_out: Int8
    in_seats: Int8  # who has not gone out


# Setting up


def setup(s: State, options: MarshmallowOptions) -> None:
    s.must_trump = int(options.edition == "fr")
    s.tricks_to_go_out = tricks_to_go_out(options)
    s.target = options.target


def tricks_to_go_out(options: MarshmallowOptions) -> int:
    """MT-10, unless the house has a number of its own."""
    chosen = options.tricks_to_go_out
    return TRICKS_TO_GO_OUT[options.seats] if chosen == "book" else chosen


@rule
def clear(s: State) -> None:
    s.in_seats = full(s.seats)


@rule
def begin(s: State) -> None:
    """A new round (MT-4): the dealer leads (MT-5), after the first round with a trump (MT-8,
    MT-15)."""
    lead_next(s, s.dealer)
    if s.round_number > 1:
        ask(s, TRUMP, s.dealer)


@rule
def name_trump(s: State, seat: int, colour: int) -> None:
    """MT-15."""
    s.trump = colour
    s.trump_cards = SUITS[colour]
    s.phase = PLAY


# Playing a card


@hot
def playable(s: State, seat: int) -> int:
    """The cards that a seat may play to the trick; for the leader all cards are the lead suit."""
    hand = s.hands[seat]
    following = hand & s.lead_cards
    if s.trumped:
        trumps = hand & s.trump_cards
        if s.must_trump:
            if trumps:
                return trumps  # MT-18
        elif following:
            return following | trumps  # MT-17, MT-17a
    return select(following != 0, following, hand)  # MT-6, MT-7, MT-18a, MT-19


@rule
def why(s: State, seat: int, card: int) -> int:
    """Why another card of the hand may not be played."""
    if s.trumped and s.must_trump and s.hands[seat] & s.trump_cards:
        return MUST_TRUMP
    return MUST_FOLLOW


# Going out


@hot
def took(s: State, winner: int) -> None:
    """The best card takes the trick, and its seat leads the next (MT-8, MT-9, MT-12, MT-16); with
    enough of them it goes out (MT-10)."""
    if s.tricks[winner] == s.tricks_to_go_out:
        go_out(s, winner)
        if s.scores[winner] >= s.target:
            end_game(s, bit(winner))  # MT-20, MT-21: at once, the round is not finished


@rule
def go_out(s: State, seat: int) -> None:
    """MT-11: a point for every trick of the others. MT-12: the hand is discarded unseen."""
    others = -s.tricks[seat]
    for each in range(MOST_SEATS):
        others += s.tricks[each]
    s.scores[seat] += others
    s.hidden |= s.hands[seat]
    s.hands[seat] = 0
    s.in_seats = without(s.in_seats, seat)
    s.holding_seats = without(s.holding_seats, seat)


@hot
def round_over(s: State) -> bool:
    """One seat is left in (MT-13), or nobody has cards (MT-14)."""
    return s.in_seats & (s.in_seats - 1) == 0 or s.holding_seats == 0


@rule
def end_round(s: State, winner: int) -> None:
    """The seat that is left in, or the last trick's winner if still in, or else the next that is
    in, deals (MT-13, MT-14)."""
    next_deal(s, clockwise(s.in_seats, winner))
