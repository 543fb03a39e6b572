"""What a seat may know of a trick-taking game."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, TypeVar, get_type_hints

from pli.cards import Deck, TrickCard
from pli.game import Seat, View, shown_seat
from pli.kernel.bits import size, to_list
from pli.tricks.rules import actors
from pli.tricks.state import NO_COLOUR, TrickState

V = TypeVar("V", bound=View)


class TrickView(View, frozen=True, kw_only=True):
    """What most trick-taking games show. A game may derive its own and add fields, or have a view
    of its own with those of these fields that it wants."""

    round: int
    dealer: Seat
    leader: Seat
    trump: str | None
    scores: list[int]
    tricks: list[int]
    """How many tricks each seat has taken in this round."""
    cards: list[int]
    """How many cards each seat holds."""
    hand: list[str]
    """The viewer's own cards; none for a spectator."""
    trick: list[TrickCard]
    last_trick: list[TrickCard]
    last_winner: Seat


def trick_cards(trick: Sequence[int], leader: int, seats: int, deck: Deck) -> list[TrickCard]:
    """The cards of a trick in the order in which they were played; -1 stands for none."""
    names = deck.names
    return [
        TrickCard(seat, names[trick[seat]])
        for seat in (*range(leader, seats), *range(leader))
        if trick[seat] >= 0
    ]


def as_dict(trick: Iterable[TrickCard]) -> dict[int, str]:
    return {each.seat: each.card for each in trick}


Shown = Callable[[Any], Mapping[str, Any]]
Own = Callable[[Any, int], Mapping[str, Any]]


def make_own(deck: Deck, own: Own | None) -> Callable[[Any, int], dict[str, Any]]:
    """What a seat knows beside what all can see."""

    def own_fields(s: Any, seat: int) -> dict[str, Any]:
        return {
            "seat": seat,
            "hand": deck.listed(s.hands[seat]),
            **(own(s, seat) if own is not None else {}),
        }

    return own_fields


def make_view(
    kind: type[V],
    state: type[TrickState],
    deck: Deck,
    phases: Sequence[str],
    show: Shown | None,
    own: Callable[[Any, int], dict[str, Any]],
) -> Callable[[Any, Seat], V]:
    """The view of a game: the fields of `TrickView`, but for those that it lacks; those that the
    state has by the same name; and what `show` gives."""
    extras = copied_fields(kind, state)
    lacking = {*TrickView.__struct_fields__} - {*kind.__struct_fields__}
    colours = deck.colours

    def view(s: Any, seat: Seat) -> V:
        seats = s.seats
        values: dict[str, Any] = {
            "seat": None,
            "seats": seats,
            "phase": phases[s.phase],
            "turn": shown_seat(s.turn),
            "awaited": to_list(actors(s)),
            "winners": to_list(s.winning_seats),
            "round": s.round_number,
            "dealer": shown_seat(s.dealer),
            "leader": shown_seat(s.leader),
            "trump": None if s.trump == NO_COLOUR else colours[s.trump],
            "scores": s.scores[:seats],
            "tricks": s.tricks[:seats],
            "cards": [size(hand) for hand in s.hands[:seats]],
            "hand": [],
            "trick": trick_cards(s.trick, s.leader, seats, deck),
            "last_trick": trick_cards(s.last_trick, s.last_leader, seats, deck),
            "last_winner": shown_seat(s.last_winner),
        }
        for name in lacking:
            del values[name]
        for name, shown in extras:
            values[name] = shown(getattr(s, name), seats)
        if show is not None:
            values.update(show(s))
        if seat is not None:
            values.update(own(s, seat))
        return kind(**values)

    view.__annotations__["return"] = kind
    return view


Copied = Callable[[Any, int], Any]
"""(value, seats): a value of the state as a view shows it."""


def copied_fields(kind: type[View], state: type[TrickState]) -> list[tuple[str, Copied]]:
    """The fields of a view that the state has by the same name, beside those of `TrickView`:
    numbers, flags and seats, but nothing as wide as a set of cards, which may be a secret."""
    known = {*TrickView.__struct_fields__}
    hints, kinds = get_type_hints(kind), get_type_hints(state, include_extras=True)
    found: list[tuple[str, Copied]] = []
    for field in fields(state):
        name = field.name
        if name in known or name not in hints or kinds[name].__metadata__[0] == "i8":
            continue
        if len(kinds[name].__metadata__) > 1:  # a list
            if hints[name] == list[int]:
                found.append((name, lambda value, seats: value[:seats]))
        elif hints[name] == Seat:
            found.append((name, lambda value, seats: shown_seat(value)))
        elif hints[name] is bool:
            found.append((name, lambda value, seats: bool(value)))
        elif hints[name] is int:
            found.append((name, lambda value, seats: value))
    return found
