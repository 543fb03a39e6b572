"""Games from outside the package: how they are found, and what an author of one is told."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import pli
from pli import games
from pli.bots import Live, make_bot
from pli.errors import BadGame
from pli.games import finding
from pli.record import read_record, replay, write_record
from pli.scenario import Scenario
from pli.server.protocol.json_schema import definitions
from pli.table import fields, texts
from pli.texts import LANGUAGES, rules_page, words
from tests.conftest import ROOT
from tests.outside import SWITCH, fresh_folder


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with one small game, which is not there any more after the test."""
    with fresh_folder(tmp_path):
        yield tmp_path


def broken(folder: Path, name: str, code: str) -> BadGame:
    """What is said of the game, once a file of it is as given."""
    file = folder / "switch" / name
    file.write_text(code)
    with pytest.raises(BadGame) as caught:
        games.add(folder)
    assert str(file) in str(caught.value)
    return caught.value


def test_a_game_in_a_folder_is_played_like_those_of_the_package(folder: Path) -> None:
    assert games.add(folder) == ("switch",)
    assert "switch" in games.names()
    match = pli.new("switch", seed=3, seats=3)
    bots = [make_bot(level, match.game, seat, 1) for seat, level in enumerate(("easy",) * 3)]
    Live(match, bots).run()
    assert match.winners
    assert replay(read_record(write_record(match))).save() == match.save()


def test_the_folder_of_the_game_itself_can_be_named(folder: Path) -> None:
    assert games.add(folder / "switch") == ("switch",)
    assert games.load("switch").name == "switch"


def test_its_texts_are_its_own_in_english_and_those_of_all_games_in_others(folder: Path) -> None:
    games.add(folder)
    french = words("fr", "switch")
    assert french("name") == "Switch"
    assert french("events.drew.you") == "You draw a card."
    assert french("errors.not_your_turn") == words("fr")("errors.not_your_turn")
    assert rules_page("fr", "switch").startswith("# Switch")


def test_a_language_that_the_game_has_is_used(folder: Path) -> None:
    (folder / "switch" / "texts" / "fr.toml").write_text('[events]\ndrew.you = "Vous piochez."')
    games.add(folder)
    assert words("fr", "switch")("events.drew.you") == "Vous piochez."
    assert words("fr", "switch")("events.passed.you") == "You pass."
    assert texts(games.load("switch"))["fr"]["events.drew.you"] == "Vous piochez."


def test_a_page_is_told_what_the_fields_of_its_view_are(folder: Path) -> None:
    games.add(folder)
    assert [(each.name, each.shows) for each in fields(games.load("switch"))] == [
        ("scores", "score"),
        ("top", "cards"),
        ("suit", "text"),
        ("pile", "pile"),
        ("target", "number"),
    ]


def test_its_views_events_and_options_are_in_the_schema(folder: Path) -> None:
    games.add(folder)
    found = definitions()
    assert {"SwitchView", "SwitchEvent", "SwitchOptions", "SwitchDrew"} <= found.keys()


def test_its_modules_find_each_other_by_its_name(folder: Path) -> None:
    (folder / "switch" / "limits.py").write_text("SEATS = 5\n")
    code = (folder / "switch" / "__init__.py").read_text()
    both = "from switch.limits import SEATS\nfrom .limits import SEATS as SAME\n"
    (folder / "switch" / "__init__.py").write_text(f"{both}assert SEATS == SAME\n{code}")
    assert games.add(folder) == ("switch",)


def test_a_mistake_in_its_code_is_told_with_file_and_line(folder: Path) -> None:
    error = broken(folder, "__init__.py", "import pli\n\nSEATS = 1 / 0\n")
    assert error.code == "game_import"
    assert "line 3" in str(error)
    assert "ZeroDivisionError" in str(error)


def test_a_syntax_error_is_told_with_file_and_line(folder: Path) -> None:
    error = broken(folder, "__init__.py", "import pli\ndef act(s:\n    pass\n")
    assert error.code == "game_import"
    assert "line 2" in str(error)


