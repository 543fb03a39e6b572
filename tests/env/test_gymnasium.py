"""One seat in Gymnasium: judged by Gymnasium's own tests, and against batches and matches."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.env_match import check_environments_match
from gymnasium.vector import AutoresetMode

from pli import games
from pli.batch import Batch
from pli.env.gymnasium import OneSeat, OneSeatVector

ALL = games.names()
TURNS = [name for name in ALL if not games.load(name).live]

everywhere = pytest.mark.parametrize("game", ALL)
turns = pytest.mark.parametrize("game", TURNS)
opponents = pytest.mark.parametrize("opponents", ["random", "medium"])
modes = pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])


def chosen(mask: Any, rng: np.random.Generator) -> Any:
    """Legal actions, by the last axis of a mask."""
    return np.argmax(rng.random(mask.shape) * mask, axis=-1)


def short(game: str, target: int = 3) -> dict[str, Any]:
    """Options of a game that is soon over."""
    names = {each.name for each in games.load(game).described}
    return {"seats": 2, **({"target": target} if "target" in names else {})}


@everywhere
@opponents
def test_their_checks(game: str, opponents: str) -> None:
    made = gymnasium.make("pli/OneSeat-v1", game=game, opponents=opponents, seat=1)
    check_env(made.unwrapped)
    one, other = (OneSeat(game, 1, opponents, render_mode="ansi") for _ in range(2))
    check_environments_match(one, other, num_steps=40)


@everywhere
@opponents
def test_the_same_seed_is_the_same_game(game: str, opponents: str) -> None:
    """With legal actions, as their check does not choose them."""
    both = [OneSeat(game, 1, opponents, seats=3) for _ in range(2)]
    (seen, info), (other, _) = (each.reset(seed=5) for each in both)
    rng = np.random.default_rng(5)
    for _ in range(25):
        assert (seen == other).all()
        assert info["action_mask"].any()
        action = int(chosen(info["action_mask"], rng))
        one, two = (each.step(action) for each in both)
        assert one[1:4] == two[1:4]
        seen, info, other = one[0], one[4], two[0]
        assert (info["action_mask"] == both[0].action_masks()).all()
        if one[2]:
            break


@everywhere
@opponents
def test_a_game_comes_to_its_end_on_ones_own_turns(game: str, opponents: str) -> None:
    played = OneSeat(game, 1, opponents, seats=3)
    seen, info = played.reset(seed=2)
    rng = np.random.default_rng(2)
    steps, terminated, truncated, reward = 0, False, False, 0.0
    while not (terminated or truncated) and steps < 400:
        assert reward == 0
        if not played.game.live:
            split = games.load(game).observation.split(seen, 3)  # type: ignore[union-attr]
            assert split["turn"].tolist() == [1, 0, 0]
        seen, reward, terminated, truncated, info = played.step(
            int(chosen(info["action_mask"], rng))
        )
        assert played.observation_space.contains(seen)
        steps += 1
    if not played.game.live:
        assert terminated
        assert reward in (1.0, 0.25, 0.0, -0.5)
        with pytest.raises(ValueError, match="call reset"):
            played.step(0)


@turns
def test_bots_play_better_than_chance(game: str) -> None:
    """Who plays at random loses to medium bots more often than to others like itself."""
    rng, wins = np.random.default_rng(1), {}
    for opponents in ("random", "medium"):
        played = OneSeatVector(game, 30, 0, opponents, **short(game, 9))
        _, info = played.reset(seed=1)
        won = over = 0
        while over < 50:
            _, rewards, terminated, _, info = played.step(chosen(info["action_mask"], rng))
            won += int((rewards > 0).sum())
            over += int(terminated.sum())
        wins[opponents] = won / over
    assert wins["medium"] < wins["random"] - 0.1
    assert 0.3 < wins["random"] < 0.7


@everywhere
def test_a_game_against_random_is_that_of_a_batch(game: str) -> None:
    live = games.load(game).live
    played = OneSeat(game, 1, "random")
    seen, info = played.reset(seed=7)
    number = int(np.random.Generator(np.random.PCG64(7)).integers(1 << 62))
    only: Any = None if live else 1
    batch = Batch(game, 1, number, autoreset=False, only=only)
    row = (0, 1) if live else 0
    rng = np.random.default_rng(7)
    for _ in range(40):
        assert (seen == batch.observation[row]).all()
        assert (info["action_mask"] == batch.mask[row]).all()
        action = chosen(info["action_mask"], rng)
        given = batch.random_actions().copy() if live else np.zeros(1, np.int64)
        given[row] = action
        batch.step(given)
        seen, reward, terminated, truncated, info = played.step(action)
        assert reward == batch.rewards[0, 1]
        assert (terminated or truncated) == batch.done[0]
        if batch.done[0]:
            break


@everywhere
@opponents
@pytest.mark.parametrize("action", [-1, 10**9, None], ids=["negative", "too high", "not offered"])
def test_an_illegal_action_loses(game: str, opponents: str, action: int | None) -> None:
    played = OneSeat(game, 0, opponents)
    _, info = played.reset(seed=1)
    number = int(np.argmin(info["action_mask"])) if action is None else action
    _, reward, terminated, truncated, _ = played.step(number)
    assert (reward, terminated, truncated) == (-1.0, True, False)


@turns
@opponents
@modes
def test_a_vector_resets_as_it_says(game: str, opponents: str, mode: AutoresetMode) -> None:
    n = 12
    played = OneSeatVector(game, n, 1, opponents, autoreset_mode=mode.value, **short(game))
    assert played.metadata["autoreset_mode"] == mode
    seen, info = played.reset(seed=3)
    rng, done, endings = np.random.default_rng(3), np.zeros(n, bool), 0
    for _ in range(150):
        actions = chosen(info["action_mask"], rng)
        if mode == AutoresetMode.NEXT_STEP:
            actions[done] = -1  # ignored
        before = seen.copy()
        after, rewards, terminated, truncated, info = played.step(actions)
        assert (seen == before).all()  # the receiver's to keep
        assert played.observation_space.contains(after)
        assert not truncated.any()
        fields = played.game.observation.split(after, 2)  # type: ignore[union-attr]
        playing = fields["turn"][:, 0] == 1
        if mode == AutoresetMode.NEXT_STEP:
            assert not rewards[done].any()
            assert not terminated[done].any()
            assert (playing | terminated).all()
        else:
            assert playing.all()
            assert ("final_obs" in info) == terminated.any()
            if terminated.any():
                assert (info["_final_obs"] == terminated).all()
                ended = np.flatnonzero(terminated)[0]
                assert played.single_observation_space.contains(info["final_obs"][ended])
                assert (info["final_obs"][ended] != after[ended]).any()
        assert (rewards != 0).sum() <= terminated.sum()
        endings += int(terminated.sum())
        seen, done = after, terminated
        if endings > n:
            break
    assert endings > n


@turns
def test_a_vector_of_one_is_one_seat(game: str) -> None:
    for opponents in ("random", "medium"):
        one, many = OneSeat(game, 0, opponents), OneSeatVector(game, 1, 0, opponents)
        seen, info = one.reset(seed=9)
        row, _ = many.reset(seed=9)
        rng = np.random.default_rng(9)
        for _ in range(15):
            assert (row[0] == seen).all()
            action = chosen(info["action_mask"], rng)
            seen, reward, done, _, info = one.step(int(action))
            row, rewards, terminated, _, _ = many.step(np.array([action]))
            assert (reward, done) == (rewards[0], terminated[0])
            if done:
                break


def test_a_vector_that_does_not_reset_is_reset_by_hand() -> None:
    played = OneSeatVector("marshmallow", 8, opponents="random", autoreset_mode="Disabled")
    _, info = played.reset(seed=1)
    rng = np.random.default_rng(1)
    done = np.zeros(8, bool)
    while not done.any():
        before, _, done, _, info = played.step(chosen(info["action_mask"], rng))
    with pytest.raises(ValueError, match="reset_mask"):
        played.step(chosen(info["action_mask"], rng))
    after, info = played.reset(options={"reset_mask": done})
    assert (after[~done] == before[~done]).all()
    assert (after[done] != before[done]).any(axis=1).all()
    played.step(chosen(info["action_mask"], rng))


def test_opponents_sit_where_they_are_named() -> None:
    names = ["random", "medium", "easy"]
    played = OneSeat("plingo", 2, names, seats=4)
    played.reset(seed=1)
    with pytest.raises(ValueError, match="3 opponents"):
        OneSeat("plingo", 2, names[:2], seats=4)
    with pytest.raises(Exception, match="nobody"):
        OneSeat("plingo", opponents="nobody")
    with pytest.raises(ValueError, match="seats are 0-3"):
        OneSeat("plingo", 4)


def test_before_a_reset_there_is_no_game() -> None:
    for made in (OneSeat("plingo"), OneSeatVector("plingo", 2)):
        with pytest.raises(ValueError, match="call reset"):
            made.step(np.zeros(2, int))  # type: ignore[arg-type]
