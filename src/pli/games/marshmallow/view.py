"""What a seat may know of a game of Marshmallow Test."""

from typing import Any

import msgspec

from pli.game import Seat, View, shown_seat
from pli.games.marshmallow.rules import actors
from pli.games.marshmallow.state import (
    DECK,
    NO_COLOUR,
    OVER,
    State,
)
from pli.kernel.bits import full, size, to_list
from pli.tricks import TrickCard, trick_cards

PHASES = ("seating", "dealing", "trump", "play", "over")


class MarshmallowView(View, frozen=True, kw_only=True):
    edition: str
    target: int
    tricks_to_go_out: int
    round: int
    dealer: Seat
    leader: Seat
    trump: str | None
    scores: list[int]
    tricks: list[int]
    out: list[int]
    cards: list[int]
    """How many cards each seat holds."""
    hand: list[str]
    """The viewer's own cards; none for a spectator."""
    trick: list[TrickCard]
    last_trick: list[TrickCard]
    last_winner: Seat


def own(s: State, seat: int) -> dict[str, Any]:
    """What a seat knows beside what all can see."""
    return {"seat": seat, "hand": DECK.listed(s.hands[seat])}


def view(s: State, seat: Seat) -> MarshmallowView:
    seats = range(s.seats)
    shown = MarshmallowView(
        seat=None,
        seats=s.seats,
        edition="fr" if s.must_trump else "en",
        target=s.target,
        tricks_to_go_out=s.tricks_to_go_out,
        phase=PHASES[s.phase],
        round=s.round_number,
        dealer=shown_seat(s.dealer),
        turn=shown_seat(s.turn),
        awaited=to_list(actors(s)),
        leader=shown_seat(s.leader),
        trump=None if s.trump == NO_COLOUR else DECK.colours[s.trump],
        scores=s.scores[: s.seats],
        tricks=s.tricks[: s.seats],
        out=to_list(full(s.seats) & ~s.in_seats) if s.round_number else [],
        cards=[size(s.hands[each]) for each in seats],
        hand=[],
        trick=trick_cards(s.trick, s.leader, s.seats, DECK),
        last_trick=trick_cards(s.last_trick, s.last_leader, s.seats, DECK),
        last_winner=shown_seat(s.last_winner),
        winners=[s.last_winner] if s.phase == OVER else [],
    )
    return shown if seat is None else msgspec.structs.replace(shown, **own(s, seat))
