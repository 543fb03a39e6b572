"""A game from outside the package as bytes, to be played on another machine."""

import hashlib
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from pli import games
from pli.errors import PliError
from pli.folders import folder_of
from pli.kernel.compiler import cache_home

IGNORED = {"__pycache__"}


def pack(game: str) -> dict[str, bytes]:
    """All files of a game from outside, by their paths in its folder."""
    folder = folder_of(game)
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and not IGNORED.intersection(file.relative_to(folder).parts)
    }


def unpack(game: str, files: Mapping[str, bytes], installed: bool) -> None:
    """Adds a packed game to this process. One of that name that is already here must be the same;
    one of an installed package must be here."""
    if game in games.names():
        if not games.is_outside(game) or pack(game) != files:
            raise PliError("game_differs", game=game)
    elif installed:
        raise PliError("game_not_installed", game=game)
    else:
        games.add(_unpacked(game, files))


def _unpacked(game: str, files: Mapping[str, bytes]) -> Path:
    """The folder of the game, in the cache, written once: a folder that has its name is complete,
    and what is compiled from it is found again."""
    home = cache_home() / "unpacked"
    place = home / _digest(files) / game
    if not place.is_dir():
        beside = home / f".{place.parent.name}.{os.getpid()}"
        for name, data in files.items():
            file = beside / game / name
            if beside not in file.resolve().parents:
                raise PliError("game_differs", game=game)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        with suppress(OSError):  # another process was quicker: it wrote the same
            beside.rename(place.parent)
        shutil.rmtree(beside, ignore_errors=True)
    os.utime(home)  # what was not used for long is removed
    return place


def _digest(files: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, data in sorted(files.items()):
        digest.update(f"{name}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()[:20]
