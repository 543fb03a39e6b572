"""Where the cards of a game are, and who can't see them: what a game says of itself so that it can
be checked that no card is lost and none is shown (`pli.testing`). Nothing is played by it.

    zones=card_zones(face_up=["stack", "top"], face_down=["pile"])
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar, get_type_hints

from pli.kernel.bits import bit, from_list, to_list

S = TypeVar("S")

Exchanged = Mapping[int, int]
"""For some cards the card that takes its place, each card once."""


@dataclass(frozen=True, eq=False)
class Zones(Generic[S]):
    """What a checker must know of a game's cards. Cards are numbers here, zones are sets."""

    places: Callable[[S], Sequence[int]]
    """(state): every zone; each card of the game is in exactly one of them."""
    unseen: Callable[[S, int | None], Sequence[Sequence[int]]]
    """(state, seat): the cards that the seat can't see, in groups of those that look alike to
    it: where backs differ, by their backs."""
    exchange: Callable[[S, int | None, Exchanged], None]
    """(state, seat, exchanged): puts other cards in the places of some that the seat can't see."""
    secrets: Callable[[S, int | None, random.Random], None] | None = None
    """(state, seat, rng): changes at random what the seat can't know beside cards: whether
    somebody is at fault."""


@dataclass(frozen=True)
class _Field:
    """A field of a state that holds cards: a set, sets by seat, one card, or a row of cards, of
    which `NAME_size` says how many count, if there is such a field."""

    name: str
    sets: bool

    def cards(self, s: Any) -> list[int]:
        """As sets, one for each entry."""
        value = getattr(s, self.name)
        if self.sets:
            return [*value] if isinstance(value, list) else [value]
        row = value[: self._size(s, value)] if isinstance(value, list) else [value]
        return [from_list(card for card in row if card >= 0)]

    def exchange(self, s: Any, exchanged: Exchanged, seat: int | None = None) -> None:
        """In all entries but that of the seat."""
        value = getattr(s, self.name)
        if not isinstance(value, list):
            setattr(s, self.name, self._other(value, exchanged))
            return
        end = len(value) if self.sets else self._size(s, value)
        for at in range(end):
            if at != seat:
                value[at] = self._other(value[at], exchanged)

    def _other(self, value: int, exchanged: Exchanged) -> int:
        if not self.sets:
            return exchanged.get(value, value)
        return from_list(exchanged.get(card, card) for card in to_list(value))

    def _size(self, s: Any, row: list[int]) -> int:
        return int(getattr(s, f"{self.name}_size", len(row)))


@cache
def _fields(state: Any, names: tuple[str, ...]) -> tuple[_Field, ...]:
    hints: dict[str, Any] = get_type_hints(state, include_extras=True)
    return tuple(_Field(name, hints[name].__metadata__[0] == "i8") for name in names)


def _fields_of(s: Any, names: tuple[str, ...]) -> tuple[_Field, ...]:
    kind: Any = type(s)
    return _fields(kind, names)


def card_zones(
    *,
    hands: str = "hands",
    face_up: Sequence[str] = (),
    face_down: Sequence[str] = (),
    noted: Sequence[str] = (),
    backs: Callable[[Any, int], int] | None = None,
    secrets: Callable[[Any, int | None, random.Random], None] | None = None,
) -> Zones[Any]:
    """The zones of a game whose seats see their own hands and what lies face up, by the names of
    the state's fields. A field of `Int64`, or a list of these, is a set of cards, or one of each
    seat; one of `Int8` is a card, or a list of cards, and a negative number is none.

    `noted` are sets by seat that say again of cards in hands what their seat alone may know: which
    of them it is going to pass on. `backs` (state, card) tells backs apart where they differ.
    """
    known, shown, closed = (hands,), tuple(face_up), tuple(face_down)

    def places(s: Any) -> list[int]:
        return [zone for each in _fields_of(s, known + shown + closed) for zone in each.cards(s)]

    def unseen(s: Any, seat: int | None) -> list[list[int]]:
        others = [hand for at, hand in enumerate(getattr(s, hands)) if at != seat]
        piled = [zone for each in _fields_of(s, closed) for zone in each.cards(s)]
        cards = [card for zone in others + piled for card in to_list(zone)]
        if backs is None:
            return [cards]
        groups: dict[int, list[int]] = {}
        for card in cards:
            groups.setdefault(backs(s, card), []).append(card)
        return [*groups.values()]

    def exchange(s: Any, seat: int | None, exchanged: Exchanged) -> None:
        for each in _fields_of(s, (*known, *noted)):
            each.exchange(s, exchanged, seat)
        for each in _fields_of(s, closed):
            each.exchange(s, exchanged)

    return Zones(places, unseen, exchange, secrets)


def all_cards(zones: Sequence[int]) -> int:
    """The set of all cards of these zones."""
    whole = 0
    for zone in zones:
        whole |= zone
    return whole


def card_twice(zones: Sequence[int]) -> int | None:
    """A card that is in two of these zones."""
    whole = 0
    for zone in zones:
        if whole & zone:
            return to_list(whole & zone)[0]
        whole |= zone
    return None


def exchanged(groups: Sequence[Sequence[int]], rng: random.Random) -> Exchanged:
    """Cards of each group in each other's places, at random."""
    other: dict[int, int] = {}
    for cards in groups:
        other |= dict(zip(cards, rng.sample(cards, len(cards)), strict=True))
    return other


def common(one: Sequence[Sequence[int]], two: Sequence[Sequence[int]]) -> list[list[int]]:
    """The cards that are in groups of both, in those of the second."""
    known = from_list(card for cards in one for card in cards)
    return [[card for card in cards if known & bit(card)] for cards in two]
