"""What the tables of a study say about a game: each number with its interval. docs/lab.md tells
their formulas, and what they do not say.

Games of a cell are independent; what happens within one is not. So everything here is first worked
out for each game, and intervals come from how the games differ.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil, erfc, exp, floor, nan, pi, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
import polars as pl

from pli.bots.arena.stats import CONFIDENCE, Estimate, mean, ratio, win_share
from pli.study.plan import Cell

QUANTILE = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)

MINUTE = 60_000
"""ms."""

DECISION_SECONDS = 5.0
ACTION_SECONDS = 1.5
ROUND_SECONDS = 30.0
"""What a decision between several actions, an action without a choice, and the end and deal of a
round take at a table, where the game's time tells nothing: assumptions of ours."""


@dataclass(frozen=True)
class Measured:
    """One number: of a metric, for one thing where it has several, such as a seat."""

    metric: str
    key: str
    value: Estimate
    games: int
    """How many of the games it could be worked out for."""


# Intervals


def quantile(values: Any, part: float) -> Estimate:
    """Of independent games, with the order statistics between which it lies: no distribution is
    assumed. Where there are too few games the interval is open."""
    ordered = np.sort(np.asarray(values, float))
    games = len(ordered)
    if not games:
        return Estimate(nan, nan, nan)
    reach = QUANTILE * sqrt(games * part * (1 - part))
    low, high = floor(games * part - reach), ceil(games * part + reach)
    return Estimate(
        float(np.quantile(ordered, part)),
        float(ordered[low - 1]) if low >= 1 else nan,
        float(ordered[high]) if high < games else nan,
    )


def evenness(parts: Any) -> float:
    """The probability that seats which are all equally good have shares at least as uneven as
    these, by Wald's statistic: parts of the wins by game and seat."""
    parts = np.asarray(parts, float)
    games, seats = parts.shape
    if seats < 2 or games <= seats:
        return nan
    off = parts.mean(axis=0)[:-1] - 1 / seats
    spread = np.atleast_2d(np.cov(parts[:, :-1], rowvar=False)) / games
    if np.linalg.matrix_rank(spread) < seats - 1:
        return nan
    return chi_square(float(off @ np.linalg.solve(spread, off)), seats - 1)


def chi_square(value: float, freedom: int) -> float:
    """The probability of at least that value (Abramowitz & Stegun 26.4.4 and 26.4.5)."""
    half = value / 2
    if freedom % 2:
        total, term, at = erfc(sqrt(half)), 2 * sqrt(half / pi) * exp(-half), 1.5
    else:
        total, term, at = exp(-half), half * exp(-half), 2.0
    while at <= freedom / 2:
        total += term
        term *= half / at
        at += 1
    return total


# Metrics

Frames = dict[str, Any]
"""The three tables of a cell."""


@dataclass(frozen=True)
class Metric:
    """How a number is worked out from the tables of a cell."""

    name: str
    measure: Callable[[Frames, Cell], Iterator[tuple[str, Estimate, int]]]
    """(tables, cell): its keys, values, and how many games these are of; nothing if it can't be
    said."""


def _ended(frames: Frames) -> Any:
    """Games that somebody has won."""
    return frames["games"].filter(pl.col("finished") & (pl.col("winners") > 0))


def parts_by_seat(games: Any, seats: int) -> Any:
    """Each seat's part of each win; shared wins are divided."""
    won = games.select(f"won_{seat}" for seat in range(seats)).to_numpy().astype(float)
    return won / np.maximum(won.sum(axis=1, keepdims=True), 1)


def _seats(frames: Frames, cell: Cell) -> Iterator[tuple[str, Estimate, int]]:
    games, seats = _ended(frames), int(cell.options.seats)
    parts = parts_by_seat(games, seats)
    for seat in range(seats):
        yield str(seat), win_share(parts[:, seat]), len(parts)


def parts_by_place(games: Any, seats: int) -> Any:
    """The same by place: 0 acted first in the game, 1 sits next to it clockwise."""
    first = games["first"].to_numpy().astype(int)
    order = (first[:, None] + np.arange(seats)) % seats
    return np.take_along_axis(parts_by_seat(games, seats), order, axis=1)


