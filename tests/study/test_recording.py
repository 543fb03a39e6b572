"""What studies record: the same whether games are random and compiled, random and plain, or matches
that are looked at when they are over."""

from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
import pytest

from pli import games
from pli.bots.arena.recording import rows
from pli.game import Act, AnyGame, Input, Shuffle, Tick, read_options
from pli.kernel.contract import Rules
from pli.kernel.playout import Playouts
from pli.kernel.recording import D_CHOICES, G_CHOICES, G_CHOSEN, Log
from pli.match import Match
from pli.study.job import facts_of, play_cell
from pli.study.matches import play
from pli.study.plan import cells, make_plan
from pli.study.tables import course

DETAILED = 3


def recorded(game: AnyGame, count: int, plain: bool = False) -> Log:
    state = game.setup(read_options(game, {"seats": 3}))
    log = Playouts(game.rules, plain, True, DETAILED).play(state, count, seed=4).log
    assert log is not None
    return log


def test_compiled_and_plain_playouts_record_the_same_rows() -> None:
    game = games.load("marshmallow")
    for fast, slow in zip(recorded(game, 20), recorded(game, 20, plain=True), strict=True):
        assert fast.tolist() == slow.tolist()


def inputs_of(game: AnyGame) -> tuple[list[Input], Log]:
    """Of a random game, from rules that note what they are given."""
    inputs: list[Input] = []
    rules: Rules[Any] = game.rules
    clock = [0]

    def give(s: Any, order: Any) -> None:
        inputs.append(Shuffle(tuple(order[: rules.needs(s)])))
        rules.give(s, order)

    def act(s: Any, seat: int, action: int, now: int) -> None:
        clock[0] = now
        inputs.append(Act(seat, action, now))
        rules.act(s, seat, action, now)

    def tick(s: Any) -> None:
        clock[0] = max(clock[0], rules.due(s))
        inputs.append(Tick(clock[0]))
        rules.tick(s)

    noting = Rules(**{**vars(rules), "give": give, "act": act, "tick": tick, "dealt": None})
    state = game.setup(read_options(game, {"seats": 3}))
    log = Playouts(noting, plain=True, recording=True, detailed=1).play(state, 1, seed=6).log
    assert log is not None
    return inputs, log


@pytest.mark.parametrize("name", games.names())
def test_a_match_of_the_same_inputs_has_the_same_rows(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that random games and games of bots can stand in one table."""
    monkeypatch.setattr("pli.kernel.recording.DECISIONS_EXPECTED", 10_000)  # it is played once
    game = games.load(name)
    inputs, played = inputs_of(game)
    match = Match(game, read_options(game, {"seats": 3}), None, inputs=inputs)
    seen = rows(match, 0, detailed=True)
    if game.rules.by_guess:  # choices are not counted there
        seen.games[:, [G_CHOSEN, G_CHOICES]] = played.games[:, [G_CHOSEN, G_CHOICES]]
        seen.decisions[:, D_CHOICES] = 0
    for one, other in zip(seen, played, strict=True):
        assert one.tolist() == other.tolist()


def test_rows_are_what_happened() -> None:
    """Against a count that looks at the views of a game alone."""
    plan = make_plan("marshmallow", bots="medium", options={"seats": 3}, games=2, seed=8)
    cell = cells(plan)[0]
    tables = play_cell(plan, cell, 1, lambda played: None)
    for number in range(2):
        match = play(plan, cell, number)
        row = tables["games"].row(number, named=True)
        view = match.view(None)
        assert [row[f"points_{seat}"] for seat in range(3)] == view.scores
        assert [seat for seat in range(3) if row[f"won_{seat}"]] == match.winners
        assert row["rounds"] == view.round
        others = sorted(set(range(3)) - set(match.winners), key=lambda seat: -view.scores[seat])
        assert row["margin"] == view.scores[match.winners[0]] - view.scores[others[0]]
        acts = [step.given.seat for step in match.steps if isinstance(step.given, Act)]
        assert row["actions"] == len(acts)
        assert row["first"] == acts[0]
        waits = []
        for seat in range(3):
            places = [-1, *(at for at, who in enumerate(acts) if who == seat), len(acts)]
            waits.append([b - a - 1 for a, b in pairwise(places)])
        assert row["longest_wait"] == max(max(each) for each in waits)
        assert row["waited"] == sum(sum(each[1:-1]) for each in waits)
        decisions = tables["decisions"].filter(pl.col("game") == number)
        assert decisions["seat"].to_list() == acts
        assert row["chosen"] == (decisions["choices"] > 1).sum()
    last = tables["rounds"].group_by("game").last().sort("game")
    assert last["points_0"].to_list() == tables["games"]["points_0"].to_list()


def went(*rounds: list[int], winner: int) -> tuple[int, int, float]:
    """Lead changes, deficit and drama of one game with these points at its rounds' ends."""
    won = np.array([[seat == winner for seat in range(len(rounds[0]))]])
    found = course(np.array(rounds), np.array([len(rounds)]), won)
    return int(found.lead_changes[0]), int(found.deficit[0]), float(found.drama[0])


def test_the_lead_changes_when_another_seat_alone_is_ahead() -> None:
    assert went([1, 0], [1, 2], [5, 2], winner=0) == (2, 1, (1 / 5) ** 0.5 / 2)
    assert went([1, 0], [2, 2], [5, 2], winner=0)[0] == 0  # a tie between does not count
    assert went([1, 0], [2, 2], [2, 5], winner=1)[0] == 1
    assert went([0, 0, 0], [0, 0, 0], winner=1)[0] == 0
    assert went([4, 0], winner=0) == (0, 0, 0.0)


def test_a_deficit_is_the_largest_before_the_last_round() -> None:
    assert went([9, 0, 3], [9, 4, 3], [9, 10, 3], winner=1)[1] == 9
    assert went([0, 9], [9, 9], winner=0)[1] == 9
    assert went([3, 9], winner=0)[1] == 0  # the game's end is no deficit


def test_games_are_told_apart_where_their_rounds_follow_each_other() -> None:
    points = np.array([[1, 0], [0, 5], [6, 5], [7, 1], [8, 1]])
    won = np.array([[False, True], [True, False], [True, False]])
    found = course(points, np.array([1, 3, 5]), won)
    assert found.lead_changes.tolist() == [0, 1, 0]
    assert found.deficit.tolist() == [0, 5, 0]


def test_a_chunk_with_more_rows_than_expected_is_played_again() -> None:
    """A game to 1000 points has hundreds of rounds, and more decisions than room was made for."""
    game = games.load("marshmallow")
    state = game.setup(read_options(game, {"seats": 3, "target": 300}))
    log = Playouts(game.rules, True, True, 1).play(state, 2, seed=1).log
    assert log is not None
    assert len(log.rounds) == log.games[:, -1].sum() > 32
    assert len(log.decisions) > 256


def test_what_is_not_known_is_left_empty() -> None:
    plan = make_plan("merci", games=3)
    game, cell = games.load("merci"), cells(plan)[0]
    facts = facts_of(game, cell, bulk=True)
    assert (facts.timed, facts.counted, facts.scored) == (False, False, True)
    medium = facts_of(game, cells(make_plan("merci", bots="medium", games=1))[0], bulk=False)
    assert (medium.timed, medium.counted) == (True, True)
