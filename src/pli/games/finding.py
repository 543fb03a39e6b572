"""Finds games from outside the package, and loads them: in folders that are named, on the command
line or in the environment, and in installed packages that have the entry point `pli.games`.

A game that can't be used is a mistake of its author's. Each has an error that names the file.
"""

import importlib
import importlib.util
import os
import re
import sys
import tomllib
import traceback
from contextlib import suppress
from functools import cache
from importlib.machinery import ModuleSpec
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

import msgspec

from pli.errors import BadGame, PliError
from pli.folders import BUILT_IN, folder_of, outside, remember
from pli.folders import forget as forget_folder
from pli.game import AnyGame, Game, read_options, seat_counts
from pli.hooks import check_hooks

VARIABLE = "PLI_GAMES"
"""The folders of games, joined as in PATH. Processes that are started find the same games by it."""

GROUP = "pli.games"
NAME = re.compile("[a-z][a-z0-9_]*")

_installed: dict[str, EntryPoint] = {}
"""The games of installed packages."""


@cache
def built_in() -> tuple[str, ...]:
    """The games of the package: the packages in this folder."""
    return tuple(sorted(found.name for found in iter_modules([str(BUILT_IN)]) if found.ispkg))


def add(folder: Path) -> tuple[str, ...]:
    """Finds the games of a folder, which is one itself or holds them."""
    here = folder.expanduser().resolve()
    if (here / "__init__.py").is_file():
        folders = [here]
    else:
        folders = sorted(file.parent for file in here.glob("*/__init__.py"))
    if not folders:
        raise BadGame("game_none", file=folder)
    for each in folders:
        _named(each.name, each / "__init__.py")
        _free(each.name, each)
        remember(each.name, each)
    known = os.environ.get(VARIABLE, "").split(os.pathsep)
    if str(here) not in known:
        os.environ[VARIABLE] = os.pathsep.join([*filter(None, known), str(here)])
    return tuple(each.name for each in folders)


@cache
def find() -> None:
    """Finds the games of the environment and of installed packages, once a process."""
    for folder in filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)):
        add(Path(folder))
    for entry in entry_points(group=GROUP):
        # Without importing it: what is installed and not played costs nothing.
        file = _origin(entry.module)
        if file is None:
            raise BadGame("game_nowhere", file=entry.module, name=entry.name)
        _named(entry.name, file)
        _free(entry.name, file.parent)
        _installed[entry.name] = entry
        remember(entry.name, file.parent)


def is_installed(game: str) -> bool:
    """Whether the game comes with an installed package."""
    return game in _installed


def _origin(module: str) -> Path | None:
    """The file of a module; None: there is no such module."""
    try:
        spec = importlib.util.find_spec(module)
    except ModuleNotFoundError:  # not even the package that it is in
        return None
    return Path(spec.origin) if spec is not None and spec.origin is not None else None


def forget(game: str) -> None:
    """Takes back `add`, for one game."""
    here = folder_of(game)
    known = os.environ.get(VARIABLE, "").split(os.pathsep)
    kept = [each for each in known if each and Path(each) not in (here, here.parent)]
    os.environ[VARIABLE] = os.pathsep.join(kept)
    forget_folder(game)
    for module in [each for each in sys.modules if each == game or each.startswith(f"{game}.")]:
        del sys.modules[module]


def load(name: str) -> AnyGame:
    """The game from outside of that name, once it is sure that it can be played."""
    folder = folder_of(name)
    file = folder / "__init__.py"
    try:
        module = _imported(name, file)
    except BadGame:
        raise
    except Exception as error:
        raise _failed("game_import", error, folder, file) from error
    attribute = _installed[name].attr if name in _installed else ""
    game = getattr(module, attribute or "GAME", None)
    if not isinstance(game, Game):
        raise BadGame("game_missing", file=file, name=attribute or "GAME")
    if game.name != name:
        raise BadGame("game_name", file=file, name=game.name, folder=name)
    _check_texts(folder)
    for part in (game, game.rules, game.observation, game.rollout, game.zones):
        if part is not None:
            check_hooks(part)
    try:
        _look(game)
    except Exception as error:
        raise _failed("game_fails", error, folder, file) from error
    return game


