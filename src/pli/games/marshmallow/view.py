"""What a seat may know of a game of Marshmallow Test, and what it sees happen."""

from typing import Any

import msgspec

from pli.events import Dealt, Played, Seated, Trumped
from pli.game import Act, Event, Input, Seat, Shuffle, View, known
from pli.games.marshmallow.rules import actors
from pli.games.marshmallow.state import (
    DECK,
    NAME_TRUMP,
    NO_COLOUR,
    NO_SEAT,
    OVER,
    SEATING,
    TRUMP,
    State,
)
from pli.kernel.bits import bit, full, size, to_list
from pli.tricks import Laid, laid

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
    trick: list[Laid]
    last_trick: list[Laid]
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
        dealer=known(s.dealer),
        turn=known(s.turn),
        awaited=to_list(actors(s)),
        leader=known(s.leader),
        trump=None if s.trump == NO_COLOUR else DECK.colours[s.trump],
        scores=s.scores[: s.seats],
        tricks=s.tricks[: s.seats],
        out=to_list(full(s.seats) & ~s.in_seats) if s.round_number else [],
        cards=[size(s.hands[each]) for each in seats],
        hand=[],
        trick=laid(s.trick, s.leader, s.seats, DECK),
        last_trick=laid(s.last_trick, s.last_leader, s.seats, DECK),
        last_winner=known(s.last_winner),
        winners=[s.last_winner] if s.phase == OVER else [],
    )
    return shown if seat is None else msgspec.structs.replace(shown, **own(s, seat))


class Took(Event, frozen=True, kw_only=True, tag="took"):
    """A trick is complete."""

    seat: int
    cards: list[Laid]


class WentOut(Event, frozen=True, kw_only=True, tag="went_out"):
    seat: int
    points: int


class RoundOver(Event, frozen=True, kw_only=True, tag="round_over"):
    """The seat deals the next round."""

    seat: int


class Won(Event, frozen=True, kw_only=True, tag="won"):
    seat: int
    points: int


def events(before: State, given: Input, after: State, seat: Seat) -> list[Event]:
    if isinstance(given, Shuffle):
        if before.phase == SEATING:
            return [Seated(seat=after.dealer)]
        hand = [] if seat is None else DECK.listed(after.hands[seat])
        return [Dealt(seat=after.dealer, round=after.round_number, hand=hand)]
    if not isinstance(given, Act):
        return []
    if before.phase == TRUMP:
        return [Trumped(seat=given.seat, colour=DECK.colours[given.action - NAME_TRUMP])]
    happened: list[Event] = [Played(seat=given.seat, card=DECK.names[given.action])]
    if sum(after.tricks) == sum(before.tricks):
        return happened
    winner = after.last_winner
    cards = laid(after.last_trick, after.last_leader, after.seats, DECK)
    happened.append(Took(seat=winner, cards=cards))
    if before.in_seats & ~after.in_seats & bit(winner):
        points = after.scores[winner] - before.scores[winner]
        happened.append(WentOut(seat=winner, points=points))
    if after.phase == OVER:
        happened.append(Won(seat=winner, points=after.scores[winner]))
    elif after.turn == NO_SEAT:
        happened.append(RoundOver(seat=after.dealer))
    return happened
