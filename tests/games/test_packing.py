"""Games from outside that are sent to another machine."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pli import games
from pli.errors import PliError
from pli.games.packing import pack, unpack
from tests.outside import SWITCH, fresh_folder


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, bytes]]:
    """A game that this process does not know, as it came from one that does."""
    monkeypatch.setenv("PLI_CACHE_DIR", str(tmp_path / "cache"))
    with fresh_folder(tmp_path) as folder:
        games.add(folder)
        files = pack("switch")
        games.forget("switch")
        shutil.rmtree(folder / "switch")
        yield files


def test_a_packed_game_is_played_where_it_was_not_known(
    packed: dict[str, bytes], tmp_path: Path
) -> None:
    assert "__init__.py" in packed
    assert not any("__pycache__" in name for name in packed)
    unpack("switch", packed, installed=False)
    assert games.load("switch").name == "switch"
    assert tmp_path / "cache" in games.folder_of("switch").parents
    assert pack("switch") == packed
    unpack("switch", packed, installed=False)  # the next cell


def test_another_game_of_that_name_is_refused(packed: dict[str, bytes], tmp_path: Path) -> None:
    shutil.copytree(SWITCH, tmp_path / "other" / "switch")
    games.add(tmp_path / "other")
    unpack("switch", packed, installed=False)
    with pytest.raises(PliError, match="another game of that name"):
        unpack("switch", packed | {"more.py": b""}, installed=False)
    with pytest.raises(PliError, match="another game of that name"):
        unpack("plingo", packed, installed=False)


def test_a_game_of_a_package_must_be_installed(packed: dict[str, bytes]) -> None:
    with pytest.raises(PliError, match="install it on all nodes"):
        unpack("switch", packed, installed=True)


def test_no_file_gets_out_of_the_folder(packed: dict[str, bytes], tmp_path: Path) -> None:
    with pytest.raises(PliError):
        unpack("switch", packed | {"../../../out.py": b""}, installed=False)
    assert not [*tmp_path.rglob("out.py")]
