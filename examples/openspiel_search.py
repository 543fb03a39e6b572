"""OpenSpiel's information-set Monte-Carlo tree search plays Plingo against a random player, as it
would any game of OpenSpiel's: `python examples/openspiel_search.py [games]`."""

import sys

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator
from open_spiel.python.bots.uniform_random import UniformRandomBot

from pli.env.openspiel import register

SIMULATIONS = 30


def play(games: int, seed: int = 1) -> float:
    """How often the search wins at a table of two; it takes each seat in turn."""
    register()
    game = pyspiel.load_game("pli_plingo", {"seats": 2, "seed": seed})
    numbers, won = np.random.RandomState(seed), 0

    def sampler(state: pyspiel.State, player: int) -> pyspiel.State:
        return state.resample_from_infostate(player, numbers.uniform)

    for number in range(games):
        seat, state = number % 2, game.new_initial_state()
        evaluator = RandomRolloutEvaluator(1, numbers)
        search = ISMCTSBot(game, evaluator, 2.0, SIMULATIONS, random_state=numbers)
        search.set_resampler(sampler)  # its own draws from numbers that nobody can seed
        chance = UniformRandomBot(1 - seat, numbers)
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(numbers.choice([each for each, _ in state.chance_outcomes()]))
            else:
                bot = search if state.current_player() == seat else chance
                state.apply_action(bot.step(state))
        won += state.returns()[seat] > 0
    return won / games


if __name__ == "__main__":
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    print(f"search wins {play(games):.0%} of {games} games, where chance has 50%")
