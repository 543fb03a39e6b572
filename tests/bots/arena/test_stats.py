"""Intervals, Elo and the sequential test, held against truths from which the results are drawn."""

from collections.abc import Callable
from math import inf, isinf, log10

import numpy as np
import pytest

from pli.bots.arena.stats import Numbers, SequentialTest, elo, student, win_share

Draw = Callable[[np.random.Generator, float, int], Numbers]


def independent(rng: np.random.Generator, mean: float, blocks: int) -> Numbers:
    """Blocks of four games that have nothing to do with each other."""
    return rng.binomial(4, mean, blocks) / 4


def alike(rng: np.random.Generator, mean: float, blocks: int) -> Numbers:
    """Blocks in which the cards decide much: their four games tend to end alike."""
    return rng.binomial(4, rng.beta(mean, 1 - mean, blocks)) / 4


def as_one(rng: np.random.Generator, mean: float, blocks: int) -> Numbers:
    """Blocks whose four games always end alike."""
    return (rng.random(blocks) < mean).astype(float)


def balanced(rng: np.random.Generator, mean: float, blocks: int) -> Numbers:
    """Blocks that vary less: there is one good hand, and everybody has it once."""
    return (1 + rng.binomial(3, (4 * mean - 1) / 3, blocks)) / 4


def covered(draw: Draw, mean: float, blocks: int, runs: int = 1500) -> float:
    rng = np.random.default_rng([blocks, int(mean * 1000)])
    found = (win_share(draw(rng, mean, blocks)) for _ in range(runs))
    return sum(each.low <= mean <= each.high for each in found) / runs


# Shares


@pytest.mark.parametrize("blocks", [10, 30, 120])
@pytest.mark.parametrize("mean", [0.4, 0.5, 0.8])
@pytest.mark.parametrize("draw", [independent, alike, balanced])
def test_the_interval_holds_the_truth_in_95_of_100_runs(
    draw: Draw, mean: float, blocks: int
) -> None:
    assert 0.93 <= covered(draw, mean, blocks) <= 0.98


@pytest.mark.parametrize("mean", [0.05, 0.25, 0.9])
def test_it_holds_where_all_games_of_a_deal_end_alike(mean: float) -> None:
    assert 0.93 <= covered(as_one, mean, 60) <= 0.98


def test_taking_the_games_of_a_deal_for_independent_would_be_wrong() -> None:
    """The reason why blocks are counted, not games."""
    rng = np.random.default_rng(1)
    found = [win_share(np.repeat(as_one(rng, 0.25, 60), 4)) for _ in range(500)]
    assert sum(each.low <= 0.25 <= each.high for each in found) / 500 < 0.8


@pytest.mark.parametrize("blocks", [1, 2, 5, 9])
@pytest.mark.parametrize("draw", [independent, alike, as_one])
def test_with_few_blocks_the_interval_is_wide_rather_than_wrong(draw: Draw, blocks: int) -> None:
    assert covered(draw, 0.25, blocks) >= 0.92


def test_the_interval_narrows_as_blocks_vary_less() -> None:
    rng = np.random.default_rng(2)
    widths = []
    for draw in (as_one, independent, balanced):
        found = win_share(draw(rng, 0.3, 400))
        widths.append(found.high - found.low)
    assert widths == sorted(widths, reverse=True)
    assert widths[0] == pytest.approx(2 * 1.96 * (0.3 * 0.7 / 400) ** 0.5, rel=0.1)


def test_blocks_that_are_all_alike_prove_nothing_for_certain() -> None:
    third = win_share([1 / 3] * 50)
    assert third.low < 0.25
    assert third.high > 0.42
    always = win_share([1.0] * 50)
    assert (always.value, always.high) == (1.0, 1.0)
    assert 0.9 < always.low < 0.95
    never = win_share([0.0] * 50)
    assert (never.value, never.low) == (0.0, 0.0)
    assert never.high == pytest.approx(1 - always.low)
    assert win_share([]).high == 1.0


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(9, 2.2622), (19, 2.0930), (60, 2.0003), (1000, 1.9623)]
)
def test_students_quantiles_are_those_of_the_tables(freedom: int, quantile: float) -> None:
    assert student(0.975, freedom) == pytest.approx(quantile, abs=1e-4)


# Elo

STRENGTHS = np.array([4.0, 1.0, 0.5, 0.5])
KINDS = np.array([0, 1, 2, 2])


def lucean(rng: np.random.Generator, blocks: int) -> Numbers:
    """What three kinds at four seats win in blocks of four games, if Luce's model is true."""
    winners = rng.choice(4, (blocks, 4), p=STRENGTHS / STRENGTHS.sum())
    return np.stack([(KINDS[winners] == kind).mean(axis=1) for kind in range(3)], axis=1)


def test_elo_finds_the_strengths_that_the_games_were_drawn_from() -> None:
    parts = lucean(np.random.default_rng(3), 20_000)
    strong = elo(parts[:, 0], parts[:, 1])
    weak = elo(parts[:, 2], parts[:, 1], 2, 1)
    assert strong.value == pytest.approx(400 * log10(4), abs=5)
    assert weak.value == pytest.approx(400 * log10(0.5), abs=5)
    assert strong.high - strong.low < 20


