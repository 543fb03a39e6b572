"""The games: every package in this folder is one."""

import importlib
import pkgutil
from functools import cache

from pli.errors import UnknownGame
from pli.game import AnyGame


@cache
def names() -> tuple[str, ...]:
    return tuple(sorted(found.name for found in pkgutil.iter_modules(__path__) if found.ispkg))


@cache
def load(name: str) -> AnyGame:
    if name not in names():
        raise UnknownGame(name=name, known=", ".join(names()))
    game: AnyGame = importlib.import_module(f"pli.games.{name}").GAME
    return game
