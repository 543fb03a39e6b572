"""Tianshou's double deep Q-learning on Marshmallow Test, through its wrapper for PettingZoo: one
agent learns, the other plays at random. `make example-tianshou` installs what it needs."""

import logging
import sys
from typing import Any

import numpy as np
import torch
from tianshou.algorithm import DQN, MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.algorithm import MultiAgentOffPolicyAlgorithm as ManyAgents
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.env.pettingzoo_env import PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from pli.env import pettingzoo

GAMES, TESTS, LEARNS = 16, 200, 0


def make() -> Any:
    return PettingZooEnv(pettingzoo.env("marshmallow", seats=2, target=3))


def agents() -> Any:
    env = make()
    shape = env.observation_space["observation"].shape
    model = Net(state_shape=shape, action_shape=env.action_space.n, hidden_sizes=[128, 128])
    policy = DiscreteQLearningPolicy(
        model=model, action_space=env.action_space, eps_training=0.1, eps_inference=0.0
    )
    optimizer = AdamOptimizerFactory(lr=5e-4)
    learner = DQN(policy=policy, optim=optimizer, gamma=0.99, n_step_return_horizon=3,
                  target_update_freq=200)  # fmt: skip
    chance = MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=env.action_space)
    return ManyAgents(algorithms=[learner, chance], env=env)


def wins(algorithm: Any, seed: int) -> float:
    """How often the learner wins, acting as well as it can."""
    envs = DummyVectorEnv([make] * GAMES)
    envs.seed(seed)
    tried = Collector(algorithm, envs)
    tried.reset()
    return float((tried.collect(n_episode=TESTS).returns[:, LEARNS] > 0).mean())


def train(epochs: int, seed: int = 1) -> tuple[float, float]:
    """How often the learner won before and after."""
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    algorithm, envs = agents(), DummyVectorEnv([make] * GAMES)
    envs.seed(seed)
    before = wins(algorithm, seed + 1)
    buffer = VectorReplayBuffer(40_000, GAMES)
    collector = Collector(algorithm, envs, buffer, exploration_noise=True)
    collector.reset()
    collector.collect(n_step=64 * GAMES)
    algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            test_collector=None,
            max_epochs=epochs,
            epoch_num_steps=2000,
            collection_step_num_env_steps=GAMES,
            update_step_num_gradient_steps_per_sample=0.1,
            batch_size=128,
            show_progress=False,
            verbose=False,
            multi_agent_return_reduction=lambda returns: returns[:, LEARNS],
        )
    )
    return before, wins(algorithm, seed + 2)


if __name__ == "__main__":
    logging.disable()  # it warns at every step that there are two agents
    before, after = train(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
    print(f"wins {before:.0%} before and {after:.0%} after, where chance has 50%")
