"""Samples the cards of Merci that a seat can't see, uniformly among all deals that agree with what
it knows.

Backs are public wherever a card lies (ME-1a), so a deal has two parts: which back each card has,
where that is not known yet, and which cards lie in the places that show these backs. Once all backs
are given out there are m!/(m-k)! ways to lay m unseen cards with a back into the k places that show
it, and the rest lies hidden in any order. That number is the same however the backs were given out,
as long as they went to unseen cards only; but a card may lie open whose back was never seen (the
first tops), and so there are weights.
"""

from collections.abc import Iterator
from itertools import product
from math import factorial, perm, prod
from typing import Any

import numpy as np

from pli.games.merci.rules.cards import LOWER_TWINS
from pli.games.merci.state import BACK_COUNTS, BACKS, CARDS, MOST_SEATS, NO_CARD, State
from pli.kernel.bits import bit, lowest, nth, size, without
from pli.kernel.dealing import UNIT, DealArrays, Unseen
from pli.kernel.rule import rule
from pli.kernel.stream import advance, below, below_low

KINDS = len(BACKS)

UNKNOWN = -1
"""Stands for a back that the seat has not seen."""

# Places: a seat's hand, the top of the pile, and what lies hidden: the rest of the pile, laid cards
# that were covered before the seat looked, cards that are out of play.
TOP, HIDDEN = MOST_SEATS, MOST_SEATS + 1

# What is dealt: hands, backs by card, the pile from below, and a number that picks a gift.
DEALT_BACKS = MOST_SEATS
DEALT_PILE = DEALT_BACKS + CARDS
DEALT_LAID = DEALT_PILE + CARDS
DEALT_CHANCE = DEALT_LAID + 1
USED = DEALT_CHANCE + 1
ROOM = USED + KINDS

# Numbers that go with them, after the places.
PLACES = KINDS * CARDS
UNSEEN_COUNT, OPEN_COUNT, TWIN_COUNT, PILE_COUNT, LAID_COUNT, LEFT = range(PLACES, PLACES + 6)

# A column of a way to give out backs: how likely it is or one before it, then the backs of open
# cards, then which of two equal cards has which back.
UP_TO, OPEN_BACKS, TWINS = 0, 1, 1 + KINDS


class Impossible(Exception):
    """What the seat believes to know contradicts itself."""


