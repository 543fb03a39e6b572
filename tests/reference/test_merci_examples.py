"""The Merci reference itself, held against the rulebook's examples and play at any moment.

These tests prove nothing about the fast rules, so they carry no rule marks.
"""

import random

import pytest

from .merci import Merci
from .merci_cards import BACKS, FRONTS, combinations, new_combination, parse
from .merci_position import do, hand, merci_at, see
from .merci_table import HEARTS


def test_the_cards_are_those_of_the_box_dealt_in_the_order_given() -> None:  # ME-1, ME-2
    assert FRONTS[:11] == ["B1", "B2", "B2", "B3", "B3", "B4", "B4", "B5", "B5", "B6", "G1"]
    assert len(FRONTS) == len(BACKS) == 50
    game = Merci(seats=3, first_player=2)
    assert game.wants() == 50
    assert game.refusal(2, "draw", 0) == "not_your_turn"
    game.give(list(range(49, -1, -1)))
    assert (game.backs[0], game.backs[49]) == ("two", "one")
    assert game.wants() == 50
    game.give(list(range(50)))
    assert game.wants() == 0
    assert see(game, "turn", "phase", "round", "reserve") == [2, "turn", 1, 25]
    assert [hand(game, seat) for seat in range(3)] == [
        "B1 B2 B2 B3 B3 B4",
        "B4 B5 B5 B6 G1 G2",
        "G2 G3 G3 G4 G4 G5",
    ]
    assert see(game, "tops") == [["G5", "G6", "Y1"]]
    assert game.snapshot()["pile"][0] == game.full_name(21) == "Y2/heart"


def test_a_combination_must_be_new() -> None:  # ME-7, ME-9, ME-9a
    assert combinations(["Y4", "B2", "P3"]) == {("run", "2")}
    assert combinations(["Y4", "Y2", "Y3"]) == {("run", "2"), ("colour", "Y")}
    assert combinations(["Y1", "B2", "P4"]) == set()
    assert new_combination(["Y2", "B3", "P4"], 0, "Y5")  # the run changes its height
    assert not new_combination(["Y2", "B3", "P4"], 0, "O2")  # the same run again
    assert new_combination(["Y2", "Y5", "Y4"], 1, "Y3")  # a colour becomes a run
    assert not new_combination(["Y2", "Y5", "Y4"], 1, "Y6")  # the same colour again
    assert new_combination(["Y2", "Y3", "B4"], 2, "Y4")  # a run becomes a colour
    assert not new_combination(["Y3", "B3", "P3"], 0, "O3")  # the same value again


def test_a_run_changes_its_height() -> None:  # ME-8, ME-10, ME-11, ME-14a
    game = merci_at(["Y5 B2 G6", "O1 O2", "O3 O4"], "Y2 B3 P4", "G2/one G3/two G4/heart")
    do(game, "0: siouplait Y5 on 1")
    assert see(game, "phase", "speaker", "turn", "tops") == ["choose", 0, 0, ["Y5", "B3", "P4"]]
    assert game.refusal(0, "choose 0", 0) == "bad_target"
    assert game.refusal(0, "choose 3", 0) == "bad_action"
    assert game.refusal(1, "choose 2", 0) == "not_your_turn"
    assert game.refusal(1, "play O1 on 1", 0) == "bad_action"  # ME-16b
    do(game, "0: choose 2")
    assert see(game, "phase", "owes") == ["thanks", 2]
    do(game, "2: merci")
    assert see(game, "phase", "turn", "cards") == ["turn", 1, [2, 2, 3]]


def test_a_gift_stays_with_its_giver_until_it_is_taken() -> None:  # ME-12, ME-12a, ME-16b, ME-21a
    game = merci_at(["Y5 B3 P4", "O1 B4", "O3 P4"], "Y2 B3 P3", "G2/gift G3")
    do(game, "0: siouplait P4 on 3")
    assert see(game, "phase") == ["gift"]
    assert hand(game, 0) == "Y5 B3 G2"
    assert game.refusal(0, "give O5 to 0", 0) == "not_in_hand"
    assert game.refusal(0, "give G2 to 0", 0) == "bad_target"
    do(game, "0: give B3 to 1")
    assert hand(game, 0) == "Y5 B3 G2"
    assert game.refusal(0, "skuz B3 on 2", 0) == "bad_target"
    assert game.refusal(1, "skuz B4 on 3", 0) == "not_identical"
    do(game, "2: skuz P4 on 3", "1: merci")
    assert (hand(game, 0), hand(game, 1)) == ("Y5 G2", "O1 B4 B3")


