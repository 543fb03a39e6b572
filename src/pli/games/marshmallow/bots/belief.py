"""What a seat of Marshmallow Test can say about the cards that it can't see: which were played,
which colours others can't have, and the state as far as it is known."""

from collections.abc import Sequence
from typing import Any

from pli.events import Dealt, Played, Trumped
from pli.game import Event, seat_number
from pli.games.marshmallow.events import Took
from pli.games.marshmallow.observation import voids_shown
from pli.games.marshmallow.rules import lead_next, play, setup, suit
from pli.games.marshmallow.state import (
    CARDS,
    COLOURS,
    DECK,
    HAND,
    HIGHEST,
    MOST_SEATS,
    NO_COLOUR,
    MarshmallowOptions,
    State,
)
from pli.games.marshmallow.view import PHASES, MarshmallowView
from pli.kernel.bits import bit, full, has, to_list
from pli.kernel.dealing import Unseen
from pli.kernel.rule import rule
from pli.tricks import card_set, held_before, play_seen


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
        if self._lead == NO_COLOUR:
            self._lead = colour
            return
        self.voids[seat] |= voids_shown(self._lead, self._trump, self._trumped, must_trump, colour)
        if colour == self._trump != self._lead:
            self._trumped = True


class MarshmallowBelief:
    """One seat's belief, from the first card of a game on."""

    def __init__(self) -> None:
        self._memory = MarshmallowMemory()

    def see(self, events: Sequence[Event], view: MarshmallowView) -> None:
        for event in events:
            self._memory.see(event, view.edition == "fr")

    def infer(self, view: MarshmallowView) -> tuple[State, Unseen]:
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
    s.dealer = seat_number(view.dealer)
    s.scores[: s.seats] = view.scores
    s.tricks[: s.seats] = view.tricks
    s.in_seats = full(s.seats)
    for seat in view.out:
        s.in_seats &= ~bit(seat)
    if view.trump is not None:
        s.trump = DECK.colours.index(view.trump)
        s.trump_cards = suit(s.trump)
    s.holding_seats = held_before(view.trick, view.cards)
    lead_next(s, seat_number(view.leader))
    play_seen(s, view.trick, view.cards, DECK, play)
    s.played = played
    s.turn = seat_number(view.turn)
    if view.seat is not None:
        s.hands[view.seat] = card_set(view.hand, DECK)
    s.last_winner = seat_number(view.last_winner)
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
