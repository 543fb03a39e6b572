"""A match judges every input, whatever engine runs it."""

import pytest

import pli
from pli.errors import PliError
from pli.game import Act, Shuffle, Tick
from pli.kernel.machine import Engine
from pli.match import LONGEST, AnyMatch, Match

engines = pytest.mark.parametrize("engine", ["plain", "compiled"])


def new(engine: Engine) -> AnyMatch:
    return pli.new("marshmallow", seed=1, first_dealer=0, engine=engine)


@engines
@pytest.mark.parametrize(
    "given",
    [
        Shuffle(()),
        Shuffle(tuple(range(60))),
        Tick(5),
        Act(0, 0, -1),
        Act(0, -1, 0),
        Act(0, 10**6, 0),
        Act(-1, 0, 0),
        Act(7, 0, 0),
        Act(0, 0, LONGEST + 1),
    ],
    ids=str,
)
def test_an_input_that_does_not_fit_is_refused_and_changes_nothing(
    engine: Engine, given: Shuffle | Act | Tick
) -> None:
    match = new(engine)
    before = match.save()
    with pytest.raises(PliError):
        match.feed(given)
    assert match.save() == before


def test_a_wrong_shuffle_is_refused_where_one_is_wanted() -> None:
    match = pli.new("marshmallow", seed=1)
    fed = Match(match.game, match.options, None)
    for order in ((), (0, 1, 2), (0, 0, 1, 2), (0, 1, 2, 4)):
        with pytest.raises(PliError) as caught:
            fed.feed(Shuffle(order))
        assert caught.value.code == "bad_shuffle"


def test_time_never_runs_back_and_ends_somewhere() -> None:
    match = new("plain")
    match.wait(500)
    with pytest.raises(PliError) as caught:
        match.act(0, match.legal(0)[0], at=400)
    assert caught.value.code == "time_runs_back"
    with pytest.raises(PliError) as caught:
        match.wait(1 << 62)
    assert caught.value.code == "too_late"


def test_the_same_seed_gives_the_same_game_and_another_gives_another() -> None:
    assert pli.new("plingo", seed=5).save() == pli.new("plingo", seed=5).save()
    assert pli.new("plingo", seed=5).save() != pli.new("plingo", seed=6).save()
    assert pli.new("plingo").save() != pli.new("plingo").save()
