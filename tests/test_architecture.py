"""The rooms of the house: arrows go one way, and a game is named nowhere but in its own folder."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from pli import games

SOURCE = Path(__file__).parent.parent / "src" / "pli"

# What each room may import of the house. A game may import what is beside its own files.
ALLOWED = {
    "kernel": {"kernel"},
    "texts": {"texts"},
    "motifs": {"motifs"},
    "games": {
        "kernel",
        "game",
        "events",
        "cards",
        "position",
        "tricks",
        "board",
        "games",
        "errors",
        "motifs",
    },
    "bots": {
        "kernel",
        "game",
        "games",
        "errors",
        "bots",
        "match",
        "shuffling",
        "processes",
        "fair",
    },
}


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("pli"):
            names = [node.module] if "." in node.module else [f"pli.{n.name}" for n in node.names]
            yield from names
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.startswith("pli"))


@pytest.mark.parametrize("room", ALLOWED)
def test_arrows_go_one_way(room: str) -> None:
    for file in (SOURCE / room).rglob("*.py"):
        rooms = {name.split(".")[1] for name in imported(file) if "." in name}
        assert rooms <= ALLOWED[room], file


@pytest.mark.parametrize("game", games.names())
def test_a_game_imports_no_other_game(game: str) -> None:
    for file in (SOURCE / "games" / game).rglob("*.py"):
        others = {n.split(".")[2] for n in imported(file) if n.startswith("pli.games.")}
        assert others <= {game}, file


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


@pytest.mark.parametrize(
    "file", sorted(SOURCE.rglob("*.py")), ids=lambda f: str(f.relative_to(SOURCE))
)
def test_a_file_says_what_it_is_for(file: Path) -> None:
    assert ast.get_docstring(ast.parse(file.read_text()))