def test_a_game_that_cannot_be_begun_is_told_with_file_and_line(folder: Path) -> None:
    code = (folder / "switch" / "__init__.py").read_text()
    assert "return SwitchView(" in code
    error = broken(folder, "__init__.py", code.replace("scores=s.scores", "scores=s.points"))
    assert error.code == "game_fails"
    assert "points" in str(error)


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("__init__.py", "GAME = 5\n", "game_missing"),
        ("texts/en.toml", 'about = "no name"\n', "game_texts"),
        ("texts/en.toml", "name = Switch\n", "game_toml"),
        ("texts/fr.toml", "name = \n", "game_toml"),
    ],
)
def test_what_is_missing_is_told_with_its_file(
    folder: Path, name: str, text: str, code: str
) -> None:
    assert broken(folder, name, text).code == code


def test_a_folder_without_a_game_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadGame, match="there is no game in this folder"):
        games.add(tmp_path)


def test_a_game_is_called_as_its_folder(folder: Path) -> None:
    (folder / "switch").rename(folder / "swap")
    with pytest.raises(BadGame) as caught:
        games.add(folder)
    assert caught.value.code == "game_name"


@pytest.mark.parametrize("taken", [games.built_in()[0], "json", "typer"])
def test_a_name_that_something_else_has_is_refused(folder: Path, taken: str) -> None:
    (folder / "switch").rename(folder / taken)
    with pytest.raises(BadGame) as caught:
        games.add(folder)
    assert caught.value.code == "game_taken"


def test_two_folders_with_one_name_are_refused(folder: Path) -> None:
    games.add(folder)
    shutil.copytree(SWITCH, folder / "more" / "switch")
    with pytest.raises(BadGame) as caught:
        games.add(folder / "more")
    assert caught.value.code == "game_taken"


WAYS = {
    "game_import": [
        ("def setup(", "def setup(:\n(", "SyntaxError"),
        ("import msgspec", "import msgspec, no_such_module", "ModuleNotFoundError"),
        ("HAND, SEATS, ACE = 52", "HAND, SEATS, ACE = fifty_two", "NameError"),
        ("LAYOUT = Layout(State)", "LAYOUT = Layout(int)", "int must be a dataclass"),
    ],
    "game_missing": [("GAME: Game[State, SwitchView] =", "TOY =", "there is no GAME in it")],
    "game_name": [('name="switch"', 'name="swap"', "“swap”")],
    "game_hook": [
        ("def needs(s: State)", "def needs(s: State, seat: int)", "needs is called with 1 values"),
        ("def view(s: State, seat: Seat)", "def view(s: State)", "view is called with 2 values"),
        ("facts=lambda s:", "facts=lambda s, seat:", "facts is called with 1 values (state)"),
    ],
    "game_fails": [
        ("s.seats, s.target = ", "s.seats, s.targets = ", "AttributeError"),
        ("s.winner = NO_SEAT\n    return s", "s.winner = NO_SEAT", "None"),
        ("target=s.target,\n    )", "target=s.aim,\n    )", "AttributeError"),
        ("return DECK\n    return size", "return 40\n    return size", "40"),
    ],
}
"""By their codes, ways in which a game can be wrong: what is written instead, and what is said."""


@pytest.mark.parametrize(
    ("code", "before", "after", "said"),
    [(code, *way) for code, ways in WAYS.items() for way in ways],
)
def test_whatever_is_wrong_with_a_game_is_told_with_its_file(
    folder: Path, code: str, before: str, after: str, said: str
) -> None:
    text = (folder / "switch" / "__init__.py").read_text()
    assert text.count(before) == 1
    error = broken(folder, "__init__.py", text.replace(before, after))
    assert error.code == code
    assert said in str(error)
    assert len({error.text(language) for language in LANGUAGES}) == len(LANGUAGES)
    if code in ("game_import", "game_hook"):
        lines = text.replace(before, after).splitlines()
        changed = next(line for line in after.splitlines() if line not in before)
        at = next(number for number, line in enumerate(lines, 1) if changed in line)
        assert abs(int(str(error.details["line"])) - at) <= 1


def test_a_wrong_hook_of_a_trick_taking_game_is_told_with_its_line(folder: Path) -> None:
    shutil.copytree(ROOT / "examples" / "hearts", folder / "hearts")
    file = folder / "hearts" / "__init__.py"
    code = file.read_text().replace("def took(s: State, winner: int)", "def took(s: State)")
    file.write_text(code)
    with pytest.raises(BadGame) as caught:
        games.add(folder / "hearts")
    line = code.splitlines().index("def took(s: State) -> None:")  # its decorator's, from 1 on
    assert caught.value.code == "game_hook"
    assert f"{file}, line {line}: took is called with 2 values (state, int)" in str(caught.value)


