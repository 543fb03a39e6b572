"""Batches: the same games whatever runs them and however many there are."""

import random
from typing import Any

import numpy as np
import pytest

from pli.batch import Batch, IllegalAction, observe
from pli.game import Act, AnyGame, Game, Input, Shuffle, Tick
from pli.kernel.contract import Rules
from pli.match import Match
from tests.tables import TABLES, Table

LEARNT = [table for table in TABLES if table.game.observation is not None]
FEW = [next(t for t in LEARNT if t.game.name == name) for name in {t.game.name for t in LEARNT}]
FEW.sort(key=str)

tables = pytest.mark.parametrize("table", LEARNT, ids=str)
games = pytest.mark.parametrize("table", FEW, ids=lambda table: table.game.name)


def batch(table: Table, n: int, **more: Any) -> Batch:
    chosen = {name: getattr(table.options, name) for name in table.options.__struct_fields__}
    return Batch(table.game, n, **{**chosen, **more})


def shown(of: Batch, moment: Any, games: int) -> bytes:
    """All that a batch shows of its first games."""
    return b"".join(each[:games].tobytes() for each in (*moment, of.cut))


@games
def test_a_game_is_the_same_whatever_is_beside_it(table: Table) -> None:
    """Neither the number of games nor of threads changes any of them."""
    few, many = batch(table, 3, seed=8), batch(table, 10, seed=8, threads=3)
    for _ in range(300):
        one, other = few.step(), many.step()
        assert shown(few, one, 3) == shown(many, other, 3)


@games
def test_a_seed_is_the_same_games_and_another_one_others(table: Table) -> None:
    played = batch(table, 4, seed=1)
    first = [shown(played, played.step(), 4) for _ in range(30)]
    played.reset()
    assert [shown(played, played.step(), 4) for _ in range(30)] == first
    played.reset(2)
    assert [shown(played, played.step(), 4) for _ in range(30)] != first


@games
def test_drawn_actions_are_what_a_step_would_play(table: Table) -> None:
    one, other = batch(table, 5, seed=3), batch(table, 5, seed=3)
    for _ in range(100):
        actions = one.random_actions().copy()
        assert np.take_along_axis(one.mask, actions[..., None], -1).all()
        assert shown(one, one.step(actions), 5) == shown(other, other.step(), 5)


@games
def test_arrays_are_made_once(table: Table) -> None:
    played = batch(table, 3)
    first = played.reset()
    for _ in range(3):
        assert all(one is other for one, other in zip(first, played.step(), strict=True))
    assert first.observation.dtype.itemsize == 1
    assert (first.mask.dtype, first.done.dtype) == (np.bool_, np.bool_)
    acting = (3, played.seats) if table.game.live else (3,)
    assert first.observation.shape == (*acting, played.size)
    assert first.mask.shape == (*acting, played.actions)
    assert first.rewards.shape == (3, played.seats)
    assert first.done.shape == first.seat.shape == (3,)
    fields = played.fields()
    assert all(np.shares_memory(each, first.observation) for each in fields.values())
    assert sum(each[0].size for each in fields.values()) == first.observation[0].size


@games
def test_an_action_that_is_not_legal_is_named_and_played_nowhere(table: Table) -> None:
    played, same = batch(table, 4, seed=6), batch(table, 4, seed=6)
    for wrong in (-1, played.actions, 10**12, None):
        actions = played.random_actions().astype(np.int64)
        mask = played.mask[2, 0] if table.game.live else played.mask[2]
        number = int(np.argmin(mask)) if wrong is None else wrong
        place = (2, 0) if table.game.live else 2
        before = played.states()
        right = actions.copy()
        actions[place] = number
        with pytest.raises(IllegalAction, match=f"{table.game.name}, game 2"):
            played.step(actions)
        assert not played.done[2]
        size = table.game.rules.layout.size
        assert played.states()[2 * size : 3 * size] == before[2 * size : 3 * size]
        same.random_actions()
        same.step(right)
        for game in (0, 1, 3):
            part = slice(game * size, (game + 1) * size)
            assert played.states()[part] == same.states()[part]
        played.reset()
        same.reset()
    with pytest.raises(ValueError, match="shape"):
        played.step(np.zeros(3, np.int32))
    with pytest.raises(ValueError, match="whole numbers"):
        played.step(np.zeros(played.mask.shape[:-1], np.float32))


@games
def test_a_game_that_is_over_waits_for_a_reset(table: Table) -> None:
    played = batch(table, 6, seed=2, autoreset=False, limit=400)
    while not played.done.all():
        before = played.done.copy()
        moment = played.step()
        assert not moment.rewards[before].any()
        assert moment.done[before].all()
    assert played.mask.all()
    states, seen = played.states(), played.observation.tobytes()
    moment = played.step()
    assert (played.states(), moment.observation.tobytes()) == (states, seen)
    assert not moment.rewards.any()
    moment = played.reset()
    assert not moment.done.any()
    assert not moment.mask.all()


