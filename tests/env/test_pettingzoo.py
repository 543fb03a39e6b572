"""The games in PettingZoo: judged by PettingZoo's own tests, and against our batches."""

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.utils import turn_based_aec_to_parallel

from pli import games
from pli.batch import Batch
from pli.env.pettingzoo import env, parallel_env

ALL = games.names()
TURNS = [name for name in ALL if not games.load(name).live]

pytestmark = [
    # Environments with a mask in the observation get both, PettingZoo's own classics too.
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
]

turns = pytest.mark.parametrize("game", TURNS)
everywhere = pytest.mark.parametrize("game", ALL)


def chosen(mask: Any, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


@turns
@pytest.mark.parametrize("seats", [2, 5])
def test_their_api_test(game: str, seats: int) -> None:
    api_test(env(game, seats=seats), num_cycles=200)
    seed_test(lambda: env(game, seats=seats), num_cycles=60)


@everywhere
def test_their_parallel_api_test(game: str) -> None:
    parallel_api_test(parallel_env(game), num_cycles=150)
    parallel_seed_test(lambda: parallel_env(game), num_cycles=60)


@turns
@pytest.mark.parametrize("seed", range(3))
def test_a_game_is_that_of_a_batch(game: str, seed: int) -> None:
    """The same observations, masks, turns and rewards, to the end."""
    played = env(game, seats=3)
    played.reset(seed=seed)
    batch = Batch(game, 1, seed, autoreset=False, seats=3)
    rng, rewards = np.random.default_rng(seed), {}
    for agent in played.agent_iter():
        observed, reward, terminated, truncated, _ = played.last()
        if terminated or truncated:
            rewards[agent] = reward
            played.step(None)
            continue
        assert agent == f"player_{batch.seat[0]}"
        assert (observed["observation"] == batch.observation[0]).all()
        assert (observed["action_mask"] == batch.mask[0]).all()
        for other, waiting in enumerate(played.agents):
            if waiting != agent:
                seen = played.observe(waiting)
                assert not seen["action_mask"].any()
                assert (seen["observation"] == batch.look(0, other)).all()
        action = chosen(observed["action_mask"], rng)
        played.step(action)
        batch.step(np.array([action]))
    assert batch.done[0]
    assert [rewards[f"player_{seat}"] for seat in range(3)] == batch.rewards[0].tolist()
    assert any(rewards.values())
    assert not played.agents


@everywhere
def test_a_parallel_game_is_that_of_a_batch(game: str) -> None:
    played, batch = parallel_env(game), Batch(game, 1, 4, autoreset=False)
    observed, infos = played.reset(seed=4)
    for _ in range(150):
        seats = range(batch.seats)
        acting = seats if batch.game.live else [int(batch.seat[0])]
        assert [seat for seat in seats if infos[f"player_{seat}"]["acts"]] == [*acting]
        actions = batch.random_actions().reshape(-1).copy()
        by_agent = {f"player_{seat}": 0 for seat in seats}
        for seat, action in zip(acting, actions, strict=True):
            mine = observed[f"player_{seat}"]
            row = (0, seat) if batch.game.live else 0
            assert (mine["observation"] == batch.observation[row]).all()
            assert (mine["action_mask"] == batch.mask[row]).all()
            by_agent[f"player_{seat}"] = int(action)
        batch.step(actions.reshape(batch.mask.shape[:-1]))
        observed, rewards, terminated, _, infos = played.step(by_agent)
        assert [*rewards.values()] == batch.rewards[0].tolist()
        assert set(terminated.values()) == {bool(batch.done[0])}
        if batch.done[0]:
            break
    assert played.agents == [] if batch.done[0] else played.possible_agents


@pytest.mark.parametrize("action", [-1, 10**9, None], ids=["negative", "too high", "not held"])
def test_an_illegal_action_loses(action: int | None) -> None:
    for game in TURNS:
        played = env(game, seats=3)
        played.reset(seed=1)
        agent = played.agent_selection
        mask = played.observe(agent)["action_mask"]
        played.step(int(np.argmin(mask)) if action is None else action)
        assert played.rewards == {each: -1.0 if each == agent else 0.0 for each in played.agents}
        assert all(played.terminations.values())
        for _ in range(3):
            played.step(None)
        assert not played.agents
        with pytest.raises(ValueError, match="call reset"):
            played.step(0)
    for game in ALL:
        both = parallel_env(game, seats=3)
        observed, infos = both.reset(seed=1)
        actor = next(agent for agent in both.agents if infos[agent]["acts"])
        mask = observed[actor]["action_mask"]
        number = int(np.argmin(mask)) if action is None else action
        given = {each: number if each == actor else 0 for each in both.agents}
        _, rewards, terminated, _, _ = both.step(given)
        assert rewards == {each: -1.0 if each == actor else 0.0 for each in rewards}
        assert all(terminated.values())


@everywhere
def test_arrays_are_the_receivers_to_keep(game: str) -> None:
    played = parallel_env(game)
    observed, _ = played.reset(seed=2)
    agent = played.agents[0]
    kept = {name: (array, array.copy()) for name, array in observed[agent].items()}
    played.step({each: chosen(observed[each]["action_mask"], np.random.default_rng(1))
                 for each in played.agents})  # fmt: skip
    played.reset(seed=3)
    for array, before in kept.values():
        assert (array == before).all()


@everywhere
def test_all_observations_together_are_the_state(game: str) -> None:
    played = parallel_env(game)
    observed, _ = played.reset(seed=2)
    together = np.concatenate([observed[agent]["observation"] for agent in played.agents])
    assert (played.state() == together).all()
    assert played.state_space.contains(played.state())


@turns
def test_another_game_follows_without_a_seed(game: str) -> None:
    played = env(game)
    played.reset(seed=3)
    first = played.state()
    played.reset()
    assert (played.state() != first).any()
    played.reset(seed=3)
    assert (played.state() == first).all()


@turns
def test_a_table_is_shown_as_text(game: str) -> None:
    played = env(game, render_mode="ansi")
    played.reset(seed=1)
    assert "turn: " in str(played.render())
    assert env(game).render() is None
    with pytest.raises(ValueError, match="ansi"):
        env(game, render_mode="human")


@turns
def test_their_conversion_takes_it(game: str) -> None:
    played = turn_based_aec_to_parallel(env(game))
    observed, _ = played.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(30):
        acting = played.aec_env.agent_selection
        actions: dict[str, int | None] = dict.fromkeys(played.agents)
        actions[acting] = chosen(observed[acting]["action_mask"], rng)
        observed = played.step(actions)[0]


def test_what_has_no_turns_says_so() -> None:
    for game in set(ALL) - set(TURNS):
        with pytest.raises(ValueError, match="use parallel_env"):
            env(game)
