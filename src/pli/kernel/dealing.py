"""Determinization: deals the cards that a seat can't see, uniformly among all deals that are
consistent with what it knows.

Unseen cards fall into classes (colours) and go into slots (hands, cards set aside) of known sizes.
A slot may be known to be void of some classes. The number of cards of each class in each slot with
known voids is drawn in proportion to the number of deals that it stands for, which a table counts
once; which cards these are, and where the others go, is then a shuffle.
"""

from typing import Annotated, Any, NamedTuple

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


class DealArrays(NamedTuple):
    """A belief in the form that compiled code deals from, and memory for one deal. A game with a
    `deal` of its own may give the fields another meaning."""

    cards: Annotated[Any, "int64[::1]"]
    """Unseen cards, class after class; dealing changes their order within a class."""
    counts: Annotated[Any, "int64[::1]"]
    """Cards, by class."""
    order: Annotated[Any, "int64[::1]"]
    """Slots, those with known voids first. The next two are in this order."""
    sizes: Annotated[Any, "int64[::1]"]
    banned: Annotated[Any, "int64[::1]"]
    """Bit sets of the classes that a slot is void of."""
    known: Annotated[int, "int64"]
    """How many slots have known voids."""
    table: Annotated[Any, "float64[:,:,::1]"]
    """Filled by `count_ways`."""
    dealt: Annotated[Any, "int64[::1]"]
    """The deal: a bit set of cards for each slot."""
    rest: Annotated[Any, "int64[::1]"]
    """Scratch memory: cards for the slots without known voids."""


class Unseen:
    """A seat's belief about the cards that it can't see: which there are, and where they may be."""

    room = MOST_SLOTS
    """The length of `DealArrays.dealt`."""

    def __init__(self, classes: list[list[int]], slots: list[tuple[int, int]]) -> None:
        """Cards by class; for each slot its size, and the bit set of classes it is void of."""
        if sum(map(len, classes)) != sum(size for size, _ in slots):
            raise ValueError("as many cards as places")  # compiled code does not check it
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

    def arrays(self) -> DealArrays:
        """With new memory for a deal; the table is not filled yet."""
        dealt, rest = np.zeros(self.room, np.int64), np.zeros(len(self.cards), np.int64)
        return DealArrays(
            self.cards, self.counts, self.order, self.sizes, self.banned, self.known, self.table,
            dealt, rest,
        )  # fmt: skip


@rule
def count_ways(unseen: DealArrays) -> None:
    """Fills the table: the number of ways to fill the slots with known voids, from every point of
    the dealing on: class and slot (`step`), cards of the class that are left (`m`), free places in
    the slots (`r`, a mixed-radix number)."""
    counts, sizes, banned = unseen.counts, unseen.sizes, unseen.banned
    known, table = unseen.known, unseen.table
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
def deal_unseen(unseen: DealArrays, x: int) -> int:
    """Samples a deal into `dealt`; returns the random stream after it."""
    cards, counts, order, sizes, banned, known, table, dealt, rest = unseen
    for slot in range(len(sizes)):
        dealt[slot] = 0
    states = table.shape[2]
    r = states - 1
    at = 0
    left_over = 0
    for group in range(len(counts)):
        m = counts[group]
        # A shuffle of the class, so that its next cards are random ones.
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
