"""A cell as a job: it plays its games and makes its files. The same plan gives the same bytes.

A cell is written into a folder beside its place, which gets its name when everything in it is on
disk; so a cell is there as a whole or not at all, whenever its process dies.
"""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
import polars as pl

from pli import games as library
from pli.bots.arena.recording import actions_of, rows
from pli.game import AnyGame
from pli.kernel.bits import from_list
from pli.kernel.playout import PlayoutResults, Playouts
from pli.kernel.recording import Log
from pli.processes import check_cancelled
from pli.study.matches import judged, play
from pli.study.plan import RANDOM, Cell, Plan
from pli.study.tables import Facts, decisions_frame, games_frame, rounds_frame

TABLES = ("games", "rounds", "decisions")

PLAYED = "played"
"""In the folder of a cell that is not finished: how many of its games are."""

TELL = 0.5
"""Seconds between two words about that."""

Told = Callable[[int], None]
"""Called with the number of games that have been played."""


def in_bulk(plan: Plan, cell: Cell) -> bool:
    """Whether compiled playouts can play the cell."""
    return cell.bots == RANDOM and not plan.search


def facts_of(game: AnyGame, cell: Cell, bulk: bool) -> Facts:
    return Facts(
        seats=int(cell.options.seats),
        sides=cell.options.sides,
        scored=game.rules.scored,
        timed=game.live and cell.bots != RANDOM,
        counted=not (bulk and game.rules.by_guess),
    )


def run_cell(
    folder: Path, plan: Plan, cell: Cell, threads: int = 1, told: Told | None = None
) -> None:
    """Plays a cell into its folder. One that is there is left alone."""
    if (folder / cell.name).is_dir():
        return
    with _beside(folder, cell) as beside:
        files = cell_files(plan, cell, threads, told or Teller(beside / PLAYED))
        _complete(beside, folder, cell, files)


def keep_cell(folder: Path, cell: Cell, files: Mapping[str, bytes]) -> None:
    """Writes a cell that was played on another machine."""
    if not (folder / cell.name).is_dir():
        with _beside(folder, cell) as beside:
            _complete(beside, folder, cell, files)


def cell_files(plan: Plan, cell: Cell, threads: int, told: Told) -> dict[str, bytes]:
    """What is in the folder of a cell, by name: its games are played."""
    tables = play_cell(plan, cell, threads, told)
    return {f"{name}.parquet": parquet(frame) for name, frame in tables.items()}


@contextmanager
def _beside(folder: Path, cell: Cell) -> Iterator[Path]:
    """A folder for an unfinished cell."""
    beside = folder / f".{cell.name}.{os.getpid()}"
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    try:
        yield beside
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _complete(beside: Path, folder: Path, cell: Cell, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        _write(data, beside / name)
    (beside / PLAYED).unlink(missing_ok=True)
    _flush(beside)
    with suppress(OSError):  # another process was quicker: it wrote the same
        beside.rename(folder / cell.name)
    _flush(folder)


class Teller:
    """Says in a file how far a cell is, for the process that shows the progress."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._next = 0.0

    def __call__(self, played: int) -> None:
        if monotonic() >= self._next:
            self._file.write_text(str(played))
            self._next = monotonic() + TELL


def parquet(frame: Any) -> bytes:
    file = BytesIO()
    frame.write_parquet(file, compression="zstd", compression_level=3, statistics=True)
    return file.getvalue()


def write(frame: Any, file: Path) -> None:
    """As Parquet, on disk when this returns."""
    _write(parquet(frame), file)


def _write(data: bytes, file: Path) -> None:
    with file.open("wb") as handle:
        handle.write(data)
        handle.flush()
        os.fsync(handle.fileno())


def _flush(folder: Path) -> None:
    if os.name != "nt":  # there a folder can't be opened
        handle = os.open(folder, os.O_RDONLY)
        os.fsync(handle)
        os.close(handle)


def play_cell(plan: Plan, cell: Cell, threads: int, told: Told) -> dict[str, Any]:
    """The tables of a cell, by name."""
    game = library.load(plan.game)
    bulk = in_bulk(plan, cell)
    facts = facts_of(game, cell, bulk)
    return (
        _bulk(game, plan, cell, facts, threads, told) if bulk else _matches(plan, cell, facts, told)
    )


def _bulk(
    game: AnyGame, plan: Plan, cell: Cell, facts: Facts, threads: int, told: Told
) -> dict[str, Any]:
    """Random games, compiled, on several threads."""
    playouts = Playouts(game.rules, recording=True, detailed=plan.detailed)
    playouts.ready()
    state = game.setup(cell.options)
    parts: dict[str, dict[int, Any]] = {name: {} for name in TABLES}
    done = 0
    for played in playouts.stream(state, plan.games, plan.seed, threads):
        log, first = played.log, played.first
        assert log is not None
        parts["games"][first] = games_frame(
            log, played.lengths, played.winners, finished(game, played), facts
        )
        if first < plan.detailed or first == 0:
            parts["rounds"][first] = rounds_frame(log, facts, plan.detailed)
            parts["decisions"][first] = decisions_frame(log, facts)
        done += len(played.lengths)
        told(done)
        check_cancelled()
    return {name: _joined(frames) for name, frames in parts.items()}


def finished(game: AnyGame, played: PlayoutResults) -> Any:
    """Which random games came to an end. There may be one without a winner."""
    patience = game.rules.patience
    return (played.winners != 0) | (patience == 0) | (played.lengths < patience)


def _matches(plan: Plan, cell: Cell, facts: Facts, told: Told) -> dict[str, Any]:
    """Games between bots, one after the other."""
    logs: list[Log] = []
    lengths, winners, ended, opinions = [], [], [], []
    for number in range(plan.games):
        match, detailed = play(plan, cell, number), number < plan.detailed
        logs.append(rows(match, number, detailed))
        lengths.append(actions_of(match))
        winners.append(from_list(match.winners))
        ended.append(match.over)
        if plan.search and detailed:
            opinions += [*judged(match, plan.search, f"{plan.seed} {number}")]
        told(number + 1)
    log = Log(*(np.concatenate(tables) for tables in zip(*logs, strict=True)))
    return {
        "games": games_frame(log, np.array(lengths), np.array(winners), np.array(ended), facts),
        "rounds": rounds_frame(log, facts, plan.detailed),
        "decisions": decisions_frame(log, facts, opinions or None),
    }


def _joined(frames: dict[int, Any]) -> Any:
    """In the order of the games' numbers, in one piece of memory."""
    return pl.concat([frames[first] for first in sorted(frames)], rechunk=True)
