"""`pli hint`: what search thinks of the actions of a recorded game."""

import json
from pathlib import Path
from typing import Any

import pytest

from pli.texts import LANGUAGES
from tests.cli.command import complaint, pli


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a game that was stopped at one's own turn."""
    file = tmp_path_factory.mktemp("records") / "begun.pli"
    arguments = ("--fast", "--seed", 3, "--bots", "medium", "--save", file)
    done = pli("play", "marshmallow", *arguments, typed="q\n")
    assert done.returncode == 0, done.stderr
    return file


def hinted(*arguments: object) -> dict[str, Any]:
    done = pli("hint", *arguments, "--iterations", 400, "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_hint_ranks_the_actions_of_who_is_awaited(begun: Path) -> None:
    found = hinted(begun)
    assert found["game"] == "marshmallow"
    assert found["step"] == found["steps"]
    assert found["seat"] == 0
    actions = found["actions"]
    assert sum(each["visits"] for each in actions) == 400
    assert sum(each["share"] for each in actions) == pytest.approx(1)
    assert all(0 <= each["chance"] <= 1 for each in actions)
    assert [each["visits"] for each in actions] == sorted(
        (each["visits"] for each in actions), reverse=True
    )
    assert hinted(begun) == found


def test_a_hint_can_be_had_at_any_decision_of_any_seat(begun: Path) -> None:
    found = hinted(begun, "--at", 2)
    seat = found["seat"]
    assert found["step"] == 2
    assert hinted(begun, "--at", 2, "--seat", seat) == found
    other = (seat + 1) % 4
    told = complaint("hint", begun, "--at", 2, "--seat", other)
    assert f"After 2 steps seat {other} has nothing to decide." in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint_is_a_table(begun: Path, language: str) -> None:
    done = pli("hint", begun, "--iterations", 400, "--lang", language)
    assert done.returncode == 0, done.stderr
    assert "play " in done.stdout
    assert "%" in done.stdout


def test_where_there_is_no_hint_that_is_told_in_one_line(begun: Path) -> None:
    assert "99999 is none of them" in complaint("hint", begun, "--at", 99999)
    assert "possible: 0-3" in complaint("hint", begun, "--seat", 4)
    assert "possible: 1-" in complaint("hint", begun, "--iterations", 0)
    assert "nobody has anything to decide" in complaint("hint", begun, "--at", 0)
    assert "rien à décider" in complaint("hint", begun, "--at", 0, "--lang", "fr")


def test_a_game_that_is_not_searched_has_no_hints(tmp_path: Path) -> None:
    file = tmp_path / "game.pli"
    pli("play", "twinit", "--fast", "--save", file, typed="q\n")
    assert "Twin It! is not searched" in complaint("hint", file)