def test_a_skuz_that_ends_the_round_drops_the_effect() -> None:  # ME-16a, ME-21a, ME-22, ME-23
    hands = ["Y5 B3 P4 O6", "O1 O2 O3", "P4"]
    game = merci_at(hands, "Y2 B3 P3", "G2/gift", laid="G4", hearts=[3, 0, 0])
    do(game, "0: siouplait P4 on 3", "0: give B3 to 1", "2: skuz P4 on 3")
    assert see(game, "hearts", "round", "turn", "phase") == [[2, 0, 2], 2, 0, "turn"]


@pytest.mark.parametrize("rules", ["start", "full"])
@pytest.mark.parametrize(
    ("back", "word", "right"),
    [
        ("one", "merci", True),
        ("one", "merci-beaucoup", False),
        ("two", "merci-beaucoup", True),
        ("two", "merci", False),
        ("two", "take", False),
    ],
)
def test_the_word_of_thanks_must_be_the_right_one(
    rules: str, back: str, word: str, right: bool
) -> None:  # ME-14, ME-15, ME-15a, ME-28d
    pile = f"G2/{back} G3 G4 G5"
    game = merci_at(["Y4 O1", "O2", "O3"], "Y5 B2 P3", pile, rules=rules, false_denounce="free")
    do(game, "0: siouplait Y4 on 1", "0: choose 2", f"2: {word}")
    drawn = 2 if back == "two" else 1
    assert see(game, "cards", "turn") == [[1, 1, 1 + drawn], 1]
    assert "denounce" in game.legal(0) & game.legal(1)
    assert "denounce" not in game.legal(2)
    assert game.refusal(2, "denounce", 0) == "nothing_to_denounce"
    assert game.refusal(0, "denounce", 0) == (None if not right else "nothing_to_denounce")
    if not right:
        do(game, "0: denounce")
        assert see(game, "cards", "turn") == [[1, 1, 2 + drawn], 1]
        assert game.refusal(1, "denounce", 0) == "nothing_to_denounce"  # once only


def test_a_forgotten_skuz_is_lost_with_the_start_rules() -> None:  # ME-19, ME-19a, ME-18a
    game = merci_at(["Y5 O1", "Y5 O2", "B3 O3"], "Y4 B3 P3", turn=0)
    assert game.refusal(2, "play O3 on 3", 0) == "not_your_turn"
    assert game.refusal(1, "play Y5 on 1", 0) == "not_your_turn"
    assert game.legal(2) == {"skuz B3 on 2"}
    do(game, "2: play B3 on 2")  # out of turn: the turn stays
    assert see(game, "turn", "cards") == [0, [2, 2, 1]]
    do(game, "0: denounce")
    assert see(game, "turn", "tops", "laid") == [0, ["Y4", "B3", "P3"], []]
    assert hand(game, 2) == "O3 B3"
    assert game.refusal(2, "skuz B3 on 2", 0) == "skuz_lost"
    assert game.refusal(2, "play B3 on 2", 0) == "skuz_lost"
    do(game, "0: play Y5 on 1", "1: siouplait Y5 on 1")
    assert see(game, "turn", "phase") == [2, "turn"]
    do(game, "2: denounce")
    assert see(game, "turn", "cards") == [1, [1, 2, 2]]  # a SKUZ uses no turn
    do(game, "1: draw", "2: play B3 on 3")  # on a card that merely matches it may be laid
    assert see(game, "turn", "tops") == [0, ["Y5", "B3", "B3"]]


def test_the_pile_is_rebuilt_in_the_middle_of_two_cards() -> None:  # ME-20, ME-20a, ME-20b
    game = merci_at(["Y4 O1", "O2", "O3"], "Y5 B2 P3", "G2/two", laid="O5 B6")
    game.act(0, "siouplait Y4 on 1", 0)
    game.act(0, "choose 1", 0)
    game.act(1, "merci-beaucoup", 0)
    assert game.wants() == 3
    assert game.due() is None
    game.give([1, 2, 0])  # of B6, Y5, O5
    assert game.wants() == 0
    assert hand(game, 1) == "O2 G2 Y5"
    assert see(game, "pile", "laid", "turn") == [["O5/one", "B6/one"], [], 1]
    do(game, "1: draw", "2: draw")
    assert see(game, "pile", "cards", "turn") == [[], [1, 4, 2], 0]
    do(game, "0: draw")  # nothing
    assert see(game, "cards", "turn") == [[1, 4, 2], 1]


def test_an_empty_pile_is_rebuilt_for_a_right_siouplait() -> None:  # ME-20b
    game = merci_at(["Y4 O1", "O2", "Y4 O3"], "Y5/heart B2 P3", "", hearts=[1, 0, 1])
    do(game, "0: siouplait Y4 on 1")
    assert see(game, "pile", "phase", "hearts") == [["Y5/heart"], "choose", [1, 1, 1]]


