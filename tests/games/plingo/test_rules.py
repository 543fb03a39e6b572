"""Plingo: what its scenarios can't say."""

from collections import Counter
from typing import Any

import pytest

import pli
from pli.games.plingo.bots import choose
from pli.games.plingo.events import Cancelled, NobodyTook, Revealed, Ticked, Took, Turned, Won
from pli.games.plingo.rules import DECK, State, uncancelled, values, values_once
from pli.games.plingo.view import PlingoView
from pli.kernel.bits import from_list, size
from pli.match import Match


def placed(
    seats: int = 4, chosen: dict[str, Any] | None = None, **position: object
) -> Match[State, PlingoView]:
    match = pli.new("plingo", seed=1, seats=seats, **(chosen or {}))
    match.place(position)
    return match


def cards(text: str) -> int:
    return from_list(DECK.number(name) for name in text.split())


@pytest.mark.rule("PL-1")
def test_the_deck_is_40_cards_1_to_10_in_four_colours() -> None:
    assert len(DECK) == 40
    assert Counter(name[0] for name in DECK.names) == dict.fromkeys("BGYP", 10)


@pytest.mark.rule("PL-3")
@pytest.mark.parametrize(("seats", "each"), [(2, 10), (3, 9), (4, 8), (5, 7), (6, 6)])
def test_the_more_seats_the_fewer_cards(seats: int, each: int) -> None:
    match = pli.new("plingo", seed=2, seats=seats)
    assert match.view(None).cards == [each] * seats
    assert size(match.state.hidden) == 40 - each * seats


@pytest.mark.rule("PL-4")
def test_chance_names_the_first_master_fairly_and_a_host_may_name_one() -> None:
    masters = Counter(pli.new("plingo", seed=seed).view(None).master for seed in range(400))
    assert set(masters) == {0, 1, 2, 3}
    assert min(masters.values()) > 60
    for seat in range(4):
        assert pli.new("plingo", seed=1, first_master=seat).view(None).master == seat


@pytest.mark.rule("PL-7", "PL-10")
@pytest.mark.parametrize(
    ("held", "left"),
    [
        ("B1 G2 Y3", "B1 G2 Y3"),
        ("B1 G1 Y3", "Y3"),
        ("B1 G1 Y1 P1 B2", "B2"),
        ("B10 P10 G9", "G9"),
        ("B5 G5 Y7 P7", ""),
    ],
)
def test_equal_values_leave_and_single_ones_stay(held: str, left: str) -> None:
    assert uncancelled(cards(held)) == cards(left)
    once = {int(name[1:]) - 1 for name in left.split()}
    assert values_once(cards(held)) == from_list(once)
    assert values(cards(held)) == from_list({int(name[1:]) - 1 for name in held.split()})


@pytest.mark.rule("PL-9")
def test_what_was_taken_lies_face_down_until_the_reveal() -> None:
    match = placed(seats=2, turn=0, master=0, hands=["B9 G3", "B2 G5"])
    match.act(0, "play B9")
    match.act(1, "play B2")
    view = match.view(1)
    assert view.taken == [2, 0]
    assert view.revealed == []
    match.act(0, "play G3")
    match.act(1, "play G5")
    revealed = [event for event in match.events(None) if isinstance(event, Revealed)]
    assert [event.cards for event in revealed] == [["B2", "B9"], ["G3", "G5"]]


def test_a_trick_and_a_reveal_are_told_in_their_order() -> None:
    match = placed(turn=0, master=0, hands=["B9", "Y9", "B4", "P8"])
    for seat, card in enumerate(["B9", "Y9", "B4", "P8"]):
        match.act(seat, f"play {card}")
    told = [event for event in match.events(None) if not isinstance(event, Revealed)][4:]
    assert told[:3] == [
        Cancelled(cards=["B9", "Y9"]),
        Took(seat=2, cards=["B4", "P8"]),
        Ticked(seat=2, boxes=[4, 8]),
    ]


