"""Unseen cards are dealt fairly: every deal that agrees with what is known is as likely as the
next, held against a count of all of them."""

from collections import Counter
from itertools import permutations

import pytest

from pli.kernel.bits import from_list, to_list
from pli.kernel.dealing import Unseen, count_ways, deal_unseen
from pli.kernel.stream import start

CASES = {
    "nothing known": ([[0, 1, 2], [3, 4]], [(2, 0), (3, 0)]),
    "one void": ([[0, 1, 2], [3, 4]], [(2, 0b10), (3, 0)]),
    "two voids, something aside": ([[0, 1], [2, 3], [4, 5]], [(2, 0b001), (2, 0b010), (2, 0)]),
    "three voids, nothing free": ([[0, 1], [2, 3], [4, 5]], [(2, 0b001), (2, 0b010), (2, 0b100)]),
    "void of two": ([[0, 1], [2], [3, 4]], [(1, 0b101), (2, 0), (2, 0b010)]),
    "an empty slot": ([[0, 1, 2], []], [(0, 0b1), (3, 0)]),
}


def all_deals(classes: list[list[int]], slots: list[tuple[int, int]]) -> set[tuple[int, ...]]:
    """Every deal that agrees, by trying all orders of the cards."""
    cards = [card for each in classes for card in each]
    group = {card: i for i, each in enumerate(classes) for card in each}
    found = set()
    for order in permutations(cards):
        deal, at = [], 0
        for size, _ in slots:
            deal.append(from_list(order[at : at + size]))
            at += size
        if all(
            not (banned >> group[card]) & 1
            for cards_in, (_, banned) in zip(deal, slots, strict=True)
            for card in to_list(cards_in)
        ):
            found.add(tuple(deal))
    return found


@pytest.mark.parametrize("case", CASES)
def test_all_deals_that_agree_are_equally_likely(case: str) -> None:
    classes, slots = CASES[case]
    deals = all_deals(classes, slots)
    unseen = Unseen(classes, slots).arrays()
    count_ways(unseen)
    draws = 400 * len(deals)
    x = start(7, 0)
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(draws):
        x = deal_unseen(unseen, x)
        seen[tuple(map(int, unseen.dealt[: len(slots)]))] += 1
    assert set(seen) == deals
    off = sum((count - 400) ** 2 / 400 for count in seen.values())
    # Chi-square: its mean is the degrees of freedom, its deviation the root of twice that.
    freedom = len(deals) - 1
    assert off <= freedom + 4 * (2 * freedom) ** 0.5 + 1


@pytest.mark.parametrize("case", CASES)
def test_the_table_counts_the_deals(case: str) -> None:
    classes, slots = CASES[case]
    unseen = Unseen(classes, slots).arrays()
    count_ways(unseen)
    if unseen.known == 0:
        return
    free = [size for size, banned in slots if not banned]
    orders = 1
    left = sum(free)
    for size in free:
        for i in range(size):
            orders = orders * (left - i) // (i + 1)
        left -= size
    ways = unseen.table[0, unseen.counts[0], -1]
    assert ways * orders == len(all_deals(classes, slots))
