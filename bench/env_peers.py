"""The peers of `make bench-envs`: pgx, OpenSpiel, PettingZoo's classic games and RLCard, each asked
for what a learning agent needs at every step: an observation, the actions that are legal, rewards,
and a new game when one ends.

Each is driven in the quickest way that was found, on one core; a comment says which.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
from measure import Absent
from peers import SEED, loaded

Step = Callable[[], int]
"""Plays on; returns how many steps that was."""

PGX_GAME = "sparrow_mahjong"
"""The nearest that pgx has to the games here: cards in hands, hidden, for three."""

PGX = ("pgx, auto_reset", "pgx, begun together")
SPIEL = "OpenSpiel, tensors"

SCAN = 20
"""Steps of pgx in one call, so that calling costs it nothing."""


def pgx_step(n: int, reset: bool) -> Step:
    """n games of pgx in lockstep, actions drawn inside of the compiled loop.

    With `reset` a game that ends begins anew, as pgx does it: it computes a new game at every step
    of every game. Without, all begin anew together after as many steps as a game takes, and those
    that ended before stand still and count all the same: that flatters it, and is the quicker.
    """
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(PGX_GAME)
    init = jax.vmap(env.init)
    step = jax.vmap(auto_reset(env.step, env.init) if reset else env.step)

    def one(state: Any, key: Any) -> tuple[Any, None]:
        drawing, chance = jax.random.split(key)
        legal = jnp.log(state.legal_action_mask.astype(jnp.float32))
        actions = jax.random.categorical(drawing, legal, axis=1)
        return step(state, actions, *((jax.random.split(chance, n),) if reset else ())), None

    def many(state: Any, key: Any) -> Any:
        beginning, playing = jax.random.split(key)
        first = state if reset else init(jax.random.split(beginning, n))
        return jax.lax.scan(one, first, jax.random.split(playing, SCAN))[0]

    compiled = jax.jit(many)
    key = jax.random.PRNGKey(SEED)
    state = jax.jit(init)(jax.random.split(key, n))

    def play() -> int:
        nonlocal key, state
        key, used = jax.random.split(key)
        state = compiled(state, used)
        state.observation.block_until_ready()
        return n * SCAN

    play()  # compiles
    return play


def spiel_step(pyspiel: Any, name: str, tensors: bool = True) -> Step:
    """A game of OpenSpiel from Python: observation tensor and mask at every decision. Chance is not
    counted as steps."""
    game = pyspiel.load_game(name)
    observes = game.get_type().provides_observation_tensor  # not all games do
    draw = random.Random(SEED).random
    state = game.new_initial_state()

    def play() -> int:
        nonlocal state
        steps = 0
        while steps < 52:
            if state.is_terminal():
                state.returns()
                state = game.new_initial_state()
            elif state.is_chance_node():
                actions, _ = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(actions[int(draw() * len(actions))])
            else:
                if tensors:
                    seat = state.current_player()
                    if observes:
                        state.observation_tensor(seat)
                    else:
                        state.information_state_tensor(seat)
                    state.legal_actions_mask(seat)
                legal = state.legal_actions()
                state.apply_action(legal[int(draw() * len(legal))])
                steps += 1
        return steps

    return play


def pettingzoo_step(env: Any) -> Step:
    """An environment of PettingZoo's, in turns, with the mask in the observation."""
    numbers = np.random.default_rng(SEED)
    env.reset(seed=SEED)

    def play() -> int:
        steps = 0
        while steps < 50:
            observation, _, ended, cut, _ = env.last()
            if ended or cut:
                env.reset()
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(int(legal[int(numbers.random() * len(legal))]))
            steps += 1
        return steps

    return play


def rlcard_step(rlcard: Any, name: str) -> Step:
    """An environment of RLCard's: `step` gives the observation and the legal actions."""
    env = rlcard.make(name, config={"seed": SEED})
    draw = random.Random(SEED).random
    state, _ = env.reset()

    def play() -> int:
        nonlocal state
        steps = 0
        while steps < 50:
            if env.is_over():
                env.get_payoffs()
                state, _ = env.reset()
            legal = [*state["legal_actions"]]
            state, _ = env.step(legal[int(draw() * len(legal))])
            steps += 1
        return steps

    return play


Peer = tuple[str, str, int, Callable[[], Step]]
"""Its name, its game, how many games a step steps, and what makes its step."""


def env_peers(n: int) -> list[Peer | Absent]:
    """All that are installed, and a note for each that is not."""
    found: list[Peer | Absent] = []
    if isinstance(pgx := loaded("pgx", "pgx"), Absent):
        found.append(pgx)
    else:
        found.append((PGX[0], PGX_GAME, n, lambda: pgx_step(n, reset=True)))
        found.append((PGX[1], PGX_GAME, n, lambda: pgx_step(n, reset=False)))
    if isinstance(pyspiel := loaded("pyspiel", "OpenSpiel"), Absent):
        found.append(pyspiel)
    else:
        found.append((SPIEL, "spades", 1, lambda: spiel_step(pyspiel, "spades")))
        found.append((SPIEL, "hearts", 1, lambda: spiel_step(pyspiel, "hearts")))
    texas = loaded("pettingzoo.classic.texas_holdem_v4", "PettingZoo classic")
    if isinstance(texas, Absent):
        found.append(texas)
    else:
        step = lambda: pettingzoo_step(texas.env())  # noqa: E731
        found.append(("PettingZoo classic", "texas_holdem", 1, step))
    if isinstance(rlcard := loaded("rlcard", "RLCard"), Absent):
        found.append(rlcard)
    else:
        found.append(("RLCard", "bridge", 1, lambda: rlcard_step(rlcard, "bridge")))
    return found
