"""`pli check`: a line a property, what is wrong in full below them."""

from pathlib import Path

import pytest

from tests.cli.command import complaint, pli
from tests.outside import fresh_folder

QUICK = ("--plain", "--games", "1")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with fresh_folder(tmp_path):
        return tmp_path / "switch"


def test_a_game_that_is_as_it_must_be_has_a_line_a_property(folder: Path) -> None:
    done = pli("check", folder, *QUICK)
    assert (done.returncode, done.stderr.strip()) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "notation: every action has one text, every text one action"
    assert "compiled: not checked, because nothing is to be compiled" in lines
    assert len(lines) == 19


def test_what_is_wrong_is_told_in_full_and_exits_with_1(folder: Path) -> None:
    file = folder / "__init__.py"
    file.write_text(file.read_text().replace("pile=s.pile_size", "pile=s.pile[0]"))
    done = pli("check", folder, *QUICK, "--property", "views", "--property", "play")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[:3] == [
        "play: the game can be played: nothing raises, nobody waits for ever",
        "views: failed",
        "",
    ]
    assert lines[3].startswith("switch, views: the view changes with cards that its seat can't see")
    assert any("look at: view (" in line for line in lines)


def test_options_and_language_are_those_asked_for(folder: Path) -> None:
    file = folder / "__init__.py"
    code = file.read_text().replace("pile=s.pile_size", "pile=s.pile_size // (s.seats - 3)")
    file.write_text(code)
    chosen = ("--property", "views", "--seats", "2", "--lang", "fr")
    assert pli("check", folder, *QUICK, *chosen).stdout.startswith("views : une vue montre")
    done = pli("check", folder, *QUICK, *chosen[:2], "--seats", "3", "--lang", "es")
    assert done.returncode == 1
    assert "play: fallo" in done.stdout or "views: fallo" in done.stdout
    assert "ZeroDivisionError" in done.stdout


def test_bad_input_is_told_in_one_line(folder: Path) -> None:
    assert "There is no game “chess”" in complaint("check", "chess")
    assert "There is no property “luck”" in complaint("check", folder, "--property", "luck")
    (folder / "__init__.py").write_text("GAME = 1\n")
    assert "there is no GAME in it" in complaint("check", folder)
