"""Hints: the same search as a bot's, for whoever sits there."""

import pytest

import pli
from pli import games
from pli.bots import Live, make_bot
from pli.bots.hints import hint, rank
from pli.bots.mcts import IsMcts
from pli.match import AnyMatch

SEARCHED = [name for name in games.names() if games.load(name).rollout is not None]
OTHERS = [name for name in games.names() if name not in SEARCHED]


def begun(game: str) -> AnyMatch:
    """A game that has gone on for some time, up to a choice that somebody has."""
    match = pli.new(game, seed=4)
    live = Live(match, [make_bot("medium", match.game, seat, 4) for seat in range(match.seats)])
    while len(match.steps) < 12 or not any(
        len(match.legal(seat)) > 2 for seat in match.view(None).awaited
    ):
        live.step()
    return match


@pytest.mark.parametrize("game", SEARCHED)
def test_legal_actions_are_ranked_by_how_often_search_came_to_them(game: str) -> None:
    match = begun(game)
    seat = match.view(None).awaited[0]
    found = hint(match, seat, 2000)
    assert {each.action for each in found} <= {*match.legal(seat)}
    assert found
    visits = [each.visits for each in found]
    assert visits == sorted(visits, reverse=True)
    assert sum(visits) == 2000
    assert all(0 <= each.chance <= 1 for each in found)


@pytest.mark.parametrize("game", SEARCHED)
def test_a_hint_is_what_a_bot_would_find(game: str) -> None:
    match = begun(game)
    seat = match.view(None).awaited[0]
    bot = IsMcts(match.game, "3 hint", iterations=500)
    bot.see(list(match.events(seat)), match.view(seat))
    assert hint(match, seat, 500, seed=3) == bot.rank(match.view(seat))
    assert hint(match, seat, 500, seed=3) != hint(match, seat, 500, seed=4)


@pytest.mark.parametrize("game", SEARCHED)
def test_the_view_and_what_was_seen_are_enough(game: str) -> None:
    match = begun(game)
    seat = match.view(None).awaited[0]
    view, events = match.view(seat), [*match.events(seat)]
    assert rank(match.game, view, events, 500) == hint(match, seat, 500)


@pytest.mark.parametrize("game", SEARCHED)
def test_search_can_go_on_for_a_time(game: str) -> None:
    match = begun(game)
    seat = match.view(None).awaited[0]
    assert sum(each.visits for each in hint(match, seat, seconds=0.05)) >= 1000


@pytest.mark.parametrize("game", SEARCHED)
def test_who_has_nothing_to_decide_gets_no_hint(game: str) -> None:
    match = begun(game)
    for seat in range(match.seats):
        assert bool(hint(match, seat, 100)) == (seat in match.view(None).awaited)


@pytest.mark.parametrize("game", OTHERS)
def test_a_game_that_is_not_searched_has_no_hints(game: str) -> None:
    match = pli.new(game, seed=4)
    assert [hint(match, seat) for seat in range(match.seats)] == [[] for _ in range(match.seats)]


def test_a_search_stops_between_two_chunks_when_it_is_told_to() -> None:
    match = begun(SEARCHED[0])
    seat = match.view(None).awaited[0]
    asked: list[bool] = []

    def stop() -> bool:
        asked.append(len(asked) == 2)
        return asked[-1]

    searcher = IsMcts(match.game, 1, iterations=10**9, stop=stop)
    searcher.see([*match.events(seat)], match.view(seat))
    assert sum(each.visits for each in searcher.rank(match.view(seat))) == 3000
