"""The three tables of a cell, as Polars frames: games, rounds, decisions.

What follows from the points at the rounds' ends, such as who took the lead from whom, is worked out
here for all games at once, whoever played them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from pli.kernel.recording import (
    D_CHOICES,
    D_GAME,
    D_NUMBER,
    D_ROUND,
    D_SEAT,
    D_TIME,
    G_CHOICES,
    G_CHOSEN,
    G_FIRST,
    G_LONGEST,
    G_ROUNDS,
    G_ROWS,
    G_TIME,
    G_TURNS,
    G_WAITED,
    R_ACTIONS,
    R_FIRST,
    R_GAME,
    R_ROUND,
    R_TIME,
    ROUND_COLUMNS,
    Log,
)

Array = Any
"""A NumPy array."""


@dataclass(frozen=True)
class Facts:
    """What decides which columns are filled."""

    seats: int
    sides: int
    """Seats so far apart are partners, who have the same points."""
    scored: bool
    """Whether the game counts points."""
    timed: bool
    """Whether its time is a person's: not where no time passes, nor where random bots act."""
    counted: bool
    """Whether the actions are counted among which one was chosen."""


@dataclass(frozen=True)
class Course:
    """How the lead went in some games, a number for each."""

    lead_changes: Array
    deficit: Array
    drama: Array


