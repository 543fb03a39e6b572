"""The Merci reference where a seat is impolite, intercepts, or lays a last card: faults and
their time, interceptions, the wait before a round's end.

These tests prove nothing about the fast rules, so they carry no rule marks.
"""

from typing import Any

import pytest

from .merci_position import do, hand, merci_at, see

FAULTS = [
    "0: play Y4 on 1",  # a combination without SIOUPLAIT
    "0: siouplait B5 on 2",  # SIOUPLAIT without one
    "0: play B2 on 2",  # an identical card without SKUZ
    "0: siouplait B2 on 2",
    "0: skuz B5 on 2",  # one formula for another
    "1: play B4 on 2",  # out of turn
    "1: siouplait Y4 on 1",  # neither a 1 nor a 6
    "1: skuz B4 on 2",
]


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("denounced", [True, False])
def test_malpoli(fault: str, denounced: bool) -> None:  # ME-28, ME-28a, ME-28b
    hands = ["Y4 B5 B2 O1", "B4 Y4 O2", "O3"]
    game = merci_at(hands, "Y5 B2 P3", "G2/one G3", rules="full", false_denounce="free")
    before, seat = game.snapshot(), int(fault[0])
    action = fault[3:]
    assert action in game.legal(seat)
    assert game.refusal(seat, "play Y4 on 2", 0) == "no_match"
    do(game, fault, t=100)
    seen = game.snapshot()
    assert (seen["phase"], seen["hearts"]) == ("turn", [0, 0, 0])
    assert seen["turn"] == (1 if seat == 0 else 0)
    assert game.due() == 6100
    assert game.refusal(seat, "denounce", 100) == "nothing_to_denounce"
    assert game.refusal(2, "denounce", 6100) == "nothing_to_denounce"
    if denounced:
        do(game, "2: denounce", t=6099)
        assert see(game, "tops", "laid", "turn") == [before["tops"], [], seen["turn"]]
        assert hand(game, seat).split()[-2:] == [action.split()[1], "G2"]
        assert game.due() is None
    else:
        game.tick()
        assert game.due() is None
        assert game.snapshot() == seen
        assert "denounce" not in game.legal(2)


@pytest.mark.parametrize("rules", ["start", "full"])
def test_the_next_card_closes_a_fault(rules: str) -> None:  # ME-28b, ME-28c
    hands = ["B2 O1", "B4 O2", "O3 P3"]
    game = merci_at(hands, "Y5 B2 P3", rules=rules, false_denounce="draw")
    do(game, "0: play B2 on 2", "2: skuz P3 on 3", "1: denounce")
    assert see(game, "cards", "tops", "turn") == [[1, 3, 1], ["Y5", "B2", "P3"], 1]


def test_a_last_card_waits_with_the_full_rules() -> None:  # ME-29, ME-29a
    for word, denounced in (("siouplait", True), ("siouplait", False), ("play", False)):
        game = merci_at(["B4", "B5 O2", "O3 O4"], "Y6 B2 P3", "G2 G3", rules="full")
        do(game, f"0: {word} B4 on 2", t=50)
        assert game.refusal(1, "draw", 60) == "bad_action"
        assert game.refusal(2, "play O3 on 3", 60) == "bad_action"
        assert game.legal(1) == {"denounce"}
        assert game.legal(0) == set()
        assert game.due() == 6050
        if denounced:
            do(game, "2: denounce", t=60)
            assert (hand(game, 0), game.due()) == ("B4 G2", None)
            assert see(game, "turn", "round", "phase") == [1, 1, "turn"]
            continue
        game.tick()
        assert game.wants() == 50
        game.give(list(range(50)))
        assert see(game, "hearts", "round", "turn") == [[2, 0, 0], 2, 1]


