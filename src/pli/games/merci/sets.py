"""Sets of Merci's cards, for those who look ahead: at once what is asked card by card elsewhere."""

import numpy as np

from pli.games.merci.cards import colour, twin, value
from pli.games.merci.state import CARDS, COLOURS, HIGHEST, STACKS, State
from pli.kernel.bits import from_list
from pli.kernel.rule import hot

_OF_VALUE = np.array(
    [from_list(card for card in range(CARDS) if value(card) == v) for v in range(HIGHEST + 1)],
    np.int64,
)
_OF_COLOUR = np.array(
    [from_list(card for card in range(CARDS) if colour(card) == c) for c in range(COLOURS)],
    np.int64,
)


def _values(a: int, b: int) -> int:
    """The cards that make a run or a value with two others of these values (ME-7)."""
    fitting = 0
    for c in range(1, HIGHEST + 1):
        low, middle, high = sorted((a, b, c))
        if low == high or (low + 1 == middle == high - 1):
            fitting |= int(_OF_VALUE[c])
    return fitting


_COMPLETING = np.array(
    [[_values(a, b) for b in range(HIGHEST + 1)] for a in range(HIGHEST + 1)], np.int64
)
ONES_AND_SIXES = int(_OF_VALUE[1] | _OF_VALUE[HIGHEST])
LOWER_TWINS = from_list(card for card in range(CARDS) if twin(card) == card + 1)


@hot
def once(cards: int) -> int:
    """Of two equal cards only one: which of them is laid makes no difference to speak of."""
    return cards & ~((cards & LOWER_TWINS) << 1)


@hot
def combining(s: State, stack: int) -> int:
    """ME-7, ME-9a: all cards that would make a new combination on a stack (`combines` of each)."""
    old, one, two = s.tops[stack], s.tops[(stack + 1) % STACKS], s.tops[(stack + 2) % STACKS]
    cards = int(_COMPLETING[value(one), value(two)] & ~_OF_VALUE[value(old)])
    if colour(one) == colour(two) and colour(old) != colour(one):
        cards |= int(_OF_COLOUR[colour(one)])
    return cards
