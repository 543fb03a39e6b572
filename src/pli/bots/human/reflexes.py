"""A model of human reaction times and error rates.

Times are milliseconds, probabilities are from 0 to 1. docs/reflexes.md has the sources and what the
numbers lead to. A number without a source is an assumption of ours, to be changed freely.
"""

import random
from dataclasses import dataclass, replace
from math import log2


@dataclass(frozen=True, slots=True)
class ExGaussian:
    """The distribution of a time: the sum of a normal and an exponential variable. Reaction times
    have this shape: none very short, a few very long (Hohle 1965, Ratcliff 1979, Luce 1986)."""

    mu: float
    sigma: float
    tau: float

    @property
    def mean(self) -> float:
        return self.mu + self.tau

    @property
    def variance(self) -> float:
        return self.sigma**2 + self.tau**2

    def draw(self, rng: random.Random) -> float:
        return rng.gauss(self.mu, self.sigma) + rng.expovariate(1 / self.tau)

    def times(self, factor: float) -> "ExGaussian":
        return ExGaussian(self.mu * factor, self.sigma * factor, self.tau * factor)


@dataclass(frozen=True, kw_only=True)
class Reflexes:
    """One person's reflexes. The defaults are those of an adult in the first few games."""

    floor: float = 120
    """ms: the lower bound of a reaction to a visual stimulus. Below some 100 ms an answer is a
    guess (Luce 1986); a hand has to move as well."""

    seeing: ExGaussian = ExGaussian(180, 25, 50)
    """ms: simple visual reaction, 230 on average (Woods et al. 2015: 231 in 1469 people, 213
    without the delays of the hardware)."""

    choosing: float = 150
    """ms for each doubling of the possible answers (Hick 1952)."""

    thinking: ExGaussian = ExGaussian(900, 250, 800)
    """ms: to weigh a decision on one's turn, besides seeing and choosing. Ours."""

    going_on: ExGaussian = ExGaussian(1700, 400, 700)
    """ms: a turn without a decision: to take up a card, turn it and lay it down where there is
    room, after a glance at the cards on the table. Ours."""

    gathering: ExGaussian = ExGaussian(2400, 500, 1000)
    """ms: to take up won cards and lay them before oneself, during which the hands are busy.
    Ours."""

    searching: float = 28
    """ms for each thing looked through until one is found, on average: inefficient search takes
    25-30 (Treisman & Gelade 1980; Wolfe 1998; Wolfe, Palmer & Horowitz 2010). A look at everything
    takes about twice that."""

    lookalikes: float = 2.0
    """By how much a set of lookalikes slows the search down, as a share: visual search is slower
    the more the distractors resemble the target (Duncan & Humphreys 1989). The number is ours."""

    miss: float = 0.4
    """Probability that a look misses the target. Ours."""

    miss_again: float = 0.3
    """The same for every further look. Ours."""

    looking_away: ExGaussian = ExGaussian(900, 250, 600)
    """ms until a person who is not actively searching looks again. Ours."""

    false_alarm: float = 0.02
    """Probability to take a lookalike for a pair. Ours."""

    hand: ExGaussian = ExGaussian(330, 40, 40)
    """ms: a reach across the table. 35 cm to a card 6 cm wide are 2.8 bits (Fitts 1954, as written
    by MacKenzie 1992), at some 100-130 ms a bit."""

    other_hand: ExGaussian = ExGaussian(90, 25, 40)
    """ms until the next hand is down as well: two hands move nearly together (Kelso, Southard &
    Goodman 1979). The number is ours."""

    stopping: float = 200
    """ms: the stop-signal time: an action that is nearer than this can't be held back any more
    (Logan & Cowan 1984)."""

    forgetting: float = 0.06
    """Probability to forget the word that goes with an action: a lapse of prospective memory
    (Einstein & McDaniel 1990). The number is ours."""

    spotting: float = 0.75
    """Probability to notice another player's fault. Ours."""

    judging: ExGaussian = ExGaussian(400, 100, 250)
    """ms: to be sure of it, besides seeing. Ours."""

    false_charge: float = 0.002
    """Probability to see a fault where there is none. Ours."""

    # Times, drawn for one chance, counted from when it becomes visible.

    def seen(self, rng: random.Random) -> float:
        return max(self.floor, self.seeing.draw(rng))

    def chosen(self, possible: int) -> float:
        """Hick's law: one more than the possible answers, since waiting is one too."""
        return self.choosing * log2(possible + 1)

    def decided(self, rng: random.Random, possible: int) -> float:
        return self.seen(rng) + self.chosen(possible) + max(0.0, self.thinking.draw(rng))

    def went_on(self, rng: random.Random, items: int) -> float:
        """With a look at everything, shorter than a search."""
        look = self.searching * items
        return self.seen(rng) + look + max(0.0, self.going_on.draw(rng))

    def gathered(self, rng: random.Random) -> float:
        return max(0.0, self.gathering.draw(rng))

    def judged(self, rng: random.Random) -> float:
        return self.seen(rng) + max(0.0, self.judging.draw(rng))

    def found(self, rng: random.Random, items: int, similar: float, searches: bool) -> float:
        """Serial self-terminating search: item by item until the target is found. A target that a
        look misses is found by a later one, which an active search begins at once."""
        look = 2 * self.searching * items * (1 + self.lookalikes * similar)
        time = self.seen(rng)
        miss = self.miss
        while rng.random() < miss:
            time += look
            if not searches:
                time += max(self.floor, self.looking_away.draw(rng))
            miss = self.miss_again
        return time + rng.random() * look

    def moved(self, rng: random.Random, next_hand: bool) -> float:
        return max(1.0, (self.other_hand if next_hand else self.hand).draw(rng))

    def slower(self, factor: float) -> "Reflexes":
        """The same, with all times but the floor multiplied by a factor."""
        return replace(
            self,
            seeing=self.seeing.times(factor),
            choosing=self.choosing * factor,
            thinking=self.thinking.times(factor),
            going_on=self.going_on.times(factor),
            gathering=self.gathering.times(factor),
            searching=self.searching * factor,
            looking_away=self.looking_away.times(factor),
            hand=self.hand.times(factor),
            other_hand=self.other_hand.times(factor),
            stopping=self.stopping * factor,
            judging=self.judging.times(factor),
        )


ADULT = Reflexes()

CHILD = replace(
    ADULT.slower(1.6), miss=0.5, miss_again=0.4, false_alarm=0.05, forgetting=0.12, spotting=0.6
)
"""About nine years old: everything takes about one and a half times as long (Kail 1991)."""

FAST = replace(
    ADULT.slower(0.8), miss=0.3, miss_again=0.2, false_alarm=0.01, forgetting=0.02, spotting=0.9
)
"""A young, practised player. Ours."""