def test_a_last_effect_is_settled_before_the_wait() -> None:  # ME-15a, ME-21a, ME-29a
    game = merci_at(["Y4", "O1 O2", "O3 B2"], "Y5 B2 P3", "G2/two G3 G4", rules="full")
    do(game, "0: siouplait Y4 on 1", t=0)
    game.tick()  # the window after the card
    do(game, "0: choose 2", "2: take", t=7000)
    assert game.due() == 13000
    do(game, "0: denounce", t=7500)
    assert see(game, "cards", "round") == [[0, 2, 5], 1]
    assert game.due() == 13000
    game.tick()
    assert see(game, "hearts", "round") == [[2, 0, 0], 2]


def test_interception() -> None:  # ME-30, ME-30a, ME-28b
    hands = ["O1 O2", "O3 B4", "O3 Y6", "Y1 O5"]
    game = merci_at(hands, "Y2 B4 P5", "G2/one G3", rules="full", false_denounce="free")
    assert game.refusal(2, "siouplait Y6 on 2", 0) == "no_match"
    do(game, "1: play B4 on 2")  # a fault, which the interception closes
    do(game, "2: siouplait Y6 on 1")
    assert see(game, "hearts", "phase", "speaker", "turn") == [[0, 0, 1, 0], "choose", 2, 0]
    assert game.refusal(0, "denounce", 0) == "nothing_to_denounce"
    assert game.refusal(3, "siouplait Y1 on 1", 0) == "bad_action"
    do(game, "2: choose 0", "0: merci")
    assert see(game, "turn", "phase", "cards") == [3, "turn", [3, 1, 1, 2]]


def test_an_interception_can_be_a_last_card() -> None:  # ME-21a, ME-29a
    game = merci_at(["O1 O2", "O3", "Y6"], "Y2 B4 P5", "G2/one G3", rules="full")
    do(game, "2: siouplait Y6 on 1", "2: choose 0", "0: merci", t=5)
    assert see(game, "round", "turn") == [1, 0]
    assert game.due() == 6005
    game.tick()
    assert see(game, "round", "hearts") == [2, [0, 0, 3]]


def test_a_one_or_a_six_earns_a_heart_only_with_siouplait() -> None:  # ME-17, ME-18, ME-30
    for word, hearts in (("siouplait", [1, 0, 0]), ("play", [0, 0, 0])):
        game = merci_at(["Y6 O2", "O3", "Y1 O4"], "Y2 B4 P5", "G2/one G3")
        assert game.refusal(2, "siouplait Y1 on 1", 0) == "not_your_turn"  # no interception
        do(game, f"0: {word} Y6 on 1")
        assert see(game, "hearts") == [hearts]


def test_time_alone_closes_a_fault_where_that_is_chosen() -> None:  # ME-28b, ME-28d
    hands = ["P4 O1", "P2 B3 O2", "O3 O4"]
    options: dict[str, Any] = {"rules": "full", "fault_ends": "time", "false_denounce": "free"}
    game = merci_at(hands, "Y2 B3 P6", "G2 G3", **options)
    do(game, "0: play P4 on 3", t=100)
    do(game, "1: skuz B3 on 2", "1: play P2 on 3", t=500)
    assert "denounce" in game.legal(1)
    assert game.due() == 6100  # what seat 1 can denounce
    assert game.refusal(2, "denounce", 6100) == "nothing_to_denounce"
    assert game.refusal(0, "denounce", 6099) == "nothing_to_denounce"
    do(game, "1: denounce", t=6099)
    assert see(game, "tops", "laid", "turn") == [["Y2", "B3", "P2"], ["B3/one", "P6/one"], 2]
    assert (hand(game, 0), game.due()) == ("O1 P4 G2", None)


def test_a_later_fault_takes_the_place_of_an_earlier_one() -> None:  # ME-28b
    game = merci_at(["P4 O1", "O6 O2", "Y6 O4"], "Y2 B3 P6", rules="full", fault_ends="time")
    do(game, "0: play P4 on 3", "2: skuz Y6 on 1", "1: denounce")
    assert see(game, "tops", "cards") == [["Y2", "B3", "P4"], [1, 2, 3]]
    do(game, "1: denounce")  # of the earlier one nothing is left
    assert see(game, "cards") == [[1, 3, 3]]


