"""What happens in a trick-taking game, as a seat may see it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pli.cards import Deck, TrickCard
from pli.events import Dealt, Played, StarterDrawn, Trumped
from pli.game import Act, Event, Input, Notation, Seat, Shuffle
from pli.kernel.bits import to_list
from pli.tricks.rules import Choice
from pli.tricks.state import DEALING, FIRST_CHOICE, NO_SEAT, OVER, PLAY, SEATING
from pli.tricks.view import trick_cards


class Took(Event, frozen=True, kw_only=True, tag="took"):
    """A trick is complete."""

    seat: int
    cards: list[TrickCard]


class Chose(Event, frozen=True, kw_only=True, tag="chose"):
    """What a seat has chosen; None where it is the seat's secret."""

    seat: int
    action: str | None


class RoundOver(Event, frozen=True, kw_only=True, tag="round_over"):
    """The seat deals the next round."""

    seat: int


class Won(Event, frozen=True, kw_only=True, tag="won"):
    """One for each winner."""

    seat: int
    points: int


Happened = Callable[[Any, Act, Any, Seat], Sequence[Event]]
"""(before, action, after, seat)."""

Ended = Callable[[Any, Any], Sequence[Event]]
"""(before, after): what all see of something that has ended."""


@dataclass(frozen=True)
class Told:
    """What a game tells in its own way; None: as most games do."""

    happened: Happened | None
    trick: Ended | None
    round: Ended | None


def event_types(choices: Sequence[Choice[Any]], told: Told) -> tuple[type[Event], ...]:
    """All events that the kit tells of in a game."""
    found: set[type[Event]] = {StarterDrawn, Dealt, Played}
    found |= {Trumped if choice.told is not None else Chose for choice in choices}
    if told.trick is None:
        found.add(Took)
    if told.round is None:
        found |= {RoundOver, Won}
    return tuple(sorted(found, key=str))


def round_ended(before: Any, after: Any) -> Sequence[Event]:
    """Who deals the next, or who has won the game."""
    if after.phase == DEALING:
        return [RoundOver(seat=after.dealer)]
    return [Won(seat=seat, points=after.scores[seat]) for seat in to_list(after.winning_seats)]


def make_events(
    deck: Deck, choices: Sequence[Choice[Any]], notation: Notation, own: Told
) -> Callable[[Any, Input, Any, Seat], list[Event]]:
    """What a seat sees happen: the kit's own events, and those of the game."""

    def trick_ended(before: Any, after: Any) -> Sequence[Event]:
        if after.last_winner == NO_SEAT:
            return []
        cards = trick_cards(after.last_trick, after.last_leader, after.seats, deck)
        return [Took(seat=after.last_winner, cards=cards)]

    tell_trick = own.trick or trick_ended
    tell_round = own.round or round_ended
    happened = own.happened

    def events(before: Any, given: Input, after: Any, seat: Seat) -> list[Event]:
        if isinstance(given, Shuffle):
            if before.phase == SEATING:
                return [StarterDrawn(seat=after.dealer)]
            hand = [] if seat is None else deck.listed(after.hands[seat])
            return [Dealt(seat=after.dealer, round=after.round_number, hand=hand)]
        if not isinstance(given, Act):
            return []
        told: list[Event]
        if before.phase == PLAY:
            told = [Played(seat=given.seat, card=deck.names[given.action])]
            if before.waiting_seats & (before.waiting_seats - 1) == 0:
                told += tell_trick(before, after)
        else:
            told = [_chosen(before, given, seat)]
        if happened is not None:
            told += happened(before, given, after, seat)
        if after.phase in (DEALING, OVER):
            told += tell_round(before, after)
        return told

    def _chosen(before: Any, given: Act, seat: Seat) -> Event:
        choice = choices[before.phase - FIRST_CHOICE]
        if choice.told is not None:
            number = given.action - len(deck) - _before(choices, choice)
            event: Event = choice.told(before, given.seat, number)
            return event
        known = not choice.secret or seat == given.seat
        return Chose(seat=given.seat, action=notation.show(given.action) if known else None)

    return events


def _before(choices: Sequence[Choice[Any]], choice: Choice[Any]) -> int:
    """How many things the choices before this one have."""
    return sum(each.count for each in choices[: choices.index(choice)])


def trump_named(deck: Deck) -> Callable[[Any, int, int], Event]:
    """`told` of a choice of the trump."""
    return lambda s, seat, number: Trumped(seat=seat, colour=deck.colours[number])
