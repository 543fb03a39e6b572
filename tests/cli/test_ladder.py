"""`pli ladder`: rungs with their gains."""

import json
from math import hypot, inf

import pytest

from pli.bots.arena.ladder import added, hidden_of, rungs_of
from pli.bots.arena.stats import Estimate
from pli.games import load
from tests.cli.command import complaint, pli


def test_a_ladder_has_a_gain_for_each_rung() -> None:
    arguments = ("plingo", "--bots", "random,easy,medium", "--games", 30, "--seats", 3)
    done = pli("ladder", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    rungs = json.loads(done.stdout)["rungs"]
    assert [(rung["bot"], rung["above"]) for rung in rungs] == [
        ("easy", "random"),
        ("medium", "easy"),
    ]
    easy, medium = rungs
    assert easy["elo"] == pytest.approx(easy["gain"])
    assert medium["elo"]["value"] == pytest.approx(easy["gain"]["value"] + medium["gain"]["value"])
    assert "above" in pli("ladder", *arguments).stdout


def test_errors_of_independent_gains_add_as_squares() -> None:
    found = added(Estimate(10, 7, 14), Estimate(20, 16, 23))
    assert (found.value, found.low, found.high) == (30, 30 - hypot(3, 4), 30 + hypot(4, 3))
    assert added(Estimate(inf, 5, inf), Estimate(1, 0, 2)) == Estimate(inf, -inf, inf)


def test_a_ladder_ends_with_search_where_there_is_search() -> None:
    assert rungs_of(load("plingo"))[-1] == "search:5000"
    assert hidden_of(load("plingo")) == ("oracle:300", "flat:300")
    assert rungs_of(load("twinit"))[-1] == "hard"
    assert hidden_of(load("twinit")) is None


def test_a_ladder_of_one_bot_is_none() -> None:
    assert "random" in complaint("ladder", "plingo", "--bots", "random")
    assert "1" in complaint("ladder", "twinit", "--seats", 1)