def test_what_was_shuffled_is_not_taken_back() -> None:  # ME-20, ME-28b
    options: dict[str, Any] = {"rules": "full", "fault_ends": "time"}
    for steps, tops in (
        (["1: draw"], ["Y2", "B3", "P4"]),  # nothing lies under it any more
        (["1: play P2 on 3", "2: draw"], ["Y2", "B3", "P2"]),  # it is in the pile
        (["1: draw", "2: play P2 on 3"], ["Y2", "B3", "P2"]),  # it was a top, and is taken back
    ):
        game = merci_at(["P4 O1", "P2 O2", "P2 O3"], "Y2 B3 P6", "G2", **options)
        do(game, "0: play P4 on 3", *steps)
        do(game, "2: denounce" if steps[-1][0] == "1" else "1: denounce")
        assert see(game, "tops") == [tops]
        assert len(hand(game, 0).split()) == (3 if len(steps) == 2 and steps[0] == "1: draw" else 2)


def test_a_turn_is_given_back_as_long_as_no_other_was_used() -> None:  # ME-19a, ME-28b
    for steps, turn in (
        ([], 0),
        (["2: skuz B3 on 2"], 0),
        (["1: draw"], 2),
        (["1: draw", "2: draw", "0: draw"], 1),
    ):
        hands = ["Y2 O1", "O2 O3", "B3 O4"]
        game = merci_at(hands, "Y2 B3 P6", "G1 G2 G3 G4", fault_ends="time")
        do(game, "0: play Y2 on 1", *steps, "1: denounce")
        assert see(game, "turn", "tops") == [turn, ["Y2", "B3", "P6"]]
        assert game.refusal(0, "skuz Y2 on 1", 0) == "skuz_lost"


def test_only_who_takes_a_card_back_has_not_won() -> None:  # ME-29, ME-29a
    options: dict[str, Any] = {"rules": "full", "fault_ends": "time"}
    game = merci_at(["P4 B3", "O2 O3", "O4 O5"], "Y2 B3 P6", **options)
    do(game, "0: play P4 on 3", "0: skuz B3 on 2", "1: denounce")
    assert (game.ending, hand(game, 0)) == (None, "P4 G1")
    game = merci_at(["P4 O1", "O2 O3", "B3"], "Y2 B3 P6", **options)
    do(game, "0: play P4 on 3", "2: skuz B3 on 2", "1: denounce")
    assert game.ending is not None
    assert hand(game, 0) == "O1 P4 G1"


@pytest.mark.parametrize("wait", ["on", "off"])
def test_a_hand_may_be_emptied_by_a_gift(wait: str) -> None:  # ME-21b, ME-29a
    hands = ["P4 B3", "O3 O4", "O1 O2"]
    game = merci_at(hands, "Y2 B3 P6", "G3/gift G4", last_card_wait=wait)
    do(game, "0: siouplait P4 on 3", "0: skuz B3 on 2", "0: give G3 to 2")
    assert see(game, "round", "cards") == [1, [1, 2, 2]]
    do(game, "2: merci", t=10)
    if wait == "on":
        assert see(game, "round", "cards") == [1, [0, 2, 3]]
        assert game.due() == 6010
        game.tick()
    assert see(game, "round", "hearts") == [2, [2, 0, 0]]


VARIANTS = ("malpoli", "interception", "last_card_wait")


def test_each_variant_stands_by_itself() -> None:  # ME-28, ME-29a, ME-30
    hands = ["Y4 O1", "B4 Y6", "O3"]
    for rules in ("start", "full"):
        for on in VARIANTS:
            chosen: dict[str, Any] = dict.fromkeys(VARIANTS, "off") | {on: "on"}
            game = merci_at(hands, "Y5 B5 P4", rules=rules, **chosen)
            faulty = None if on == "malpoli" else "not_your_turn"
            assert game.refusal(1, "play B4 on 2", 0) == faulty
            right = game.refusal(1, "siouplait Y6 on 1", 0)
            assert right == (None if on in ("malpoli", "interception") else "not_your_turn")
            assert game.false_costs == (rules == "full")
            assert game.last_card_wait == (on == "last_card_wait")
