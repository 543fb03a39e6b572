"""Who plays when nobody does. A bot gets its seat's view, its actions and what it saw happen."""

import random
from collections.abc import Callable
from typing import Any

from pli.bots.bot import Bot, Moment, Plan, RandomBot
from pli.bots.reflexes import ADULT
from pli.bots.reflexive import Reflexive
from pli.errors import PliError
from pli.game import Game, Heuristic

__all__ = ["BOTS", "Bot", "Moment", "Plan", "RandomBot", "bots_for", "default_bot", "known_bot"]

Maker = Callable[[Game[Any], int, object], Bot]
"""(game, seat, seed): a bot for one game."""


def _random(game: Game[Any], seat: int, seed: object) -> Bot:
    return RandomBot(f"{seed} {seat}")


def _medium(game: Game[Any], seat: int, seed: object) -> Bot:
    """Decides soundly, with an adult's reactions."""
    assert game.instincts is not None
    decide = game.heuristic or _any(f"{seed} {seat} decisions")
    return Reflexive(game.instincts(), decide, ADULT, f"{seed} {seat}")


def _any(seed: str) -> Heuristic:
    rng = random.Random(seed)
    return lambda view, actions: rng.choice(actions)


BOTS: dict[str, Maker] = {"random": _random, "medium": _medium}


def bots_for(game: Game[Any]) -> list[str]:
    """The bots that can play this game."""
    return [name for name in BOTS if name != "medium" or game.instincts is not None]


def default_bot(game: Game[Any]) -> str:
    """Who plays where nobody was named."""
    return "random" if game.instincts is None else "medium"


def known_bot(name: str, game: Game[Any]) -> str:
    if name not in bots_for(game):
        raise PliError("unknown_bot", name=name, known=", ".join(bots_for(game)))
    return name
