"""What a player of Marshmallow Test can work out about the cards that it can't see, and how it
judges a game that is not over. For bots that search."""

from collections.abc import Sequence
from typing import Any

from pli.events import Dealt, Played, Trumped
from pli.game import Event
from pli.games.marshmallow.rules import choices, lead_next, legal, play, setup, suit
from pli.games.marshmallow.state import (
    CARDS,
    COLOURS,
    DEALING,
    DECK,
    HAND,
    HIGHEST,
    MOST_SEATS,
    NO_COLOUR,
    NO_SEAT,
    OVER,
    TRUMP,
    MarshmallowOptions,
    State,
)
from pli.games.marshmallow.view import PHASES, MarshmallowView, Took
from pli.kernel.bits import bit, full, has, size, to_list
from pli.kernel.contract import Buffer
from pli.kernel.dealing import Unseen
from pli.kernel.rule import rule
from pli.kernel.search import Insight, uniform
from pli.tricks import card_set


class MarshmallowMemory:
    """What one seat has seen in this round: cards played, and colours that others can't have."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self.played = 0
        self.plays = [0] * MOST_SEATS
        self.voids = [0] * MOST_SEATS
        """Sets of colours."""
        self._trump = NO_COLOUR
        self._lead = NO_COLOUR
        self._trumped = False

    def see(self, event: Event, must_trump: bool) -> None:
        if isinstance(event, Dealt):
            self._begin()
        elif isinstance(event, Trumped):
            self._trump = DECK.colours.index(event.colour)
        elif isinstance(event, Took):
            self._lead = NO_COLOUR
            self._trumped = False
        elif isinstance(event, Played):
            card = DECK.number(event.card)
            self._judge(event.seat, card // HIGHEST, must_trump)
            self.played |= bit(card)
            self.plays[event.seat] += 1

    def _judge(self, seat: int, colour: int, must_trump: bool) -> None:
        """Who does not follow can't (MT-7); who does not trump where it must can't (MT-18)."""
        if self._lead == NO_COLOUR:
            self._lead = colour
            return
        if self._trumped and colour != self._trump and must_trump:
            self.voids[seat] |= bit(self._trump)
        if colour != self._lead and not (self._trumped and colour == self._trump):
            self.voids[seat] |= bit(self._lead)
        if colour == self._trump != self._lead:
            self._trumped = True


class MarshmallowGuesswork:
    """One seat's, from the first card of a game on."""

    def __init__(self) -> None:
        self._memory = MarshmallowMemory()

    def see(self, events: Sequence[Event], view: MarshmallowView) -> None:
        for event in events:
            self._memory.see(event, view.edition == "fr")

    def imagine(self, view: MarshmallowView) -> tuple[State, Unseen]:
        """The state as far as it is known, and the cards that are not."""
        return state_from(view, self._memory.played), self._unseen(view)

    def _unseen(self, view: MarshmallowView) -> Unseen:
        seen = self._memory.played | card_set(view.hand, DECK)
        hidden = full(CARDS) & ~seen
        classes = [to_list(hidden & suit(colour)) for colour in range(COLOURS)]
        slots = []
        for seat in range(view.seats):
            if seat == view.seat:
                slots.append((0, 0))
            elif seat in view.out:  # its hand was discarded unseen
                slots.append((HAND - self._memory.plays[seat], self._memory.voids[seat]))
            else:
                slots.append((view.cards[seat], self._memory.voids[seat]))
        aside = sum(map(len, classes)) - sum(size for size, _ in slots)
        slots.append((aside, 0))
        return Unseen(classes, slots)


def state_from(view: MarshmallowView, played: int) -> State:
    """The state with nothing in others' hands."""
    options = MarshmallowOptions(
        seats=view.seats,
        edition="fr" if view.edition == "fr" else "en",
        target=view.target,
        tricks_to_go_out=view.tricks_to_go_out,
        first_dealer=0,
    )
    s = setup(options)
    s.phase = PHASES.index(view.phase)
    s.round_number = view.round
    s.dealer = NO_SEAT if view.dealer is None else view.dealer
    s.scores[: s.seats] = view.scores
    s.tricks[: s.seats] = view.tricks
    s.in_seats = full(s.seats)
    for seat in view.out:
        s.in_seats &= ~bit(seat)
    if view.trump is not None:
        s.trump = DECK.colours.index(view.trump)
        s.trump_cards = suit(s.trump)
    laid = [(each.seat, DECK.number(each.card)) for each in view.trick]
    s.holding_seats = 0
    for seat in range(s.seats):
        if view.cards[seat] or seat in [who for who, _ in laid]:
            s.holding_seats |= bit(seat)
    lead_next(s, NO_SEAT if view.leader is None else view.leader)
    for seat, card in laid:
        # A hand that is known only by its size: any other card stands for the rest of it.
        rest = bit((card + 1) % CARDS) if view.cards[seat] else 0
        s.hands[seat] = bit(card) | rest
        play(s, seat, card)
        s.hands[seat] = 0
    s.played = played
    s.turn = NO_SEAT if view.turn is None else view.turn
    if view.seat is not None:
        s.hands[view.seat] = card_set(view.hand, DECK)
    s.last_winner = NO_SEAT if view.last_winner is None else view.last_winner
    return s


@rule
def fill(s: State, dealt: Any) -> None:
    s.hidden = dealt[s.seats]
    for seat in range(s.seats):
        if dealt[seat]:
            if has(s.in_seats, seat):
                s.hands[seat] = dealt[seat]
            else:
                s.hidden |= dealt[seat]


@rule
def paused(s: State) -> bool:
    return s.phase == OVER or s.phase == DEALING


# What so many points are worth between two rounds, for each number of seats: the chance to win is
# in proportion to these. Fitted to random games of the English edition, with 20 points to reach and
# the book's tricks to go out; bench/worth.py fits them anew, and with other deals the chances come
# out half a percent apart. With other numbers of tricks rounds pay less or more, and it is no more
# than an order: who has more points is better off.
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


INSIGHT: Insight[Any] = Insight(
    fill=fill,
    paused=paused,
    worth=worth,
    mover=mover,
    options=legal,
    policy=policy,
    left=left,
)