def test_a_cancelled_trick_and_a_turned_card_are_told() -> None:
    match = placed(seats=2, turn=0, master=0, hands=["B9", "Y9"])
    match.act(0, "play B9")
    match.act(1, "play Y9")
    told = list(match.events(None))
    assert NobodyTook(seat=0) in told
    assert Turned(seat=0, side="back") in told


def test_a_joker_and_a_victory_are_told() -> None:
    match = placed(
        seats=2, turn=0, master=0, grids=[[1, 2, 3, 4, 5, 6, 7, 8], []], hands=["B10", "Y9"]
    )
    match.act(0, "play B10")
    match.act(1, "play Y9")
    told = list(match.events(1))
    assert Won(seat=0, boxes=9) in told
    match = placed(seats=2, turn=0, master=0, grids=[[1], []], hands=["B10", "Y9"])
    match.act(0, "play B10")
    match.act(1, "play Y9")
    assert match.view(1).phase == "joker"
    match.act(0, "joker 4")
    assert Ticked(seat=0, boxes=[4]) in list(match.events(1))


@pytest.mark.rule("PL-12")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_every_game_ends_by_a_full_grid_or_by_the_last_round(seats: int) -> None:
    for seed in range(20):
        match = pli.new("plingo", seed=seed, seats=seats)
        while not match.over:
            seat = match.actors[0]
            match.act(seat, match.legal(seat)[0])
        view = match.view(None)
        assert view.full_grid == any(len(grid) == 9 for grid in view.grids)
        assert view.full_grid or view.side == "last"
        assert view.winners == match.winners != []


def test_actions_are_numbered_as_the_rules_number_them() -> None:
    notation = pli.games.load("plingo").notation
    assert notation.parse("play B1") == 0
    assert notation.parse("trump B") == 40
    assert notation.parse("trump none") == 44
    assert notation.parse("joker 1") == 45
    assert notation.parse("joker none") == 54
    assert notation.parse("bid 1") == 55
    assert notation.parse("pass") == 64
    assert len(notation) == 65


# Rules of thumb


@pytest.mark.parametrize(
    ("ticked", "bids", "wanted"),
    [
        (8, [None, None], "bid 1"),  # risks nothing
        (4, [None, 1], "bid 2"),
        (5, [None, 1], "pass"),
        (1, [None, 2], "bid 3"),
        (0, [None, 3], "pass"),
        (0, [None, 9], "pass"),
    ],
)
def test_a_bot_bids_no_more_than_it_will_likely_tick(
    ticked: int, bids: list[int | None], wanted: str
) -> None:
    grid = list(range(1, ticked + 1))
    made = ["none" if each is None else each for each in bids]
    master = 1 if bids[1] is None else 0
    auction = {"auction": "on"}
    match = placed(2, auction, round=2, master=master, bids=made, grids=[grid, []])
    assert match.actors == [0]
    assert choose(match.view(0), match.legal(0)) == wanted


@pytest.mark.rule("PL-18a")
def test_a_bot_does_not_win_for_its_team_what_its_partner_has() -> None:
    hands = ["B9 Y2", "B1 Y9", "B2 P5 B4", "P1 G3"]
    match = placed(4, {"teams": "pairs"}, turn=0, master=0, round=2, trump="P", hands=hands)
    made = pli.games.load("plingo").memory
    assert made is not None
    memory = made()
    for seat, card in enumerate(("B9", "B1", "B2", "P1")):
        match.act(seat, f"play {card}")
    memory.see(list(match.events(2)), match.view(2))
    match.act(0, "play Y2")
    match.act(1, "play Y9")
    seen, actions = match.view(2), match.legal(2)
    assert seen.took == []  # its partner's cards lie face down, and it saw them pass
    assert sorted(memory.recall(seen).took) == ["B2", "B9"]
    assert choose(seen, actions) == "play P5"
    assert choose(memory.recall(seen), actions) == "play B4"
