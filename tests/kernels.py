"""Compiles in one process what the tests run compiled, and draws what their pictures are made from:
`python -m tests.kernels`.

Left to the tests, whichever process comes first would compile a function with all that it calls,
and most of that is the same.
"""

from pli import games
from pli.batch.driver import compiled_step
from pli.bots.mcts import compiled_search
from pli.kernel.compiler import CompiledFunction, cache_home
from pli.kernel.machine import Compiled
from pli.kernel.playout import Playouts
from pli.motifs.sprites import prepare
from tests.race import RACE


def main() -> None:
    prepare(cache_home())
    for game in [*map(games.load, games.names()), RACE]:
        if game.rollout is not None:
            made = compiled_search(game)
            for function in (made.search, made.flat, made.count_ways):
                function.ready()
        Playouts(game.rules).ready()
        if game.observation is not None:
            compiled_step(game).ready()
        for part in vars(Compiled(game.rules)).values():
            if isinstance(part, CompiledFunction):
                part.ready()


if __name__ == "__main__":
    main()
