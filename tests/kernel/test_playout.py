"""Random games in bulk: the same whatever runs them, and fair."""

import numpy as np
import pytest

from pli.kernel.contract import Rules
from pli.kernel.playout import Playouts, shuffle
from pli.kernel.stream import start
from tests.tables import TABLES, Table

tables = pytest.mark.parametrize("table", TABLES, ids=str)


@tables
def test_compiled_and_plain_play_the_same_games(table: Table) -> None:
    rules, state = table.game.rules, table.game.setup(table.options)
    fast = Playouts(rules).play(state, 60, seed=4)
    slow = Playouts(rules, plain=True).play(state, 60, seed=4)
    assert fast.states.tobytes() == slow.states.tobytes()
    assert fast.lengths.tolist() == slow.lengths.tolist()
    assert fast.winners.tolist() == slow.winners.tolist()
    assert (fast.lengths > 0).all()


@tables
def test_the_number_of_threads_and_the_chunks_change_nothing(table: Table) -> None:
    state, playouts = table.game.setup(table.options), Playouts(table.game.rules)
    whole = playouts.play(state, 500, seed=9)
    for threads, chunk in [(1, 500), (2, 37), (3, 100)]:
        parts = sorted(playouts.stream(state, 500, 9, threads, chunk), key=lambda p: p.first)
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


def test_rules_that_get_stuck_are_an_error() -> None:
    rules = TABLES[-1].game.rules
    broken = Rules(**{**vars(rules), "actors": lambda s: 0, "due": lambda s: (1 << 62) - 1})
    with pytest.raises(RuntimeError, match="stuck"):
        Playouts(broken, plain=True).play(TABLES[-1].game.setup(TABLES[-1].options), 1, seed=1)