def _places(frames: Frames, cell: Cell) -> Iterator[tuple[str, Estimate, int]]:
    parts = parts_by_place(_ended(frames), int(cell.options.seats))
    for place in range(parts.shape[1]):
        yield str(place), win_share(parts[:, place]), len(parts)


def _advantage(frames: Frames, cell: Cell) -> Iterator[tuple[str, Estimate, int]]:
    """By how much the share of the seat that acted first is above an even one."""
    seats = int(cell.options.seats)
    parts = parts_by_place(_ended(frames), seats)
    if len(parts) and seats > 1:
        first, even = win_share(parts[:, 0]), 1 / seats
        yield "", Estimate(first.value - even, first.low - even, first.high - even), len(parts)


def _even(frames: Frames, cell: Cell) -> Iterator[tuple[str, Estimate, int]]:
    parts = parts_by_place(_ended(frames), int(cell.options.seats))
    found = evenness(parts) if len(parts) else nan
    if found == found:
        yield "", Estimate(found, nan, nan), len(parts)


def _of(column: str, ended: bool = True) -> Callable[..., Iterator[tuple[str, Estimate, int]]]:
    """The mean of a column, the median and the two tenths."""

    def measure(frames: Frames, cell: Cell) -> Iterator[tuple[str, Estimate, int]]:
        games = _ended(frames) if ended else frames["games"]
        yield from _spread(games[column].drop_nulls().to_numpy())

    return measure


def _spread(values: Any) -> Iterator[tuple[str, Estimate, int]]:
    if len(values):
        yield "", mean(values), len(values)
        for key, part in (("p10", 0.1), ("p50", 0.5), ("p90", 0.9)):
            yield key, quantile(values, part), len(values)


def _rounds(frames: Frames, cell: Cell) -> Iterator[tuple[str, Estimate, int]]:
    rounds = _ended(frames)["rounds"].to_numpy()
    if rounds.any():
        yield from _spread(rounds)


def _mean_of(column: str) -> Callable[..., Iterator[tuple[str, Estimate, int]]]:
    def measure(frames: Frames, cell: Cell) -> Iterator[tuple[str, Estimate, int]]:
        values = _ended(frames)[column].drop_nulls().to_numpy()
        if len(values):
            yield "", mean(values), len(values)

    return measure


def _minutes(frames: Frames, cell: Cell) -> Iterator[tuple[str, Estimate, int]]:
    times = _ended(frames)["time_ms"].drop_nulls().to_numpy()
    yield from _spread(times / MINUTE)


def _estimated_minutes(frames: Frames, cell: Cell) -> Iterator[tuple[str, Estimate, int]]:
    """Where the game's time says nothing and choices are counted."""
    games = _ended(frames).filter(pl.col("time_ms").is_null() & pl.col("chosen").is_not_null())
    seconds = games.select(
        pl.col("chosen") * DECISION_SECONDS
        + (pl.col("actions") - pl.col("chosen")) * ACTION_SECONDS
        + pl.col("rounds") * ROUND_SECONDS
    ).to_series()
    yield from _spread(seconds.to_numpy() / 60)


def _waiting(frames: Frames, cell: Cell) -> Iterator[tuple[str, Estimate, int]]:
    games = _ended(frames).filter(pl.col("turns") > 0)
    if len(games):
        yield "", mean((games["waited"] / games["turns"]).to_numpy()), len(games)


