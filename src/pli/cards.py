"""How cards are written: a colour letter and a rank, `B7` or `HQ`. Blue, green, yellow, pink,
orange, or the suits of a French deck."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec

from pli.kernel.bits import from_list, to_list

COLOURS = "BGYPO"

FRENCH_SUITS = "CDHS"
"""Clubs, diamonds, hearts, spades."""

FRENCH_RANKS = "23456789TJQKA"

REMEMBERED = 4096
"""Size of the cache of named sets."""


class TrickCard(msgspec.Struct, frozen=True):
    """A card of a trick, and the seat that played it."""

    seat: int
    card: str


class Deck:
    """Every colour with every rank, from the lowest on; card i is the i-th, colour by colour."""

    def __init__(self, colours: int | str, ranks: int | Sequence[str]) -> None:
        """So many of our colours, or a letter for each; the numbers 1 .. so many, or a name for
        each rank."""
        self.colours = COLOURS[:colours] if isinstance(colours, int) else colours
        self.ranks = [str(n) for n in range(1, ranks + 1)] if isinstance(ranks, int) else [*ranks]
        self.highest = len(self.ranks)
        self.names = [colour + rank for colour in self.colours for rank in self.ranks]
        self._numbers = {name: i for i, name in enumerate(self.names)}
        # Views list every hand after every action, which changes one of them at most.
        self._known = lru_cache(REMEMBERED)(self._names)

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self._numbers

    def number(self, name: str) -> int:
        return self._numbers[name]

    def listed(self, cards: int) -> list[str]:
        """The names of a set of cards, in order."""
        return [*self._known(cards)]

    def set_of(self, names: Iterable[str]) -> int:
        """The set of these cards."""
        return from_list(self._numbers[name] for name in names)

    def colour(self, letter: str) -> int:
        """All cards of a colour, as a set."""
        return self.colour_sets[self.colours.index(letter)]

    @property
    def colour_sets(self) -> tuple[int, ...]:
        """All cards of each colour, as sets."""
        one = (1 << self.highest) - 1
        return tuple(one << (self.highest * colour) for colour in range(len(self.colours)))

    def _names(self, cards: int) -> tuple[str, ...]:
        return tuple(self.names[number] for number in to_list(cards))
