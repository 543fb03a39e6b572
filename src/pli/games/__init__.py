"""The games: every package in this folder is one, and every one from outside that was found
(`finding.py`). A game is a package with `GAME`."""

import copyreg
import importlib
import sys
from functools import cache
from pathlib import Path
from pickle import PicklingError
from typing import Any

from pli.errors import BadGame, UnknownGame
from pli.folders import folder_of, outside
from pli.game import AnyGame, Event, Game
from pli.games import finding
from pli.games.finding import built_in
from pli.texts import words

__all__ = [
    "add",
    "built_in",
    "events_of",
    "folder_of",
    "forget",
    "is_outside",
    "load",
    "load_outside",
    "module_of",
    "names",
]


def names() -> tuple[str, ...]:
    """All games, in alphabetical order."""
    finding.find()
    return tuple(sorted((*built_in(), *outside())))


def is_outside(name: str) -> bool:
    """Whether the game is not one of the package's own."""
    return name in outside()


def add(folder: str | Path) -> tuple[str, ...]:
    """Adds the game in a folder, or all games in the folders in it, for this process and for those
    that it starts. Returns their names. A game that is not as it should be raises `BadGame`, which
    names the file."""
    found = finding.add(Path(folder))
    for name in found:
        load(name)
    return found


def load(name: str) -> AnyGame:
    if name not in names():
        raise UnknownGame(name=name, known=", ".join(names()))
    return _loaded(name)


def load_outside() -> None:
    """Loads every game from outside, to be told at once which of them is not as it should be."""
    for name in names():
        if is_outside(name):
            load(name)


def module_of(game: str) -> str:
    """The name of the package that holds a game, for finding what it declares."""
    return game if is_outside(game) else f"{__name__}.{game}"


def events_of(game: AnyGame) -> list[type[Event]]:
    """All events that a game may tell of: its own, and of those that games share the ones that it
    has none of its own for."""
    home = module_of(game.name)
    kinds = Event.__subclasses__()
    shared = game.event_types or [each for each in kinds if each.__module__ == "pli.events"]
    by_tag = {str(each.__struct_config__.tag): each for each in shared}
    for kind in kinds:
        at = kind.__module__
        belongs = at == home or at.startswith(f"{home}.")
        # A game that was loaded again has left classes behind.
        if belongs and getattr(sys.modules[at], kind.__name__, None) is kind:
            by_tag[str(kind.__struct_config__.tag)] = kind
    return sorted(by_tag.values(), key=lambda kind: (kind.__module__, kind.__name__))


@cache
def _loaded(name: str) -> AnyGame:
    if is_outside(name):
        return finding.load(name)
    game: AnyGame = importlib.import_module(f"{__name__}.{name}").GAME
    return game


def forget(name: str) -> None:
    """Undoes `add` in this process."""
    if not is_outside(name):
        raise BadGame("game_none", file=folder_of(name))
    finding.forget(name)
    _loaded.cache_clear()
    words.cache_clear()


def _pickled(game: AnyGame) -> tuple[Any, tuple[str]]:
    """A game is pickled by its name: where it is read, it has that game's own rules."""
    if game is not load(game.name):
        raise PicklingError(f"{game.name} is not the game of that name")
    return load, (game.name,)


copyreg.pickle(Game, _pickled)
