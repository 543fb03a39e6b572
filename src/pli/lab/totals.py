"""What the games of a cell have shown so far. Only sums are kept, so that a million games take no
more memory than ten."""

from typing import Any

import msgspec
import numpy as np

from pli.bots.arena.stats import Estimate, mean_of_sums, share_of_sums

MINUTE = 60_000
"""ms."""

Array = Any
"""A NumPy array with a number for each game."""


class Interval(msgspec.Struct, frozen=True):
    """A value with its 95 % confidence interval, as far as there is one yet."""

    value: float | None
    low: float | None
    high: float | None


def interval(found: Estimate) -> Interval:
    known = [each if np.isfinite(each) else None for each in (found.value, found.low, found.high)]
    return Interval(*known)


class Totals:
    """Wins by seat and by place (0 is the seat that acted first), and lengths."""

    def __init__(self, seats: int) -> None:
        self.games = 0
        self.undecided = 0
        """Games that nobody has won, which count for nothing else."""
        self._seats = _Shares(seats)
        self._places = _Shares(seats)
        self._lengths = {"actions": _Sums(), "rounds": _Sums(), "minutes": _Sums()}

    def add(
        self, winners: Array, first: Array, actions: Array, rounds: Array, times: Array | None
    ) -> None:
        """Some games: their winners as bit sets, who acted first, how long they were. `times` in
        ms, where the bots take a person's time."""
        winners, first = np.asarray(winners), np.asarray(first)
        self.games += len(winners)
        decided = winners != 0
        self.undecided += int(len(winners) - decided.sum())
        winners, first = winners[decided], first[decided]
        seats = len(self._seats.totals)
        won = (winners[:, None] >> np.arange(seats)) & 1
        parts = won / won.sum(axis=1, keepdims=True)
        self._seats.add(parts)
        order = (first[:, None] + np.arange(seats)) % seats
        self._places.add(np.take_along_axis(parts, order, axis=1))
        self._lengths["actions"].add(np.asarray(actions)[decided])
        self._lengths["rounds"].add(np.asarray(rounds)[decided])
        if times is not None:
            self._lengths["minutes"].add(np.asarray(times)[decided])

    @property
    def seats(self) -> list[Interval]:
        return self._seats.found()

    @property
    def places(self) -> list[Interval]:
        return self._places.found()

    def length(self, name: str) -> Interval | None:
        """`actions`, `rounds` or `minutes`; None: that can't be said of these games."""
        sums = self._lengths[name]
        if not sums.count or not sums.total:
            return None
        found = mean_of_sums(sums.count, sums.total, sums.squares)
        return interval(found.divided(MINUTE) if name == "minutes" else found)


class _Shares:
    """Each column's part of the wins."""

    def __init__(self, columns: int) -> None:
        self._count = 0
        self.totals = np.zeros(columns)
        self._squares = np.zeros(columns)

    def add(self, parts: Array) -> None:
        self._count += len(parts)
        self.totals += parts.sum(axis=0)
        self._squares += (parts**2).sum(axis=0)

    def found(self) -> list[Interval]:
        pairs = zip(self.totals, self._squares, strict=True)
        return [interval(share_of_sums(self._count, *map(float, pair))) for pair in pairs]


class _Sums:
    """Of whole numbers, exactly."""

    def __init__(self) -> None:
        self.count = self.total = self.squares = 0

    def add(self, values: Array) -> None:
        values = values.astype(np.int64)
        self.count += len(values)
        self.total += int(values.sum())
        self.squares += int((values**2).sum())