def installed(site: Path, name: str, value: str) -> None:
    """Metadata of a package that is installed in a folder, as installers write it."""
    metadata = site / f"{name}_game-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-game\nVersion: 1.0\n")
    (metadata / "RECORD").write_text(f"{name}/__init__.py,,\n")
    (metadata / "entry_points.txt").write_text(f"[{finding.GROUP}]\n{name} = {value}\n")


def test_an_installed_package_brings_its_game(folder: Path) -> None:
    """In a process of its own, and in those that it starts."""
    installed(folder, "switch", "switch")
    done = run(
        *("arena", "switch", "--bots", "easy,random", "--option", "seats=2"),
        *("--option", "target=5", "--games", "4", "--threads", "2"),
        PYTHONPATH=str(folder),
    )
    assert done.returncode == 0, done.stderr
    assert "easy" in done.stdout


def test_an_entry_point_may_name_the_game(folder: Path) -> None:
    code = (folder / "switch" / "__init__.py").read_text()
    (folder / "switch" / "__init__.py").write_text(code.replace("GAME: Game[", "TOY: Game["))
    installed(folder, "switch", "switch:TOY")
    assert run("rules", "switch", PYTHONPATH=str(folder)).stdout.strip().startswith("Switch")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("switch", "switch:TOY", "there is no TOY in it"),
        ("switch", "nowhere.at_all", "an installed package says that the game"),
        (games.built_in()[0], "switch", "is taken by pli.games."),
        ("Switch", "switch", "is no name for a game"),
    ],
)
def test_what_is_wrong_with_an_installed_game_stops_a_command_with_one_line(
    folder: Path, name: str, value: str, said: str
) -> None:
    installed(folder, name, value)
    done = run("rules", name, PYTHONPATH=str(folder))
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr


SCENARIO = """
game: switch
about: []
options: {seats: 2}
position:
  hands: [H7 S2, C9 C4]
steps:
  - expect: {turn: 0}
  - 0: play S9
    error: not_in_hand
"""


def test_a_question_about_its_rules_is_a_scenario(folder: Path) -> None:
    games.add(folder)
    file = folder / "question.yaml"
    file.write_text(SCENARIO)
    assert Scenario(file.read_text()).run() is None


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pli", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "PLI_GAMES": "", "PLI_LANG": "en", **environment},
    )


def test_every_command_takes_it_and_so_do_the_processes_that_they_start(folder: Path) -> None:
    """The arena spawns processes, each of which has to find the game again."""
    record, study = folder / "game.pli", folder / "study"
    short = ("--option", "seats=2", "--option", "target=5")
    for command in (
        ("check", "switch", *short, "--games", "1", "--plain"),
        ("check", str(folder / "switch"), *short, "--games", "1", "--property", "views"),
        ("simulate", "switch", *short, "--games", "4", "--plain"),
        ("simulate", "switch", *short, "--games", "4", "--bots", "easy"),
        ("arena", "switch", "--bots", "easy,random", *short, "--games", "4", "--threads", "2"),
        ("study", "switch", "--to", str(study), *short, "--bots", "easy", "--games", "4"),
        ("play", "switch", "--watch", "--fast", *short, "--bots", "easy", "--save", str(record)),
        ("replay", str(record), "--at", "5"),
        ("rules", "switch"),
    ):
        done = run("--games", str(folder), *command)
        assert done.returncode == 0, (command, done.stderr)
    assert run("rules", "switch", PLI_GAMES=str(folder)).stdout.strip().startswith("Switch")


def test_a_wrong_game_stops_a_command_with_one_line(folder: Path) -> None:
    (folder / "switch" / "__init__.py").write_text("GAME = None + 1\n")
    for done in (
        run("--games", str(folder), "rules", "switch"),
        run("rules", "switch", PLI_GAMES=str(folder)),
    ):
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
        assert f"{folder / 'switch' / '__init__.py'}, line 1" in done.stderr
