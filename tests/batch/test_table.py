"""One game with compiled rules: the same as a match, and cheap to copy."""

import copy
import pickle
import random

import numpy as np
import pytest

from pli import games
from pli.batch import observe
from pli.batch.table import Table
from pli.game import read_options
from pli.match import Match

TURNS = [name for name in games.names() if not games.load(name).live]

everywhere = pytest.mark.parametrize("name", TURNS)


def new(name: str, **options: object) -> Table:
    game = games.load(name)
    return Table.new(game, read_options(game, options))


def played(name: str, inputs: int, seed: int, **options: object) -> Table:
    table, rng, stream = new(name, **options), random.Random(seed), seed
    for _ in range(inputs):
        if table.over:
            break
        if table.needs:
            stream = table.draw(stream)
        else:
            table.act(rng.choice(table.legal()))
    return table


def as_match(table: Table, **options: object) -> Match:  # type: ignore[type-arg]
    chosen = read_options(table.game, options)
    return Match(table.game, chosen, None, inputs=table._as_inputs())


@everywhere
@pytest.mark.parametrize("seed", range(4))
def test_a_table_is_a_match(name: str, seed: int) -> None:
    for inputs in (0, 3, 30, 400):
        table = played(name, inputs, seed, seats=3)
        match = as_match(table, seats=3)
        assert match.save() == table.save()
        assert (match.over, match.returns()) == (table.over, table.returns())
        assert match.actors == ([] if table.seat < 0 else [table.seat])
        for seat in range(3):
            assert (table.look(seat) == observe(match, seat)).all()
            assert (table.recall(seat) == observe(match, seat, history=True)).all()
        if table.seat >= 0:
            mask = match.mask(table.seat)
            assert np.flatnonzero(mask).tolist() == table.legal()


@everywhere
def test_copies_and_pickles_go_on_by_themselves(name: str) -> None:
    table = played(name, 20, 1)
    twins = [table.copy(), copy.deepcopy(table), pickle.loads(pickle.dumps(table))]
    before = table.save()
    table.act(table.legal()[0])
    for twin in twins:
        assert twin.save() == before != table.save()
        twin.act(twin.legal()[0])
        assert (twin.save(), twin.inputs) == (table.save(), table.inputs)
        assert (twin.recall(0) == table.recall(0)).all()


@everywhere
def test_shuffles_are_given_or_drawn(name: str) -> None:
    drawn, given = new(name), new(name)
    stream = 7
    while drawn.needs:
        stream = drawn.draw(stream)
        order = drawn.inputs[-1]
        assert isinstance(order, tuple)
        given.give(order)
        assert drawn.save() == given.save()
    with pytest.raises(ValueError, match="no shuffle is asked for"):
        drawn.draw(stream)
    with pytest.raises(ValueError, match="no shuffle"):
        given.give(())
    with pytest.raises(ValueError, match="no shuffle of"):
        new(name).give((0, 0))


@everywhere
def test_what_is_not_legal_is_refused(name: str) -> None:
    table = played(name, 12, 3)
    before, names = table.save(), games.load(name).observation.names  # type: ignore[union-attr]
    for action in {-1, len(names), *range(len(names))} - {*table.legal()}:
        with pytest.raises(ValueError, match="is not legal"):
            table.act(action)
    assert table.save() == before


@everywhere
def test_a_guess_deals_what_is_hidden_anew(name: str) -> None:
    table = played(name, 25, 5, seats=3)
    options = read_options(table.game, {"seats": 3})
    guesses = [table.guessed(options, table.seat, stream) for stream in range(30)]
    assert len({each.save() for each in guesses}) > 20
    for each in guesses:
        assert (each.look(table.seat) == table.look(table.seat)).all()
        assert each.legal() == table.legal()
    with pytest.raises(ValueError, match="not guessed from again"):
        guesses[0].guessed(options, table.seat, 1)


def test_games_of_any_moment_have_no_table() -> None:
    for name in set(games.names()) - set(TURNS):
        with pytest.raises(ValueError, match="more than one seat"):
            new(name)
