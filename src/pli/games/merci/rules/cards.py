"""Merci's cards and hands: fronts, backs, combinations, and which of two equal cards is meant."""

from collections.abc import Callable
from typing import Any

import numpy as np

from pli.games.merci.state import (
    CARDS,
    CARDS_IN_COLOUR,
    COLOURS,
    FRONTS,
    HIGHEST,
    NAMES,
    NO_CARD,
    STACKS,
    State,
)
from pli.kernel.bits import bit, from_list, has, lowest, without
from pli.kernel.rule import hot, rule

# Lookup tables: the faces of a card never change.


def _table(of: Callable[[int], int], length: int = CARDS) -> Any:
    return np.array([of(i) for i in range(length)], np.int64)


def _all(fits: Callable[[int], bool]) -> int:
    return from_list(card for card in range(CARDS) if fits(card))


_COLOUR = _table(lambda card: card // CARDS_IN_COLOUR)
_VALUE = _table(lambda card: (card % CARDS_IN_COLOUR + 1) // 2 + 1)
_FRONT = _COLOUR * HIGHEST + _VALUE - 1
_FIRST = _table(lambda front: _FRONT.tolist().index(front), FRONTS)
_EQUALS = _table(lambda card: _all(lambda other: _FRONT[other] == _FRONT[card]))

_MATCHING = _table(
    lambda card: _all(
        lambda other: _COLOUR[other] == _COLOUR[card] or _VALUE[other] == _VALUE[card]
    )
)

_OF_VALUE = _table(lambda v: _all(lambda card: _VALUE[card] == v), HIGHEST + 1)
_OF_COLOUR = _table(lambda c: _all(lambda card: _COLOUR[card] == c), COLOURS)


def _completing(a: int, b: int) -> int:
    """The cards whose values make three equal ones or a run with these two (ME-7)."""
    values = [v for v in range(1, HIGHEST + 1) if a == b == v or _is_run(a, b, v)]
    return sum(int(_OF_VALUE[v]) for v in values)


def _is_run(*values: int) -> bool:
    low = min(values)
    return sorted(values) == [low, low + 1, low + 2]


_COMPLETING = np.array(
    [[_completing(a, b) for b in range(HIGHEST + 1)] for a in range(HIGHEST + 1)], np.int64
)

ONES_AND_SIXES = int(_OF_VALUE[1] | _OF_VALUE[HIGHEST])
LOWER_TWINS = _all(lambda card: _EQUALS[card] == 0b11 << card)
"""Of two equal cards, which have successive numbers, the one with the lower number."""


@hot
def colour(card: int) -> int:
    return int(_COLOUR[card])


@hot
def value(card: int) -> int:
    """1 .. 6: the cards of a colour are 1 2 2 3 3 4 4 5 5 6 (ME-1)."""
    return int(_VALUE[card])


@hot
def front(card: int) -> int:
    return int(_FRONT[card])


@hot
def first_of(front_number: int) -> int:
    """The lower of the cards with this front."""
    return int(_FIRST[front_number])


@hot
def equals(card: int) -> int:
    """The cards with the same front, itself among them."""
    return int(_EQUALS[card])


@hot
def matching(card: int) -> int:
    """ME-4: the cards with the same colour or the same value."""
    return int(_MATCHING[card])


@hot
def twin(card: int) -> int:
    """The other card with the same front, or none: 1s and 6s have none."""
    other = without(equals(card), card)
    return lowest(other) if other else NO_CARD


@hot
def take_up(s: State, seat: int, card: int) -> None:
    """A card comes into a hand."""
    if s.hands[seat] & equals(card):
        s.younger |= bit(card)
    s.hands[seat] |= bit(card)


@hot
def put_down(s: State, seat: int, card: int) -> None:
    """A card leaves a hand; its equal, if it is there, is then the only one."""
    s.hands[seat] = without(s.hands[seat], card)
    s.younger &= ~equals(card)


@hot
def named(s: State, seat: int, name: int) -> int:
    """The card of a hand that a name means: of two equal fronts the one held longest, unless the
    back tells; NO_CARD if there is none."""
    held = s.hands[seat] & equals(first_of(name // NAMES))
    back = name % NAMES - 1
    if back >= 0:
        held = with_back(s, held, back)
    if held & (held - 1):
        held &= ~s.younger
    return lowest(held) if held else NO_CARD


@rule
def with_back(s: State, cards: int, back: int) -> int:
    """Those of the cards that have this back."""
    left = cards
    while left:
        card = lowest(left)
        left = without(left, card)
        if s.back[card] != back:
            cards = without(cards, card)
    return cards


@hot
def name_of(s: State, card: int) -> int:
    """How a card of a hand is named in a list of actions; -1 for the younger of two that are equal
    on both sides, which can't be told apart."""
    plain = front(card) * NAMES
    if not has(s.younger, card):
        return plain
    if s.back[twin(card)] == s.back[card]:
        return -1
    return plain + 1 + s.back[card]


@hot
def once(cards: int) -> int:
    """Of two equal cards only the lower one: which of them is laid makes hardly a difference."""
    return cards & ~((cards & LOWER_TWINS) << 1)


# Combinations


@hot
def completing(old: int, one: int, two: int) -> int:
    """ME-7, ME-9, ME-9a: the cards that, laid on the top `old` beside the tops `one` and `two`,
    make a combination that was not there: a run of another height, equal values, or a colour."""
    cards = int(_COMPLETING[value(one), value(two)] & ~_OF_VALUE[value(old)])
    if colour(one) == colour(two) and colour(old) != colour(one):
        cards |= int(_OF_COLOUR[colour(one)])
    return cards


@hot
def combining(s: State, stack: int) -> int:
    """The cards that make a new combination on a stack."""
    return completing(s.tops[stack], s.tops[(stack + 1) % STACKS], s.tops[(stack + 2) % STACKS])
