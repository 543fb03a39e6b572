"""Merci: what its scenarios can't say."""

import random
from collections import Counter
from typing import Any

import pytest

import pli
from pli.games.merci.events import Denounced, Effect, Got, Hearts, Laid, Named, TookBack
from pli.games.merci.rules.cards import equals, first_of, front, matching, twin, value
from pli.games.merci.state import (
    ACTIONS,
    BACKS,
    CARDS,
    FRONTS,
    HEARTS,
    NO_CARD,
    VARIANTS,
    MerciOptions,
    State,
    front_name,
)
from pli.games.merci.view import MerciView
from pli.kernel.bits import size, to_list
from pli.match import Match
from pli.testing.walks import Walk
from tests.games.merci.positions import tables
from tests.tables import Table


def placed(seats: int = 3, **given: Any) -> Match[State, MerciView]:
    """A position, written as in a scenario, with any options."""
    game = pli.games.load("merci")
    position = {key: given.pop(key) for key in game.placed if key in given}
    match = pli.new("merci", seed=1, seats=seats, **given)
    match.place(position)
    return match


@pytest.mark.rule("ME-1")
def test_fronts_are_1_to_6_in_five_colours_two_of_each_but_1_and_6() -> None:
    fronts = Counter(front_name(front(card)) for card in range(CARDS))
    assert len(fronts) == FRONTS
    for name, count in fronts.items():
        assert count == (1 if name[1] in "16" else 2)


@pytest.mark.rule("ME-1a")
def test_backs_are_shared_out_anew_each_game() -> None:
    pairings = set()
    for seed in range(5):
        state = pli.new("merci", seed=seed).state
        assert Counter(BACKS[back] for back in state.back) == {
            "one": 13,
            "gift": 13,
            "heart": 12,
            "two": 12,
        }
        pairings.add(tuple(state.back))
    assert len(pairings) == 5


@pytest.mark.rule("ME-1a")
def test_everyone_sees_every_back_and_only_ones_own_fronts() -> None:
    match = pli.new("merci", seed=1)
    view = match.view(2)
    for seat in range(4):
        own = match.view(seat).hand
        assert sorted(name.partition("/")[2] for name in own) == view.backs[seat]
    assert len(view.hand) == 6


@pytest.mark.rule("ME-2")
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_six_cards_each_three_stacks_and_the_rest_is_the_pile(seats: int) -> None:
    view = pli.new("merci", seed=1, seats=seats).view(None)
    assert view.cards == [6] * seats
    assert len(view.tops) == 3
    assert view.pile == 50 - 6 * seats - 3


@pytest.mark.rule("ME-3")
def test_chance_names_who_begins_and_a_host_may() -> None:
    assert {pli.new("merci", seed=seed).state.turn for seed in range(60)} == {0, 1, 2, 3}
    assert pli.new("merci", seed=1, first_player=2).state.turn == 2


def test_cards_know_their_equals_and_matches() -> None:
    for card in range(CARDS):
        other = twin(card)
        assert (other == NO_CARD) == (value(card) in (1, 6))
        assert other == NO_CARD or front(other) == front(card)
        assert first_of(front(card)) == min(to_list(equals(card)))
        same = {
            each for each in range(CARDS) if each // 10 == card // 10 or value(each) == value(card)
        }
        assert set(to_list(matching(card))) == same


@pytest.mark.rule("ME-19a")
def test_a_lost_skuz_is_forgotten_in_the_next_round() -> None:
    match = placed(turn=0, tops=["Y2", "B3", "P4"], hands=["Y2 G6", "O1 O2", "B2"])
    match.act(0, "play Y2 on 1")
    match.act(1, "denounce")
    assert size(match.state.skuz_lost) == 1
    match.act(0, "draw")
    match.act(1, "draw")
    match.act(2, "play B2 on 2")
    assert match.view(None).round == 2
    assert match.state.skuz_lost == 0


@pytest.mark.rule("ME-28d")
def test_nothing_tells_of_a_fault() -> None:
    """A right and a wrong play leave the same views, the same lists and the same timer."""
    tops, hands = ["Y2", "B3", "P4"], ["Y5 B2 G6", "O1 O2 B5", "O3 O4"]
    right = placed(rules="full", turn=0, tops=tops, hands=hands)
    wrong = placed(rules="full", turn=0, tops=tops, hands=hands)
    right.act(0, "play B2 on 2", at=10)  # a plain card
    wrong.act(0, "skuz B2 on 2", at=10)  # the wrong word
    assert wrong.state.fault != right.state.fault
    for seat in (0, 1, 2, None):
        assert right.view(seat) == wrong.view(seat)
    for seat in range(3):
        assert right.legal(seat) == wrong.legal(seat)
    assert right.due == wrong.due


