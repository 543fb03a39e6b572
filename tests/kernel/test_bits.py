"""Card sets: the plain helpers, and the processor's instructions that stand in for them."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pli.kernel import bits, native, stream
from pli.kernel.compiler import CompiledFunction
from tests.race import RULES

members = st.integers(1, (1 << 62) - 1)


@given(members)
def test_a_set_is_its_members(cards: int) -> None:
    listed = bits.to_list(cards)
    assert bits.from_list(listed) == cards
    assert bits.size(cards) == len(listed)
    assert bits.lowest(cards) == listed[0]
    assert bits.highest(cards) == listed[-1]
    assert [bits.nth(cards, k) for k in range(len(listed))] == listed
    assert all(bits.has(cards, each) for each in listed)


@given(members, st.integers(0, 61))
def test_clockwise_finds_the_next_seat_and_wraps_around(seats: int, start: int) -> None:
    listed = bits.to_list(seats)
    assert bits.clockwise(seats, start) == next((s for s in listed if s >= start), listed[0])


def test_compiled_helpers_give_what_the_plain_ones_give() -> None:
    def all_of_them(cards: int, k: int, out: Any) -> None:
        out[0] = bits.size(cards)
        out[1] = bits.lowest(cards)
        out[2] = bits.highest(cards)
        out[3] = bits.nth(cards, k)
        out[4] = bits.clockwise(cards, k)

    compiled = CompiledFunction(RULES, all_of_them, "int64", "int64", "int64[::1]")
    rng = np.random.default_rng(1)
    for _ in range(2000):
        cards = int(rng.integers(1, 1 << 62)) & int(rng.integers(1, 1 << 62)) or 1
        k = int(rng.integers(bits.size(cards)))
        fast, plain = np.zeros(5, np.int64), [0] * 5
        compiled(cards, k, fast)
        all_of_them(cards, k, plain)
        assert fast.tolist() == plain


def test_the_way_without_the_processors_instruction_finds_the_same_member() -> None:
    cards = 0b1011_0100_1001
    assert [native.nth_portable(cards, k) for k in range(6)] == bits.to_list(cards)


def test_compiled_random_numbers_are_the_plain_ones() -> None:
    def draws(seed: int, game: int, out: Any) -> None:
        x = stream.start(seed, game)
        for i in range(len(out) // 2):
            x = stream.advance(x)
            out[2 * i] = stream.below(x, 60)
            out[2 * i + 1] = stream.below_low(x, 7)

    compiled = CompiledFunction(RULES, draws, "int64", "int64", "int64[::1]")
    for seed, game in [(0, 0), (1, 5), (2**40, 10**6)]:
        fast, plain = np.zeros(200, np.int64), [0] * 200
        compiled(seed, game, fast)
        draws(seed, game, plain)
        assert fast.tolist() == plain


@pytest.mark.parametrize("n", [2, 5, 60])
def test_draws_are_even(n: int) -> None:
    x, counts, draws = stream.start(3, 3), [0] * n, 3000 * n
    for _ in range(draws):
        x = stream.advance(x)
        counts[stream.below(x, n)] += 1
    expected = draws / n
    chi_squared = sum((count - expected) ** 2 / expected for count in counts)
    # Mean n-1, deviation sqrt(2(n-1)): five deviations is one run in millions.
    assert chi_squared < (n - 1) + 5 * (2 * (n - 1)) ** 0.5 + 5
