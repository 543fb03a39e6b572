"""`pli rules`: cards in colour where there are colours, and what can be typed."""

from io import StringIO
from typing import Literal

import pytest
from rich.console import Console

from pli import games
from pli.cli.rules import RulesText
from pli.texts import LANGUAGES
from tests.cli.command import pli


def shown(colours: Literal["truecolor"] | None, width: int = 80) -> str:
    out = Console(
        file=StringIO(), width=width, force_terminal=colours is not None, color_system=colours
    )
    with out.capture() as said:
        out.print(RulesText("en", "plingo"))
    return said.get()


@pytest.mark.parametrize("width", [30, 80, 200])
def test_a_card_is_a_tile_of_its_colour(width: int) -> None:
    page = shown("truecolor", width)
    assert page.count("48;2;31;122;79m G4 \x1b") == 2
    assert "[G4]" not in page


def test_without_colours_a_card_stands_in_brackets() -> None:
    assert shown(None).count("[G4]") == 2


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games.names())
def test_below_the_rules_stands_what_can_be_typed(game: str, language: str) -> None:
    said = pli("rules", game, "--lang", language).stdout
    assert "--option" in said
    assert "<!--" not in said


def test_in_a_game_the_question_mark_tells_both() -> None:
    said = pli("play", "plingo", "--fast", "--seed", 3, typed="?\nq\n").stdout
    assert "The fine print" in said
    assert "--option" in said
