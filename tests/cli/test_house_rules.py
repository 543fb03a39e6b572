"""What the terminal says of house rules, of the edition, and of records from before."""

import json
from pathlib import Path

import pytest

from tests import old
from tests.cli.command import complaint, pli

HOUSE = ["--option", "tricks_to_go_out=1", "--option", "target=6"]
TOLD = "House rules: target=6, tricks_to_go_out=1"


@pytest.mark.parametrize(
    "command",
    [
        ["simulate", "marshmallow", "--games", 20, "--plain"],
        ["arena", "marshmallow", "--bots", "easy,random", "--games", 4],
    ],
    ids=lambda command: str(command[0]),
)
def test_figures_say_that_they_are_not_by_the_book(command: list[object]) -> None:
    done = pli(*command, *HOUSE)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[1] == TOLD
    assert "House rules" not in pli(*command).stdout
    figures = json.loads(pli(*command, *HOUSE, "--json").stdout)
    assert figures["house"] == ["target", "tricks_to_go_out"]
    assert json.loads(pli(*command, "--json").stdout)["house"] == []


def test_a_game_and_its_replay_say_that_they_are_not_by_the_book(tmp_path: Path) -> None:
    file = tmp_path / "game.pli"
    for more in ([], ["--watch"]):
        done = pli("play", "marshmallow", "--fast", *HOUSE, *more, "--save", file, typed="q\n")
        assert done.returncode == 0, done.stderr
        assert TOLD in done.stdout
        assert pli("replay", file).stdout.startswith(TOLD)
    again = pli("play", "--resume", file, "--fast", "--lang", "fr", typed="q\n")
    assert "Règles maison : target=6, tricks_to_go_out=1" in again.stdout


@pytest.mark.parametrize(("language", "edition"), [("en", "en"), ("fr", "fr"), ("es", "en")])
def test_the_edition_follows_the_language_until_somebody_chooses(
    tmp_path: Path, language: str, edition: str
) -> None:
    file = tmp_path / "game.pli"

    def played(*more: object) -> str:
        command = ["play", "marshmallow", "--fast", "--lang", language, "--save", file, *more]
        assert pli(*command, typed="q\n").returncode == 0
        return file.read_text().splitlines()[2].split()[1]

    assert played() == f"edition={edition}"
    assert played("--option", "edition=en") == "edition=en"
    assert played("--option", "edition=fr") == "edition=fr"


def test_figures_are_of_the_library_s_edition_in_every_language() -> None:
    done = pli("simulate", "marshmallow", "--games", 5, "--plain", "--json", "--lang", "fr")
    assert json.loads(done.stdout)["options"]["edition"] == "en"


# Records from before


@pytest.mark.parametrize("game", old.GAMES)
@pytest.mark.parametrize(
    ("language", "notice"),
    [
        ("en", "Played under version 1 of the rules; these are version 2."),
        ("fr", "Partie jouée selon la version 1 des règles"),
        ("es", "Partida jugada con la versión 1 de las reglas"),
    ],
)
def test_an_old_record_is_shown_as_it_was_written(game: str, language: str, notice: str) -> None:
    file = old.record_file(game)
    done = pli("replay", file, "--lang", language)
    assert done.returncode == 0, done.stderr
    shown = " ".join(done.stdout.split())
    assert notice in shown
    places = []
    for line in file.read_text().splitlines()[2:]:
        content = line.rpartition("  ")[0].strip()
        words = content.split()
        if words[0] != "result":
            move = content.rpartition("  ")[2] if ":" in words[0] else content
            places.append(shown.index(move))
    assert len(places) > 20


def test_an_old_record_is_shown_up_to_a_step() -> None:
    file = old.record_file("marshmallow")
    some = pli("replay", file, "--at", 4).stdout
    assert "Seat 2: play O1" in some
    assert "Seat 0: play O3" not in some
    assert some.rstrip().endswith("Step 4 of 29")
    assert pli("replay", file, "--at", 29).stdout.rstrip().endswith("Seat 0 won.")
    assert "29" in complaint("replay", file, "--at", 30)


@pytest.mark.parametrize("game", old.GAMES)
@pytest.mark.parametrize("command", [["verify"], ["hint"], ["play", "--resume"]])
def test_what_needs_the_rules_refuses_an_old_record(game: str, command: list[str]) -> None:
    said = complaint(*command, old.record_file(game))
    assert "line 2: played under version 1 of the rules" in said


def test_what_is_our_proposal_is_told_as_such() -> None:
    options = ["--option", "teams=pairs", "--option", "auction=on"]
    told = pli("simulate", "plingo", "--games", "2", *options).stdout
    assert "House rules: auction=on (our proposal), teams=pairs (our proposal)" in told
    told = pli("simulate", "plingo", "--games", "2", "--lang", "fr", *options[:2]).stdout
    assert "Règles maison : teams=pairs (notre proposition)" in told
