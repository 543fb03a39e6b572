"""`pli play`: whole games by typing, games stopped and resumed, and where they are kept."""

import subprocess
import sys
from pathlib import Path

import pytest

from pli import games
from pli.cards import COLOURS
from pli.texts import LANGUAGES
from tests.cli.command import pli

EVERY_CARD = [f"{colour}{number}" for colour in COLOURS for number in range(1, 13)]


def test_a_whole_game_can_be_played_by_typing(tmp_path: Path) -> None:
    """A player who tries every card in turn, in small letters, and names green trump."""
    typed = "\n".join(card.lower() for card in ["G", *EVERY_CARD] * 40)
    done = pli(
        "play", "marshmallow", "--fast", "--seed", 3, "--save", tmp_path / "g.pli", typed=typed
    )
    assert done.returncode == 0, done.stderr
    assert " won" in done.stdout
    assert "You don't hold that card." in done.stdout
    assert "You hold the colour that was led" in done.stdout
    shown = pli("replay", tmp_path / "g.pli")
    assert shown.returncode == 0
    assert "wins with" in shown.stdout
    assert pli("replay", tmp_path / "g.pli", "--at", 99999).returncode == 2


def test_plingo_can_be_played_by_typing(tmp_path: Path) -> None:
    typed = "\n".join(["none", *(f"play {card}" for card in EVERY_CARD), *"123456789"] * 40)
    done = pli("play", "plingo", "--fast", "--seed", 3, "--seats", 2, typed=typed, home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert " won" in done.stdout


def test_a_game_that_is_stopped_can_be_resumed(tmp_path: Path) -> None:
    file = tmp_path / "game.pli"
    first = pli(
        "play", "marshmallow", "--fast", "--seed", 3, "--save", file, typed="?\nnonsense\nq\n"
    )
    assert first.returncode == 0, first.stderr
    assert "Reiner Knizia" in first.stdout
    assert "“nonsense” is no action of this game." in first.stdout
    assert "--resume" in first.stdout
    steps = file.read_text().splitlines()
    second = pli("play", "--resume", file, "--fast", typed="")
    assert second.returncode == 0, second.stderr
    assert [line.split()[:-1] for line in steps[:-1]] == [
        line.split()[:-1] for line in file.read_text().splitlines()[: len(steps) - 1]
    ]


@pytest.mark.parametrize("place", ["/", "", "/proc/nowhere/game.pli"])
def test_a_place_that_cannot_be_written_is_told_before_the_first_card(place: str) -> None:
    done = pli("play", "marshmallow", "--fast", "--save", place, typed="q\n")
    assert done.returncode == 2
    assert "can't be written" in done.stderr
    assert "Your hand" not in done.stdout


def test_a_resumed_game_keeps_its_game_options_and_seat(tmp_path: Path) -> None:
    file = tmp_path / "my game.pli"
    first = pli("play", "plingo", "--seat", 2, "--fast", "--save", file, typed="q\n")
    assert f"--resume '{file}' --seat 2" in first.stdout
    for extra in (["marshmallow"], ["--seats", "3"], ["--option", "seats=3"]):
        assert pli("play", *extra, "--resume", file, typed="q\n").returncode == 2


def test_a_game_against_bots_with_reflexes_can_be_played_by_typing(tmp_path: Path) -> None:
    typed = "\n".join(["draw", "merci", "choose 1", ""] * 60)
    done = pli(
        "play", "merci", "--bots", "medium", "--fast", "--seed", 3, typed=typed, home=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert "Seat 1" in done.stdout


def test_games_that_are_not_named_get_files_of_their_own(tmp_path: Path) -> None:
    for _ in range(2):
        pli("play", "plingo", "--fast", typed="q\n", home=tmp_path)
    assert len(list((tmp_path / "pli").glob("plingo-*.pli"))) == 2


def test_times_of_play_are_recorded(tmp_path: Path) -> None:
    pli("play", "marshmallow", "--seed", 3, "--save", tmp_path / "g.pli", typed="q\n")
    times = [line.split()[0] for line in (tmp_path / "g.pli").read_text().splitlines()[5:-1]]
    assert times
    assert times[-1] != "0:00.000"


def test_nobody_at_the_keyboard_is_no_error(tmp_path: Path) -> None:
    command = f"{sys.executable} -m pli play plingo --fast --save {tmp_path}/g.pli <&-"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_the_game_is_asked_for_if_none_is_named(tmp_path: Path) -> None:
    done = pli("play", "--fast", typed="x\nplingo\nq\n", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "1  Marshmallow Test" in done.stdout
    assert "Plingo · Type a card" in done.stdout


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games.names())
def test_rules_and_play_speak_every_language(game: str, language: str, tmp_path: Path) -> None:
    assert pli("rules", game, "--lang", language).stdout.strip()
    done = pli("play", game, "--fast", "--lang", language, typed="?\nq\n", home=tmp_path)
    assert done.returncode == 0, done.stderr
