"""The reference itself, held against the rulebooks' examples and a little random play.

These tests prove nothing about the fast rules, so they carry no rule marks.
"""

import random

import pytest

from . import marshmallow, plingo
from .marshmallow import Marshmallow
from .plingo import Plingo


def marshmallow_at(
    hands: list[str], *, edition: str = "en", trump: str = "none", round_: int = 1
) -> Marshmallow:
    """A game in the middle of a round: seat 0 is to lead."""
    game = Marshmallow(seats=len(hands), edition=edition)
    game.hands = [hand.split() for hand in hands]
    game.trump = trump
    game.round = round_
    game.phase = "play"
    return game


def plingo_at(hands: list[str], *, trump: str = "none") -> Plingo:
    """A game in the middle of a round: seat 0 is the master, to lead."""
    game = Plingo(seats=len(hands))
    game.hands = [hand.split() for hand in hands]
    game.trump = trump
    game.phase = "play"
    return game


def play(game: Marshmallow | Plingo, cards: str) -> None:
    for card in cards.split():
        assert game.refusal(game.turn, f"play {card}") is None
        game.act(f"play {card}")


# Marshmallow Test


def test_the_rulebook_example_pays_four_points_and_b_leads() -> None:  # MT-11, MT-12, MT-12x
    game = marshmallow_at(["B12 G1", "B3 G2", "B4 G3", "B5 G4"])
    game.tricks = [2, 2, 1, 1]
    play(game, "B12 B3 B4 B5")
    seen = game.snapshot()
    assert seen["scores"] == [4, 0, 0, 0]
    assert (seen["out"], seen["tricks"]) == ([0], [3, 2, 1, 1])
    assert (seen["turn"], seen["leader"], seen["phase"]) == (1, 1, "play")
    assert seen["cards"] == [0, 1, 1, 1]


def test_tricks_of_seats_already_out_are_paid_for_too() -> None:  # MT-11
    game = marshmallow_at(["", "B9 G2", "B4 G3", "B5 G4"])
    game.tricks, game.out, game.turn = [3, 2, 1, 0], {0}, 1
    play(game, "B9 B4 B5")
    assert game.scores == [0, 4, 0, 0]
    assert game.turn == 2


def test_who_can_follow_must_and_who_cannot_plays_anything() -> None:  # MT-6, MT-7
    game = marshmallow_at(["B1 G1", "B3 G2", "G3 Y4"])
    assert game.legal() == {"play B1", "play G1"}
    play(game, "B1")
    assert game.refusal(1, "play G2") == "must_follow"
    play(game, "B3")
    assert game.legal() == {"play G3", "play Y4"}


def test_english_later_seats_may_trump_once_a_trump_was_added() -> None:  # MT-16, MT-17, MT-17a
    hands = ["B10 Y1", "P2 Y2", "B3 P9 Y3", "B12 Y4"]
    game = marshmallow_at(hands, trump="P", round_=2)
    play(game, "B10 P2")
    assert game.legal() == {"play B3", "play P9"}
    assert game.refusal(2, "play Y3") == "must_follow"
    play(game, "P9")
    assert game.legal() == {"play B12"}
    play(game, "B12")
    assert (game.tricks, game.turn) == ([0, 0, 1, 0], 2)


def test_french_later_seats_must_trump_once_a_trump_was_added() -> None:  # MT-18, MT-18a
    hands = ["B10 Y1", "P2 Y2", "B3 P9 Y3", "B12 Y4"]
    game = marshmallow_at(hands, edition="fr", trump="P", round_=2)
    play(game, "B10 P2")
    assert game.legal() == {"play P9"}
    assert game.refusal(2, "play B3") == "must_trump"
    assert game.refusal(2, "play Y3") == "must_trump"
    play(game, "P9")
    assert game.refusal(3, "play Y4") == "must_follow"
    assert game.legal() == {"play B12"}


@pytest.mark.parametrize("edition", ["en", "fr"])
def test_a_trump_that_was_led_is_simply_the_lead_suit(edition: str) -> None:  # MT-19
    game = marshmallow_at(["P1", "P5 B1", "B2 Y9"], edition=edition, trump="P", round_=2)
    play(game, "P1")
    assert game.refusal(1, "play B1") == "must_follow"
    play(game, "P5")
    assert game.legal() == {"play B2", "play Y9"}