class MerciUnseen(Unseen):
    """What a seat knows about the cards that it can't see, in the form that is dealt from."""

    room = ROOM

    def __init__(
        self,
        unseen: list[int],
        open_cards: list[int],
        backs: dict[int, int],
        twins: list[tuple[int, int, int, int]],
        shown: list[list[int]],
        top: int,
        pile: int,
        covered: int,
    ) -> None:
        """Unseen cards; open ones whose back is not known; the backs that are; open cards with
        their unseen equals, of which it is not known which has which of two backs (the second may
        be UNKNOWN); how often each back shows in each hand, on cards that are not known; which back
        shows on the pile, or UNKNOWN; how many cards the pile has, and how many laid ones were
        never seen."""
        self.backs = backs
        self.twins = twins
        self.shown = [sum(hand[kind] for hand in shown) for kind in range(KINDS)]
        if top != UNKNOWN:
            self.shown[top] += 1
        known = [*backs.values(), *(back for twin in twins for back in twin[2:])]
        self.left = [BACK_COUNTS[kind] - known.count(kind) for kind in range(KINDS)]
        self.unseen = unseen
        self.open = open_cards
        self.cards = _padded(unseen, CARDS)
        self.counts = _padded([backs.get(card, UNKNOWN) for card in range(CARDS)], CARDS)
        self.order = _padded(open_cards, CARDS)
        self.banned = _padded([each for twin in twins for each in twin], 4 * CARDS)
        self.known = 0  # there is nothing for `count_ways` to count
        places = []
        for kind in range(KINDS):
            here = [seat for seat, hand in enumerate(shown) for _ in range(hand[kind])]
            here += [TOP] * (kind == top)
            places += here + [HIDDEN] * (CARDS - len(here))
        numbers = [len(unseen), len(open_cards), len(twins), pile, covered, *self.left]
        self.sizes = np.array(places + numbers, np.int64)
        self.table = self._table()

    def _table(self) -> Any:
        """All ways to give out the backs of open cards, by how many deals each stands for."""
        rows, total = [], 0
        for way, deals in self.ways():
            total += deals
            rows.append((total, *way))
        if total == 0:
            raise Impossible
        return np.array([[(row[0] / total, *row[1:]) for row in rows]], np.float64)

    def ways(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """How many open cards have each back, and how equal cards have theirs, with the number of
        deals."""
        if min(self.left) < 0:
            return
        free = [card for card in self.unseen if card not in self.backs]
        paired = {card for twin in self.twins for card in twin[:2]}
        for crossed in product((0, 1), repeat=len(self.twins)):
            unknown_open = len([card for card in self.open if card not in paired])
            unknown_unseen = len([card for card in free if card not in paired])
            unseen = [self.backs[card] for card in self.unseen if card in self.backs]
            for (_, _, first, second), cross in zip(self.twins, crossed, strict=True):
                on_open, on_unseen = (second, first) if cross else (first, second)
                unknown_open += on_open == UNKNOWN
                unknown_unseen += on_unseen == UNKNOWN
                unseen += [on_unseen] * (on_unseen != UNKNOWN)
            for opened in _splits(unknown_open, self.left):
                left = [n - k for n, k in zip(self.left, opened, strict=True)]
                if sum(left) != unknown_unseen:
                    continue
                given_out = factorial(unknown_open) // prod(map(factorial, opened))
                given_out *= factorial(unknown_unseen) // prod(map(factorial, left))
                here = [unseen.count(kind) + left[kind] for kind in range(KINDS)]
                laid = prod(map(perm, here, self.shown))
                if laid:
                    yield (*opened, *crossed), given_out * laid


def _padded(values: list[int], length: int) -> Any:
    return np.array(values + [0] * (length - len(values)), np.int64)


def _splits(total: int, most: list[int]) -> Iterator[tuple[int, ...]]:
    """All ways to write a total as a sum of numbers, each up to its most."""
    if len(most) == 1:
        if total <= most[0]:
            yield (total,)
        return
    for n in range(min(total, most[0]) + 1):
        for rest in _splits(total - n, most[1:]):
            yield (n, *rest)


@rule
def deal(unseen: DealArrays, x: int) -> int:
    """Deals what `MerciUnseen` holds; says how far the random stream has come."""
    cards, counts, order, sizes, banned, _, table, dealt, rest = unseen
    if len(dealt) < ROOM:  # a seat that sees everything: nothing to deal
        return x
    x = give_backs(cards, counts, order, sizes, banned, table, dealt, rest, x)
    return lay_out(cards, sizes, dealt, rest, x)


@rule
def give_backs(
    cards: Any, counts: Any, order: Any, sizes: Any, banned: Any, table: Any,
    dealt: Any, rest: Any, x: int,
) -> int:  # fmt: skip
    """Every card gets a back, in `rest`: first which way it is, then which cards these are."""
    for card in range(CARDS):
        rest[card] = counts[card]
    way = 0
    if table.shape[1] > 1:
        x = advance(x)
        wanted = below(x, UNIT) / UNIT
        while table[0, way, UP_TO] <= wanted and way + 1 < table.shape[1]:
            way += 1
    for i in range(sizes[TWIN_COUNT]):
        crossed = int(table[0, way, TWINS + i])
        rest[banned[4 * i + crossed]] = banned[4 * i + 2]
        rest[banned[4 * i + 1 - crossed]] = banned[4 * i + 3]
    x = spread(order, sizes[OPEN_COUNT], sizes, table, way, True, dealt, rest, x)
    return spread(cards, sizes[UNSEEN_COUNT], sizes, table, way, False, dealt, rest, x)


@rule
def spread(
    cards: Any, count: int, sizes: Any, table: Any, way: int, opened: bool,
    dealt: Any, rest: Any, x: int,
) -> int:  # fmt: skip
    """The backs that belong to these cards go to those of unknown back, in any order."""
    total = 0
    for kind in range(KINDS):
        of_open = int(table[0, way, OPEN_BACKS + kind])
        dealt[USED + kind] = of_open if opened else sizes[LEFT + kind] - of_open
        total += dealt[USED + kind]
    if total == 0:
        return x
    for i in range(count):
        if rest[cards[i]] == UNKNOWN:
            x = advance(x)
            wanted = below(x, total)
            kind = 0
            while wanted >= dealt[USED + kind]:
                wanted -= dealt[USED + kind]
                kind += 1
            rest[cards[i]] = kind
            dealt[USED + kind] -= 1
            total -= 1
    return x


@rule
def lay_out(cards: Any, sizes: Any, dealt: Any, rest: Any, x: int) -> int:
    """The unseen cards in any order, each to the next place that shows its back."""
    for seat in range(MOST_SEATS):
        dealt[seat] = 0
    for kind in range(KINDS):
        dealt[USED + kind] = 0
    count = sizes[UNSEEN_COUNT]
    top = NO_CARD
    hidden = 0
    for i in range(count):
        x = advance(x)
        j = i + below(x, count - i)
        card = cards[j]
        cards[j] = cards[i]
        cards[i] = card
        kind = rest[card]
        place = sizes[kind * CARDS + dealt[USED + kind]]
        dealt[USED + kind] += 1
        if place < TOP:
            dealt[place] |= bit(card)
        elif place == TOP:
            top = card
        else:  # at a random place: cards that come late have a common back
            j = below_low(x, hidden + 1)
            dealt[DEALT_PILE + hidden] = dealt[DEALT_PILE + j]
            dealt[DEALT_PILE + j] = card
            hidden += 1
    piled = sizes[PILE_COUNT] - (top != NO_CARD)
    dealt[DEALT_LAID] = 0
    for i in range(piled, piled + sizes[LAID_COUNT]):
        dealt[DEALT_LAID] |= bit(dealt[DEALT_PILE + i])
    if top != NO_CARD:
        dealt[DEALT_PILE + piled] = top
    for card in range(CARDS):
        dealt[DEALT_BACKS + card] = rest[card]
    x = advance(x)
    dealt[DEALT_CHANCE] = below(x, UNIT)
    return x


@rule
def fill(s: State, dealt: Any) -> None:
    """Puts what was dealt beside what is known."""
    if len(dealt) < ROOM:
        return
    s.younger = 0
    for seat in range(s.seats):
        s.hands[seat] |= dealt[seat]
        # Of two equal cards in a hand either may be the younger.
        s.younger |= (s.hands[seat] & LOWER_TWINS) << 1 & s.hands[seat]
    for card in range(CARDS):
        s.back[card] = dealt[DEALT_BACKS + card]
    for i in range(s.pile_size):
        s.pile[i] = dealt[DEALT_PILE + i]
    s.laid |= dealt[DEALT_LAID]
    if s.gift < NO_CARD:  # known by its back alone: any of the speaker's that shows it
        kind = -2 - s.gift
        fitting = 0
        left = s.hands[s.speaker]
        while left:
            card = lowest(left)
            left = without(left, card)
            if s.back[card] == kind:
                fitting |= bit(card)
        s.gift = nth(fitting, dealt[DEALT_CHANCE] * size(fitting) // UNIT)
