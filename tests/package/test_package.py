"""The wheel and the sdist: what is in them, and that what the core declares is what it needs.

`make package` installs them into empty environments; here modules that an installation would not
have are only hidden.
"""

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_string
from importlib.metadata import packages_distributions, requires
from importlib.util import find_spec
from pathlib import Path

import pytest

import pli
from pli import games
from pli.extras import MODULES
from tests.package.building import PAGE, ROOT, build, contents

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]

FOR_DEVELOPERS = {"build", "dev", "docs"}

needs_page = pytest.mark.skipif(not PAGE.exists(), reason="the client is not built: make web")


def named(requirement: str) -> str:
    """The distribution of a requirement, as all spell it."""
    name = re.split(r"[\s\[;<>=!~]", requirement, maxsplit=1)[0]
    return re.sub(r"[-_.]+", "-", name).lower()


def closure(wanted: set[str]) -> set[str]:
    """Distributions with all that they require, extras aside."""
    found: set[str] = set()
    waiting = {*wanted}
    while waiting:
        name = waiting.pop()
        found.add(name)
        needed = {named(each) for each in requires(name) or () if "extra ==" not in each}
        installed = {named(each) for names in packages_distributions().values() for each in names}
        waiting |= (needed & installed) - found
    return found


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheel and the sdist of this tree."""
    folder = tmp_path_factory.mktemp("dist")
    return build(ROOT, "wheel", folder), build(ROOT, "sdist", folder)


@needs_page
def test_the_wheel_holds_what_runs_and_nothing_else(built: tuple[Path, Path]) -> None:
    wheel, _ = built
    names = set(contents(wheel))
    for name in games.names():
        assert f"pli/games/{name}/texts/en.toml" in names
    assert {"pli/py.typed", "pli/server/static/index.html", "pli/texts/fr.toml"} <= names
    meant = {
        file.relative_to(ROOT / "src").as_posix()
        for file in (ROOT / "src" / "pli").rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert {name for name in names if ".dist-info/" not in name} == meant
    with zipfile.ZipFile(wheel) as archive:
        (told,) = [name for name in names if name.endswith(".dist-info/METADATA")]
        metadata = message_from_string(archive.read(told).decode())
    assert metadata["Version"] == pli.__version__
    assert set(metadata.get_all("Provides-Extra", ())) == set(EXTRAS)


@needs_page
def test_the_sdist_builds_the_same_wheel(built: tuple[Path, Path], tmp_path: Path) -> None:
    wheel, sdist = built
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    again = build(source, "wheel", tmp_path / "dist")
    assert contents(again) == contents(wheel)


HIDING = """
import runpy, sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in hidden:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hidden())
sys.path.insert(0, wheel)
"""

COMMAND = """
runpy.run_module("pli", None, "__main__")
"""


@pytest.fixture(scope="module")
def core(built: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> str:
    """Code that makes Python see the wheel and what the core requires, and no more."""
    folder = tmp_path_factory.mktemp("core")
    with zipfile.ZipFile(built[0]) as archive:
        archive.extractall(folder)
    kept = closure({named(each) for each in PROJECT["dependencies"]})
    hidden = {
        module
        for module, distributions in packages_distributions().items()
        if module != "pli" and not kept & {named(each) for each in distributions}
    }
    assert {module for module in MODULES if find_spec(module)} <= hidden
    return f"hidden, wheel = {hidden!r}, {str(folder)!r}\n{HIDING}"


def run(code: str, *arguments: str, cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-I", "-c", code, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=cwd,
        env=os.environ | {"PLI_LANG": "en"},
    )


@needs_page
def test_the_core_runs_with_what_it_requires(core: str) -> None:
    done = run(
        core
        + """
import pli, pli.server.admin.overview, pli.bots.mcts
assert pli.__file__.startswith(wheel)
for name in pli.games.names():
    match = pli.new(name, seed=1)
    pli.Live(match, [pli.make_bot("medium", match.game, each) for each in range(match.seats)]).run()
    assert pli.replay(pli.read_record(pli.write_record(match))).winners == match.winners
"""
    )
    assert done.returncode == 0, done.stderr


@needs_page
@pytest.mark.parametrize(
    "command",
    [
        "--version",
        "play plingo --watch --fast --save game.pli",
        "simulate marshmallow --games 5 --plain",
        f"scenario {ROOT / 'tests/scenarios/mt_rulebook_example.yaml'}",
        "rules twinit",
        "motifs --out sheet.svg",
        "admin --help",
    ],
)
def test_a_command_of_the_core_works(core: str, command: str, tmp_path: Path) -> None:
    done = run(f"{core}{COMMAND}", *command.split(), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout or "--out" in command


@needs_page
def test_a_command_that_needs_an_extra_says_so_in_one_line(core: str) -> None:
    done = run(f"{core}{COMMAND}", "serve")
    assert done.returncode == 2
    assert done.stdout == ""
    said = "pli: This needs packages that are not installed (aiohttp): pip install 'pli[serve]'\n"
    assert done.stderr == said


# What pyproject says


def test_every_extra_of_users_is_in_all() -> None:
    def inner(extra: str) -> set[str]:
        named_in = [re.fullmatch(r"pli\[(.*)\]", each) for each in EXTRAS[extra]]
        others = {other for found in named_in if found for other in found[1].split(",")}
        return others.union(*map(inner, others))

    assert inner("all") == set(EXTRAS) - FOR_DEVELOPERS - {"all"}


def test_every_module_of_an_extra_is_known_by_it() -> None:
    modules: dict[str, set[str]] = {}
    for module, distributions in packages_distributions().items():
        for each in distributions:
            modules.setdefault(named(each), set()).add(module)
    for extra in set(EXTRAS) - FOR_DEVELOPERS:
        for requirement in EXTRAS[extra]:
            name = named(requirement)
            if name != "pli" and not requirement.endswith("sys_platform == 'win32'"):
                known = {module for module, of in MODULES.items() if of == extra}
                assert modules.get(name, {name.replace("-", "_")}) & known, (extra, name)


def test_the_version_stands_in_one_place() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## ([0-9.]+)", changes, re.MULTILINE)[0] == pli.__version__
    assert "version" in PROJECT["dynamic"]
