"""Sprite sheets: on which sheet and field each card face is found, under names that reveal nothing
of it. For games in which players compare faces by eye."""

import hmac
from collections.abc import Mapping, Sequence

from pli.errors import PliError
from pli.motifs import ACROSS
from pli.shuffling import keyed

FIELDS = ACROSS * ACROSS
NAME_DIGITS = 20


class Sheets:
    """All sprite sheets of one game. They follow from a secret seed: the same after a restart, and
    different in every other game."""

    def __init__(self, motifs: Sequence[int], seed: str) -> None:
        self._motifs = motifs
        self._key = bytes.fromhex(seed)
        order = keyed(self._key)(0, len(motifs))
        self._place = {number: divmod(at, FIELDS) for at, number in enumerate(order)}
        count = -(-len(order) // FIELDS)
        self._on = [order[FIELDS * sheet : FIELDS * (sheet + 1)] for sheet in range(count)]
        self._names = [self._derived(f"name {sheet}")[:NAME_DIGITS] for sheet in range(count)]
        self._numbers = {name: sheet for sheet, name in enumerate(self._names)}

    @property
    def names(self) -> list[str]:
        return self._names

    def places(self, faces: Mapping[str, int]) -> dict[str, str]:
        """The sheet and field of each face (`NAME.FIELD`), from the numbers of their pictures."""
        places = {}
        for face, number in faces.items():
            sheet, field = self._place[number]
            places[face] = f"{self._names[sheet]}.{field}"
        return places

    def task(self, name: str) -> tuple[list[int], str]:
        """What a worker renders: the motifs on a sheet, and the seed of its variations."""
        if name not in self._numbers:
            raise PliError("no_such_page")
        sheet = self._numbers[name]
        return [self._motifs[number] for number in self._on[sheet]], self._derived(f"draw {sheet}")

    def _derived(self, label: str) -> str:
        return hmac.digest(self._key, label.encode(), "sha256").hex()
