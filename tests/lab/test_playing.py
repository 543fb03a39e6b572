"""Runs of the lab: the numbers are those of a study with the same games, and nothing is compiled or
played in the process that asks."""

import os
import subprocess
import sys
from queue import Queue
from time import monotonic

import numpy as np
import pytest

from pli.bots.arena.stats import mean, win_share
from pli.lab.playing import PlayedCell, play
from pli.lab.pool import LabPool, LabRun
from pli.lab.totals import Totals, interval
from pli.study.plan import Plan, make_plan

PATIENCE = 120.0


def played(plan: Plan) -> list[PlayedCell]:
    *_, found = play(plan, lambda: None)
    return found


@pytest.mark.parametrize("bots", ["random", "easy"])
def test_its_numbers_are_those_of_the_study_of_the_same_plan(bots: str) -> None:
    from pli.study.job import play_cell
    from pli.study.metrics import measure

    plan = make_plan("plingo", {"seats": "2,3"}, bots, games=60, seed=5)
    for each in played(plan):
        tables = play_cell(plan, each.cell, 1, lambda _: None)
        expected = {(found.metric, found.key): found.value for found in measure(tables, each.cell)}
        totals = each.totals
        assert totals.games == 60
        for seat, (by_seat, by_place) in enumerate(zip(totals.seats, totals.places, strict=True)):
            for ours, metric in ((by_seat, "seat"), (by_place, "place")):
                theirs = interval(expected[metric, str(seat)])
                assert [ours.value, ours.low, ours.high] == pytest.approx(
                    [theirs.value, theirs.low, theirs.high]
                )
        for metric in ("actions", "rounds"):
            length, theirs = totals.length(metric), interval(expected[metric, ""])
            assert length is not None
            assert [length.value, length.low, length.high] == pytest.approx(
                [theirs.value, theirs.low, theirs.high]
            )


def test_totals_are_those_of_all_games_whatever_the_pieces() -> None:
    rng = np.random.default_rng(3)
    winners, first = rng.integers(0, 8, 200), rng.integers(0, 3, 200)
    actions, times = rng.integers(10, 90, 200), rng.integers(0, 10**7, 200)
    totals = Totals(3)
    for at in range(0, 200, 40):
        piece = slice(at, at + 40)
        totals.add(winners[piece], first[piece], actions[piece], actions[piece], times[piece])
    won = (winners[:, None] >> np.arange(3)) & 1
    decided = won.any(axis=1)
    assert totals.undecided == 200 - decided.sum()
    parts = (won / np.maximum(won.sum(axis=1, keepdims=True), 1))[decided]
    for seat, found in enumerate(totals.seats):
        share = win_share(parts[:, seat])
        assert [found.value, found.low, found.high] == pytest.approx(
            [share.value, share.low, share.high]
        )
    minutes = totals.length("minutes")
    assert minutes is not None
    expected = mean(times[decided] / 60_000)
    assert [minutes.value, minutes.low] == pytest.approx([expected.value, expected.low])


def test_games_that_everybody_wins_leave_an_interval() -> None:
    totals = Totals(3)
    games = 1000
    nines = np.full(games, 9)
    totals.add(np.full(games, 7), np.zeros(games, int), nines, nines, None)
    for share in totals.seats:
        assert share.value == pytest.approx(1 / 3)
        assert share.low is not None
        assert share.high is not None
        assert share.high - share.low > 0.02
    assert totals.length("minutes") is None


def test_nobody_knows_anything_of_no_games() -> None:
    totals = Totals(2)
    assert [each.low for each in totals.seats] == [0.0, 0.0]
    assert totals.length("actions") is None


class Told:
    """What is heard of runs."""

    def __init__(self) -> None:
        self._said: Queue[tuple[bool, int]] = Queue()

    def __call__(self, run: LabRun) -> None:
        self._said.put((run.over, sum(cell.games for cell in run.cells)))

    def next(self) -> tuple[bool, int]:
        return self._said.get(timeout=PATIENCE)

    def until_over(self) -> list[int]:
        games, over = [], False
        while not over:
            over, count = self.next()
            games.append(count)
        return games


def test_a_run_is_told_as_it_goes_on_and_ends_in_time() -> None:
    with LabPool(1) as pool:
        told = Told()
        run = pool.begin(make_plan("plingo", bots="easy", games=1_000_000), 1.0, told)
        counts = told.until_over()
        assert run.problem is None
        assert counts == sorted(counts)
        assert 0 < counts[-1] < 1_000_000
        assert len(set(counts)) > 2
        (pid,) = pool.pids
        assert os.getpriority(os.PRIO_PROCESS, pid) > os.getpriority(os.PRIO_PROCESS, 0)
    assert not pool.pids


def test_a_cancelled_run_frees_its_process_and_a_killed_process_costs_its_run_alone() -> None:
    plan = make_plan("plingo", bots="easy", games=1_000_000)
    with LabPool(1) as pool:
        first, second, third = Told(), Told(), Told()
        run = pool.begin(plan, 600.0, first)
        while first.next()[1] == 0:
            pass
        pool.cancel(run)
        run = pool.begin(plan, 600.0, second)
        while second.next()[1] == 0:
            pass
        (pid,) = pool.pids
        os.kill(pid, 9)
        second.until_over()
        assert run.problem is not None
        assert run.problem.code == "server_fault"
        run = pool.begin(make_plan("plingo", bots="easy", games=3), 600.0, third)
        assert third.until_over()[-1] == 3
        assert run.problem is None


def test_it_needs_no_extra() -> None:
    code = """
import sys
for name in ("polars", "ray", "aiohttp"):
    sys.modules[name] = None  # as if it were not installed
from pli.lab import pool
from pli.lab.playing import play
from pli.study.plan import make_plan
from pli.study.shipped import shipped
for bots in ("random", "medium"):
    for found in play(make_plan("plingo", {"seats": "2,3"}, bots, games=2), lambda: None):
        pass
    assert [each.totals.games for each in found] == [2, 2]
from pli.study.shipped import shipped
for study in shipped().values():
    assert study.page("fr")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_cells_are_played_side_by_side() -> None:
    began = monotonic()
    for found in play(make_plan("plingo", {"seats": "2..5"}, "easy", games=1000), lambda: None):
        counts = [each.totals.games for each in found]
        assert max(counts) - min(counts) <= 1
        if min(counts) == 2:
            break
    assert monotonic() - began < PATIENCE