def test_the_last_seat_in_gets_nothing_and_deals_the_next_round() -> None:  # MT-13, MT-15
    game = marshmallow_at(["B12 G1", "B3 G2"])
    game.tricks = [5, 4]
    play(game, "B12 B3")
    assert game.wants_deck()
    assert game.legal() == set()
    assert (game.scores, game.dealer, game.round) == ([4, 0], 1, 2)
    game.deal(marshmallow.DECK)
    assert (game.phase, game.turn) == ("trump", 1)
    assert game.legal() == {"trump B", "trump G", "trump Y", "trump P", "trump O"}
    assert game.refusal(1, "trump none") == "bad_action"
    game.act("trump O")
    assert (game.phase, game.turn, game.trump) == ("play", 1, "O")


@pytest.mark.parametrize(("tricks_before", "dealer", "points"), [(1, 2, 0), (2, 3, 9)])
def test_the_dealer_after_a_twelfth_trick_is_its_winner_or_the_next_one_in(
    tricks_before: int, dealer: int, points: int
) -> None:  # MT-14
    game = marshmallow_at(["", "B2", "B9", "B4", "B5"])
    game.tricks, game.out, game.turn = [3, 2, tricks_before, 2, 2], {0}, 1
    play(game, "B2 B9 B4 B5")
    assert game.wants_deck()
    assert (game.dealer, game.scores) == (dealer, [0, 0, points, 0, 0])


def test_the_game_ends_the_instant_a_seat_reaches_the_target() -> None:  # MT-20
    game = marshmallow_at(["B12 G1", "B3 G2", "B4 G3", "B5 G4"])
    game.tricks, game.scores = [2, 2, 1, 1], [16, 19, 0, 0]
    play(game, "B12 B3 B4 B5")
    seen = game.snapshot()
    assert (seen["phase"], seen["turn"], seen["winners"]) == ("over", "none", [0])
    assert seen["scores"] == [20, 19, 0, 0]
    assert game.refusal(1, "nonsense") == "game_over"


def test_refusals_come_in_the_agreed_order() -> None:
    game = marshmallow_at(["B1 G1", "B3 G2", "B4 G3"])
    assert game.refusal(1, "nonsense") == "not_your_turn"
    for wrong in ("nonsense", "", "play", "play B13", "play B01", "trump G", "play B1 "):
        assert game.refusal(0, wrong) == "bad_action"
    play(game, "B1")
    assert game.refusal(1, "play G9") == "not_in_hand"


# Plingo


def test_equal_values_cancel_and_the_best_that_is_left_wins() -> None:  # PL-6 to PL-9
    game = plingo_at(["B9 G1", "Y9 G2", "B4 G3", "P8 G4"])
    play(game, "B9 Y9 B4 P8")
    seen = game.snapshot()
    assert (seen["master"], seen["turn"]) == (2, 2)
    assert seen["taken"] == [[], [], ["B4", "P8"], []]


@pytest.mark.parametrize(
    ("trump", "cards", "winner"),
    [
        ("Y", ["B9", "Y1", "Y3", "P10"], 2),  # the highest trump
        ("Y", ["B9", "G1", "B10", "P8"], 2),  # no trump: the colour asked for
        ("Y", ["B9", "Y7", "P7", "B2"], 0),  # the trump cancelled: the colour asked for
        ("none", ["B9", "Y9", "P3", "G5"], 3),  # the colour asked for cancelled: the highest card
        ("none", ["B9", "Y9", "P9", "G5"], 3),  # three alike cancel as well
        ("none", ["B9", "Y9", "P3", "G3"], None),
    ],
)
def test_trump_stands_above_the_colour_asked_for_and_that_above_the_rest(
    trump: str, cards: list[str], winner: int | None
) -> None:  # PL-7, PL-8, PL-8a, PL-17
    assert plingo.trick_winner(list(enumerate(cards)), trump) == winner


def test_if_every_card_cancels_the_master_leads_again() -> None:  # PL-9a
    game = plingo_at(["B9 G1", "Y9 G2"])
    play(game, "B9 Y9")
    assert (game.master, game.turn, game.taken) == (0, 0, [[], []])


