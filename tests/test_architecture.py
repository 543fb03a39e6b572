"""The packages and their arrows: what each may import. Imports anywhere in a file count, also those
inside of functions and under TYPE_CHECKING: neither may hide a cycle."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from pli import games

SOURCE = Path(__file__).parent.parent / "src" / "pli"

CORE = {"errors", "kernel", "game"}
"""What everything above the kernel may use."""

PLAYING = CORE | {"games", "match", "record", "shuffling"}
"""What it takes to play a game and to keep it."""

ARROWS: dict[str, set[str]] = {
    # What needs no game
    "folders": set(),
    "texts": {"folders"},
    "errors": {"texts"},
    "extras": {"errors"},
    "hooks": {"errors"},
    "located": set(),
    "yaml_file": {"errors", "located"},
    "slices": set(),
    "fair": set(),
    "kernel": set(),
    "motifs": set(),
    "processes": {"errors", "kernel"},
    "shuffling": {"errors"},
    # Games
    "cards": {"kernel"},
    "zones": {"kernel"},
    "game": {"board", "cards", "errors", "kernel", "zones"},
    "events": {"game"},
    "position": {"cards", "errors"},
    "board": {"cards"},
    "tricks": {"board", "cards", "events", "game", "kernel", "position", "zones"} | {"hooks"},
    "table": {"game", "texts"},
    "games": CORE
    | {"events", "cards", "folders", "position", "tricks", "board", "motifs", "table", "texts"}
    | {"hooks", "zones"},
    "match": CORE | {"shuffling"},
    "scenario": CORE | {"games", "located", "match", "position", "shuffling", "yaml_file"},
    "lessons": CORE
    | {"folders", "games", "located", "match", "motifs", "position", "scenario", "texts"}
    | {"yaml_file"},
    "record": CORE | {"games", "match", "shuffling", "slices"},
    "batch": CORE | {"games", "match", "texts"},
    "bots": CORE | {"games", "match", "shuffling", "processes", "fair"},
    "env": CORE | {"batch", "bots", "extras", "games", "match", "shuffling", "texts"},
    "testing": PLAYING | {"batch", "board", "bots", "folders", "texts", "zones"},
    # Of studies, what needs no extra: plans, results and reports
    "study.plan": CORE | {"bots", "games", "yaml_file"},
    "study.shares": set(),
    "study.report": {"errors", "games", "study.plan", "study.shares", "texts"},
    "study.study_file": {"study.plan", "study.report"},
    "study.shipped": {"study.report", "study.study_file", "texts"},
    "lab": CORE | {"bots", "games", "processes", "study.plan"},
    "study": CORE
    | {"batch", "bots", "extras", "games", "match", "processes", "record", "texts", "yaml_file"}
    | {"study.plan", "study.report", "study.shares", "study.study_file"},
    # The server: http, ws -> rooms -> history, moves -> tables -> journal, sprites, protocol
    "server": set(),
    "server.addresses": {"errors"},
    "server.cache": set(),
    "server.futures": set(),
    "server.jobs": {"errors", "fair"},
    "server.limits": {"errors"},
    "server.logs": set(),
    "server.metrics": {"bots", "games", "texts", "server.limits"},
    "server.rate_limits": {"server.limits"},
    "server.protocol": {"game", "games", "motifs"},
    "server.journal": {"errors", "extras", "server.futures"},
    "server.sprites": {"errors", "kernel", "motifs", "processes", "shuffling"}
    | {"server.cache", "server.jobs", "server.limits"},
    "server.tables": PLAYING | {"slices", "server.protocol", "server.journal", "server.sprites"},
    "server.moves": CORE | {"match", "server.tables"},
    "server.history": PLAYING
    | {"slices", "server.protocol", "server.journal", "server.sprites", "server.tables"}
    | {"server.cache", "server.futures", "server.jobs", "server.limits"},
    "server.rooms": PLAYING
    | {"bots", "events", "server.history", "server.journal", "server.moves", "server.protocol"}
    | {"server.tables", "server.sprites", "server.jobs", "server.limits", "server.metrics"}
    | {"server.rate_limits"},
    "server.ws": {"errors", "game", "texts", "server.rooms", "server.moves", "server.protocol"}
    | {"server.limits", "server.metrics", "server.rate_limits"},
    "server.cluster": {"errors", "game", "games", "server.context", "server.history"}
    | {"server.journal", "server.limits", "server.metrics", "server.moves", "server.protocol"}
    | {"server.rooms"},
    "server.lab": {"errors", "lab", "study.plan", "server.addresses", "server.limits"}
    | {"server.protocol"},
    "server.context": {"bots", "errors", "server.rooms", "server.journal", "server.sprites"}
    | {"server.addresses", "server.lab", "server.limits", "server.logs", "server.metrics"}
    | {"server.rate_limits"},
    "server.http": PLAYING
    | {"bots", "texts", "server.ws", "server.context", "server.history", "server.journal"}
    | {"server.protocol", "server.sprites", "server.jobs", "server.limits", "server.logs"}
    | {"server.addresses", "lessons", "motifs", "server.lab", "study.report", "study.shipped"}
    | {"table"},
    "server.internal": {"server.context", "server.metrics"},
    "server.main": {"bots", "errors", "server.cluster", "server.http", "server.context"}
    | {"server.internal", "server.journal", "server.rooms", "server.addresses", "server.limits"},
    "server.admin": PLAYING
    | {"slices", "server.protocol", "server.journal", "server.tables", "server.history"}
    | {"server.rooms"},
    # The command line
    "cli": PLAYING
    | {
        "bots",
        "board",
        "cards",
        "extras",
        "motifs",
        "scenario",
        "study",
        "study.plan",
        "study.report",
        "study.shipped",
        "study.study_file",
        "testing",
        "texts",
        "server.main",
        "server.journal",
    }
    | {"server.admin", "server.rooms", "server.addresses", "server.limits", "server.logs"},
}
"""What each package may import, a game of the same folder aside. Here as in the tree a name stands
for all that is below it, unless that is named itself."""


def modules() -> dict[str, Path]:
    """By name, without `pli.`."""
    found = {}
    for file in SOURCE.rglob("*.py"):
        parts = file.relative_to(SOURCE).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = file
    return found


MODULES = modules()


def imported(file: Path) -> Iterator[str]:
    """The modules of ours that a file imports, by name."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "pli":
            module = node.module.partition(".")[2]
            for each in node.names:
                inner = f"{module}.{each.name}".lstrip(".")
                yield inner if inner in MODULES else module
        elif isinstance(node, ast.Import):
            for each in node.names:
                if each.name.split(".")[0] == "pli":
                    yield each.name.partition(".")[2]


