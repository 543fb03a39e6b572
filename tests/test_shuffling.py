"""Shuffles: the same from the same key, and without favourites."""

from collections import Counter

import pytest

from pli.shuffling import Shuffler, _below, keyed, seeded

SHUFFLERS = [seeded("even"), keyed(bytes(range(32)))]
both = pytest.mark.parametrize("shuffler", SHUFFLERS, ids=["seeded", "keyed"])


def surprise(counts: Counter[object], kinds: int, free: int) -> float:
    """Chi-squared against all kinds being equally likely, in standard deviations from its mean."""
    wanted = counts.total() / kinds
    squares = sum((n - wanted) ** 2 for n in counts.values()) / wanted
    squares += wanted * (kinds - len(counts))
    return float((squares - free) / (2 * free) ** 0.5)


def test_a_seed_is_the_key_that_it_is_as_text() -> None:
    assert seeded(7)(2, 50) == seeded("7")(2, 50) == keyed(b"7")(2, 50)
    assert seeded(7)(2, 50) != seeded(8)(2, 50)
    assert seeded(7)(2, 50) != seeded(7)(3, 50)


@both
def test_all_orders_of_four_are_equally_likely(shuffler: Shuffler) -> None:
    counts: Counter[object] = Counter(tuple(shuffler(k, 4)) for k in range(12_000))
    assert abs(surprise(counts, 24, 23)) < 4


@both
def test_every_card_is_equally_likely_at_every_place(shuffler: Shuffler) -> None:
    n = 60
    shuffles = [shuffler(k, n) for k in range(2_000)]
    counts: Counter[object] = Counter(pair for order in shuffles for pair in enumerate(order))
    # The counts of a card, and of a place, have their sums given.
    assert abs(surprise(counts, n * n, (n - 1) ** 2)) < 4


def test_a_number_that_would_favour_some_card_is_thrown_away() -> None:
    last = 2**32 - 1  # of 2**32 numbers three can't have equal shares unless the last is left out
    assert _below(iter([last, 4]), 3) == 1
    assert _below(iter([last - 1, 4]), 3) == 2
    assert _below(iter([last, 4]), 2) == 1


@pytest.mark.parametrize("n", [0, 1])
def test_nothing_and_one_thing_are_shuffled_too(n: int) -> None:
    assert seeded("small")(0, n) == list(range(n))
