"""What a seat of Plingo can say about the cards that it can't see: cards played and taken, and the
state as far as it is known."""

from collections.abc import Sequence
from typing import Any

import msgspec

from pli.events import Dealt, Played
from pli.game import Event, seat_number
from pli.games.plingo.events import Cancelled, Revealed, Took
from pli.games.plingo.position import bid_number
from pli.games.plingo.rules import (
    bid_of,
    has_use,
    in_reach,
    joker_taker,
    lead_next,
    play,
    setup,
    taken_by,
    team_of,
    values_once,
)
from pli.games.plingo.state import (
    CARDS,
    CHOOSING,
    DECK,
    MOST_SEATS,
    PlingoOptions,
    State,
)
from pli.games.plingo.view import PHASES, SIDES, PlingoView
from pli.kernel.bits import bit, from_list, full, to_list
from pli.kernel.dealing import Unseen
from pli.kernel.rule import rule
from pli.tricks import card_set, held_before, play_seen


class PlingoBelief:
    """One seat's belief, from the first card of a game on: what was played, taken and cancelled. No
    seat has to follow suit, so nothing more is known of a hand."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._played = 0
        self._cancelled = 0
        self._taken = [0] * MOST_SEATS

    def see(self, events: Sequence[Event], view: PlingoView) -> None:
        for event in events:
            if isinstance(event, Dealt):
                self._begin()
            elif isinstance(event, Played):
                self._played |= bit(DECK.number(event.card))
            elif isinstance(event, Cancelled):
                self._cancelled |= card_set(event.cards, DECK)
            elif isinstance(event, Took):
                self._taken[event.seat] |= card_set(event.cards, DECK)
            elif isinstance(event, Revealed):
                self._taken[event.seat] = card_set(event.cards, DECK)

    def recall(self, view: PlingoView) -> PlingoView:
        """With what one's partners took as if it were one's own: it counts as such (PL-18a), and
        was seen to pass."""
        if view.seat is None or len(view.grids) == view.seats:
            return view
        team = view.teams[view.seat]
        partners = [seat for seat in range(view.seats) if view.teams[seat] == team]
        took = [card for seat in partners for card in DECK.listed(self._taken[seat])]
        return msgspec.structs.replace(view, took=took)

    def infer(self, view: PlingoView) -> tuple[State, Unseen]:
        """The state as far as it is known, and the cards that are not."""
        s = self._state(view)
        seen = self._played | card_set(view.hand, DECK)
        slots = [(0 if seat == view.seat else view.cards[seat], 0) for seat in range(view.seats)]
        hidden = to_list(full(CARDS) & ~seen)
        slots.append((len(hidden) - sum(size for size, _ in slots), 0))
        return s, Unseen([hidden], slots)

    def _state(self, view: PlingoView) -> State:
        s = setup(_options(view))
        s.phase = PHASES.index(view.phase)
        s.round_number = view.round
        s.master = seat_number(view.master)
        s.side = SIDES.index(view.side)
        for team in range(s.teams):
            s.grids[team] = from_list(box - 1 for box in view.grids[team])
            s.new_boxes[team] = from_list(box - 1 for box in view.new_boxes[team])
        for seat, made in enumerate(view.bids):
            s.bids[seat] = bid_number(made)
        s.taken[:] = self._taken
        s.cancelled = self._cancelled
        if view.trump is not None:
            s.trump = DECK.colours.index(view.trump)
        s.holding_seats = held_before(view.trick, view.cards)
        if s.holding_seats:
            lead_next(s)
        play_seen(s, view.trick, view.cards, DECK, play)
        s.turn = seat_number(view.turn)
        if view.seat is not None:
            s.hands[view.seat] = card_set(view.hand, DECK)
        s.leader = seat_number(view.leader)
        if s.phase == CHOOSING:
            s.joker_seats = self._jokers(s)
        return s

    def _jokers(self, s: State) -> int:
        """Who has yet to use one: from the seat on turn on, up to the master (PL-11a); not who has
        missed a bid (PL-19a)."""
        jokers = 0
        for after in range((s.turn - s.master - 1) % s.seats, s.seats):
            seat = (s.master + 1 + after) % s.seats
            team = team_of(s, seat)
            unique, grid = values_once(taken_by(s, team)), s.grids[team] & ~s.new_boxes[team]
            made = in_reach(grid, unique) >= bid_of(s, team)
            if made and has_use(s.grids[team], unique) and joker_taker(s, team) == seat:
                jokers |= bit(seat)
        return jokers


def _options(view: PlingoView) -> PlingoOptions:
    """Those that the view tells of: all that play still depends on."""
    alone = len(view.grids) == view.seats
    teams = "none" if alone else "halves" if len(view.grids) == 2 else "pairs"
    return msgspec.convert(
        {
            "seats": view.seats,
            "first_master": 0,
            "joker": "may" if view.joker_may else "must",
            "teams": teams,
            "auction": "on" if view.auction else "off",
        },
        PlingoOptions,
    )


@rule
def fill(s: State, dealt: Any) -> None:
    s.hidden = dealt[s.seats]
    for seat in range(s.seats):
        if dealt[seat]:
            s.hands[seat] = dealt[seat]
