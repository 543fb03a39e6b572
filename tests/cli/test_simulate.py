"""`pli simulate`: what it counts, what it prints, and Ctrl-C."""

import json
import os
from pathlib import Path

import polars
import pytest

from pli import games
from pli.bots.arena.stats import mean
from pli.kernel.playout import CHUNK
from pli.texts import LANGUAGES
from tests.cli.command import pli, stopped


def simulated(*arguments: object) -> dict[str, object]:
    done = pli("simulate", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("game", games.names())
def test_a_simulation_counts_games_actions_seconds_and_wins(game: str) -> None:
    count = CHUNK + 100  # more than one thread plays alone
    arguments = (game, "--games", count, "--seats", 3, "--seed", 5, "--bots", "random")
    found = simulated(*arguments, "--threads", 1)
    assert found["games"] == count
    assert isinstance(found["actions"], int)
    assert isinstance(found["seconds"], float)
    wins = found["wins"]
    assert isinstance(wins, list)
    assert len(wins) == 3
    unfinished = found["unfinished"]
    assert isinstance(unfinished, int)
    assert sum(wins) + unfinished >= count
    again = simulated(*arguments, "--threads", 3)
    assert (again["wins"], again["actions"]) == (wins, found["actions"])


def test_plain_and_compiled_simulations_agree() -> None:
    arguments = ("plingo", "--games", 40, "--option", "first_master=1")
    plain, compiled = simulated(*arguments, "--plain"), simulated(*arguments)
    assert (plain["wins"], plain["actions"]) == (compiled["wins"], compiled["actions"])


def test_a_simulation_prints_a_table() -> None:
    done = pli("simulate", "marshmallow", "--games", 500, "--seats", 5)
    assert "500 games between random bots, 5 seats" in done.stdout
    assert "Actions a second" in done.stdout


def test_games_in_which_time_matters_are_played_live_by_default() -> None:
    """Minutes and rounds are told, and what was done and refused; processes change nothing."""
    arguments = ("merci", "--games", 6, "--seed", 5)
    one, two = (simulated(*arguments, "--threads", n) for n in (1, 2))
    assert one["bots"] == "medium"
    for key in ("minutes", "rounds"):
        spread = one[key]
        assert isinstance(spread, dict)
        assert set(spread) == {"median", "mean", "least", "most", "p10", "p90", "low", "high"}
        assert 0 < spread["least"] <= spread["median"] <= spread["most"]
    accepted = one["accepted"]
    assert isinstance(accepted, dict)
    assert sum(accepted.values()) == one["actions"]
    for key in ("wins", "actions", "length", "minutes", "rounds", "accepted", "refused"):
        assert one[key] == two[key]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_live_simulation_prints_tables(language: str) -> None:
    done = pli("simulate", "merci", "--games", 2, "--lang", language)
    assert done.returncode == 0, done.stderr
    assert "siouplait" in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="signals are sent another way there")
@pytest.mark.parametrize("game", ["marshmallow", "merci"])
def test_control_c_prints_what_it_has(game: str) -> None:
    games = ("--games", 200_000_000)
    code, out, shown = stopped("simulate", game, *games, "--json", at=r"[1-9]\d*/200000000")
    found = json.loads(out)
    assert code == 130
    assert found["interrupted"] is True
    assert 0 < found["games"] < 200_000_000
    assert "Traceback" not in shown


@pytest.mark.parametrize(
    "arguments", [("plingo", "--bots", "random"), ("plingo", "--bots", "easy")]
)
def test_every_game_can_be_kept_as_a_row(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """The file says what the figures say, and the intervals are those of its rows."""
    file = tmp_path / "games.parquet"
    found = simulated(*arguments, "--games", 30, "--seats", 3, "--seed", 2, "--to", file)
    games = polars.read_parquet(file)
    assert games["game"].to_list() == [*range(30)]
    assert found["actions"] == games["actions"].sum()
    assert found["wins"] == [games[f"won_{seat}"].sum() for seat in range(3)]
    length, rounds, shares = found["length"], found["rounds"], found["shares"]
    assert isinstance(length, dict)
    assert isinstance(rounds, dict)
    assert isinstance(shares, list)
    expected = mean(games["actions"].cast(polars.Float64).to_numpy())
    assert [length["low"], length["high"]] == [round(expected.low, 3), round(expected.high, 3)]
    assert rounds["mean"] == round(float(games["rounds"].mean()), 3)  # type: ignore[arg-type]
    assert rounds["low"] < rounds["mean"] < rounds["high"]
    wins = games["won_0"].to_numpy().astype(float)
    assert shares[0]["value"] == wins.mean()
    assert shares[0]["low"] < wins.mean() < shares[0]["high"]