@pytest.mark.parametrize("blocks", [12, 60])
def test_elo_intervals_hold_the_truth_in_95_of_100_runs(blocks: int) -> None:
    rng = np.random.default_rng(4)
    held = np.zeros(2)
    for _ in range(1000):
        parts = lucean(rng, blocks)
        strong = elo(parts[:, 0], parts[:, 1])
        weak = elo(parts[:, 2], parts[:, 1], 2, 1)
        held[0] += strong.low <= 400 * log10(4) <= strong.high
        held[1] += weak.low <= 400 * log10(0.5) <= weak.high
    assert all(0.93 <= each <= 0.985 for each in held / 1000)


def test_elo_is_what_hunters_algorithm_finds() -> None:
    """Bradley-Terry for several players, by maximum likelihood, one game after the other."""
    rng = np.random.default_rng(5)
    winners = KINDS[rng.choice(4, 200, p=STRENGTHS / STRENGTHS.sum())]
    wins = np.bincount(winners, minlength=3)
    strengths = np.ones(3)
    for _ in range(50):
        share_of_each = np.bincount(KINDS) / strengths[KINDS].sum()
        strengths = wins / (len(winners) * share_of_each)
        strengths /= strengths[1]
    parts = np.stack([winners == kind for kind in range(3)], axis=1).astype(float)
    assert elo(parts[:, 0], parts[:, 1]).value == pytest.approx(400 * log10(strengths[0]))
    assert elo(parts[:, 2], parts[:, 1], 2, 1).value == pytest.approx(400 * log10(strengths[2]))


def test_of_two_kinds_elo_and_share_say_the_same() -> None:
    rng = np.random.default_rng(6)
    said = set()
    for _ in range(300):
        parts = independent(rng, rng.choice([0.2, 0.25, 0.3]), 40)
        found, rated = win_share(parts), elo(parts, 1 - parts, 1, 3)
        better, worse = found.low > 0.25, found.high < 0.25
        assert (rated.low > 0, rated.high < 0) == (better, worse)
        mirrored = elo(1 - parts, parts, 3, 1)
        assert (mirrored.value, mirrored.low) == pytest.approx((-rated.value, -rated.high))
        said.add((better, worse))
    assert len(said) == 3


def test_who_won_nothing_is_infinitely_weak_and_at_most_so_strong() -> None:
    found = elo([0.0] * 20, [1.0] * 20)
    assert found.value == found.low == -inf
    assert -400 < found.high < -200
    assert all(isinf(each) for each in (elo([0.0], [0.0]).low, elo([0.0], [0.0]).high))


# When enough was played


def verdicts(
    draw: Draw, mean: float, blocks: int, runs: int, margin: float = 0.02
) -> dict[str | None, float]:
    """How often it says what, of an even share of a quarter."""
    rng = np.random.default_rng([blocks, int(mean * 1000)])
    said: dict[str | None, float] = {"better": 0, "worse": 0, "even": 0, None: 0}
    for _ in range(runs):
        test = SequentialTest(0.25, margin)
        for part in draw(rng, mean, blocks):
            if test.add(float(part)) is not None:
                break
        said[test.verdict] += 1 / runs
    return said


@pytest.mark.parametrize("draw", [independent, alike, as_one])
def test_an_even_share_is_rarely_called_better_or_worse_however_often_one_looks(
    draw: Draw,
) -> None:
    said = verdicts(draw, 0.25, 300, 300)
    assert said["better"] + said["worse"] <= 0.08  # 0.05, and what 300 runs may add


def test_looking_again_and_again_at_an_ordinary_interval_would_err_often() -> None:
    """The reason for a sequential test."""
    rng = np.random.default_rng(7)
    wrong = 0
    for _ in range(100):
        parts = independent(rng, 0.25, 300)
        looks = (win_share(parts[:n]) for n in range(10, 300, 5))
        wrong += any(each.low > 0.25 or each.high < 0.25 for each in looks)
    assert wrong > 15


@pytest.mark.parametrize("draw", [independent, alike])
@pytest.mark.parametrize(("mean", "verdict"), [(0.4, "better"), (0.12, "worse")])
def test_a_clear_difference_is_found(draw: Draw, mean: float, verdict: str) -> None:
    assert verdicts(draw, mean, 400, 100)[verdict] >= 0.95


def test_a_share_that_is_even_is_called_so_and_one_off_by_the_margin_is_not() -> None:
    assert verdicts(independent, 0.25, 300, 100, margin=0.08)["even"] >= 0.9
    for mean in (0.33, 0.17):
        assert verdicts(independent, mean, 300, 300, margin=0.08)["even"] <= 0.05


def test_the_greater_the_difference_the_sooner_it_is_found() -> None:
    def needed(mean: float) -> int:
        test = SequentialTest(0.25)
        for n, part in enumerate(independent(np.random.default_rng(8), mean, 5000)):
            if test.add(float(part)) == "better":
                return n
        return 5000

    assert needed(0.9) < 10 < needed(0.4) < 100 < needed(0.28) < 3000


def test_the_interval_at_the_time_of_stopping_holds_and_agrees_with_the_verdict() -> None:
    rng = np.random.default_rng(9)
    held = 0
    for _ in range(100):
        mean = rng.uniform(0.1, 0.6)
        test = SequentialTest(0.25)
        for part in alike(rng, mean, 200):
            if test.add(float(part)) is not None:
                break
        found = test.interval()
        held += found.low <= mean <= found.high
        assert (test.verdict == "better") == (found.low >= 0.25)
        assert (test.verdict == "worse") == (found.high <= 0.25)
    assert held >= 92


def test_a_verdict_stays() -> None:
    test = SequentialTest(0.5)
    while test.add(1.0) is None:
        pass
    for _ in range(50):
        assert test.add(0.0) == "better"