def test_what_happens_is_told_and_a_gift_only_to_giver_and_taker() -> None:
    match = placed(
        turn=0,
        tops=["Y2", "B3", "P4"],
        hands=["Y5 B1/one G6", "O1 O2", "O3 O4"],
        pile=["G2/gift", "G3/two"],
    )
    match.act(0, "siouplait Y5 on 1")
    told = list(match.events(1))
    assert Laid(seat=0, word="siouplait", card="Y5", stack=1) in told
    assert Effect(seat=0, back="gift") in told
    assert Got(seat=0, backs=["gift"], cards=[]) in told
    assert Got(seat=0, backs=["gift"], cards=["G2/gift"]) in list(match.events(0))
    match.act(0, "give B1 to 2")
    assert list(match.events(1))[-1] == Named(seat=2, gift_back="one")
    match.act(2, "merci")
    assert list(match.events(1))[-1] == Got(seat=2, backs=["one"], cards=[])
    for seat in (0, 2):
        assert Got(seat=2, backs=["one"], cards=["B1/one"]) in list(match.events(seat))


def test_faults_and_hearts_are_told_when_they_show() -> None:
    match = placed(
        rules="full", turn=0, tops=["Y2", "B3", "P4"], hands=["Y5 B1 G6", "O1 O2", "O3 O4"]
    )
    match.act(0, "play Y5 on 1")  # makes a run, in silence
    match.act(2, "denounce")
    why = Denounced(seat=2, offender=0, reason="siouplait_forgotten")
    back = next(name for name in match.view(0).hand if name.startswith("Y5")).partition("/")[2]
    took = TookBack(seat=0, card="Y5", back=back, stack=1, covered=False)
    assert list(match.events(1))[1:3] == [why, took]
    match = placed(turn=0, tops=["Y2", "B3", "P4"], hands=["Y6 B1", "O1", "O3"], pile=["G2/one"])
    match.act(0, "play B1 on 2")
    assert not any(isinstance(event, Hearts) for event in match.events(1))


@pytest.mark.rule("ME-28")
@pytest.mark.parametrize(
    ("rules", "seat", "action", "reason"),
    [
        ("full", 0, "play P5 on 3", "siouplait_forgotten"),
        ("full", 0, "siouplait P1 on 3", "siouplait_wrong"),
        ("full", 0, "skuz P1 on 3", "skuz_wrong"),
        ("full", 0, "play B3 on 1", "skuz_forgotten"),
        ("full", 0, "siouplait B3 on 1", "siouplait_for_skuz"),
        ("full", 1, "play P2 on 3", "out_of_turn"),
        ("full", 1, "siouplait P5 on 3", "out_of_turn"),
        ("start", 0, "play B3 on 1", "skuz_forgotten"),
        ("start", 0, "siouplait B3 on 1", "skuz_forgotten"),
    ],
)
def test_a_denunciation_tells_what_was_wrong_with_a_card(
    rules: str, seat: int, action: str, reason: str
) -> None:
    hands = ["B3 P5 P1", "P2 P5", "O3 O4"]
    match = placed(rules=rules, turn=0, tops=["B3", "G4", "P6"], hands=hands)
    match.act(seat, action)
    match.act(2, "denounce")
    assert Denounced(seat=2, offender=seat, reason=reason) in list(match.events(0))


@pytest.mark.rule("ME-15")
@pytest.mark.parametrize(("word", "reason"), [("merci", "wrong_thanks"), ("take", "no_thanks")])
def test_a_denunciation_tells_what_was_wrong_with_thanks(word: str, reason: str) -> None:
    hands = ["P5 P1 O2", "P2", "O3 O4"]
    pile = ["Y1/one", "Y2/one", "Y3/two", "Y4/two"]
    match = placed(turn=0, tops=["B3", "G4", "P6"], hands=hands, pile=pile[::-1])
    match.act(0, "siouplait P5 on 3")
    match.act(0, "choose 1")
    match.act(1, word)
    match.act(2, "denounce")
    assert Denounced(seat=2, offender=1, reason=reason) in list(match.events(0))


def test_a_denunciation_without_a_fault_names_nobody() -> None:
    tops, hands = ["B3", "G4", "P6"], ["P1 O2", "P2", "O3"]
    match = placed(rules="full", turn=0, tops=tops, hands=hands)
    match.act(0, "play P1 on 3")
    match.act(2, "denounce")
    assert Denounced(seat=2, offender=None, reason=None) in list(match.events(0))


