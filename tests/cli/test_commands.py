"""The command line as a newcomer meets it: real processes, real files."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pli import games
from pli.bots.arena import compare
from pli.cards import COLOURS
from pli.texts import LANGUAGES

ROOT = Path(__file__).parent.parent.parent
SCENARIO = ROOT / "tests" / "scenarios" / "mt_rulebook_example.yaml"
EVERY_CARD = [f"{colour}{number}" for colour in COLOURS for number in range(1, 13)]


def pli(
    *arguments: object, typed: str = "", home: Path | None = None
) -> "subprocess.CompletedProcess[str]":
    variables = os.environ | {"PLI_LANG": "en", "COLUMNS": "100"}
    if home is not None:
        variables["XDG_DATA_HOME"] = str(home)
    return subprocess.run(
        [sys.executable, "-m", "pli", *map(str, arguments)],
        input=typed,
        env=variables,
        capture_output=True,
        text=True,
        timeout=120,
    )


def complaint(*arguments: object) -> str:
    """What is said of bad input: one line, on the error stream, with a non-zero exit."""
    done = pli(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "Traceback" not in done.stderr
    return done.stderr


# Bad input


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["simulate", "chess"], "There is no game “chess”; there are: "),
        (["simulate", "marshmallow", "--seats", "6"], "possible: 2-5"),
        (["simulate", "marshmallow", "--seats", "two"], "possible: 2-5"),
        (["simulate", "plingo", "--seats", "7"], "possible: 2-6"),
        (["simulate", "plingo", "--games", "0"], "games"),
        (["simulate", "plingo", "--games", "many"], "games"),
        (["simulate", "plingo", "--threads", "-1"], "threads"),
        (["simulate", "plingo", "--seed", str(1 << 63)], "seed"),
        (["simulate", "plingo", "--bots", "clever"], "There is no bot “clever”"),
        (["simulate", "plingo", "--bots", "flat:0"], "There is no bot “flat:0”; there are: random"),
        (["play", "plingo", "--bots", "easy:3"], "There is no bot “easy:3”"),
        (["simulate", "plingo", "--option", "edition=fr"], "no option “edition”"),
        (["simulate", "plingo", "--option", "first_master=4"], "random, 0-3"),
        (["simulate", "marshmallow", "--option", "edition=de"], "possible: en, fr"),
        (["simulate", "marshmallow", "--option", "target"], "NAME=VALUE"),
        (["simulate", "marshmallow", "--option", "target=0"], "1-1000"),
        (["simulate"], "GAME"),
        (["arena", "plingo"], "--bots"),
        (["arena", "plingo", "--bots", "medium,clever"], "There is no bot “clever”"),
        (["arena", "plingo", "--bots", "medium,nowhere.at_all:Bot"], "nowhere.at_all:Bot"),
        (["arena", "merci", "--bots", "search:0,random"], "There is no bot “search:0”"),
        (["arena", "plingo", "--bots", "easy,easy,easy", "--seats", "2"], "there are 2 seats"),
        (["arena", "plingo", "--bots", "easy", "--until-decided"], "nothing to decide"),
        (["arena", "plingo", "--bots", "easy,random", "--games", "0"], "games"),
        (["arena", "plingo", "--bots", "easy,random", "--option", "edition=fr"], "no option"),
        (["simulate", "plingo", "--wrong"], "--wrong"),
        (["rules", "plingo", "--lang", "de"], "there are: en, fr, es"),
        (["rules", "chess"], "chess"),
        (["play", "plingo", "--seat", "9"], "seat"),
        (["play", "--resume", "nowhere.pli"], "nowhere.pli: can't be read"),
        (["replay", "nowhere.pli"], "nowhere.pli: can't be read"),
        (["replay", SCENARIO], "line 1"),
        (["hint", "nowhere.pli"], "nowhere.pli: can't be read"),
        (["hint", SCENARIO], "line 1"),
        (["replay", sys.executable], "can't be read"),
        (["nonsense"], "nonsense"),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else "",
)
def test_bad_input_is_told_in_one_line(arguments: list[object], said: str) -> None:
    assert said in complaint(*arguments)


def test_complaints_are_in_the_language_asked_for() -> None:
    assert "Il n'y a pas de jeu" in complaint("rules", "--lang", "fr", "chess")


# Scenarios


def test_scenarios_that_hold_are_ok() -> None:
    done = pli("scenario", SCENARIO)
    assert (done.returncode, done.stdout) == (0, f"{SCENARIO}: ok\n")


def test_a_scenario_that_differs_says_where_and_exits_with_1(tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(SCENARIO.read_text().replace("scores: [4,", "scores: [5,"))
    done = pli("scenario", file, SCENARIO)
    first, second = done.stdout.splitlines()
    assert done.returncode == 1
    assert "line 16, step 6, scores: wanted [5, 0, 0, 0], got [4, 0, 0, 0]" in first
    assert second.endswith("ok")


def test_a_malformed_scenario_names_line_and_key_and_exits_with_2(tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(SCENARIO.read_text().replace("tricks: [2,", "tricks: [two,"))
    done = pli("scenario", file, SCENARIO)
    assert done.returncode == 2
    assert "line 7, tricks: wanted: a whole number" in done.stdout
    assert pli("scenario", tmp_path / "missing.yaml").returncode == 2
    assert pli("scenario", tmp_path).returncode == 2


# Simulation


def simulated(*arguments: object) -> dict[str, object]:
    done = pli("simulate", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("game", games.names())
def test_a_simulation_counts_games_actions_seconds_and_wins(game: str) -> None:
    arguments = (game, "--games", 3000, "--seats", 3, "--seed", 5, "--bots", "random")
    found = simulated(*arguments)
    assert found["games"] == 3000
    assert isinstance(found["actions"], int)
    assert isinstance(found["seconds"], float)
    wins = found["wins"]
    assert isinstance(wins, list)
    assert len(wins) == 3
    unfinished = found["unfinished"]
    assert isinstance(unfinished, int)
    assert sum(wins) + unfinished >= 3000
    for threads in (1, 3):
        again = simulated(*arguments, "--threads", threads)
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
        assert set(spread) == {"median", "mean", "least", "most", "p10", "p90"}
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
    """Ctrl-C goes to every process that the terminal started."""
    command = [sys.executable, "-m", "pli", "simulate", game, "--games", "200000000"]
    process = subprocess.Popen(
        [*command, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    time.sleep(15)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    found = json.loads(out)
    assert process.returncode == 130
    assert found["interrupted"] is True
    assert 0 < found["games"] < 200_000_000
    assert "Traceback" not in err


# The arena


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
    assert medium["ms"] > random["ms"] > 0
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
    """Who has won all games is stronger by any amount."""

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
    command = [sys.executable, "-m", "pli", "arena", "plingo", "--bots", "medium,random"]
    process = subprocess.Popen(
        [*command, "--games", "200000000", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    time.sleep(12)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    found = json.loads(out)
    assert process.returncode == 130
    assert found["interrupted"] is True
    assert 0 < found["games"] == 4 * found["blocks"]
    assert "Traceback" not in err


# Hints


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
    assert "personne n'a rien à décider" in complaint("hint", begun, "--at", 0, "--lang", "fr")


def test_a_game_that_is_not_searched_has_no_hints(tmp_path: Path) -> None:
    file = tmp_path / "game.pli"
    pli("play", "twinit", "--fast", "--save", file, typed="q\n")
    assert "Twin It! is not searched" in complaint("hint", file)


# Playing


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


def test_a_terminal_that_knows_few_letters_is_written_to_all_the_same() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pli", "rules", "plingo", "--lang", "fr"],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 0


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


def test_motifs_are_drawn_into_a_file_or_printed(tmp_path: Path) -> None:
    file = tmp_path / "sheet.svg"
    assert pli("motifs", "--out", file).returncode == 0
    assert file.read_text().startswith("<svg")
    assert pli("motifs").stdout.startswith("<svg")
    assert pli("motifs", "--out", tmp_path).returncode == 2


def test_help_is_there_for_every_command() -> None:
    for command in (
        (),
        ("arena",),
        ("motifs",),
        ("play",),
        ("scenario",),
        ("simulate",),
        ("replay",),
        ("hint",),
        ("rules",),
    ):
        assert "Usage" in pli(*command, "--help").stdout
