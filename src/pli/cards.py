"""How cards are written: a colour letter and a number, `B7`. Blue, green, yellow, pink, orange."""

from functools import lru_cache

from pli.kernel.bits import to_list

COLOURS = "BGYPO"

REMEMBERED = 4096
"""Size of the cache of named sets."""


class Deck:
    """Every colour with the numbers 1 .. highest; card i is the i-th, colour by colour."""

    def __init__(self, colours: int, highest: int) -> None:
        self.colours = COLOURS[:colours]
        self.highest = highest
        self.names = [f"{c}{n}" for c in self.colours for n in range(1, highest + 1)]
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

    def _names(self, cards: int) -> tuple[str, ...]:
        return tuple(self.names[number] for number in to_list(cards))
