"""Readers of the values in scenario files, into a form that can be compared.

A game names a reader for each of its keys; the same reader serves positions and expectations.
"""

from collections.abc import Callable
from typing import Any

from pli.cards import Deck
from pli.errors import PliError, Say

Reader = Callable[[Any, int], Any]
"""(value, seats): the value in the form that is compared, or Malformed."""


class Malformed(PliError):
    """A value that can't be what its key says; `wanted` tells what could."""

    code = "malformed"

    def __init__(self, wanted: str, key: str | None = None, /, **details: object) -> None:
        super().__init__(wanted=Say(f"wanted.{wanted}", **details))
        self.key = key


def is_number(value: Any) -> bool:
    """Booleans are not numbers here."""
    return isinstance(value, int) and not isinstance(value, bool)


def number(least: int = 0, most: int = 9999) -> Reader:
    def read(value: Any, seats: int) -> int:
        if not is_number(value) or not least <= value <= most:
            raise Malformed("number", least=least, most=most)
        return int(value)

    return read


def seat(value: Any, seats: int) -> int:
    if not is_number(value) or not 0 <= value < seats:
        raise Malformed("seat", last=seats - 1)
    return int(value)


def seat_or_none(value: Any, seats: int) -> int | None:
    return None if value == "none" else seat(value, seats)


def one_of(*words: str) -> Reader:
    def read(value: Any, seats: int) -> str:
        if not isinstance(value, str) or value not in words:
            raise Malformed("one_of", words=", ".join(words))
        return str(value)

    return read


def colour(deck: Deck) -> Reader:
    """A colour's letter, or `none`."""

    letter = one_of(*deck.colours, "none")

    def read(value: Any, seats: int) -> str | None:
        found: str = letter(value, seats)
        return None if found == "none" else found

    return read


def cards(deck: Deck) -> Reader:
    """Cards separated by spaces, or a list of them; in any order, none twice."""

    def read(value: Any, seats: int) -> frozenset[str]:
        words = _words(value)
        for word in words:
            if word not in deck:
                raise Malformed("card", card=word)
        if len(set(words)) < len(words):
            raise Malformed("no_double")
        return frozenset(words)

    return read


def boxes(highest: int) -> Reader:
    """Numbers from 1 on, as a list or separated by spaces."""

    def read(value: Any, seats: int) -> frozenset[int]:
        ticked = set()
        for word in _words(value):
            if not (word.isdecimal() and 1 <= int(word) <= highest):
                raise Malformed("box", highest=highest)
            ticked.add(int(word))
        return frozenset(ticked)

    return read


def _words(value: Any) -> list[str]:
    if value is None:
        return []
    return [str(each) for each in value] if isinstance(value, list) else str(value).split()


def by_seat(read: Reader) -> Reader:
    """A list with one entry for each seat."""

    def read_all(value: Any, seats: int) -> list[Any]:
        if not isinstance(value, list) or len(value) != seats:
            raise Malformed("by_seat", seats=seats)
        return [read(each, seats) for each in value]

    return read_all


def by_side(read: Reader) -> Reader:
    """A list with one entry for each seat or team; how many there are, the game knows."""

    def read_all(value: Any, seats: int) -> list[Any]:
        if not isinstance(value, list) or len(value) > seats:
            raise Malformed("by_seat", seats=seats)
        return [read(each, seats) for each in value]

    return read_all


def a_set(read: Reader) -> Reader:
    """A list whose order does not matter."""

    def read_all(value: Any, seats: int) -> frozenset[Any]:
        if not isinstance(value, list):
            raise Malformed("list")
        return frozenset(read(each, seats) for each in value)

    return read_all


def trick(deck: Deck) -> Reader:
    """The cards on the table by seat: `{0: B7, 1: B9}`."""

    def read(value: Any, seats: int) -> dict[int, str]:
        if not isinstance(value, dict):
            raise Malformed("trick")
        for card in value.values():
            if not isinstance(card, str) or card not in deck:
                raise Malformed("card", card=card)
        if len(set(value.values())) < len(value):
            raise Malformed("no_double")
        return {seat(each, seats): str(card) for each, card in value.items()}

    return read
