"""The games, found by looking into this folder; nowhere listed."""

import importlib
import pkgutil
from functools import cache
from typing import Any

from pli.errors import UnknownGame
from pli.game import Game


@cache
def names() -> tuple[str, ...]:
    return tuple(sorted(found.name for found in pkgutil.iter_modules(__path__) if found.ispkg))


@cache
def load(name: str) -> Game[Any]:
    if name not in names():
        raise UnknownGame(name=name, known=", ".join(names()))
    game: Game[Any] = importlib.import_module(f"pli.games.{name}").GAME
    return game
