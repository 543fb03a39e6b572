"""Games of a simulation or of a contest as one table: `--to games.parquet`."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from pli import games as library
from pli.bots.arena.contest import Contest, GameResult
from pli.errors import PliError
from pli.game import AnyGame, Options
from pli.kernel.bits import from_list
from pli.kernel.playout import PlayoutResults
from pli.kernel.recording import G_ROWS, Log
from pli.study.job import finished, write
from pli.study.tables import Facts, games_frame


def bulk_frame(game: AnyGame, options: Options, played: PlayoutResults) -> Any:
    """Of a chunk of random games that were recorded."""
    assert played.log is not None
    counted = not game.rules.by_guess
    facts = Facts(options.seats, options.sides, game.rules.scored, timed=False, counted=counted)
    return games_frame(played.log, played.lengths, played.winners, finished(game, played), facts)


def match_frame(
    game: AnyGame,
    options: Options,
    played: Sequence[tuple[int, int, Sequence[int], Log]],
    timed: bool,
) -> Any:
    """Of matches: their numbers, actions, winners and rows."""
    ordered = sorted(played, key=lambda each: each[0])
    log = Log(
        *(np.concatenate(tables) for tables in zip(*(each[3] for each in ordered), strict=True))
    )
    assert len(log.rounds) == log.games[:, G_ROWS].sum()
    lengths = np.array([each[1] for each in ordered])
    winners = np.array([from_list([*each[2]]) for each in ordered])
    facts = Facts(options.seats, options.sides, game.rules.scored, timed=timed, counted=True)
    return games_frame(log, lengths, winners, winners != 0, facts)


def contest_frame(contest: Contest) -> Any:
    """Of a contest: the deal and the bot of each seat are named as well."""
    line = contest.line
    game, seats = library.load(line.game), len(line.bots)
    played = [(each.number, each.actions, each.winners, _rows(each)) for each in contest.games]
    frame = match_frame(game, line.options, played, timed=game.live)
    deals, turns = np.divmod(frame["game"].to_numpy(), len(line.rotations))
    bots = {
        f"bot_{seat}": pl.Series([line.rotations[turn][seat] for turn in turns], dtype=pl.String)
        for seat in range(seats)
    }
    return frame.with_columns(pl.Series("deal", deals, dtype=pl.UInt32), **bots)


def _rows(result: GameResult) -> Log:
    assert result.log is not None
    return result.log


def save(frames: Sequence[Any], file: Path) -> None:
    """In the order of the games' numbers. An existing file stays until the new one is complete."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside = file.with_name(f".{file.name}.{os.getpid()}")
        table = pl.concat(frames, rechunk=True).sort("game") if frames else pl.DataFrame()
        write(table, beside)
        beside.replace(file)
    except OSError:
        raise PliError("unwritable_file", file=file) from None