LASTING: dict[str, Any] = {"rules": "full", "fault_ends": "time"}


@pytest.mark.rule("ME-28d")
def test_nothing_tells_of_a_fault_that_stays_open() -> None:
    """Behind a later card, and when its own time is over."""
    tops, hands = ["Y2", "B3", "P4"], ["Y5 B2 G6", "O1 O2 B5", "O4 B3"]
    right = placed(turn=0, tops=tops, hands=hands, **LASTING)
    wrong = placed(turn=0, tops=tops, hands=hands, **LASTING)
    right.act(0, "play B2 on 2", at=10)
    wrong.act(0, "skuz B2 on 2", at=10)
    for match in (right, wrong):
        match.act(1, "draw", at=500)
        match.act(2, "play O4 on 3", at=800)
    for moment in (1000, 6009, 6010, 6799, 6800):
        for match in (right, wrong):
            match.wait(moment)
        assert right.due == wrong.due
        for seat in range(3):
            assert right.view(seat) == wrong.view(seat)
            assert right.legal(seat) == wrong.legal(seat)
            assert ("denounce" in right.legal(seat)) == (moment < (6010 if seat == 2 else 6800))


@pytest.mark.rule("ME-28b")
def test_a_card_taken_from_under_others_is_told_with_its_stack() -> None:
    tops, hands = ["B3", "G4", "P6"], ["P5 O1 O2", "P1 O5", "O3 O4"]
    match = placed(turn=0, tops=tops, hands=hands, **LASTING)
    match.act(0, "play P5 on 3")
    match.act(1, "play P1 on 3")
    match.act(2, "denounce")
    told = list(match.events(1))
    assert Denounced(seat=2, offender=0, reason="siouplait_forgotten") in told
    (took,) = [event for event in told if isinstance(event, TookBack)]
    assert (took.seat, took.card, took.stack, took.covered) == (0, "P5", 3, True)
    assert f"P5/{took.back}" in match.view(0).hand


@pytest.mark.rule("ME-28b")
def test_a_card_that_is_not_taken_back_is_not_told_of() -> None:
    tops, hands = ["B3", "G4", "P6"], ["P5 O1 O2", "P1 O5", "O3 O4"]
    match = placed(turn=0, tops=tops, hands=hands, pile=["G1"], **LASTING)
    match.act(0, "play P5 on 3")
    match.act(1, "draw")
    match.act(2, "denounce")
    told = list(match.events(1))
    assert Denounced(seat=2, offender=0, reason="siouplait_forgotten") in told
    assert not [event for event in told if isinstance(event, TookBack)]
    assert match.view(None).tops == ["B3", "G4", "P5"]


@pytest.mark.parametrize("rules", ["start", "full"])
def test_variants_are_what_the_rules_say_unless_they_are_chosen(rules: str) -> None:
    full = rules == "full"
    view = pli.new("merci", seed=1, rules=rules).view(None)
    assert (view.malpoli, view.interception, view.last_card_wait) == (full, full, full)
    assert view.false_denounce == ("draw" if full else "free")
    for variant in VARIANTS:
        for chosen in ("on", "off"):
            options: dict[str, Any] = {"rules": rules, variant: chosen}
            view = pli.new("merci", seed=1, **options).view(None)
            assert view.rules == rules
            for each in VARIANTS:
                assert getattr(view, each) == ((chosen == "on") if each == variant else full)


def test_a_game_departs_from_print_where_a_variant_is_not_what_its_rules_say() -> None:
    assert MerciOptions().departures() == []
    assert MerciOptions(rules="full", malpoli="on", last_card_wait="on").departures() == []
    assert MerciOptions(rules="full", interception="off").departures() == ["interception"]
    both = MerciOptions(malpoli="on", interception="off", last_card_wait="on")
    assert both.departures() == ["last_card_wait", "malpoli"]
    silent = MerciOptions(fault_window_ms=1, fault_ends="time", false_denounce="draw")
    assert silent.departures() == []


def test_every_action_of_the_rules_has_its_text() -> None:
    assert len(pli.games.load("merci").notation) == ACTIONS


@tables
def test_hearts_are_never_fewer_than_none_nor_more_than_there_are(table: Table) -> None:
    for seed in range(5):
        walk, rng = Walk(table.game, table.options, seed), random.Random(seed)
        for _ in range(150):
            walk.take(walk.random_move(rng, 0.3))
            hearts = walk.match.state.hearts
            assert min(hearts) >= 0
            assert sum(hearts) <= HEARTS
