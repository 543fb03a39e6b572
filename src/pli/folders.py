"""Where the files of a game are: in the package, or in a folder from outside that was found."""

from collections.abc import Mapping
from pathlib import Path

BUILT_IN = Path(__file__).parent / "games"

_outside: dict[str, Path] = {}


def outside() -> Mapping[str, Path]:
    """The folders of games from outside the package, by game."""
    return _outside


def remember(game: str, folder: Path) -> None:
    """Registers the folder of a game from outside the package."""
    _outside[game] = folder


def forget(game: str) -> None:
    _outside.pop(game, None)


def folder_of(game: str) -> Path:
    return _outside.get(game) or BUILT_IN / game
