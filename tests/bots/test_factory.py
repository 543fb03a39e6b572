"""Bots are made by their names: levels, numbers, import paths; and what is no bot is told."""

from typing import Any

import pytest

from pli import games
from pli.bots import LEVELS, HumanlikeBot, Live, Moment, bots_for, known_bot, make_bot
from pli.errors import PliError
from pli.game import read_options
from pli.match import Match
from pli.shuffling import seeded


class First:
    """The first legal action: a bot of one's own."""

    watches = False

    def choose(self, moment: Moment[Any]) -> str:
        return moment.actions[0]


class Told(First):
    """One that wants to know what it plays."""

    def __init__(self, game: object, seat: int, seed: object) -> None:
        self.told = (game, seat)


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("level", LEVELS)
def test_every_game_has_three_levels(name: str, level: str) -> None:
    game = games.load(name)
    assert level in bots_for(game)
    bot = make_bot(level, game, 0, 1)
    assert isinstance(bot, HumanlikeBot) == (game.attention is not None)


def test_a_bot_of_ones_own_is_named_by_its_import_path() -> None:
    game = games.load("plingo")
    match = Match(game, read_options(game, {"seats": 2}), seeded(1))
    bots = [make_bot(f"tests.bots.test_factory:{name}", game, i, 1) for i, name in
            enumerate(("First", "Told"))]  # fmt: skip
    assert isinstance(bots[1], Told)
    assert bots[1].told == (game, 1)
    Live(match, bots).run()
    assert match.over


@pytest.mark.parametrize(
    "spec",
    ["", "clever", "search", "search:", "search:0", "search:-1", "flat:x", "medium:5",
     "no.module:Bot", "tests.bots.test_factory:Nobody", "tests.bots.test_factory:", ":",
     "os.path:sep"],
)  # fmt: skip
def test_what_is_no_bot_is_told(spec: str) -> None:
    with pytest.raises(PliError) as told:
        known_bot(spec, games.load("plingo"))
    assert told.value.code == "unknown_bot"
    assert "medium" in told.value.text("en")


def test_a_game_that_can_not_be_searched_says_so() -> None:
    with pytest.raises(PliError):
        known_bot("search:100", games.load("twinit"))
