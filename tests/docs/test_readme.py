"""The README's examples run as they stand, and its scenario holds."""

import re
import subprocess
import sys

import pytest

from pli.scenario import Scenario
from tests.docs.pages import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
YAML = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("code", PYTHON, ids=range(len(PYTHON)))
def test_an_example_runs(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize("text", YAML, ids=range(len(YAML)))
def test_a_scenario_holds(text: str) -> None:
    assert Scenario(text).run() is None


def test_there_are_examples() -> None:
    assert len(PYTHON) >= 2
    assert YAML
