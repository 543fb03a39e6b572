"""A policy for Marshmallow Test that learns from nothing, in self-play, by policy gradients: actor
and critic in one small network (A2C with GAE), in JAX. After two minutes on one core it beats
random players clearly: `python examples/policy_gradient.py [seconds]`."""

import os
import sys
import time
from typing import Any

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")  # one core

import jax
import jax.numpy as jnp
import numpy as np
from jax.example_libraries.optimizers import adam

from pli.batch import Batch

GAME, GAMES, STEPS, HIDDEN, PARTS = "marshmallow", 512, 64, 128, 8
RATE, ENTROPY, DISCOUNT, TRACE = 2e-3, 0.01, 0.997, 0.9
Array = Any


def network(weights: Any, seen: Array) -> tuple[Array, Array]:
    """The logits of all actions, and what the game is worth to the seat that acts."""
    out = jax.nn.relu(seen.astype(jnp.float32) @ weights[0] + weights[1]) @ weights[2]
    return out[:, 1:], jnp.tanh(out[:, 0])


@jax.jit
def choose(weights: Any, seen: Array, mask: Array, key: Array) -> tuple[Array, Array]:
    logits, value = network(weights, seen)
    return jax.random.categorical(key, jnp.where(mask, logits, -1e9)), value


def loss(weights: Any, data: Any) -> Array:
    seen, mask, action, gain, goal, known = data
    logits, value = network(weights, seen)
    chances = jax.nn.log_softmax(jnp.where(mask, logits, -1e9))
    taken = jnp.take_along_axis(chances, action[:, None], 1)[:, 0]
    entropy = -jnp.sum(jnp.where(mask, jnp.exp(chances) * chances, 0), axis=1)
    each = -taken * gain + 0.5 * (value - goal) ** 2 - ENTROPY * entropy
    return jnp.sum(each * known) / jnp.sum(known)


def gains(values: Array, seats: Array, rewards: Array, done: Array) -> tuple[Array, Array]:
    """By how much each action's outcome was above what its seat expected: until the seat's next
    turn, or the end. And whether that is known, since neither may come within these steps."""
    ahead, trace, known = np.zeros((3, *rewards.shape[1:]))  # by game and seat: from then on
    out, sure, game = np.zeros(values.shape), np.zeros(values.shape), np.arange(GAMES)
    for t in range(STEPS - 1, -1, -1):
        over, place = done[t], (game, seats[t])
        ahead[over], trace[over], known[over] = rewards[t][over], 0, 1
        out[t] = DISCOUNT * (ahead[place] + TRACE * trace[place]) - values[t]
        sure[t] = known[place]
        ahead[place], trace[place], known[place] = values[t], out[t] * sure[t], 1
    return out, sure


def train(seconds: float, seed: int = 0) -> tuple[Any, int]:
    """The weights, and after how many steps."""
    batch, numbers = Batch(GAME, GAMES, seed), np.random.default_rng(seed)
    begin, update, weights_of = adam(RATE)
    first = jnp.array(numbers.normal(0, 0.1, (batch.size, HIDDEN)))
    state = begin((first, jnp.zeros(HIDDEN), jnp.zeros((HIDDEN, batch.actions + 1))))
    key, slope = jax.random.PRNGKey(seed), jax.grad(loss)
    learn = jax.jit(lambda n, state, data: update(n, slope(weights_of(state), data), state))
    rounds, ends = 0, time.process_time() + seconds
    while time.process_time() < ends:
        rows = []
        for _ in range(STEPS):
            key, used = jax.random.split(key)
            before = [each.copy() for each in (batch.observation, batch.mask, batch.seat)]
            action, value = map(np.asarray, choose(weights_of(state), *before[:2], used))
            moment = batch.step(action)
            rows.append((*before, action, value, moment.rewards.copy(), moment.done.copy()))
        seen, mask, seats, action, value, rewards, done = map(np.stack, zip(*rows, strict=True))
        gain, known = gains(value, seats, rewards, done)
        data = (seen, mask, action, gain / (gain.std() + 1e-8), value + gain, known)
        flat = [each.reshape(GAMES * STEPS, *each.shape[2:]) for each in data]
        for part in numbers.permutation(GAMES * STEPS).reshape(PARTS, -1):
            state = learn(rounds, state, [each[part] for each in flat])
        rounds += 1
    return weights_of(state), rounds * STEPS * GAMES


def wins(weights: Any, games: int = 2000, seed: int = 1) -> float:
    """How often seat 0 wins against random players."""
    batch, key = Batch(GAME, games, seed, autoreset=False, only=0), jax.random.PRNGKey(seed)
    won = np.zeros(games, bool)
    while not batch.done.all():
        key, used = jax.random.split(key)
        action, _ = choose(weights, batch.observation.copy(), batch.mask.copy(), used)
        won |= batch.step(np.asarray(action)).rewards[:, 0] > 0
    return float(won.mean())


if __name__ == "__main__":
    learnt, steps = train(float(sys.argv[1]) if len(sys.argv) > 1 else 100.0)
    print(f"{steps:,} steps: wins {wins(learnt):.0%} of 2000 games, where chance has 25%")