def course(points: Array, ends: Array, winners: Array) -> Course:
    """From the points at every round's end, one row after the other, the row after each game's
    last one, and the winners of each game as rows of truth values.

    A lead change is a round's end at which one seat alone is ahead, and another one alone was
    before; ties between them don't count. The deficit is the largest by which a later winner was
    behind the first at a round's end but the last. Drama is the mean, over the same ends, of the
    square root of that deficit as a part of the highest points at the game's end.
    """
    points = np.asarray(points, np.int64)
    games, rows = len(ends), len(points)
    if not games:
        return Course(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    starts = np.concatenate([[0], ends[:-1]])
    game = np.repeat(np.arange(games), ends - starts)
    most = points.max(axis=1)
    sole = np.flatnonzero((points == most[:, None]).sum(axis=1) == 1)
    leader, of = points[sole].argmax(axis=1), game[sole]
    changed = (of[1:] == of[:-1]) & (leader[1:] != leader[:-1])
    lead_changes = np.bincount(of[1:][changed], minlength=games)
    behind = np.where(winners[game], most[:, None] - points, 0).max(axis=1)
    final = np.zeros(rows, bool)
    final[ends - 1] = True
    behind[final] = 0
    highest = np.maximum(most[ends - 1], 1)
    felt = np.sqrt(np.clip(behind / highest[game], 0, None))
    inner = np.maximum(ends - starts - 1, 1)
    return Course(
        lead_changes,
        np.maximum.reduceat(behind, starts),
        np.add.reduceat(felt, starts) / inner,
    )


def games_frame(log: Log, lengths: Array, winners: Array, finished: Array, facts: Facts) -> Any:
    """A row for each game; those that came to no end have no winner and no course."""
    found, seats = log.games, facts.seats
    numbers = log.rounds[:, R_GAME]
    ends = np.cumsum(found[:, G_ROWS])
    won = (np.asarray(winners)[:, None] >> np.arange(seats)) & 1 == 1
    points = log.rounds[:, ROUND_COLUMNS:]
    last = points[ends - 1]
    count = won.sum(axis=1)
    has_winner = np.asarray(finished) & (count > 0)
    columns: dict[str, Any] = {
        "game": pl.Series(numbers[ends - 1], dtype=pl.UInt32),
        "finished": pl.Series(np.asarray(finished, bool)),
        "actions": pl.Series(np.asarray(lengths), dtype=pl.UInt32),
        "rounds": pl.Series(found[:, G_ROUNDS], dtype=pl.UInt32),
        "time_ms": _known(found[:, G_TIME], pl.UInt32, facts.timed),
        "first": pl.Series(found[:, G_FIRST], dtype=pl.Int8),
        "winners": pl.Series(count, dtype=pl.UInt8),
        "margin": _known(_margins(last, won), pl.Int32, has_winner & facts.scored),
    }
    if facts.scored:
        went = course(points[:, : facts.sides], ends, won[:, : facts.sides])
        columns |= {
            "lead_changes": pl.Series(went.lead_changes, dtype=pl.UInt16),
            "deficit": _known(went.deficit, pl.Int32, has_winner),
            "drama": _known(went.drama.astype(np.float32), pl.Float32, has_winner),
        }
    else:
        columns |= {
            "lead_changes": pl.Series([None] * len(found), dtype=pl.UInt16),
            "deficit": pl.Series([None] * len(found), dtype=pl.Int32),
            "drama": pl.Series([None] * len(found), dtype=pl.Float32),
        }
    columns |= {
        "chosen": _known(found[:, G_CHOSEN], pl.UInt32, facts.counted),
        "choices": _known(found[:, G_CHOICES], pl.UInt32, facts.counted),
        "turns": pl.Series(found[:, G_TURNS], dtype=pl.UInt32),
        "waited": pl.Series(found[:, G_WAITED], dtype=pl.UInt32),
        "longest_wait": pl.Series(found[:, G_LONGEST], dtype=pl.UInt32),
    }
    columns |= {f"won_{seat}": pl.Series(won[:, seat]) for seat in range(seats)}
    for seat in range(seats):
        columns[f"points_{seat}"] = _known(last[:, seat], pl.Int32, facts.scored)
    return pl.DataFrame(columns)


def _margins(points: Array, won: Array) -> Array:
    """By how much the winners are ahead of the best of the others; 0 if there are no others."""
    lowest = np.iinfo(np.int64).min // 2
    best = np.where(won, points, lowest).max(axis=1)
    others = np.where(won, lowest, points).max(axis=1)
    return np.where(won.all(axis=1) | ~won.any(axis=1), 0, best - others)


def _known(values: Array, kind: Any, known: Any) -> Any:
    """The column, with nothing where it is not known."""
    if isinstance(known, (bool, np.bool_)):
        return pl.Series(values if known else [None] * len(values), dtype=kind)
    series = pl.Series("", values, dtype=kind)
    return (
        series
        if known.all()
        else series.to_frame()
        .select(pl.when(pl.Series("known", known)).then(pl.col("")).otherwise(None))
        .to_series()
    )


def rounds_frame(log: Log, facts: Facts, below: int) -> Any:
    """A row for each round of the games with a number below that."""
    rows = log.rounds[log.rounds[:, R_GAME] < below]
    columns: dict[str, Any] = {
        "game": pl.Series(rows[:, R_GAME], dtype=pl.UInt32),
        "round": pl.Series(rows[:, R_ROUND], dtype=pl.UInt32),
        "first": pl.Series(rows[:, R_FIRST], dtype=pl.Int8),
        "actions": pl.Series(rows[:, R_ACTIONS], dtype=pl.UInt32),
        "time_ms": _known(rows[:, R_TIME], pl.UInt32, facts.timed),
    }
    points = rows[:, ROUND_COLUMNS:]
    leads = points == points.max(axis=1, initial=np.iinfo(np.int64).min)[:, None]
    for seat in range(facts.seats):
        columns[f"points_{seat}"] = _known(points[:, seat], pl.Int32, facts.scored)
        columns[f"leads_{seat}"] = _known(leads[:, seat], pl.Boolean, facts.scored)
    return pl.DataFrame(columns)


JUDGED = {
    "chance": pl.Float32,
    "mean": pl.Float32,
    "best": pl.Float32,
    "worst": pl.Float32,
    "best_visits": pl.UInt32,
    "worst_visits": pl.UInt32,
}
"""What search says of a decision: the chance to win with the action that was chosen, the mean of
all, that of the one that search would choose, that of the worst; how often it tried those two."""


def decisions_frame(
    log: Log, facts: Facts, judged: Sequence[Sequence[float] | None] | None = None
) -> Any:
    """A row for each decision, with what search says of it, if it was asked."""
    rows = log.decisions
    columns: dict[str, Any] = {
        "game": pl.Series(rows[:, D_GAME], dtype=pl.UInt32),
        "round": pl.Series(rows[:, D_ROUND], dtype=pl.UInt32),
        "seat": pl.Series(rows[:, D_SEAT], dtype=pl.Int8),
        "number": pl.Series(rows[:, D_NUMBER], dtype=pl.UInt32),
        "choices": _known(rows[:, D_CHOICES], pl.UInt32, facts.counted),
        "time_ms": _known(rows[:, D_TIME], pl.UInt32, facts.timed),
    }
    for place, (name, kind) in enumerate(JUDGED.items()):
        values = [None if each is None else each[place] for each in judged or ()]
        columns[name] = pl.Series(values or [None] * len(rows), dtype=kind, strict=False)
    return pl.DataFrame(columns)
