"""Dealing cards that somebody can't see, fairly among all deals that agree with what it knows.

Unseen cards fall into classes (colours) and go into slots (hands, what lies aside) of known sizes.
A slot may be known to hold nothing of some classes. All deals that agree are equally likely: the
numbers of cards of each class that go into the slots with such knowledge are drawn by how many
deals they stand for, counted once in a table; which cards these are, and the rest, is then a
shuffle.
"""

from typing import Any

import numpy as np

from pli.kernel.bits import bit, has
from pli.kernel.rule import rule
from pli.kernel.stream import advance, below

MOST_CLASSES = 8
MOST_SLOTS = 8
MOST_IN_CLASS = 16

UNIT = 1 << 30

BINOMIALS = np.zeros((MOST_IN_CLASS + 1, MOST_IN_CLASS + 1))
for _n in range(MOST_IN_CLASS + 1):
    BINOMIALS[_n, 0] = 1
    for _k in range(1, _n + 1):
        BINOMIALS[_n, _k] = BINOMIALS[_n - 1, _k - 1] + BINOMIALS[_n - 1, _k]


class Unseen:
    """What a seat knows about the cards that it can't see, in the form that is dealt from."""

    room = MOST_SLOTS
    """How long the list is that is dealt into."""

    def __init__(self, classes: list[list[int]], slots: list[tuple[int, int]]) -> None:
        """Cards by class; for each slot how many cards it has, and the set of classes that it is
        known to be without."""
        if sum(map(len, classes)) != sum(size for size, _ in slots):
            raise ValueError("as many cards as places")  # compiled code would not notice
        self.classes = classes
        self.slots = slots
        self.cards = np.array([card for each in classes for card in each] or [0], np.int64)
        self.counts = np.array([len(each) for each in classes], np.int64)
        self.order = np.array(
            sorted(range(len(slots)), key=lambda slot: (slots[slot][1] == 0, slot)), np.int64
        )
        self.sizes = np.array([slots[slot][0] for slot in self.order], np.int64)
        self.banned = np.array([slots[slot][1] for slot in self.order], np.int64)
        self.known = int(np.count_nonzero(self.banned))
        states = int(np.prod(self.sizes[: self.known] + 1)) if self.known else 0
        width = int(self.counts.max(initial=0)) + 1
        steps = len(classes) * self.known + 1
        self.table = np.zeros((steps, width, states) if self.known else (1, 1, 1))


@rule
def count_ways(counts: Any, sizes: Any, banned: Any, known: int, table: Any) -> None:
    """In how many ways the known slots can be filled, from every point of the dealing on: while
    the cards of class c are given to slot h, m of them being left, with room r in the slots."""
    if known == 0:
        return
    states = table.shape[2]
    last = len(counts) * known
    for m in range(table.shape[1]):
        table[last, m, 0] = 1.0
    for step in range(last - 1, -1, -1):
        group, slot = step // known, step % known
        stride = 1
        for each in range(slot):
            stride *= sizes[each] + 1
        ends_class = slot == known - 1
        for m in range(counts[group] + 1):
            for r in range(states):
                room = r // stride % (sizes[slot] + 1)
                most = 0 if has(banned[slot], group) else min(m, room)
                ways = 0.0
                for n in range(most + 1):
                    left = m - n
                    if ends_class:
                        left = counts[group + 1] if group + 1 < len(counts) else 0
                    ways += BINOMIALS[m, n] * table[step + 1, left, r - n * stride]
                table[step, m, r] = ways


@rule
def deal_unseen(
    cards: Any,
    counts: Any,
    order: Any,
    sizes: Any,
    banned: Any,
    known: int,
    table: Any,
    dealt: Any,
    rest: Any,
    x: int,
) -> int:
    """Fills `dealt` with a set of cards for each slot; says how far the random stream has come."""
    for slot in range(len(sizes)):
        dealt[slot] = 0
    states = table.shape[2]
    r = states - 1
    at = 0
    left_over = 0
    for group in range(len(counts)):
        m = counts[group]
        # A shuffle of the class, so that its next cards are any of it.
        for i in range(m - 1, 0, -1):
            x = advance(x)
            j = below(x, i + 1)
            card = cards[at + i]
            cards[at + i] = cards[at + j]
            cards[at + j] = card
        given = 0
        stride = 1
        for slot in range(known):
            room = r // stride % (sizes[slot] + 1)
            most = 0 if has(banned[slot], group) else min(m, room)
            step = group * known + slot
            n = 0
            if most > 0:
                x = advance(x)
                wanted = table[step, m, r] * (below(x, UNIT) / UNIT)
                while n < most:
                    left = m - n
                    if slot == known - 1:
                        left = counts[group + 1] if group + 1 < len(counts) else 0
                    wanted -= BINOMIALS[m, n] * table[step + 1, left, r - n * stride]
                    if wanted < 0.0:
                        break
                    n += 1
            for i in range(at + given, at + given + n):
                dealt[order[slot]] |= bit(cards[i])
            given += n
            m -= n
            r -= n * stride
            stride *= sizes[slot] + 1
        for i in range(at + given, at + counts[group]):
            rest[left_over] = cards[i]
            left_over += 1
        at += counts[group]
    for i in range(left_over - 1, 0, -1):
        x = advance(x)
        j = below(x, i + 1)
        card = rest[i]
        rest[i] = rest[j]
        rest[j] = card
    at = 0
    for slot in range(known, len(sizes)):
        for i in range(at, at + sizes[slot]):
            dealt[order[slot]] |= bit(rest[i])
        at += sizes[slot]
    return x
