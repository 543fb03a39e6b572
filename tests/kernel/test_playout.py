"""Random games in bulk: the same whatever runs them, and fair."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from pli.kernel.contract import Rules
from pli.kernel.machine import Plain
from pli.kernel.playout import Playouts, shuffle
from pli.kernel.refusals import OK
from pli.kernel.stream import start
from pli.match import AnyMatch
from pli.testing.properties.legal import drawn_alike
from pli.testing.walks import Walk
from tests.conftest import FUZZ
from tests.tables import TABLES, Table, step

GAMES = 10 * FUZZ
"""Of each table: games that nobody wins by chance go on for thousands of actions."""

tables = pytest.mark.parametrize("table", TABLES, ids=str)
guessing = pytest.mark.parametrize("table", [t for t in TABLES if t.game.rules.by_guess], ids=str)


@tables
def test_the_number_of_threads_and_the_chunks_change_nothing(table: Table) -> None:
    state, playouts = table.game.setup(table.options), Playouts(table.game.rules)
    whole = playouts.play(state, 100, seed=9)
    for threads, chunk in [(1, 100), (2, 7), (3, 20)]:
        parts = sorted(playouts.stream(state, 100, 9, threads, chunk), key=lambda p: p.first)
        assert b"".join(part.states.tobytes() for part in parts) == whole.states.tobytes()
        assert np.concatenate([part.lengths for part in parts]).tolist() == whole.lengths.tolist()


def test_another_seed_gives_other_games() -> None:
    table = TABLES[0]
    playouts, state = Playouts(table.game.rules), table.game.setup(table.options)
    one, other = playouts.play(state, 50, seed=1), playouts.play(state, 50, seed=2)
    assert one.lengths.tolist() != other.lengths.tolist()


def test_a_partial_shuffle_deals_every_card_equally_often() -> None:
    counts = np.zeros((3, 7), int)
    x = start(1, 1)
    for _ in range(7000):
        deck = [0] * 7
        x = shuffle(deck, 7, 3, x)
        assert sorted(deck) == list(range(7))
        for place in range(3):
            counts[place, deck[place]] += 1
    assert abs(counts - 1000).max() < 150  # five deviations of 29


def open_actions(match: AnyMatch) -> list[list[int]]:
    """What each seat lists and may do, in order."""
    machine, state, now = Plain(match.game.rules), match.state, match.now
    return [
        sorted(a for a in machine.legal(state, seat) if machine.check(state, seat, a, now) == OK)
        for seat in range(match.seats)
    ]


def unlisted_guesses(match: AnyMatch) -> list[list[int]]:
    """What each seat may do beside, as far as it is among its guesses."""
    rules, state, now = match.game.rules, match.state, match.now
    guessed = [
        [rules.guess(state, seat, k) for k in range(rules.guesses(state, seat))]
        for seat in range(match.seats)
    ]
    return [
        [a for a in each if a >= rules.unlisted and rules.check(state, seat, a, now) == OK]
        for seat, each in enumerate(guessed)
    ]


@guessing
def test_each_open_action_is_exactly_one_guess(table: Table) -> None:
    """At every point of some games, not only where every game is looked at."""
    for seed in range(5):
        walk, rng = Walk(table.game, table.options, seed), random.Random(seed)
        while len(walk.match.steps) < 200 and not walk.match.over:
            walk.take(walk.random_move(rng, 0.0))
            for seat in range(walk.match.seats):
                drawn_alike(walk.match, seat)


@guessing
@pytest.mark.parametrize("seed", range(3))
def test_guessing_draws_from_all_seats_and_all_their_actions_alike(table: Table, seed: int) -> None:
    match, rng = table.match(seed), random.Random(seed)
    for _ in range(40):
        step(match, rng)
    drawn: list[tuple[int, int]] = []
    played = 0

    def act(s: Any, seat: int, action: int, time: int) -> None:
        drawn.append((seat, action))

    def over(s: Any) -> bool:
        """After one action."""
        nonlocal played
        done, played = len(drawn) > played, len(drawn)
        return done

    once = Rules(**{**vars(table.game.rules), "act": act, "over": over})
    Playouts(once, plain=True).play(match.state, draws := 3000 * FUZZ, seed=seed)
    counts = Counter(drawn)
    both = zip(open_actions(match), unlisted_guesses(match), strict=True)
    wanted = [listed + unlisted for listed, unlisted in both]
    actors = sum(1 for actions in wanted if actions)
    assert len(drawn) == draws
    assert {seat for seat, _ in counts} == {seat for seat, actions in enumerate(wanted) if actions}
    for seat, actions in enumerate(wanted):
        for action in actions:
            mean = draws / actors / len(actions)
            assert abs(counts.pop((seat, action), 0) - mean) < 5 * mean**0.5
    assert not counts


def test_rules_that_get_stuck_are_an_error() -> None:
    rules = TABLES[-1].game.rules
    broken = Rules(**{**vars(rules), "actors": lambda s: 0, "due": lambda s: (1 << 62) - 1})
    with pytest.raises(RuntimeError, match="stuck"):
        Playouts(broken, plain=True).play(TABLES[-1].game.setup(TABLES[-1].options), 1, seed=1)
