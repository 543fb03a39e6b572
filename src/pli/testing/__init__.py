"""Checks a game, whoever has written it, for all that holds of every game, in one call:

    from pli.testing import check_game

    check_game("hearts")

It plays random games with every value of every option, and looks along the way whether cards are
lost, views leak, refusals change something, a replay gives other bytes, compiled rules differ, a
text is missing, and more: `NAMES`. What is not so is told with the shortest actions that show it.
It needs no test framework; `pli check` does the same on the command line.
"""

from pli.testing.check import NAMES, Result, check_game, examine
from pli.testing.failure import CheckFailed, Failure, Move
from pli.testing.option_sets import option_sets

__all__ = [
    "NAMES",
    "CheckFailed",
    "Failure",
    "Move",
    "Result",
    "check_game",
    "examine",
    "option_sets",
]