def _shared(frames: Frames, cell: Cell) -> Iterator[tuple[str, Estimate, int]]:
    """By sides: partners share in any case."""
    games, seats, sides = _ended(frames), int(cell.options.seats), cell.options.sides
    if len(games) and sides > 1:
        yield (
            "",
            win_share((games["winners"] > seats // sides).to_numpy().astype(float)),
            len(games),
        )


def _unfinished(frames: Frames, cell: Cell) -> Iterator[tuple[str, Estimate, int]]:
    games = frames["games"]
    yield "", win_share((~games["finished"]).to_numpy().astype(float)), len(games)


def _steady(frames: Frames, cell: Cell) -> Iterator[tuple[str, Estimate, int]]:
    """Games in which the lead never changed."""
    never = _ended(frames)["lead_changes"].drop_nulls() == 0
    if len(never):
        yield "", win_share(never.to_numpy().astype(float)), len(never)


def _comebacks(frames: Frames, cell: Cell) -> Iterator[tuple[str, Estimate, int]]:
    behind = _ended(frames)["deficit"].drop_nulls() > 0
    if len(behind):
        yield "", win_share(behind.to_numpy().astype(float)), len(behind)


def _choices(frames: Frames, cell: Cell) -> Iterator[tuple[str, Estimate, int]]:
    games = _ended(frames).filter(pl.col("chosen") > 0)
    if len(games):
        yield "", mean((games["choices"] / games["chosen"]).to_numpy()), len(games)


def _forced(frames: Frames, cell: Cell) -> Iterator[tuple[str, Estimate, int]]:
    games = _ended(frames).filter(pl.col("chosen").is_not_null() & (pl.col("actions") > 0))
    if len(games):
        forced = (games["actions"] - games["chosen"]).to_numpy()
        yield "", ratio(forced, games["actions"].to_numpy()), len(games)


def _judged(frames: Frames) -> Any:
    return frames["decisions"].filter(pl.col("best").is_not_null())


def _stakes(frames: Frames, cell: Cell) -> Iterator[tuple[str, Estimate, int]]:
    """Decisions in which search tells the best action from the worst."""
    judged = _judged(frames)
    if not len(judged):
        return
    spread = pl.sum_horizontal(
        pl.col(name) * (1 - pl.col(name)) / pl.col(f"{name}_visits") for name in ("best", "worst")
    )
    real = pl.col("best") - pl.col("worst") > QUANTILE * spread.sqrt()
    games = judged.group_by("game").agg(real.sum().alias("real"), pl.len().alias("all"))
    games = games.sort("game")
    yield "", ratio(games["real"].to_numpy(), games["all"].to_numpy()), len(games)


def _decided(frames: Frames, cell: Cell) -> Iterator[tuple[str, Estimate, int]]:
    """When the later winner's chance passed a half for the last time, as a part of the game."""
    seats, sides = int(cell.options.seats), cell.options.sides
    games = _ended(frames).filter(pl.col("winners") == seats // sides)  # one side's
    judged = _judged(frames)
    if not len(judged) or not len(games):
        return
    winner = games.select(
        "game",
        "actions",
        pl.sum_horizontal(
            pl.col(f"won_{side}").cast(pl.Int8) * side for side in range(sides)
        ).alias("side"),
    )
    by_side = judged.with_columns((pl.col("seat") % sides).alias("side"))
    own = by_side.join(winner, on=["game", "side"]).sort("game", "number")
    if not len(own):
        return
    open_until = pl.col("number").filter(pl.col("best") <= 0.5).max().fill_null(-1)
    own = own.with_columns(open_until.over("game").alias("open_until"))
    decided = own.group_by("game", maintain_order=True).agg(
        pl.col("number").filter(pl.col("number") > pl.col("open_until")).min().alias("at"),
        pl.col("actions").first(),
    )  # not before the end, if the winner did not believe in it at its last decision
    when = decided.select(pl.col("at").fill_null(pl.col("actions")) / pl.col("actions"))
    yield from _spread(when.to_series().to_numpy())


METRICS = (
    Metric("seat", _seats),
    Metric("place", _places),
    Metric("advantage", _advantage),
    Metric("evenness", _even),
    Metric("actions", _of("actions")),
    Metric("rounds", _rounds),
    Metric("minutes", _minutes),
    Metric("minutes_estimated", _estimated_minutes),
    Metric("waiting", _waiting),
    Metric("longest_wait", _mean_of("longest_wait")),
    Metric("shared", _shared),
    Metric("margin", _of("margin")),
    Metric("lead_changes", _of("lead_changes")),
    Metric("steady", _steady),
    Metric("deficit", _of("deficit")),
    Metric("comebacks", _comebacks),
    Metric("drama", _mean_of("drama")),
    Metric("choices", _choices),
    Metric("forced", _forced),
    Metric("stakes", _stakes),
    Metric("decided", _decided),
    Metric("unfinished", _unfinished),
)
"""All of them, in the order of docs/lab.md."""


def measure(frames: Frames, cell: Cell) -> list[Measured]:
    """All that can be said of a cell."""
    return [
        Measured(metric.name, key, value, games)
        for metric in METRICS
        for key, value, games in metric.measure(frames, cell)
    ]