def test_a_last_card_with_a_right_siouplait() -> None:  # ME-12a, ME-21, ME-21a
    game = merci_at(["Y4", "O1 O2", "O3 B2"], "Y5 B2 P3", "G2/gift G3")
    do(game, "0: siouplait Y4 on 1")
    assert game.refusal(2, "skuz B2 on 2", 0) == "bad_action"
    assert game.legal(2) == set()  # the gift drawn closed what could be denounced
    assert game.legal(0) == {"give G2 to 1", "give G2 to 2"}
    do(game, "0: give G2 to 1", "1: merci")
    assert see(game, "round", "hearts", "turn") == [2, [2, 0, 0], 1]


def test_the_25th_heart_wins_at_once() -> None:  # ME-27, ME-27a
    game = merci_at(["Y4 O1", "O2", "O3"], "Y5 B2 P3", "G2/heart", hearts=[9, 8, 7])
    do(game, "0: siouplait Y4 on 1")
    assert see(game, "phase", "winners", "turn", "reserve") == ["over", [2], "none", 0]
    assert game.refusal(0, "nonsense", 0) == "game_over"
    game = merci_at(["Y4", "O2 O1 O3", "O3 O4 O5"], "Y5 B2 P2", hearts=[0, 20, 4])
    do(game, "0: play Y4 on 1")
    assert see(game, "winners", "hearts") == [[0], [1, 20, 4]]  # before hearts are put back


def test_most_hearts_then_fewest_cards_win() -> None:  # ME-25, ME-26
    hands = ["Y4", "O1 O2 O3", "P4 P5", "G4"]
    game = merci_at(hands, "Y5 B2 P2", hearts=[3, 7, 6, 6])
    do(game, "0: play Y4 on 1")
    assert see(game, "winners", "hearts") == [[3], [5, 6, 6, 6]]


def test_two_equal_fronts_are_told_by_age_and_back() -> None:
    game = merci_at(["Y3/two Y3/gift O1", "O2", "O3"], "Y5 B2 P1")
    assert game.legal(0) >= {"play Y3 on 1", "play Y3/gift on 1", "siouplait Y3/gift on 1"}
    assert "play Y3/two on 1" not in game.legal(0)
    assert game.refusal(0, "play Y3/heart on 1", 0) == "not_in_hand"
    do(game, "0: play Y3 on 1")
    assert see(game, "hands")[0][0] == ["Y3/gift", "O1/one"]


@pytest.mark.parametrize("text", ["", "play", "play Y7 on 1", "skuz Y3 on 4", "choose 6", "Draw"])
def test_nonsense(text: str) -> None:
    assert parse(text) is None
    game = merci_at(["Y3 O1", "O2", "O3"], "Y5 B2 P1")
    assert game.refusal(0, text, 0) == "bad_action"


def check(game: Merci) -> None:
    seen = game.snapshot()
    cards = [card for held in game.hands for card in held] + game.pile
    cards += [card for stack in game.stacks for card in stack]
    assert sorted(cards) == list(range(50))
    assert sum(seen["hearts"]) + seen["reserve"] == HEARTS
    assert min(seen["hearts"]) >= 0
    assert (seen["phase"] == "over") == bool(seen["winners"])
    assert game.skuz_lost == set() or not game.malpoli


@pytest.mark.parametrize("rules", ["start", "full"])
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("false_denounce", ["free", "draw"])
def test_any_moment_play(seats: int, rules: str, false_denounce: str) -> None:
    for seed in range(2):
        rng = random.Random(f"{seats} {rules} {false_denounce} {seed}")
        game = Merci(seats, rules, rng.randrange(seats), 1000, false_denounce)
        t = 0
        for _ in range(2000):
            if game.wants():
                order = list(range(game.wants()))
                rng.shuffle(order)
                game.give(order)
                continue
            check(game)
            if game.phase == "over":
                break
            t += rng.choice([0, 10, 300, 999])
            while not game.wants() and (due := game.due()) is not None and due <= t:
                game.tick()
            if game.wants():
                continue
            seat = rng.randrange(seats)
            actions = sorted(game.legal(seat))
            if game.hands[seat]:
                name = FRONTS[rng.choice(game.hands[seat])]
                actions.append(f"{rng.choice(['play', 'siouplait'])} {name} on {rng.choice('123')}")
            if not actions:
                continue
            # Cards laid rather than drawn, so that rounds end.
            laying = [action for action in actions if " on " in action]
            action = rng.choice(laying or actions) if rng.random() < 0.6 else rng.choice(actions)
            if game.refusal(seat, action, t) is None:
                game.act(seat, action, t)
        assert game.phase == "over" or game.round > 1
