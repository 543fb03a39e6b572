"""The command line as a newcomer meets it: complaints, scenarios, pictures, help."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pli.cli.common import write_text
from tests.cli.command import complaint, pli

ROOT = Path(__file__).parent.parent.parent
SCENARIO = ROOT / "tests" / "scenarios" / "mt_rulebook_example.yaml"


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
    assert "y a pas de jeu" in complaint("rules", "--lang", "fr", "chess")


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


# The rest


def test_a_terminal_that_knows_few_letters_is_written_to_all_the_same() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pli", "rules", "plingo", "--lang", "fr"],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 0


def test_motifs_are_drawn_into_a_file_or_printed(tmp_path: Path) -> None:
    file = tmp_path / "sheet.svg"
    assert pli("motifs", "--out", file).returncode == 0
    assert file.read_text().startswith("<svg")
    assert pli("motifs").stdout.startswith("<svg")
    assert pli("motifs", "--out", tmp_path).returncode == 2


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_text)
        write_text(pipe, "all of it")
        assert read.result(timeout=30) == "all of it"
    assert pipe.is_fifo()


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