def test_a_joker_ticks_a_box_of_its_owners_choice_after_the_plain_values() -> None:  # PL-11
    game = plingo_at(["B10", "G7"])
    game.taken = [["B3", "G3", "Y4"], []]
    game.grids = [{1, 2}, {5}]
    play(game, "B10 G7")
    assert (game.phase, game.turn) == ("joker", 0)
    assert game.legal() == {"joker 3", "joker 5", "joker 6", "joker 8", "joker 9"}
    assert game.refusal(0, "joker 4") == "bad_action"
    assert game.refusal(1, "joker 4") == "not_your_turn"
    game.act("joker 9")
    assert game.wants_deck()
    seen = game.snapshot()
    assert seen["grids"] == [[1, 2, 4, 7, 9], [5]]
    assert seen["taken"] == [["B3", "B10", "G3", "G7", "Y4"], []]


def test_jokers_are_chosen_from_the_masters_left_and_two_tens_are_none() -> None:  # PL-10a, PL-11a
    game = plingo_at(["B2", "B9", "B1", "B3"])
    game.taken = [["P10"], ["B10"], ["G10", "Y10"], []]
    play(game, "B2 B9 B1 B3")
    assert (game.master, game.phase, game.turn) == (1, "joker", 0)
    game.act("joker 9")
    assert (game.phase, game.turn) == ("joker", 1)


def test_the_master_card_is_turned_by_a_master_who_ticks_nothing() -> None:  # PL-12
    game = plingo_at(["B9", "G7"])
    game.taken = [["Y9", "Y7"], []]
    play(game, "B9 G7")
    assert (game.side, game.round, game.wants_deck()) == ("back", 2, True)
    game.deal(plingo.DECK)
    assert game.refusal(0, "trump O") == "bad_action"
    assert game.legal() == {"trump B", "trump G", "trump Y", "trump P", "trump none"}
    game.act("trump none")
    game.hands, game.taken = [["B9"], ["G7"]], [["Y9", "Y7"], []]
    play(game, "B9 G7")
    assert (game.side, game.round, game.wants_deck()) == ("last", 3, True)


def test_several_full_grids_are_told_apart_by_unique_values_then_shared() -> None:  # PL-13, PL-14
    everything_but_one = {2, 3, 4, 5, 6, 7, 8, 9}
    for more, winners in ([], [0, 1]), (["Y8"], [1]):
        game = plingo_at(["B6", "B5"])
        game.taken = [["G1"], ["Y1", "Y3", "Y4", *more]]
        game.grids = [set(everything_but_one), set(everything_but_one)]
        play(game, "B6 B5")
        assert (game.phase, game.winners) == ("over", winners)


def test_after_the_last_round_the_most_boxes_win() -> None:  # PL-15, PL-15a
    for grid, winners in ({1}, [0]), ({1, 2, 3}, [0]), ({1, 2, 3, 4}, [1]):
        game = plingo_at(["B6", "B5"])
        game.side, game.grids = "last", [{1}, grid]
        play(game, "B6 B5")
        assert (game.phase, game.winners, game.side) == ("over", winners, "last")


# Random play


def play_out(game: Marshmallow | Plingo, deck: list[str], seed: int) -> None:
    """A whole random game; at each step the refusals must say the same as the legal actions."""
    rng = random.Random(seed)
    words = marshmallow.PLAYS | marshmallow.TRUMPS | plingo.TRUMPS
    words |= {f"joker {box}" for box in range(11)}
    while game.snapshot()["phase"] != "over":
        if game.wants_deck():
            game.deal(rng.sample(deck, len(deck)))
        legal = game.legal()
        assert legal == {word for word in words if game.refusal(game.turn, word) is None}
        game.act(rng.choice(sorted(legal)))
    assert game.legal() == set()


@pytest.mark.parametrize("edition", ["en", "fr"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_random_games_of_marshmallow_end_with_one_winner_at_the_target(
    seats: int, edition: str
) -> None:
    for seed in range(5):
        game = Marshmallow(seats, edition, dealer=seed % seats)
        play_out(game, marshmallow.DECK, seed)
        reached = [seat for seat in range(seats) if game.scores[seat] >= game.target]
        assert game.winners == reached
        assert len(reached) == 1


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_random_games_of_plingo_end_with_a_full_grid_or_after_a_last_round(seats: int) -> None:
    for seed in range(10):
        game = Plingo(seats, master=seed % seats)
        play_out(game, plingo.DECK, seed)
        assert game.winners
        full = [seat for seat in range(seats) if game.grids[seat] == plingo.BOXES]
        assert set(game.winners) <= set(full) if full else game.side == "last"