@cache
def imports() -> Mapping[str, frozenset[str]]:
    return {name: frozenset(imported(file)) - {name} for name, file in MODULES.items()}


def package(module: str) -> str:
    """The package of the drawing that a module belongs to: the longest that is named."""
    parts = module.split(".")
    names = (".".join(parts[:count]) for count in range(len(parts), 0, -1))
    return next((name for name in names if name in ARROWS), "")


def order(graph: Mapping[str, Iterable[str]]) -> list[str]:
    return list(TopologicalSorter(graph).static_order())


def test_every_module_belongs_to_a_package() -> None:
    outside = {"", "__main__"}
    assert [name for name in MODULES if name not in outside and not package(name)] == []


@pytest.mark.parametrize("name", sorted(ARROWS))
def test_arrows_go_one_way(name: str) -> None:
    for module in [each for each in MODULES if package(each) == name]:
        used = {package(each) for each in imports()[module]} - {name, ""}
        assert used <= ARROWS[name], module


def test_the_arrows_have_no_cycle() -> None:
    order(ARROWS)


def test_no_module_imports_itself_through_others() -> None:
    order(imports())


def test_a_cycle_would_be_found() -> None:
    with pytest.raises(CycleError):
        order({"a": {"b"}, "b": {"c"}, "c": {"a"}})


def test_the_lab_is_imported_where_it_is_asked_for() -> None:
    """Nothing that it takes to play loads it."""
    code = "import sys, pli.cli, pli.server.main; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
    assert "pli.server.context" in loaded
    lab = [name for name in loaded.split() if name.startswith(("pli.lab", "pli.server.lab"))]
    assert lab == [name for name in loaded.split() if name.startswith("pli.study")] == []


def test_the_driver_of_a_database_is_imported_where_it_is_used_alone() -> None:
    """It is an extra: everything else works without it."""
    using = [
        name
        for name, file in MODULES.items()
        if re.search(r"^\s*(import|from) asyncpg", file.read_text(), re.MULTILINE)
    ]
    allowed = ("server.journal.postgres.", "server.journal.open")
    assert using
    assert [name for name in using if not name.startswith(allowed)] == []
    named = [name for name, used in imports().items() if "server.journal.postgres.journal" in used]
    assert named == ["server.journal.open"]


EXTRAS = {
    "gymnasium": {"env.gymnasium", "env.pettingzoo", "env.spaces"},
    "pettingzoo": {"env.pettingzoo"},
    "pyspiel": {"env.openspiel"},
    "ray": {"study.cluster"},
}
"""Packages of extras, and who may import them."""


@pytest.mark.parametrize("extra", EXTRAS)
def test_what_an_extra_brings_is_imported_by_its_adapters_alone(extra: str) -> None:
    found = {
        name
        for name, file in MODULES.items()
        if re.search(rf"^\s*(import|from) {extra}\b", file.read_text(), re.MULTILINE)
    }
    assert found == EXTRAS[extra]
    assert not any(name.startswith("env") for name in imports()["batch"] | imports()[""])


def test_no_import_is_for_types_alone() -> None:
    hiding = [name for name, file in MODULES.items() if "TYPE_CHECKING" in file.read_text()]
    assert hiding == []


@pytest.mark.parametrize("game", games.names())
def test_a_game_imports_no_other_game(game: str) -> None:
    for module in [each for each in MODULES if each.startswith(f"games.{game}")]:
        others = {each.split(".")[1] for each in imports()[module] if each.startswith("games.")}
        assert others <= {game}, module


@pytest.mark.parametrize("game", games.names())
def test_a_game_is_named_nowhere_but_in_its_folder(game: str) -> None:
    for file in SOURCE.rglob("*.py"):
        if SOURCE / "games" / game in file.parents:
            continue
        strings = [
            node.value
            for node in ast.walk(ast.parse(file.read_text()))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        ]
        assert game not in strings, file


@pytest.mark.parametrize("name", sorted(MODULES))
def test_a_module_says_what_it_is_for(name: str) -> None:
    assert ast.get_docstring(ast.parse(MODULES[name].read_text()))
