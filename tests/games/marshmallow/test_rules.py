"""Marshmallow Test: what its scenarios can't say."""

from collections import Counter

import pytest

import pli
from pli.errors import BadOption, BadPosition
from pli.events import Dealt, Played, StarterDrawn, Trumped
from pli.game import read_options
from pli.games.marshmallow.rules import DECK, State
from pli.games.marshmallow.view import MarshmallowView, WentOut
from pli.kernel.bits import size
from pli.kernel.playout import Playouts
from pli.match import Match
from pli.tricks import RoundOver, Took, Won


def placed(
    seats: int = 4, edition: str = "en", to_go_out: int | str = "book", **position: object
) -> Match[State, MarshmallowView]:
    match = pli.new("marshmallow", seed=1, seats=seats, edition=edition, tricks_to_go_out=to_go_out)
    match.place(position)
    return match


@pytest.mark.rule("MT-1")
def test_the_deck_is_60_cards_1_to_12_in_five_colours() -> None:
    assert len(DECK) == 60
    assert Counter(name[0] for name in DECK.names) == dict.fromkeys("BGYPO", 12)
    assert DECK.names[:12] == [f"B{number}" for number in range(1, 13)]


@pytest.mark.rule("MT-3")
def test_chance_names_the_first_dealer_fairly_and_a_host_may_name_one() -> None:
    dealers = Counter(pli.new("marshmallow", seed=seed).state.dealer for seed in range(400))
    assert set(dealers) == {0, 1, 2, 3}
    assert min(dealers.values()) > 60
    for seat in range(4):
        assert pli.new("marshmallow", seed=1, first_dealer=seat).state.dealer == seat


@pytest.mark.rule("MT-4")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_seat_gets_12_cards_and_the_rest_lies_aside_unseen(seats: int) -> None:
    match = pli.new("marshmallow", seed=2, seats=seats)
    assert match.view(None).cards == [12] * seats
    assert size(match.state.hidden) == 60 - 12 * seats


@pytest.mark.rule("MT-4")
def test_every_card_is_dealt_to_every_seat_equally_often() -> None:
    games = 600
    where = Counter(
        next((q for q in range(4) if "B1" in match.view(q).hand), "aside")
        for match in (pli.new("marshmallow", seed=seed) for seed in range(games))
    )
    for place in (0, 1, 2, 3, "aside"):  # 12 of 60 cards each: 120, deviation 10
        assert 70 < where[place] < 170


@pytest.mark.rule("MT-9")
def test_the_last_trick_stays_in_sight_until_the_next_is_complete() -> None:
    match = placed(seats=2, turn=0, hands=["B9 G3", "B2 G5"])
    for seat, card in [(0, "B9"), (1, "B2"), (0, "G3")]:
        match.act(seat, f"play {card}")
    view = match.view(1)
    assert [(laid.seat, laid.card) for laid in view.last_trick] == [(0, "B9"), (1, "B2")]
    assert view.last_winner == 0
    assert [(laid.seat, laid.card) for laid in view.trick] == [(0, "G3")]


@pytest.mark.rule("MT-12")
def test_a_hand_that_is_discarded_is_seen_by_nobody() -> None:
    match = placed(tricks=[2, 0, 0, 0], turn=0, hands=["B9 G3", "B2 G5", "B3 G6", "B4 G7"])
    for seat, card in enumerate(["B9", "B2", "B3", "B4"]):
        match.act(seat, f"play {card}")
    assert match.view(0).hand == []
    for viewer in (0, 1, 2, 3, None):
        told = [str(event) for event in match.events(viewer)]
        assert not any("G3" in event for event in told)


@pytest.mark.rule("MT-20", "MT-21")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_game_ends_with_one_winner_at_the_target(seats: int) -> None:
    match = pli.new("marshmallow", seed=seats, seats=seats, target=6)
    while not match.over:
        assert max(match.view(None).scores) < 6
        seat = match.actors[0]
        match.act(seat, match.legal(seat)[0])
    (winner,) = match.winners
    scores = match.view(None).scores
    assert scores[winner] == max(scores) >= 6
    assert match.actors == []


