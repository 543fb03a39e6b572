"""Compiling: never unasked, cached where that can be trusted, safe with many at once."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from numba import njit

from pli.kernel import native
from pli.kernel.compiler import _fingerprint

DEAL = """
from pli.game import read_options
from pli.kernel.machine import Compiled
from tests.race import RACE
machine = Compiled(RACE.rules)
state = machine.load(RACE.rules.layout.save(RACE.setup(read_options(RACE, {}))))
machine.give(state, range(machine.needs(state)))
print(machine.save(state).hex())
"""
"""Of the smallest game, since it is compiled again and again."""


def python(code: str, **variables: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code],
        env=os.environ | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def printed(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return out.strip()


def test_importing_pli_does_not_import_numba() -> None:
    code = """
import sys, pli
from pli.cli import app
match = pli.new("marshmallow", seed=1)
match.act(match.actors[0], match.legal(match.actors[0])[0])
print("numba" in sys.modules)
"""
    assert printed(python(code)) == "False"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, set[str]]:
    """A cache into which three processes compiled at the same time, and what they said."""
    folder = tmp_path_factory.mktemp("cache")
    together = [python(DEAL, PLI_CACHE_DIR=str(folder)) for _ in range(3)]
    return folder, {printed(process) for process in together}


def test_first_compiles_at_the_same_time_leave_a_sound_cache(
    filled: tuple[Path, set[str]],
) -> None:
    folder, answers = filled
    assert len(answers) == 1
    files = sorted(path.name for path in folder.rglob("*.nb?"))
    assert files
    assert printed(python(DEAL, PLI_CACHE_DIR=str(folder))) in answers
    assert sorted(path.name for path in folder.rglob("*.nb?")) == files


def test_a_damaged_cache_is_thrown_away(filled: tuple[Path, set[str]], tmp_path: Path) -> None:
    folder, answers = filled
    copy = shutil.copytree(folder, tmp_path / "damaged")
    files = [*copy.rglob("*.nb?")]
    assert files
    for file in files:
        file.write_bytes(b"damaged")
    assert printed(python(DEAL, PLI_CACHE_DIR=str(copy))) in answers
    assert b"damaged" not in {file.read_bytes() for file in copy.rglob("*.nb?")}


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    blocked = tmp_path / "a-file"
    blocked.touch()
    assert printed(python(DEAL, PLI_CACHE_DIR=str(blocked)))


def test_the_cache_is_keyed_by_the_sources() -> None:
    code = "from pli.kernel.compiler import _fingerprint; print(_fingerprint())"
    plain, checked = python(code), python(code, NUMBA_BOUNDSCHECK="1")
    assert printed(plain) == _fingerprint()
    assert printed(checked) != _fingerprint()


def test_every_compiled_function_begins_a_cache_line() -> None:
    """Else its speed depends on the lengths of the functions that lie before it."""
    native.install()
    compiled = njit("int64(int64, int64)", **native.OPTIONS)(lambda a, b: a // b)
    (assembly,) = compiled.inspect_asm().values()
    begins = re.findall(r"\.p2align\t(\d+).*\n\t\.type\t\S+,@function", assembly)
    assert len(begins) > 1
    assert set(begins) == {str(native.ALIGNMENT)}


@pytest.mark.parametrize("name", ["marshmallow", "plingo"])
def test_no_compiled_index_is_out_of_bounds(name: str, tmp_path: Path) -> None:
    """Unchecked, compiled code would read past an array's end in silence."""
    code = f"""
import warnings
warnings.simplefilter("error")
from pli import games
from pli.game import read_options
from pli.kernel.playout import Playouts
game = games.load({name!r})
most = max(n for n in range(2, 7) if n <= game.rules.layout.blank().hands.__len__())
for seats in range(2, most + 1):
    state = game.setup(read_options(game, {{"seats": seats}}))
    fast = Playouts(game.rules).play(state, 500, seed=seats)
    slow = Playouts(game.rules, plain=True).play(state, 5, seed=seats)
    assert fast.lengths[:5].tolist() == slow.lengths.tolist()
print("in bounds")
"""
    checked = {"NUMBA_BOUNDSCHECK": "1", "PLI_CACHE_DIR": str(tmp_path)}
    assert printed(python(code, **checked)) == "in bounds"
