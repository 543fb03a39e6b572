"""Every scenario in tests/scenarios, each carrying the rules that it is about."""

from pathlib import Path

import pytest
import yaml

from pli import games
from pli.scenario import read_scenario

FILES = sorted((Path(__file__).parent / "scenarios").glob("*.yaml"))


def _case(file: Path) -> object:
    return pytest.param(file, id=file.stem, marks=pytest.mark.rule(*read_scenario(file).about))


@pytest.mark.parametrize("file", [_case(file) for file in FILES])
def test_scenario(file: Path) -> None:
    assert read_scenario(file).run() is None


WAITING = sorted((Path(__file__).parent / "scenarios_waiting").glob("*.yaml"))


def test_scenarios_whose_game_is_there_stand_with_the_others() -> None:
    """Questions may be written before their game; once it is there they must be answered."""
    wanted = {yaml.safe_load(file.read_text())["game"] for file in WAITING}
    assert not wanted & set(games.names())
    if WAITING:
        pytest.skip(f"{len(WAITING)} scenarios wait for their game: {', '.join(sorted(wanted))}")