@games
def test_another_game_follows_one_that_ends(table: Table) -> None:
    played = batch(table, 20, seed=4, limit=60)
    steps, ended = np.zeros(20, int), 0
    for _ in range(200):
        moment = played.step()
        steps += 1
        assert (moment.done >= played.cut).all()
        assert (steps[played.cut] == 60).all()
        assert not moment.rewards[played.cut | ~moment.done].any()
        assert (moment.mask.sum(-1) > 0).all()
        ended += int(moment.done.sum())
        steps[moment.done] = 0
    assert ended >= 20


def spied(game: AnyGame, inputs: list[Input]) -> AnyGame:
    """The same game, noting what happens to it."""
    rules = game.rules

    def give(s: Any, order: Any) -> None:
        inputs.append(Shuffle(tuple(order[: rules.needs(s)])))
        rules.give(s, order)

    def act(s: Any, seat: int, action: int, time: int) -> None:
        inputs.append(Act(seat, action, time))
        rules.act(s, seat, action, time)

    def tick(s: Any) -> None:
        inputs.append(Tick(rules.due(s)))
        rules.tick(s)

    noting = Rules(**{**vars(rules), "give": give, "act": act, "tick": tick})
    return Game(**{**vars(game), "rules": noting})


@tables
def test_a_batch_and_a_match_show_the_same(table: Table) -> None:
    """Replayed as a match, a game of a batch has the same observations, masks and returns."""
    inputs: list[Input] = []
    watched = Table(spied(table.game, inputs), table.options)
    played = batch(watched, 1, seed=7, autoreset=False, engine="plain", limit=0)
    for step in range(120):
        moment = played.step()
        if step % 30 and not moment.done[0]:
            continue
        match = Match(table.game, table.options, None, inputs=inputs)
        assert match.save() == played.states()
        assert match.over == moment.done[0]
        if match.over:
            assert np.allclose(match.returns(), moment.rewards[0])
            break
        for seat in range(match.seats) if table.game.live else [int(moment.seat[0])]:
            row = (0, seat) if table.game.live else 0
            assert observe(match, seat).tobytes() == moment.observation[row].tobytes()
            assert match.mask(seat).tolist() == moment.mask[row].tolist()


@tables
def test_rewards_are_shared_by_the_winners(table: Table) -> None:
    played = batch(table, 30, seed=1, autoreset=False, limit=300)
    for _ in range(301):
        moment = played.step()
        layout = table.game.rules.layout
        for game in np.flatnonzero(moment.rewards.any(axis=1)):
            data = played.states()[game * layout.size : (game + 1) * layout.size]
            won = table.game.rules.winners(layout.load(data))
            rewards = moment.rewards[game]
            if won and played.seats > 1:
                assert abs(rewards.sum()) < 1e-5
                wins = [seat for seat in range(played.seats) if won >> seat & 1]
                assert (rewards[wins] == rewards.max()).all()
                if len(wins) == 1:
                    assert rewards.max() == 1
    if table.game.rules.by_set:
        assert moment.done.any()


@games
def test_any_seat_of_any_game_can_be_looked_at(table: Table) -> None:
    for engine in ("plain", "compiled"):
        played = batch(table, 3, seed=9, engine=engine)
        for _ in range(12):
            moment = played.step()
        for game in range(3):
            for seat in range(played.seats):
                row = (game, seat) if table.game.live else game
                if table.game.live or moment.seat[game] == seat:
                    assert (played.look(game, seat) == moment.observation[row]).all()
                else:
                    assert (played.look(game, seat) != moment.observation[game]).any()
        for wrong in ((3, 0), (0, played.seats)):
            with pytest.raises(ValueError, match="games are 0-2, seats 0-"):
                played.look(*wrong)


@games
def test_games_are_begun_anew_one_by_one(table: Table) -> None:
    played = batch(table, 6, seed=5, autoreset=False, limit=40)
    same = batch(table, 6, seed=5, autoreset=False, limit=40)
    for _ in range(41):
        played.step()
        same.step()
    which = np.array([True, False, True, False, False, True])
    before, moment = shown(same, same.renew(np.zeros(6)), 6), played.renew(which)
    assert before == shown(same, same.step(), 6)  # all are over: nothing happens
    assert (moment.done == ~which).all()
    size = table.game.rules.layout.size
    states, untouched = played.states(), same.states()
    for game in range(6):
        part = slice(game * size, (game + 1) * size)
        assert (states[part] == untouched[part]) != which[game]
    deals = {states[game * size : (game + 1) * size] for game in np.flatnonzero(which)}
    assert len(deals) == 3
    played.step()
    assert (played.done == ~which).all()


@games
@pytest.mark.parametrize("autoreset", [True, False])
def test_an_illegal_action_may_cost_the_game(table: Table, autoreset: bool) -> None:
    both = [
        batch(table, 4, seed=6, forfeits=True, autoreset=autoreset, engine=engine)
        for engine in ("plain", "compiled")
    ]
    for _ in range(5):
        for each in both:
            each.step()
    place = (2, 1) if table.game.live else 2
    seat = 1 if table.game.live else int(both[0].seat[2])
    for each in both:
        actions = each.random_actions().astype(np.int64)
        actions[place] = -1
        moment = each.step(actions)
        assert moment.done.tolist() == [False, False, True, False]
        assert not each.cut.any()
        wanted = [-1.0 if other == seat else 0.0 for other in range(each.seats)]
        assert moment.rewards[2].tolist() == wanted
        assert not moment.rewards[[0, 1, 3]].any()
    assert shown(both[0], both[0].step(), 4) == shown(both[1], both[1].step(), 4)
    assert (both[0].done[2] == 0) == autoreset


