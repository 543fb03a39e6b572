"""The examples do what they say, in a fraction of their time."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

EXAMPLES = ROOT / "examples"


def run(name: str, *lines: str) -> float:
    """An example imported in a process of its own, which prints a number last."""
    code = "\n".join([f"from {name} import *", *lines])
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=EXAMPLES, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return float(done.stdout)


def test_a_policy_beats_chance_after_some_seconds() -> None:
    share = run("policy_gradient", "print(wins(train(5)[0], games=1000))")
    assert share > 0.33  # a table of four; a thousand games of chance win so often once in 10**8


def test_a_policy_that_has_not_learnt_is_chance() -> None:
    assert 0.2 < run("policy_gradient", "print(wins(train(-1)[0], games=1000))") < 0.3


def test_the_policy_is_learnt_in_a_hundred_lines() -> None:
    assert len((EXAMPLES / "policy_gradient.py").read_text(encoding="utf-8").splitlines()) <= 100


def test_search_beats_chance() -> None:
    assert run("openspiel_search", "print(play(6, seed=4))") > 0.6  # the same games each time


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_an_example_says_how_it_is_run(example: Path) -> None:
    told = ast.get_docstring(ast.parse(example.read_text(encoding="utf-8")))
    assert told is not None
    assert f"python examples/{example.name}" in told or "make example-" in told
