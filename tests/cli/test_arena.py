"""`pli arena`: the ratings that it prints, and Ctrl-C."""

import json
import os
from pathlib import Path
from typing import Any

import polars
import pytest

from pli.bots.arena import compare
from pli.texts import LANGUAGES
from tests.cli.command import pli, stopped


def contested(*arguments: object) -> dict[str, Any]:
    done = pli("arena", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_an_arena_tells_everything_as_json_and_processes_change_nothing() -> None:
    arguments = ("plingo", "--bots", "medium,random", "--games", 30, "--seats", 3, "--seed", 7)
    one, two = (contested(*arguments, "--threads", n) for n in (1, 2))
    assert one["bots"] == ["medium", "random", "random"]
    assert one["options"]["seats"] == 3
    assert (one["seed"], one["games"], one["blocks"], one["rotations"]) == (7, 30, 10, 3)
    assert (one["decided"], one["until_decided"], one["interrupted"]) == (None, False, False)
    medium, random = one["kinds"]
    assert medium["share"]["low"] < medium["share"]["value"] < medium["share"]["high"]
    assert medium["share"]["value"] > medium["even"] > random["share"]["value"]
    assert medium["wins"] + random["wins"] == pytest.approx(30)
    assert medium["elo"]["low"] < medium["elo"]["value"] < medium["elo"]["high"]
    assert random["elo"] is None
    assert min(medium["ms"], random["ms"]) > 0
    for found in (one, two):
        for key in ("seconds", "threads"):
            del found[key]
        for kind in found["kinds"]:
            del kind["ms"]
    assert one == two


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_arena_prints_a_table_and_what_was_decided(language: str) -> None:
    arguments = ("--bots", "medium,random", "--games", 200, "--until-decided", "--seed", 2)
    done = pli("arena", "plingo", *arguments, "--lang", language)
    assert done.returncode == 0, done.stderr
    assert "│ medium │" in done.stdout
    assert "Elo" in done.stdout
    said = {"en": "is better than", "fr": "fait mieux", "es": "es mejor"}[language]
    assert said in " ".join(done.stdout.split())


def test_what_cannot_be_measured_is_told_as_infinite_and_written_as_null() -> None:
    """A bot that has won all games has no upper bound."""

    def won_all(seed: int) -> bool:
        found = compare("plingo", "medium,random", games=2, seats=2, seed=seed)
        return found.kinds[0].share.value == 1

    seed = next(seed for seed in range(100) if won_all(seed))
    arguments = ("plingo", "--bots", "medium,random", "--games", 2, "--seats", 2, "--seed", seed)
    rated = contested(*arguments)["kinds"][0]["elo"]
    assert (rated["value"], rated["high"]) == (None, None)
    assert isinstance(rated["low"], float)
    assert "+∞" in pli("arena", *arguments).stdout


@pytest.mark.skipif(os.name == "nt", reason="signals are sent another way there")
def test_control_c_prints_what_an_arena_has() -> None:
    arguments = ("--bots", "medium,random", "--games", 200_000_000)
    code, out, shown = stopped("arena", "plingo", *arguments, "--json", at=r"medium \d")
    found = json.loads(out)
    assert code == 130
    assert found["interrupted"] is True
    assert 0 < found["games"] == 4 * found["blocks"]
    assert "Traceback" not in shown


def test_a_contest_tells_what_each_bot_wins_at_each_seat(tmp_path: Path) -> None:
    """As counted in the file of its games, in which every bot has sat everywhere."""
    file = tmp_path / "games.parquet"
    arguments = ("plingo", "--bots", "medium,random", "--games", 30, "--seats", 3, "--seed", 7)
    found = contested(*arguments, "--to", file)
    games = polars.read_parquet(file)
    assert games["deal"].n_unique() == 10
    for kind in found["kinds"]:
        for seat in range(3):
            there = games.filter(polars.col(f"bot_{seat}") == kind["bot"])
            parts = there[f"won_{seat}"] / there["winners"]
            assert kind["by_seat"][seat]["value"] == pytest.approx(parts.mean())
    assert found["length"]["value"] == pytest.approx(found["actions"])
    assert found["rounds"]["value"] == pytest.approx(games["rounds"].mean())
    assert found["rounds"]["low"] < found["rounds"]["value"] < found["rounds"]["high"]
