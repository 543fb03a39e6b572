"""The trick games in OpenSpiel: judged by OpenSpiel's own tests, and against our matches."""

import copy
import pickle
import random
import subprocess
import sys
from collections import Counter

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts
from open_spiel.python.tests import games_sim_test

from pli import games
from pli.env.openspiel import SpielState, register
from pli.game import read_options
from pli.match import Match
from tests.conftest import ROOT

NAMES = register()
PLAYTHROUGHS = ROOT / "tests" / "env" / "playthroughs"

KEPT = {
    "pli_marshmallow": "pli_marshmallow(seats=2,target=1,seed=1)",
    "pli_plingo": "pli_plingo(seats=2,seed=2)",
}

SETTINGS = [
    *NAMES,
    *(f"{name}(deal=explicit)" for name in NAMES),
    "pli_marshmallow(seats=2,edition=fr,first_dealer=1,tricks_to_go_out=3,target=9)",
    "pli_plingo(seats=6,auction=on,first_master=2,joker=may,teams=none,deal=explicit)",
]

everywhere = pytest.mark.parametrize("setting", SETTINGS)
names = pytest.mark.parametrize("name", NAMES)


def begun(setting: str, actions: int, seed: int = 1) -> SpielState:
    """After so many random actions."""
    state: SpielState = pyspiel.load_game(setting).new_initial_state()
    rng = random.Random(seed)
    while actions:
        if state.is_chance_node():
            state.apply_action(rng.choice(state.chance_outcomes())[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            actions -= 1
    while state.is_chance_node():
        state.apply_action(rng.choice(state.chance_outcomes())[0])
    return state


def test_every_game_of_one_awaited_seat_is_there() -> None:
    turns = [name for name in games.names() if not games.load(name).live]
    assert [f"pli_{name}" for name in turns] == NAMES
    assert register() == NAMES
    assert [*KEPT] == NAMES


@everywhere
def test_their_simulation(setting: str, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(setting), 1, serialize=True, verbose=False)


@everywhere
def test_their_games_sim_test(setting: str) -> None:
    np.random.seed(7)
    theirs = games_sim_test.GamesSimTest(
        "sim_game"
    )  # of one game, not their tests of all of theirs
    theirs.sim_game(pyspiel.load_game(setting))


def told(setting: str) -> str:
    """Their playthrough, without the tensors: the observations are there as text."""
    text = generate_playthrough.playthrough(setting, None, seed=3)
    return "\n".join(each for each in text.split("\n") if "Tensor(" not in each)


@names
def test_a_playthrough_is_as_it_was(name: str) -> None:
    """python -m tests.env.test_openspiel writes them anew."""
    kept = (PLAYTHROUGHS / f"{name}.txt").read_text(encoding="utf-8")
    assert told(KEPT[name]) == kept


@names
def test_every_option_is_a_parameter(name: str) -> None:
    game = games.load(name.removeprefix("pli_"))
    spiel = pyspiel.load_game(name)
    wanted = {each.name for each in game.described} | {"deal", "seed"}
    assert set(spiel.get_parameters()) == wanted
    assert spiel.options == read_options(game, {})
    for seats in (2, 3, 5):
        other = pyspiel.load_game(name, {"seats": seats})
        assert other.num_players() == other.options.seats == seats
    with pytest.raises(Exception, match="deal is sampled or explicit"):
        pyspiel.load_game(name, {"deal": "stacked"})


@everywhere
def test_a_state_is_that_of_a_match(setting: str) -> None:
    """The same shuffles and actions lead to the same bytes, turns, actions and returns."""
    state = begun(setting, 25)
    game = state.get_game()
    match = Match(game.pli, game.options, None, inputs=state._play.table._as_inputs())
    assert match.save() == state._play.table.save()
    assert match.actors == [state.current_player()]
    mask = match.mask(state.current_player())
    assert np.flatnonzero(mask).tolist() == state.legal_actions()
    rng = random.Random(2)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(rng.choice(state.chance_outcomes())[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    match = Match(game.pli, game.options, None, inputs=state._play.table._as_inputs())
    assert match.over
    assert state.returns() == match.returns() == state.rewards()
    assert sum(state.returns()) == pytest.approx(0)


@everywhere
def test_copies_go_on_by_themselves(setting: str) -> None:
    state = begun(setting, 12)
    twins = [state.clone(), pickle.loads(pickle.dumps(state)), copy.deepcopy(state._play)]
    before = str(state)
    for twin in twins[:2]:
        assert str(twin) == before
        assert twin.history() == state.history()
    action = state.legal_actions()[0]
    state.apply_action(action)
    assert str(twins[0]) == str(twins[1]) == before != str(state)
    assert twins[2].table.save() == twins[0]._play.table.save()
    for twin in twins[:2]:
        twin.apply_action(action)
        assert str(twin) == str(state)


def test_a_pickle_is_read_by_a_process_that_knows_nothing_of_it() -> None:
    state = begun("pli_plingo(seats=3)", 5)
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).history())"
    done = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(state), capture_output=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode().strip() == str(state.history())


def test_a_seed_is_the_same_deals() -> None:
    deals = [str(begun("pli_marshmallow(seed=5)", 0)) for _ in range(2)]
    assert deals[0] == deals[1] != str(begun("pli_marshmallow(seed=6)", 0))
    game = pyspiel.load_game("pli_marshmallow")
    starts = [game.new_initial_state() for _ in range(2)]
    for state in starts:
        for _ in range(2):
            state.apply_action(0)
    assert str(starts[0]) != str(starts[1])


@names
def test_an_illegal_action_is_refused_and_changes_nothing(name: str) -> None:
    state = begun(name, 3)
    before = str(state)
    wrong = next(each for each in range(65) if each not in state.legal_actions())
    with pytest.raises(Exception, match="is not legal"):
        state.apply_action(wrong)
    assert str(state) == before


@names
@pytest.mark.parametrize("actions", [1, 17, 40])
def test_a_guess_looks_the_same_to_the_seat(name: str, actions: int) -> None:
    """`resample_from_infostate`: what the seat has seen and may do is the same, what it can't see
    is dealt anew, and the copy goes on."""
    state, rng = begun(f"{name}(seed=2)", actions), random.Random(3)
    seat = state.current_player()
    others = Counter[str]()
    for _ in range(8):
        guess = state.resample_from_infostate(seat, rng.random)
        assert guess.information_state_string(seat) == state.information_state_string(seat)
        assert guess.observation_tensor(seat) == state.observation_tensor(seat)
        assert guess.legal_actions() == state.legal_actions()
        assert guess.current_player() == seat
        others[guess.observation_string((seat + 1) % guess.num_players())] += 1
        one, other = guess.clone(), state.clone()
        for each in (one, other):
            each.apply_action(state.legal_actions()[0])
        assert one.information_state_string(seat) == other.information_state_string(seat)
    assert len(others) > 1


@names
def test_information_states_tell_histories_apart(name: str) -> None:
    """Two histories that a seat could tell apart have different ones, even where what it observes
    now is the same; what only others saw is not in them."""
    state, rng = pyspiel.load_game(f"{name}(seed=4)").new_initial_state(), random.Random(4)
    seen: list[set[str]] = [set() for _ in range(state.num_players())]
    steps = 0
    while steps < 60 and not state.is_terminal():
        for seat, known in enumerate(seen):
            text = state.information_state_string(seat)
            assert all(text.startswith(each) for each in known)
            known.add(text)
        if state.is_chance_node():
            state.apply_action(0)
        else:
            state.apply_action(rng.choice(state.legal_actions()))
        steps += 1


def test_their_search_plays_a_round() -> None:
    """OpenSpiel's information-set search runs on it unchanged, and finds the better cards."""
    game = pyspiel.load_game("pli_marshmallow(seats=2,target=1,seed=1)")
    numbers = np.random.RandomState(5)
    evaluator = mcts.RandomRolloutEvaluator(1, numbers)
    bot = ismcts.ISMCTSBot(game, evaluator, 2.0, 15, random_state=numbers)
    state = begun(str(game), 14)
    assert bot.step(state) in state.legal_actions()


if __name__ == "__main__":
    for each in NAMES:
        (PLAYTHROUGHS / f"{each}.txt").write_text(told(KEPT[each]), encoding="utf-8")
