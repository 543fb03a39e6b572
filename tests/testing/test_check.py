"""How a game is checked: what is named, what is looked at, what is told on the way."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pli import games
from pli.errors import PliError
from pli.game import AnyGame, read_options
from pli.testing import NAMES, check_game, option_sets
from pli.testing.option_sets import values_of
from tests.outside import fresh_folder
from tests.race import RACE

QUICK: dict[str, Any] = {"compiled": False, "games": 1, "actions": 20}

every_game = pytest.mark.parametrize(
    "game", [*map(games.load, games.names()), RACE], ids=lambda game: game.name
)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with fresh_folder(tmp_path):
        yield tmp_path / "switch"


def test_a_game_is_named_or_given_or_found_in_a_folder(folder: Path) -> None:
    games.add(folder)
    for given in (folder, str(folder), "switch", games.load("switch")):
        results = check_game(given, **QUICK)
        assert [each.name for each in results] == list(NAMES)
        assert all(each.holds for each in results)


def test_a_folder_of_several_games_is_no_game(folder: Path) -> None:
    (folder.parent / "swap").mkdir()
    code = (folder / "__init__.py").read_text()
    (folder.parent / "swap" / "__init__.py").write_text(
        code.replace('name="switch"', 'name="swap"')
    )
    (folder.parent / "swap" / "texts").mkdir()
    (folder.parent / "swap" / "texts" / "en.toml").write_text('name = "Swap"')
    with pytest.raises(PliError, match="several games in this folder; name one of them: swap, swi"):
        check_game(folder.parent, **QUICK)


def test_a_property_that_there_is_none_is_refused() -> None:
    with pytest.raises(PliError, match="no property “luck”; there are: notation, "):
        check_game(RACE, properties=["luck"])


def test_what_is_not_looked_at_says_why() -> None:
    skipped = {each.name: each.skipped for each in check_game(RACE, **QUICK) if each.skipped}
    assert skipped == {
        "texts": "no_folder",
        "compiled": "not_compiled",
        "observations": "no_observation",
        "batches": "not_compiled",
        "beliefs": "no_search",
    }


def test_progress_goes_from_nothing_to_all() -> None:
    told: list[tuple[int, int]] = []
    check_game(RACE, progress=lambda done, total: told.append((done, total)), **QUICK)
    assert told[0][0] == 0
    assert told[-1][0] == told[-1][1] == len(told) - 1
    assert [done for done, _ in told] == sorted(done for done, _ in told)


# Sets of options


@every_game
def test_every_value_of_every_option_is_in_a_set(game: AnyGame) -> None:
    sets = option_sets(game)
    assert sets[0] == read_options(game, {})
    for option in game.described:
        taken = {getattr(each, option.name) for each in sets}
        assert taken >= set(values_of(game, option))


@every_game
def test_there_are_few_sets(game: AnyGame) -> None:
    """Hardly more than the option with the most values has."""
    most = max(len(values_of(game, option)) for option in game.described)
    assert len(option_sets(game)) <= most + 3