@tables
def test_one_seat_alone_may_be_asked(table: Table) -> None:
    """The others draw on the way; the seat then sees what it sees in a game of all."""
    if table.game.live:
        with pytest.raises(ValueError, match="one seat is awaited"):
            batch(table, 1, only=0)
        return
    seat = table.options.seats - 1
    both = [
        batch(table, 3, seed=3, only=seat, engine=engine, limit=60)
        for engine in ("plain", "compiled")
    ]
    ended = 0
    for _ in range(40):
        plain, compiled = ((each, each.step()) for each in both)
        assert shown(*plain, 3) == shown(*compiled, 3)
        assert (plain[1].seat == seat).all()
        turn = plain[0].fields()["turn"]
        assert (turn[:, 0] == 1).all()
        ended += int(plain[1].done.sum())
    assert ended
    with pytest.raises(ValueError, match="only is a seat"):
        batch(table, 1, only=table.options.seats)


@games
def test_what_pgx_holds_of_its_games_holds_of_ours(table: Table) -> None:
    """Its `api_test`, restated for a batch: what a beginning, a step, an end and what follows it
    must be like."""
    played = batch(table, 16, seed=2, autoreset=False, limit=500)
    moment = played.reset()
    kinds = [(each.dtype, each.shape) for each in moment]
    seats = range(played.seats)
    assert not moment.done.any()  # no game begins at its end
    assert not moment.rewards.any()
    assert moment.mask.any(axis=-1).all()  # somebody can do something
    first = [each.copy() for each in moment]
    again = played.reset()
    assert all((one == other).all() for one, other in zip(first, again, strict=True))
    total = np.zeros((16, played.seats))
    before_last = np.zeros(16, bool)
    for _ in range(501):
        moment = played.step()
        assert [(each.dtype, each.shape) for each in moment] == kinds
        if not table.game.live:
            assert np.isin(moment.seat, seats).all()
        assert moment.mask.any(axis=-1).all()
        assert not moment.rewards[~moment.done].any()  # worth nothing before the end
        assert not moment.rewards[before_last].any()  # nor after it
        assert np.isfinite(moment.rewards).all()
        total += moment.rewards
        before_last = moment.done.copy()
    assert moment.done.all()
    assert (abs(total) <= 1).all()
    assert moment.mask[moment.done].all()  # all is allowed where nothing matters
    kept = [each.copy() for each in moment]
    illegal = np.full(moment.mask.shape[:-1], -1)
    after = played.step(illegal)  # and an end stays as it is
    for name, one, other in zip(moment._fields, kept, after, strict=True):
        assert name == "rewards" or (one == other).all()


def test_a_hundred_thousand_games_take_little_memory() -> None:
    played = Batch("marshmallow", 100_000)
    assert played.nbytes < 120e6
    assert played.nbytes > played.observation.nbytes + played.mask.nbytes


def test_slices_are_as_long_as_one_wants() -> None:
    """Who waits sees the time go on: a minute is over after so many slices."""
    played = Batch("twinit", 2, mode="rush", seats=2, slice_ms=2000, autoreset=False)
    waiting = np.zeros((2, 2), np.int32)
    for _ in range(29):
        assert not played.step(waiting).done.any()
    assert played.step(waiting).done.all()


def test_the_order_within_a_slice_is_by_lot() -> None:
    """Both seats reach for the same card: each is first about as often."""
    played = Batch("twinit", 400, seats=2, mode="race")
    actions = np.zeros((400, 2), np.int32)
    actions[:] = np.argmax(played.mask[:, 0, 4:], axis=-1)[:, None] + 4
    played.step(actions)
    hands = played.fields()["hand"][:, 0].max(axis=-1)  # 1: one's own, 2: the other's
    assert set(hands.tolist()) == {1, 2}
    assert 140 < int((hands == 1).sum()) < 260


def test_what_can_not_be_is_refused() -> None:
    for n, threads in ((0, 1), (1, 0)):
        with pytest.raises(ValueError, match="at least 1"):
            Batch("marshmallow", n, threads=threads)
    with pytest.raises(ValueError, match="slice_ms"):
        Batch("merci", 1, slice_ms=0)
    with pytest.raises(ValueError, match="no observation"):
        Batch(TABLES[-1].game, 1)


def test_random_actions_of_a_seat_are_all_as_likely() -> None:
    played = Batch("plingo", 6000, seed=random.Random(1).randrange(100), first_master=0)
    counts = np.zeros(played.actions)
    for action, mask in zip(played.random_actions(), played.mask, strict=True):
        assert mask[action]
        counts[action] += 1
    cards = counts[:40]
    assert counts[40:].sum() == 0
    assert abs(cards - 150).max() < 5 * 150**0.5
