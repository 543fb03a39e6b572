"""`pli verify` as a player meets it."""

import json
from pathlib import Path

import pytest

from pli import games
from pli.cli.verify import _contribution
from pli.errors import NotProved, PliError
from pli.game import read_options
from pli.match import AnyMatch, Match
from pli.record import write_record
from pli.record.proof import Proof, commit, shuffler
from pli.texts import LANGUAGES
from tests.cli.command import complaint, pli
from tests.record.test_record import contents, forged

ID = "k7f3q2-1"
SECRET = "5e" * 32
ADDED = {0: "0a" * 16, 2: "0c" * 32}
COMMITMENT = commit(ID, SECRET)


def played(added: dict[int, str]) -> AnyMatch:
    game = games.load("plingo")
    match = Match(game, read_options(game, {"seats": 3}), shuffler(ID, SECRET, added))
    for _ in range(3):
        seat = match.actors[0]
        match.act(seat, match.legal(seat)[0])
    return match


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "game.pli"
    proof = Proof(ID, COMMITMENT, ADDED, SECRET)
    file.write_text(write_record(played(ADDED), proof, abandoned=True))
    return file


def test_a_proof_is_told_in_a_few_lines(record: Path) -> None:
    done = pli("verify", record)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "k7f3q2-1: Plingo, 3 seats, played by the rules and not to its end.",
        f"The secret is the one that was promised by the commitment {COMMITMENT}.",
        "It counts as promised if you were shown this commitment before the first card.",
        "Shuffles worked out again: 2. Each is as it follows from the secret and what was added.",
        "Something was added at these seats: 0, 2.",
    ]


def test_what_one_saw_is_held_against_the_record(record: Path) -> None:
    mine = ("--commitment", COMMITMENT.upper(), "--contribution", f"2={ADDED[2]}")
    done = pli("verify", record, *mine)
    assert done.returncode == 0, done.stderr
    assert "That is the commitment that you were shown." in done.stdout
    assert "Seat 2 added what you say." in done.stdout
    done = pli("verify", record, "--contribution", f"0={ADDED[2]}")
    said = f"{record}: not proved. line 6: seat 0 added something else.\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, said, "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_shuffle_that_was_chosen_is_named_in_every_language(record: Path, language: str) -> None:
    lines = contents(record.read_text().splitlines())
    things = lines[7].split()
    lines[7] = " ".join([things[0], things[2], things[1], things[3]])
    # What follows is no longer under the rules, so the record ends with the deal.
    record.write_text("\n".join(forged([*lines[:9], lines[-2], "result unfinished"])) + "\n")
    done = pli("verify", record, "--lang", language)
    assert done.returncode == 1
    error = NotProved("wrong_shuffle", line=8, shuffle=0)
    assert len(done.stdout.splitlines()) == 1
    assert done.stdout.endswith(f" {error.text(language)}\n")


def test_a_record_without_a_proof_proves_nothing(tmp_path: Path) -> None:
    file = tmp_path / "game.pli"
    file.write_text(write_record(played({})))
    done = pli("verify", file)
    assert done.returncode == 1
    assert "not proved. There is no proof in this record" in done.stdout
    found = json.loads(pli("verify", file, "--json").stdout)
    assert (found["proved"], found["code"]) == (False, "no_proof")


def test_where_nobody_added_anything_that_is_told(tmp_path: Path) -> None:
    file = tmp_path / "game.pli"
    file.write_text(write_record(played({}), Proof(ID, COMMITMENT, {}, SECRET), abandoned=True))
    done = pli("verify", file)
    assert done.returncode == 0
    assert "Nobody at the table added anything" in done.stdout


def test_a_program_gets_json(record: Path) -> None:
    done = pli("verify", record, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "proved": True,
        "game": "plingo",
        "version": games.load("plingo").version,
        "result": "unfinished",
        "id": ID,
        "commitment": COMMITMENT,
        "contributions": {str(seat): text for seat, text in ADDED.items()},
        "secret": SECRET,
        "shuffles": 2,
    }
    done = pli("verify", record, "--json", "--commitment", "00" * 32)
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert (found["proved"], found["code"], found["line"]) == (False, "other_commitment", 5)


@pytest.mark.parametrize("text", ["", "2", "2=", f"x={ADDED[0]}", f"12={ADDED[0]}", "2=abc"])
def test_a_contribution_is_a_seat_and_what_it_added(text: str) -> None:
    with pytest.raises(PliError) as caught:
        _contribution(text)
    assert caught.value.code == "contribution_form"
    assert _contribution(f" 2={ADDED[2].upper()}") == (2, ADDED[2])


def test_what_cannot_be_read_is_told_in_one_line(record: Path) -> None:
    assert "can't be read" in complaint("verify", "nowhere.pli")
    told = complaint("verify", record, "--commitment", "abc")
    assert PliError("commitment_form", text="abc").text() in told
    told = complaint("verify", record, "--contribution", "2=abc", "--lang", "fr")
    assert PliError("contribution_form", text="2=abc").text("fr") in told
    record.write_text(record.read_text().replace("random 0 0", "random 0 1"))
    assert "line 6: this line" in complaint("verify", record)
