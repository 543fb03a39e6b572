"""A game from outside the package, for tests that put it into a folder of their own."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pli import games

SWITCH = Path(__file__).parent / "switch"


@contextmanager
def fresh_folder(folder: Path) -> Iterator[Path]:
    """A copy of the game in a folder. Games from outside are not there any more afterwards."""
    shutil.copytree(SWITCH, folder / "switch")
    with forgotten():
        yield folder


@contextmanager
def forgotten() -> Iterator[None]:
    """Games from outside that are added meanwhile are not there any more afterwards."""
    before = os.environ.get("PLI_GAMES")
    os.environ["PLI_GAMES"] = ""
    try:
        yield
    finally:
        for name in games.names():
            if games.is_outside(name):
                games.forget(name)
        if before is None:
            del os.environ["PLI_GAMES"]
        else:
            os.environ["PLI_GAMES"] = before
