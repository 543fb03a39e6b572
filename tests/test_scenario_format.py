"""The scenario format: what differs is told, what is malformed is named by line and key."""

import pytest

from pli.errors import BadScenario
from pli.scenario import Scenario

GOOD = """\
game: marshmallow
options: {seats: 2}
position: {turn: 0, hands: [B1 B2, B3 G4]}
steps:
  - 0: play B1
  - 1: play G4
    error: must_follow
  - expect: {turn: 1, cards: [1, 2], legal: [play B3]}
"""


def test_a_scenario_that_holds_differs_in_nothing() -> None:
    assert Scenario(GOOD).run() is None


@pytest.mark.parametrize("written", ["on", "off", "'on'", "'off'"])
def test_on_and_off_may_stand_bare(written: str) -> None:
    """YAML reads them as true and false."""
    text = f"game: merci\noptions: {{helper: {written}}}\nsteps: []\n"
    assert Scenario(text).options.helper == written.strip("'")


@pytest.mark.parametrize(
    ("old", "new", "step", "key", "wanted", "got"),
    [
        ("turn: 1,", "turn: 0,", 3, "turn", "0", "1"),
        ("cards: [1, 2]", "cards: [2, 2]", 3, "cards", "[2, 2]", "[1, 2]"),
        ("legal: [play B3]", "legal: []", 3, "legal", "[]", "[play B3]"),
        ("must_follow", "not_in_hand", 2, "1", "play G4: not_in_hand", "play G4: must_follow"),
        ("    error: must_follow\n", "", 2, "1", "play G4: ok", "play G4: must_follow"),
        ("0: play B1", "0: play B9", 1, "0", "play B9: ok", "play B9: not_in_hand"),
        ("0: play B1", "0: dance", 1, "0", "dance: ok", "dance: bad_action"),
    ],
)
def test_the_first_difference_is_told(
    old: str, new: str, step: int, key: str, wanted: str, got: str
) -> None:
    found = Scenario(GOOD.replace(old, new)).run()
    assert found is not None
    assert (found.step, found.key, found.wanted, found.got) == (step, key, wanted, got)


