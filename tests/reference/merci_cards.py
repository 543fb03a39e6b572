"""Merci's cards and words, for the reference: fronts, backs, combinations, actions as text.

A card is a number from 0 to 49; its front never changes, its back is drawn anew for each game.
"""

import re

from . import COLOURS

BACKS = ["one"] * 13 + ["gift"] * 13 + ["heart"] * 12 + ["two"] * 12  # ME-1a
COPIES = {1: 1, 2: 2, 3: 2, 4: 2, 5: 2, 6: 1}  # ME-1, by value

# 'B1', 'B2', 'B2', 'B3' ... 'O6': the fronts by number of card.
FRONTS = [
    f"{colour}{value}" for colour in COLOURS for value in COPIES for _ in range(COPIES[value])
]

LAYING = ("play", "siouplait", "skuz")
THANKS = ("merci", "merci-beaucoup", "take")

_CARD = r"([BGYPO][1-6](?:/(?:one|gift|heart|two))?)"
_ACTION = re.compile(
    rf"(?:(play|siouplait|skuz) {_CARD} on ([1-3])"
    rf"|(give) {_CARD} to ([0-5])"
    r"|(choose) ([0-5])"
    r"|(draw|merci|merci-beaucoup|take|denounce))"
)


def parse(action: str) -> list[str] | None:
    """The verb and what it is about: ['play', 'Y3', '2']; None if it is no action of this game."""
    found = _ACTION.fullmatch(action)
    return [part for part in found.groups() if part is not None] if found else None


def identical(front: str, top: str) -> bool:
    return front == top  # ME-6


def matches(front: str, top: str) -> bool:
    return front[0] == top[0] or front[1] == top[1]  # ME-4


def combinations(tops: list[str]) -> set[tuple[str, str]]:
    """ME-7: all that three tops form, each with its height, colour or value."""
    found = set()
    colours = {front[0] for front in tops}
    values = sorted(int(front[1]) for front in tops)
    lowest = values[0]
    if values == [lowest, lowest + 1, lowest + 2]:
        found.add(("run", str(lowest)))
    if len(colours) == 1:
        found.add(("colour", tops[0][0]))
    if values == [lowest] * 3:
        found.add(("value", str(lowest)))
    return found


def new_combination(tops: list[str], stack: int, front: str) -> bool:
    """ME-9a: is there one after the card that was not there before it?"""
    after = [front if place == stack else top for place, top in enumerate(tops)]
    return bool(combinations(after) - combinations(tops))
