"""What studies record of a game beside its winners: a row for the game, one for each round and one
for each decision. Random playouts write them compiled, and games between bots when they are over.
"""

from typing import Any, NamedTuple

import numpy as np

# Columns of a game.
(
    G_TIME,
    G_FIRST,
    G_ROUNDS,
    G_CHOSEN,
    G_CHOICES,
    G_TURNS,
    G_WAITED,
    G_LONGEST,
    G_ROWS,
) = range(9)
GAME_COLUMNS = 9
"""The time in ms; who acted first; how many rounds began; in how many actions there was a choice,
and among how many actions in all of them; how many actions came after an earlier one of the same
seat, and how many of others lay between the two, all in all; the most of others in a row that a
seat watched, before its first action and after its last one too; how many rows of rounds."""

# Columns of a round, before the points of each seat.
R_GAME, R_ROUND, R_FIRST, R_ACTIONS, R_TIME = range(5)
ROUND_COLUMNS = 5
"""The game; the round, 0 in games without; who acted first in it; how many actions the game had by
its end; the time then."""

# Columns of a decision.
D_GAME, D_ROUND, D_SEAT, D_NUMBER, D_CHOICES, D_TIME = range(6)
DECISION_COLUMNS = 6
"""The game; the round; whose action; its number in the game, from 0; among how many actions it was
chosen, 0 where they are not counted; the time."""

NOBODY = -1

ROUNDS_EXPECTED = 16
DECISIONS_EXPECTED = 256
"""Of a game. If there are more, a chunk is played again with more room."""


class Log(NamedTuple):
    """The rows of some games, in their order; a game has at least one row of rounds."""

    games: Any
    rounds: Any
    decisions: Any


def room_for(games: int, detailed: int, seats: int, rounds: int = 0, decisions: int = 0) -> Log:
    """Memory for so many games, with decisions of some of them; at least so many rows."""
    rounds = max(rounds, ROUNDS_EXPECTED * games)
    decisions = max(decisions, DECISIONS_EXPECTED * detailed)
    return Log(
        np.zeros((games, GAME_COLUMNS), np.int64),
        np.zeros((rounds, ROUND_COLUMNS + seats), np.int64),
        np.zeros((decisions, DECISION_COLUMNS), np.int64),
    )


NO_LOG = room_for(0, 0, 0)
