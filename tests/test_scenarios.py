"""Every scenario in tests/scenarios, each carrying the rules that it is about."""

from pathlib import Path

import pytest

from pli.scenario import read_scenario

FILES = sorted((Path(__file__).parent / "scenarios").glob("*.yaml"))


def _case(file: Path) -> object:
    return pytest.param(file, id=file.stem, marks=pytest.mark.rule(*read_scenario(file).about))


@pytest.mark.parametrize("file", [_case(file) for file in FILES])
def test_scenario(file: Path) -> None:
    assert read_scenario(file).run() is None
