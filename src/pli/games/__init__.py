"""The games: every package in this folder is one."""

import copyreg
import importlib
import pkgutil
from functools import cache
from pickle import PicklingError
from typing import Any

from pli.errors import UnknownGame
from pli.game import AnyGame, Game


@cache
def names() -> tuple[str, ...]:
    return tuple(sorted(found.name for found in pkgutil.iter_modules(__path__) if found.ispkg))


@cache
def load(name: str) -> AnyGame:
    if name not in names():
        raise UnknownGame(name=name, known=", ".join(names()))
    game: AnyGame = importlib.import_module(f"pli.games.{name}").GAME
    return game


def _pickled(game: AnyGame) -> tuple[Any, tuple[str]]:
    """A game is pickled by its name: where it is read, it has that game's own rules."""
    if game is not load(game.name):
        raise PicklingError(f"{game.name} is not the game of that name")
    return load, (game.name,)


copyreg.pickle(Game, _pickled)