def _imported(name: str, file: Path) -> ModuleType:
    module = importlib.import_module(_installed[name].module if name in _installed else name)
    if name not in _installed and Path(module.__file__ or "") != file:
        raise BadGame("game_taken", file=file, name=name, other=module.__file__ or name)
    return module


class _Finder:
    """Imports the packages of games that are in no folder of Python's own. They have their own
    names, so that their modules find each other, and so that what one process has pickled of a game
    can be read by another that has not loaded it yet."""

    def __init__(self) -> None:
        self._looking = False

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if path is not None or self._looking or not NAME.fullmatch(name):
            return None
        self._looking = True
        try:
            with suppress(PliError):
                find()
        finally:
            self._looking = False
        folder = outside().get(name)
        if folder is None or name in _installed:
            return None
        return importlib.util.spec_from_file_location(
            name, folder / "__init__.py", submodule_search_locations=[str(folder)]
        )


sys.meta_path.append(_Finder())


def _named(name: str, file: Path) -> None:
    if not NAME.fullmatch(name):
        raise BadGame("game_form", file=file, name=name)


def _free(name: str, folder: Path) -> None:
    """Two games, or a game and a Python module, can't have the same name."""
    other = outside().get(name)
    if other == folder:
        return
    if name in built_in() or other is not None:
        raise BadGame("game_taken", file=folder, name=name, other=other or f"pli.games.{name}")
    if name not in _installed:
        module = sys.modules.get(name)
        spec = module.__spec__ if module is not None else importlib.util.find_spec(name)
        # A folder without __init__.py on the path is no module that anybody imports.
        origin = spec.origin if spec is not None else None
        if origin is not None and Path(origin).parent != folder:
            raise BadGame("game_taken", file=folder, name=name, other=origin)


def _check_texts(folder: Path) -> None:
    """Its texts can be read, and say at least what it is called."""
    file = folder / "texts" / "en.toml"
    if not file.is_file():
        raise BadGame("game_texts", file=file)
    for each in sorted((folder / "texts").glob("*.toml")):
        try:
            texts = tomllib.loads(each.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise BadGame("game_toml", file=each, why=error) from None
        if each == file and not isinstance(texts.get("name"), str):
            raise BadGame("game_texts", file=file)


def _look(game: AnyGame) -> None:
    """A first look at a new game: what any table asks of it at once. What is to be held of a whole
    game is another matter."""
    seat_counts(game)
    state = game.setup(read_options(game, {}))
    for _ in range(2):  # often first the seats, then the cards
        wanted = game.rules.needs(state)
        if not wanted:
            break
        if len(game.shuffled(state)) != wanted:
            raise PliError("bad_shuffle", n=wanted)
        game.rules.give(state, list(range(wanted)))
    for seat in (None, *range(game.view(state, None).seats)):
        msgspec.json.encode(game.view(state, seat))
    buffer = [0] * game.rules.room
    for seat in range(game.view(state, None).seats):
        for action in buffer[: game.rules.legal(state, seat, buffer)]:
            game.notation.show(action)


def _failed(code: str, error: Exception, folder: Path, file: Path) -> BadGame:
    """Names the last line of the game's own that led to the error."""
    why = f"{type(error).__name__}: {error}" if not isinstance(error, PliError) else str(error)
    line = 1
    if isinstance(error, SyntaxError) and error.filename:
        file, line, why = Path(error.filename), error.lineno or 1, f"SyntaxError: {error.msg}"
    else:
        for frame in traceback.extract_tb(error.__traceback__):
            if Path(frame.filename).is_relative_to(folder):
                file, line = Path(frame.filename), frame.lineno or 1
    return BadGame(code, file=file, line=line, why=why)