@pytest.mark.parametrize(
    ("old", "new", "line", "key"),
    [
        ("game: marshmallow", "game: chess", 1, "game"),
        ("game: marshmallow", "gaem: marshmallow", 1, "gaem"),
        ("game: marshmallow\n", "", 1, "game"),
        ("seats: 2", "seats: 9", 2, "seats"),
        ("seats: 2", "seat: 2", 2, "seat"),
        ("options: {seats: 2}", "options: two", 2, "options"),
        ("turn: 0", "turn: 5", 3, "turn"),
        ("turn: 0", "truns: 0", 3, "truns"),
        ("B1 B2", "B1 X2", 3, "hands"),
        ("B1 B2", "B1 B1", 3, "hands"),
        ("B1 B2", "B1 B3", 3, "hands"),
        ("[B1 B2, B3 G4]", "[B1 B2]", 3, "hands"),
        ("[B1 B2, B3 G4]", "['', B3 G4]", 3, "turn"),
        ("turn: 0, ", "trump: G, ", 3, "trump"),
        ("turn: 0, ", "turn: 0, trick: {0: O1}, ", 3, "trick"),
        ("turn: 0, ", "turn: 0, leader: 1, ", 3, "leader"),
        ("turn: 0, ", "turn: 0, round: 0, ", 3, "round"),
        ("0: play B1", "7: play B1", 5, 7),
        ("0: play B1", "seat: play B1", 5, "seat"),
        ("0: play B1", "{0: play B1, 1: play B3}", 5, "steps"),
        ("- 0: play B1", "- play B1", 4, "steps"),
        ("- 0: play B1", "- wait: soon", 5, "wait"),
        ("- 0: play B1", "- {0: play B1, at: -1}", 5, "at"),
        ("expect: {turn: 1,", "expect: {trun: 1,", 8, "trun"),
        ("legal:", "legal of 2:", 8, "legal of 2"),
        ("legal: [play B3]", "legal: play B3", 8, "legal"),
        ("cards: [1, 2]", "cards: [1, x]", 8, "cards"),
        ("game: marshmallow", "game: marshmallow\ngame: plingo", 2, "game"),
    ],
)
def test_a_malformed_scenario_is_named_by_line_and_key(
    old: str, new: str, line: int, key: object
) -> None:
    with pytest.raises(BadScenario) as caught:
        Scenario(GOOD.replace(old, new)).run()
    assert (caught.value.details["line"], caught.value.details["key"]) == (line, key)
    assert f"line {line}" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "game: !foo x",
        "game: !!int abc",
        "game: 2024-13-45\nsteps: []",
        "game: marshmallow\nseed: " + "9" * 5000 + "\nsteps: []",
        "game: &a [*a]",
        "a: &a [x, x]\nb: [*a, *a]",
        "game: " + "[" * 3000,
        "<<: {turn: 0}",
        "? [a, b]\n: c",
        "game: marshmallow\nseed: {a: 1}\nsteps: []",
        "game: marshmallow\nabout: x\nsteps: []",
        "game: marshmallow\nsteps: [{expect: {phase: play}, at: 3}]",
        "game: marshmallow\nsteps: [{wait: 3, error: game_over}]",
        "game: marshmallow\nsteps: [{wait: 99999999999999999999999}]",
        "game: marshmallow\nsteps: [{0: play B1, error: not_my_turn}]",
        "game: marshmallow\nsteps: [{0: play B1, error: ok}]",
        "game: marshmallow\nsteps: [{0: [play, B1]}]",
        "game: marshmallow\nsteps: [{expect: {phase: dealing}}]",
        "game: marshmallow\nposition: {turn: 0, trick: {1: [B1]}}\nsteps: []",
        "game: marshmallow\nposition: {scores: [100000, 0, 0, 0]}\nsteps: []",
        "game: marshmallow\nposition: {scores: [-1, 0, 0, 0]}\nsteps: []",
        "game: marshmallow\nposition: {scores: [20, 0, 0, 0]}\nsteps: []",
        "game: marshmallow\nposition: {tricks: [3, 3, 3, 0]}\nsteps: []",
        "game: marshmallow\nposition: {tricks: [3, 0, 0, 0], out: []}\nsteps: []",
        "game: marshmallow\nposition: {round: 99999999999}\nsteps: []",
        "game: plingo\nposition: {grids: [[0], [], [], []]}\nsteps: []",
    ],
    ids=lambda text: text[:40],
)
def test_hostile_and_impossible_files_are_malformed(text: str) -> None:
    with pytest.raises(BadScenario) as caught:
        Scenario(text).run()
    assert str(caught.value)


def test_text_that_is_not_yaml_is_named_by_line() -> None:
    with pytest.raises(BadScenario) as caught:
        Scenario("game: marshmallow\nsteps: [")
    assert caught.value.code == "scenario_yaml"


@pytest.mark.parametrize("text", ["", "- 1", "just words"])
def test_a_file_without_keys_is_malformed(text: str) -> None:
    with pytest.raises(BadScenario):
        Scenario(text)


def test_time_never_runs_back() -> None:
    steps = "steps:\n  - wait: 500\n  - 0: play B1\n    at: 400\n"
    with pytest.raises(BadScenario) as caught:
        Scenario(GOOD[: GOOD.index("steps")] + steps).run()
    assert caught.value.details["key"] == "at"


def test_a_scenario_without_a_position_is_dealt_from_its_seed() -> None:
    text = "game: plingo\nseed: {}\nsteps: [expect: {{cards: [8, 8, 8, 8]}}]"
    assert Scenario(text.format(3)).run() is None


def test_hands_may_differ_in_size_and_an_empty_hand_is_passed_over() -> None:
    text = """\
game: marshmallow
options: {seats: 3}
position: {turn: 0, hands: [B9 G1, B2, B3 G2]}
steps:
  - 0: play B9
  - 1: play B2
  - 2: play B3
  - expect: {turn: 0, cards: [1, 0, 1]}
  - 0: play G1
  - expect: {turn: 2}
  - 2: play G2
  - expect: {round: 2, phase: trump, dealer: 2}
"""
    assert Scenario(text).run() is None


def test_no_trump_is_written_none() -> None:
    text = "game: plingo\nsteps: [expect: {trump: none, phase: play}]"
    assert Scenario(text).run() is None


def test_boxes_may_be_a_list_a_text_or_a_number() -> None:
    text = """\
game: plingo
options: {seats: 2}
position: {turn: 0, master: 0, grids: [[1, 2], 3], hands: [B1, G2]}
steps:
  - expect: {grids: [1 2, [3]]}
"""
    assert Scenario(text).run() is None
