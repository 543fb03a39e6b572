"""Statistics of contests: win shares with confidence intervals, Elo differences, and a sequential
test. It knows no game and no bot.

The unit is the block: one deal, played with every rotation of the same players. Games of one
block share their cards, so they are not independent; blocks are. A block counts for a kind of
player as one number from 0 to 1: its part of the block's wins.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf as infinity
from math import log10, nan, sqrt
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]

CONFIDENCE = 0.95

FEW = 10
"""With fewer blocks their sample variance is not used."""

ROUNDING = 1e-20
"""A variance below this is a rounding error."""

CANCELLED = 1e-12
"""A difference of sums that is less than this part of them is a rounding error."""

ELO = 400.0
"""The Elo difference that stands for ten times the strength."""

MARGIN = 0.02
"""The smallest difference that matters, as a part of all wins."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % confidence interval."""

    value: float
    low: float
    high: float

    def divided(self, by: float) -> "Estimate":
        return Estimate(self.value / by, self.low / by, self.high / by)


# Shares


def win_share(parts: Sequence[float] | Numbers) -> Estimate:
    """The mean part of the wins, from the parts of independent blocks."""
    blocks = np.asarray(parts, float)
    if not len(blocks):
        return Estimate(0.0, 0.0, 1.0)
    return _proportion(float(blocks.mean()), blocks - blocks.mean(), float(len(blocks)))


def ratio(counted: Sequence[float] | Numbers, among: Sequence[float] | Numbers) -> Estimate:
    """What part of the things that blocks have are of a kind, from how many of them each block has
    and how many are; blocks with more things count more. The errors are those of a ratio,
    linearised."""
    ours, all_ = np.asarray(counted, float), np.asarray(among, float)
    total = float(all_.sum())
    if not total:
        return Estimate(0.0, 0.0, 1.0)
    part = float(ours.sum()) / total
    return _proportion(part, (ours - part * all_) * (len(ours) / total), float(len(ours)))


def _proportion(value: float, errors: Numbers, least: float) -> Estimate:
    """Wilson's interval (1927) with the effective number of trials: as many as would make a share
    of independent trials vary as much as the blocks do, and Student's quantile for not knowing
    how much that is (Korn & Graubard 1998; Franco, Little, Louis & Slud 2019 recommend this
    form).

    `least` trials are assumed where the sample variance can't be used: a variable between 0 and 1
    varies at most as much as a coin of the same mean, so a block is worth one trial at least.
    """
    return _share(value, len(errors), float(errors @ errors), least)


def share_of_sums(count: int, total: float, squares: float) -> Estimate:
    """As `win_share`, from the sum of the parts and that of their squares."""
    if not count:
        return Estimate(0.0, 0.0, 1.0)
    off = squares - total * total / count
    return _share(total / count, count, off if off > CANCELLED * squares else 0.0, float(count))


def _share(value: float, blocks: int, squares: float, least: float) -> Estimate:
    """`_proportion`, from the sum of the squared errors."""
    spread = squares / (blocks - 1) if blocks > 1 else 0.0
    if blocks < FEW or spread < ROUNDING or not 0 < value < 1:
        return _wilson(value, least, NormalDist().inv_cdf((1 + CONFIDENCE) / 2))
    trials = value * (1 - value) * blocks / spread
    return _wilson(value, trials, student((1 + CONFIDENCE) / 2, blocks - 1))


def _wilson(value: float, trials: float, quantile: float) -> Estimate:
    weight = quantile**2 / trials
    centre = (value + weight / 2) / (1 + weight)
    reach = sqrt(weight * (value * (1 - value) + weight / 4)) / (1 + weight)
    low, high = max(0.0, centre - reach), min(1.0, centre + reach)
    # At the ends the formula gives exactly 0 or 1, but for rounding.
    return Estimate(value, 0.0 if value <= 0 else low, 1.0 if value >= 1 else high)


def student(probability: float, freedom: int) -> float:
    """Student's quantile, by its expansion around the normal one (Abramowitz & Stegun 26.7.5):
    for 95 % right to four digits from nine degrees of freedom on."""
    x = NormalDist().inv_cdf(probability)
    terms = (
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
        (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160,
    )
    return x + sum(term / float(freedom) ** (k + 1) for k, term in enumerate(terms))


def proportion(counted: int, among: int) -> Estimate:
    """The share of so many among so many independent ones."""
    if not among:
        return Estimate(0.0, 0.0, 1.0)
    return _wilson(counted / among, among, NormalDist().inv_cdf((1 + CONFIDENCE) / 2))


# Means

EXPANDED_FROM = 9
"""Degrees of freedom from which `student` is right to four digits."""

FEW_QUANTILES = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306)
"""Student's quantiles for 95 % at one to eight degrees of freedom."""


def mean(values: Sequence[float] | Numbers) -> Estimate:
    """Of independent values, with Student's interval; of a single one there is none."""
    found = np.asarray(values, float)
    if not len(found):
        return Estimate(nan, nan, nan)
    deviation = float(found.std(ddof=1)) if len(found) > 1 else nan
    return _mean(len(found), float(found.mean()), deviation)


def mean_of_sums(count: int, total: int, squares: int) -> Estimate:
    """The same of whole numbers, from their sum and that of their squares."""
    if not count:
        return Estimate(nan, nan, nan)
    spread = (squares - total * total / count) / (count - 1) if count > 1 else nan
    return _mean(count, total / count, sqrt(max(0.0, spread)) if spread == spread else nan)


