"""docs/agents.md: its tables are what the games declare, and its examples run."""

import re
import subprocess
import sys

import pytest

from pli.batch.page import BEGIN, END, page
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_tables_are_those_of_the_declarations() -> None:
    """python -m pli.batch.page prints them anew."""
    assert PAGE.partition(BEGIN)[2].partition(END)[0] == page().removeprefix(BEGIN)[: -len(END)]


@pytest.mark.parametrize("code", PYTHON, ids=range(len(PYTHON)))
def test_an_example_runs(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout
