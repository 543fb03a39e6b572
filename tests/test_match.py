"""A match judges every input, whatever engine runs it; it can be copied, kept and taken back."""

import copy
import pickle
import random
from collections.abc import Callable

import pytest

import pli
from pli import games
from pli.errors import BadPosition, PliError
from pli.game import Act, Shuffle, Tick
from pli.kernel.layout import Layout
from pli.kernel.machine import Engine
from pli.match import LONGEST, AnyMatch, Match
from tests.race import RACE
from tests.tables import step

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


# Copies, and going back


COPIES: dict[str, Callable[[AnyMatch], AnyMatch]] = {
    "copy": lambda match: match.copy(),
    "copy.copy": copy.copy,
    "copy.deepcopy": copy.deepcopy,
    "pickle": lambda match: pickle.loads(pickle.dumps(match)),
}


def play(match: AnyMatch, seed: object, actions: int) -> list[bytes]:
    """Plays at random; the states on the way."""
    rng = random.Random(str(seed))
    states: list[bytes] = []
    while not match.over and len(states) < actions:
        step(match, rng)
        states.append(match.save())
    return states


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize("name", games.names())
def test_a_copy_goes_on_by_itself_with_the_same_shuffles_to_come(
    name: str, engine: Engine, way: str
) -> None:
    match = pli.new(name, seed=3, engine=engine)
    play(match, "before", 20)
    state, told = match.save(), repr(match)
    twin = COPIES[way](match)
    assert type(twin) is Match
    assert (twin.save(), repr(twin), twin.options) == (state, told, match.options)
    assert twin.steps == match.steps
    after = play(twin, "after", 60)
    assert match.save() == state
    assert len(match.steps) < len(twin.steps)
    assert play(match, "after", 60) == after
    assert list(twin.events(0)) == list(match.events(0))


def test_a_kept_match_is_not_read_under_other_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    match = pli.new("plingo", seed=1)
    kept = pickle.dumps(match)
    with monkeypatch.context() as patch:
        patch.setitem(match.game.__dict__, "version", match.game.version + 1)
        with pytest.raises(PliError) as caught:
            pickle.loads(kept)
    assert caught.value.code == "other_version"
    assert pickle.loads(kept).game is match.game


def test_a_kept_match_is_not_read_where_states_are_laid_out_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept = pickle.dumps(pli.new("plingo", seed=1))
    with monkeypatch.context() as patch:
        patch.setattr(Layout, "fingerprint", RACE.rules.layout.fingerprint)
        with pytest.raises(PliError) as caught:
            pickle.loads(kept)
    assert caught.value.code == "other_layout"


def test_a_game_without_a_name_to_find_it_by_is_not_kept() -> None:
    with pytest.raises(PliError) as caught:
        pickle.dumps(pli.new(RACE))
    assert caught.value.code == "unknown_game"


def test_an_action_taken_back_never_happened() -> None:
    match = pli.new("merci", seed="undo")
    before = [(match.save(), match.now)]
    rng = random.Random(1)
    while len(before) < 60:
        steps = len(match.steps)
        if step(match, rng) == "ok" and isinstance(match.steps[steps].given, Act):
            before.append((match.save(), match.now))
        elif len(match.steps) > steps:
            break  # a timer went first
    for saved, now in reversed(before[:-1]):
        match.undo()
        assert (match.save(), match.now) == (saved, now)
    assert not any(isinstance(each.given, Act) for each in match.steps)
    with pytest.raises(PliError) as caught:
        match.undo()
    assert caught.value.code == "nothing_to_undo"


def test_a_match_says_what_it_is() -> None:
    match = pli.new("marshmallow", seed=7, seats=4, first_dealer=0)
    assert repr(match) == "<Match 'marshmallow', seats=4, actions=0, now=0, actors=[0]>"
    match.act(0, match.legal(0)[0], at=2_500)
    (actor,) = match.actors
    assert repr(match) == f"<Match 'marshmallow', seats=4, actions=1, now=2500, actors=[{actor}]>"
    play(match, 1, 10_000)
    assert match.over
    assert f"winners={match.winners}" in repr(match)


# Positions

POSITION = {
    "turn": 0,
    "tricks": [2, 2, 1, 1],
    "hands": ["B12 G1", "B3 G2", "B4 G3", "B5 G4"],
}


@engines
def test_a_position_is_written_as_in_a_scenario(engine: Engine) -> None:
    match = new(engine)
    match.place(POSITION)
    assert match.view(0).hand == ["B12", "G1"]
    assert match.actors == [0]
    match.act(0, "play B12")
    assert match.undo() == Act(0, match.parse(0, "play B12"), 0)
    assert match.legal(0) == ["play B12", "play G1"]


@engines
@pytest.mark.parametrize(
    ("wrong", "code", "key", "said"),
    [
        ({"hand": []}, "unknown_key", "hand", "no “hand”; there are: "),
        ({"turn": 4}, "bad_position", "turn", "turn: wanted: a seat from 0 to 3"),
        ({"hands": ["B12", "B12", "", ""]}, "bad_position", "", ""),
        ({"hands": ["B99", "", "", ""]}, "bad_position", "hands", "B99 is none"),
    ],
    ids=str,
)
def test_a_wrong_position_is_named_and_changes_nothing(
    engine: Engine, wrong: dict[str, object], code: str, key: str, said: str
) -> None:
    match = new(engine)
    match.act(0, match.legal(0)[0])
    before, steps = match.save(), len(match.steps)
    with pytest.raises(BadPosition) as caught:
        match.place({"turn": 0, **wrong})
    assert caught.value.code == code
    assert caught.value.key == key or not key
    assert said in str(caught.value)
    assert (match.save(), len(match.steps)) == (before, steps)


def test_a_game_from_a_position_has_no_record() -> None:
    match = new("plain")
    assert pli.replay(pli.read_record(pli.write_record(match))).save() == match.save()
    match.place(POSITION)
    with pytest.raises(PliError) as caught:
        pli.write_record(match)
    assert caught.value.code == "record_of_position"