def _mean(count: int, value: float, deviation: float) -> Estimate:
    if count < 2:
        return Estimate(value, nan, nan)
    few = count <= EXPANDED_FROM
    quantile = FEW_QUANTILES[count - 2] if few else student((1 + CONFIDENCE) / 2, count - 1)
    reach = quantile * deviation / sqrt(count)
    return Estimate(value, value - reach, value + reach)


# Elo


def elo(
    parts: Sequence[float] | Numbers,
    others: Sequence[float] | Numbers,
    seats: int = 1,
    other_seats: int = 1,
) -> Estimate:
    """How much stronger a kind of player is than another, from the parts of the wins that both
    had in the same blocks, and how many seats each had.

    The model is Luce's (Bradley-Terry for more than two): a seat wins with a chance in proportion
    to its strength, and 400 points are ten times the strength. Since all games of an arena have
    the same players, the likelihood has its maximum where the strengths are in proportion to the
    wins a seat (Hunter's MM algorithm of 2004 is there after one step). By Luce's axiom the wins
    of the two alone tell their ratio: it is the odds of the one's part in the wins of both, which
    gets the interval of a share, from the linearised errors of a ratio. So with two kinds the
    interval excludes 0 exactly if that of the share excludes the even share. A kind without a win
    is infinitely weak.
    """
    ours, theirs = np.asarray(parts, float), np.asarray(others, float)
    both = float((ours + theirs).sum())
    if not both:
        return Estimate(0.0, -infinity, infinity)
    part = float(ours.sum()) / both
    errors = (ours - part * (ours + theirs)) * (len(ours) / both)
    found = _proportion(part, errors, both)
    handicap = ELO * log10(other_seats / seats)
    return Estimate(*(points(each) + handicap for each in (found.value, found.low, found.high)))


def points(part: float) -> float:
    """The Elo difference of two players of which one has this part of the wins."""
    if part <= 0 or part >= 1:
        return infinity if part >= 1 else -infinity
    return ELO * log10(part / (1 - part))


# Sequential test

Verdict = Literal["better", "worse", "even"]

STAKES = 0.97 * 0.5 ** np.arange(6)
"""The fractions of its capital that a bet stakes; a mixture, since the best one is not known. The
smallest suits differences well below the margin."""

LARGEST = 700.0
"""A bound for the logarithm of a capital, against overflow."""

SMALLEST = 1e-9
"""A positive lower bound for means, against a division by zero."""


def _capital(logs: Numbers) -> Numbers:
    """The mean capital over all stakes, starting from 1; stakes are the last axis."""
    return np.asarray(np.exp(np.minimum(logs, LARGEST)).mean(axis=-1), float)


class SequentialTest:
    """Tests after every block whether a mean part is above or below the even one.

    Testing by betting: Waudby-Smith & Ramdas, "Estimating means of bounded random variables by
    betting" (Journal of the Royal Statistical Society B 86, 2024), with a mixture of constant
    bets, as in Cover's universal portfolio. Two bets are against the even share, from above and
    from below; the test stops when one's capital reaches 2/alpha. So for an even share the verdict
    is better or worse with a probability of at most alpha, however long it goes on, and for a
    better one it is worse with at most half of that. No distribution is assumed, only independent
    blocks with parts from 0 to 1. Two more bets, against even + margin and even - margin, end the
    test when both reach 1/beta: the share is then even within the margin; for a share that is off
    by the margin or more this verdict has a probability of at most beta.
    """

    def __init__(
        self, even: float, margin: float = MARGIN, alpha: float = 0.05, beta: float = 0.05
    ) -> None:
        self._alpha = alpha
        # Four bets: the mean is above even, below it, above even - margin, below even + margin. A
        # bet on less for one kind is a bet on more for all the others.
        means = np.array([even, 1 - even, even - margin, 1 - even - margin])
        self._means = np.maximum(means, SMALLEST)
        self._wanted = np.array([2 / alpha, 2 / alpha, 1 / beta, 1 / beta])
        self._logs = np.zeros((len(means), len(STAKES)))
        self._parts: list[float] = []
        self.verdict: Verdict | None = None

    def add(self, part: float) -> Verdict | None:
        """Adds the next block's part; returns the verdict, if there is one."""
        self._parts.append(part)
        gains = np.array([part, 1 - part, part, 1 - part]) / self._means - 1
        self._logs += np.log1p(np.outer(gains, STAKES))
        if self.verdict is None:
            self.verdict = self._decided()
        return self.verdict

    def _decided(self) -> Verdict | None:
        """Ville's inequality: under its null hypothesis a capital ever reaches 1/a times its start
        with a probability of at most a."""
        above, below, not_much_less, not_much_more = _capital(self._logs) >= self._wanted
        if above:
            return "better"
        if below:
            return "worse"
        return "even" if not_much_less and not_much_more else None

    def interval(self) -> Estimate:
        """The share with a confidence sequence: an interval that is valid at any stopping time,
        namely all means against which no bet has won. (The other intervals here are for numbers of
        blocks fixed in advance.)"""
        parts = np.asarray(self._parts, float)
        if not len(parts):
            return Estimate(0.0, 0.0, 1.0)
        low, high = _lowest(parts, self._alpha / 2), 1 - _lowest(1 - parts, self._alpha / 2)
        return Estimate(float(parts.mean()), low, high)


def _lowest(parts: Numbers, risk: float) -> float:
    """The lowest mean against which a bet on more has not won, by bisection: the capital falls as
    the mean rises."""
    low, high = 0.0, 1.0
    for _ in range(30):
        middle = (low + high) / 2
        logs = np.array([np.log1p(stake * (parts / middle - 1)).sum() for stake in STAKES])
        won = bool(_capital(logs) >= 1 / risk)
        low, high = (middle, high) if won else (low, middle)
    return low
