"""Looking ahead in Merci: what a search considers is never impolite, rollouts end and are
judged, and search answers from what its seat sees."""

import random
from typing import Any

import pytest

from pli.bots.mcts import IsMcts
from pli.games.merci.bots.rollout import follow, options, paused, worth
from pli.games.merci.rules.actions import awaited, check
from pli.games.merci.state import ACTIONS, LAYOUT
from pli.kernel.refusals import OK
from pli.kernel.stream import start
from pli.testing.property import disguise
from tests.games.merci.positions import (
    MerciMatch,
    Watched,
    go_on,
    impolite,
    listed_options,
    placed,
    tables,
)
from tests.tables import Table


@tables
def test_options_are_polite_and_legal_and_equal_cards_come_once(table: Table) -> None:
    rng = random.Random(5)
    for seed in range(3):
        match = table.match(seed)
        for _ in range(150):
            if match.over:
                break
            go_on(match, rng)
            seats = match.view(None).awaited
            if not seats:
                continue
            legal = match.legal(seats[0])
            found = listed_options(match.state, seats[0])
            assert found
            assert len(set(found)) == len(found)
            for text in found:
                assert text in legal
                assert "/" not in text
                action = match.game.notation.parse(text)
                assert check(match.state, seats[0], action, match.now) == OK
                assert not impolite(match, seats[0], text)


@tables
def test_every_rollout_comes_to_an_end_and_is_judged(table: Table) -> None:
    rng = random.Random(9)
    for seed in range(3):
        watched = Watched(table.match(seed))
        match = watched.match
        for number in range(60):
            if match.over:
                break
            go_on(match, rng)
            watched.tell()
            if number % 6 or not match.view(None).awaited:
                continue
            s = watched.sample(match.view(None).awaited[0], number)
            x, buffer = start(seed, number), [0] * ACTIONS
            for _ in range(500):
                x = follow(s, 0, x)
                if paused(s):
                    break
                assert awaited(s) == 0
                table.game.rules.act(s, 0, buffer[x % options(s, 0, buffer)], 0)
            rewards = [0.0] * match.seats
            worth(s, rewards)
            assert sum(rewards) == pytest.approx(1)


def searched(match: MerciMatch, seat: int, seed: int = 1, iterations: int = 400) -> list[Any]:
    searcher = IsMcts(match.game, seed, iterations=iterations)
    searcher.see(list(match.events(seat)), match.view(seat))
    return searcher.rank(match.view(seat))


@tables
def test_the_answer_follows_from_what_the_seat_sees(table: Table) -> None:
    rng = random.Random(2)
    for seed in range(3):
        match = table.match(seed)
        for _ in range(40):
            go_on(match, rng)
        if match.over or not match.view(None).awaited:
            continue
        seat = match.view(None).awaited[0]
        events, view = list(match.events(seat)), match.view(seat)
        answers = []
        for _ in range(3):
            searcher = IsMcts(match.game, 3, iterations=300)
            searcher.see(events, view)
            answers.append(searcher.rank(view))
            state = LAYOUT.copy(match.state)
            disguise(match.game, state, seat, rng)
            view = match.game.view(state, seat)
        assert answers[0] == answers[1] == answers[2]


def test_search_wins_the_game_where_it_can() -> None:
    table = {"tops": "Y3 G5 P2", "hands": ["Y4", "B1 O5 O3", "G2 B4 B6"], "turn": 0}
    found = searched(placed(table | {"hearts": [4, 3, 3]}), 0)
    assert found[0].action == "play Y4 on 1"
    assert found[0].chance == 1.0


def test_search_makes_the_rival_draw_who_is_about_to_win() -> None:
    table = {"tops": "Y3 G5 P2", "hands": ["G4 O4 O2", "B1", "G2 B6 O1 O3"], "turn": 0}
    match = placed(table | {"pile": "G1/two Y1 Y2 Y5 O6 B5 B2", "hearts": [4, 4, 0]})
    assert searched(match, 0)[0].action == "siouplait G4 on 2"
    match.act(0, "siouplait G4 on 2")
    assert searched(match, 0)[0].action == "choose 1"
