"""The numbers of a study: against direct calculation, and their intervals against simulation."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from pli.bots.arena.stats import Estimate, mean, mean_of_sums, ratio
from pli.study import Study, sweep
from pli.study.metrics import METRICS, chi_square, evenness, measure, quantile
from pli.study.plan import cells, make_plan
from pli.study.shares import SHARES

SEED = 12
COVERED = (0.925, 0.975)
"""What part of 95 % intervals may hold the truth, of two thousand: four deviations and more."""

STUDIES = 2000


def coverage(truth: float, interval: Any, draw: Any) -> float:
    rng = np.random.default_rng(SEED)
    held = 0
    for _ in range(STUDIES):
        found: Estimate = interval(draw(rng))
        held += not (found.low > truth or found.high < truth)  # an open end holds
    return held / STUDIES


@pytest.mark.parametrize("games", [5, 12, 60])
def test_intervals_of_means_hold_the_truth_so_often(games: int) -> None:
    def normal(rng: np.random.Generator) -> Any:
        return rng.normal(7.0, 3.0, games)

    assert COVERED[0] < coverage(7.0, mean, normal) < COVERED[1]


def test_a_mean_may_be_kept_as_sums() -> None:
    values = np.random.default_rng(SEED).integers(20, 90, 500)
    sums = mean_of_sums(len(values), int(values.sum()), int((values**2).sum()))
    found = mean(values.astype(float))
    assert [sums.value, sums.low, sums.high] == pytest.approx([found.value, found.low, found.high])


def test_intervals_of_skewed_means_hold_the_truth_nearly_so_often() -> None:
    """Lengths of games are skewed; with hundreds of them that is forgotten."""
    found = coverage(2.0, mean, lambda rng: rng.exponential(2.0, 300))
    assert COVERED[0] < found < COVERED[1]


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
def test_intervals_of_quantiles_hold_the_truth_at_least_so_often(part: float) -> None:
    truth = -np.log(1 - part)
    found = coverage(
        truth, lambda values: quantile(values, part), lambda rng: rng.exponential(1, 80)
    )
    assert found > COVERED[0]


def test_intervals_of_ratios_know_that_games_differ() -> None:
    """Each game has its own share, which a count of decisions alone would not see: then the
    interval would be far too narrow."""

    def games(rng: np.random.Generator) -> Any:
        among = rng.integers(5, 40, 60)
        return rng.binomial(among, rng.beta(2, 6, 60)), among

    assert COVERED[0] < coverage(0.25, lambda drawn: ratio(*drawn), games) < COVERED[1]


def test_even_seats_are_found_uneven_as_often_as_promised() -> None:
    rng = np.random.default_rng(SEED)
    found = [evenness(np.eye(4)[rng.integers(0, 4, 300)]) for _ in range(STUDIES)]
    assert np.mean(np.array(found) < 0.05) == pytest.approx(0.05, abs=0.02)
    uneven = np.eye(3)[rng.choice(3, 2000, p=[0.42, 0.29, 0.29])]
    assert evenness(uneven) < 1e-6
    assert np.isnan(evenness(np.eye(3)[[0, 0, 0, 0, 0]]))


@pytest.mark.parametrize(
    ("freedom", "value"), [(1, 3.8415), (2, 5.9915), (3, 7.8147), (4, 9.4877), (5, 11.0705)]
)
def test_chi_square_is_that_of_tables(freedom: int, value: float) -> None:
    assert chi_square(value, freedom) == pytest.approx(0.05, abs=1e-4)
    assert chi_square(0, freedom) == pytest.approx(1)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("study")
    return sweep("plingo", {"seats": "3"}, "medium", games=8, to=folder, detailed=1, search=50)


def test_metrics_are_what_a_direct_calculation_finds(study: Study) -> None:
    found = {(row["metric"], row["key"]): row for row in study.metrics().to_dicts()}
    games = study.frame().to_dicts()
    assert found["actions", ""]["value"] == np.mean([game["actions"] for game in games])
    parts = [game["won_1"] / game["winners"] for game in games]
    assert found["seat", "1"]["value"] == pytest.approx(np.mean(parts))
    begins = [game[f"won_{game['first']}"] / game["winners"] for game in games]
    assert found["place", "0"]["value"] == pytest.approx(np.mean(begins))
    third = [game[f"won_{(game['first'] + 2) % 3}"] / game["winners"] for game in games]
    assert found["place", "2"]["value"] == pytest.approx(np.mean(third))
    seconds = [
        5 * g["chosen"] + 1.5 * (g["actions"] - g["chosen"]) + 30 * g["rounds"] for g in games
    ]
    assert found["minutes_estimated", ""]["value"] == pytest.approx(np.mean(seconds) / 60)
    forced = sum(game["actions"] - game["chosen"] for game in games)
    assert found["forced", ""]["value"] == pytest.approx(
        forced / sum(game["actions"] for game in games)
    )
    for row in found.values():
        assert row["low"] is None or row["low"] <= row["value"] + 1e-12
        assert row["high"] is None or row["value"] <= row["high"] + 1e-12


def test_search_judges_decisions_that_have_choices(study: Study) -> None:
    decisions = study.frame("decisions")
    assert set(decisions["game"]) == {0}
    judged = decisions.filter(pl.col("best").is_not_null())
    assert len(judged) == len(decisions.filter(pl.col("choices") > 1))
    assert (judged["best_visits"] <= 50).all()
    assert (judged["worst"] <= judged["mean"] + 1e-6).all()
    assert (judged["chance"].drop_nans() <= judged["best"].max()).all()


def hand_made(best: list[float], won: int) -> Any:
    """One judged game of two seats that act in turn, and how its parts are measured."""
    count = len(best)
    decisions = pl.DataFrame(
        {
            "game": [0] * count,
            "seat": [number % 2 for number in range(count)],
            "number": list(range(count)),
            "best": best,
            "worst": [0.1] * count,
            "best_visits": [100] * count,
            "worst_visits": [100] * count,
        }
    )
    games = pl.DataFrame(
        {
            "game": [0],
            "actions": [count],
            "finished": [True],
            "winners": [1],
            "won_0": [won == 0],
            "won_1": [won == 1],
        }
    )
    return {"games": games, "decisions": decisions}


def test_a_game_is_decided_when_the_winner_believes_in_it_for_good() -> None:
    cell = cells(make_plan("plingo", options={"seats": 2}))[0]
    decided = next(metric for metric in METRICS if metric.name == "decided")
    stakes = next(metric for metric in METRICS if metric.name == "stakes")

    def when(best: list[float], won: int) -> float:
        return next(decided.measure(hand_made(best, won), cell))[1].value

    assert when([0.6, 0.4, 0.4, 0.4, 0.7, 0.3, 0.9, 0.1], 0) == 4 / 8
    assert when([0.6, 0.4, 0.7, 0.4, 0.7, 0.3, 0.9, 0.1], 0) == 0
    assert when([0.6, 0.4, 0.7, 0.4, 0.7, 0.3, 0.9, 0.1], 1) == 1  # not before the end
    found = next(stakes.measure(hand_made([0.5, 0.12, 0.13, 0.6], 0), cell))[1]
    assert found.value == 0.5  # 0.12 and 0.13 are not told from 0.1 by a hundred visits


def test_games_that_nobody_won_say_nothing_of_winners(study: Study) -> None:
    frames = {name: study.table(study.cells[0], name) for name in ("games", "decisions")}
    frames["games"] = frames["games"].with_columns(
        finished=pl.lit(False), winners=pl.lit(0, pl.UInt8)
    )
    found = {each.metric: each for each in measure(frames, study.cells[0])}
    assert found["unfinished"].value.value == 1
    assert not {"actions", "margin", "evenness", "drama"} & set(found)


@pytest.mark.parametrize(
    ("game", "bots", "options"),
    [
        ("plingo", "random", {"seats": 4, "teams": "pairs"}),
        ("plingo", "random", {"seats": 6, "teams": "halves"}),
        ("twinit", "medium", {"seats": 4, "mode": "teams"}),
        ("twinit", "medium", {"seats": 3, "mode": "coop", "minute_ms": 5000}),
    ],
)
def test_partners_are_one_side(
    game: str, bots: str, options: dict[str, int | str], tmp_path: Path
) -> None:
    """They have the same points and win together; leads and shared wins go by sides."""
    count = 300 if bots == "random" else 4
    study = sweep(game, bots=bots, options=options, games=count, to=tmp_path, processes=1)
    games, sides = study.frame(), study.cells[0].options.sides
    assert sides < options["seats"]
    for seat in range(int(options["seats"])):
        for column in ("points", "won"):
            own, partners = games[f"{column}_{seat}"], games[f"{column}_{seat % sides}"]
            assert own.to_list() == partners.to_list()
    if bots == "random":
        assert games["lead_changes"].sum() > 0
        found = {row["metric"]: row["value"] for row in study.metrics().to_dicts()}
        together = (games["winners"] > int(options["seats"]) // sides).mean()
        assert found["shared"] == pytest.approx(together)
        assert found["shared"] < 0.5


def test_what_is_told_in_per_cent_is_a_metric() -> None:
    assert {metric.name for metric in METRICS} >= SHARES
