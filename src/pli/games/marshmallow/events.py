"""What happens in a game of Marshmallow Test, as a seat may see it."""

from pli.events import Dealt, Played, StarterDrawn, Trumped
from pli.game import Act, Event, Input, Seat, Shuffle
from pli.games.marshmallow.state import (
    DECK,
    NAME_TRUMP,
    NO_SEAT,
    OVER,
    SEATING,
    TRUMP,
    State,
)
from pli.kernel.bits import bit
from pli.tricks import TrickCard, trick_cards


class Took(Event, frozen=True, kw_only=True, tag="took"):
    """A trick is complete."""

    seat: int
    cards: list[TrickCard]


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
            return [StarterDrawn(seat=after.dealer)]
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
    cards = trick_cards(after.last_trick, after.last_leader, after.seats, DECK)
    happened.append(Took(seat=winner, cards=cards))
    if before.in_seats & ~after.in_seats & bit(winner):
        points = after.scores[winner] - before.scores[winner]
        happened.append(WentOut(seat=winner, points=points))
    if after.phase == OVER:
        happened.append(Won(seat=winner, points=after.scores[winner]))
    elif after.turn == NO_SEAT:
        happened.append(RoundOver(seat=after.dealer))
    return happened