@pytest.mark.rule("MT-10")
@pytest.mark.parametrize(("seats", "book"), [(2, 6), (3, 4), (4, 3), (5, 3)])
def test_everyone_sees_how_many_tricks_take_a_seat_out(seats: int, book: int) -> None:
    assert pli.new("marshmallow", seats=seats).view(None).tricks_to_go_out == book
    for number in range(2, 12):
        match = pli.new("marshmallow", seats=seats, tricks_to_go_out=number)
        assert {match.view(seat).tricks_to_go_out for seat in (None, 0, 1)} == {number}


@pytest.mark.rule("MT-10", "MT-12")
def test_a_position_must_have_everyone_out_who_has_the_tricks_of_this_table() -> None:
    hands = ["B9 G3", "B2 G5", "B3 G6", "B4 G7"]
    assert placed(to_go_out=4, turn=0, tricks=[3, 0, 0, 0], hands=hands).view(None).out == []
    assert placed(to_go_out=2, turn=1, tricks=[2, 0, 0, 0], hands=hands).view(None).out == [0]
    for number in (2, 4, 11):
        with pytest.raises(BadPosition) as told:
            placed(to_go_out=number, turn=0, out=[1], tricks=[number, 0, 0, 0], hands=hands)
        assert told.value.key == "out"
        assert f"{number} tricks" in str(told.value)


@pytest.mark.rule("MT-10", "MT-11")
def test_two_seats_need_more_than_one_trick_or_no_game_could_end() -> None:
    for seats, number in ((2, 1), (2, 12), (4, 0)):
        with pytest.raises(BadOption) as told:
            pli.new("marshmallow", seats=seats, tricks_to_go_out=number)
        assert told.value.details["name"] == "tricks_to_go_out"


def test_a_random_game_that_hardly_anybody_can_go_out_of_is_given_up() -> None:
    game = pli.games.load("marshmallow")
    options = read_options(game, {"tricks_to_go_out": 11})
    played = Playouts(game.rules).play(game.setup(options), 3, seed=1)
    assert [*played.lengths] == [game.rules.patience] * 3
    assert [*played.winners] == [0] * 3


def test_what_happens_is_told_in_its_order() -> None:
    match = pli.new("marshmallow", seed=1)
    seated, dealt = match.events(2)
    assert isinstance(seated, StarterDrawn)
    assert isinstance(dealt, Dealt)
    assert dealt.hand == match.view(2).hand
    match = placed(tricks=[2, 2, 1, 1], turn=0, hands=["B12 G1", "B3 G2", "B4 G3", "B5 G4"])
    for seat, card in enumerate(["B12", "B3", "B4", "B5"]):
        match.act(seat, f"play {card}")
    *plays, took, out = match.events(None)
    assert [type(event) for event in plays] == [Played] * 4
    assert isinstance(took, Took)
    assert [each.card for each in took.cards] == ["B12", "B3", "B4", "B5"]
    assert out == WentOut(seat=0, points=4)


def test_a_round_and_a_game_are_told_when_they_end() -> None:
    match = placed(seats=2, tricks=[5, 3], scores=[0, 18], turn=0, hands=["B9 G3", "B2 G5"])
    match.act(0, "play B9")
    match.act(1, "play B2")
    assert WentOut(seat=0, points=3) in list(match.events(None))
    assert RoundOver(seat=1) in list(match.events(None))
    match.act(1, "trump P")
    assert Trumped(seat=1, colour="P") in list(match.events(0))
    match = placed(seats=2, tricks=[2, 5], scores=[0, 18], turn=1, hands=["B2 G3", "B9 G5"])
    match.act(1, "play B9")
    match.act(0, "play B2")
    assert list(match.events(None))[-1] == Won(seat=1, points=20)


def test_actions_are_numbered_as_the_rules_number_them() -> None:
    notation = pli.games.load("marshmallow").notation
    assert notation.parse("play B1") == 0
    assert notation.parse("trump B") == len(DECK)
    assert len(notation) == len(DECK) + 5
