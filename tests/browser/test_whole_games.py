"""Whole games at the page: by mouse, by touch, by keyboard alone."""

import pytest

from tests.browser.conftest import Visits
from tests.browser.visitor import Visitor, tab_to, with_finger, with_keys, with_mouse

GAMES = [("marshmallow", 3), ("plingo", 2)]
every_game = pytest.mark.parametrize(("game", "seats"), GAMES, ids=[name for name, _ in GAMES])


def holds_that_it_is_over(visitor: Visitor, table: str) -> None:
    """The page shows what the server has: a finished game, whose winner has the first line."""
    info = visitor.house.ask(f"/api/tables/{table}")
    assert info["state"] == "over"
    won = visitor.page.locator(".result tr.won").count()
    assert won == len(info["results"][-1])
    assert visitor.page.locator(".result h1").inner_text()


@every_game
def test_a_whole_game_by_mouse(visit: Visits, game: str, seats: int) -> None:
    ann = visit()
    table = ann.begin(game, seats)["table"]
    assert ann.plays(with_mouse(ann)) > 3
    holds_that_it_is_over(ann, table)


@every_game
def test_a_whole_game_by_touch(visit: Visits, game: str, seats: int) -> None:
    ann = visit("phone", touch=True)
    seat = ann.house.make(game, seats)
    ann.sit(seat)
    ann.button("Deal the cards").tap()
    assert ann.plays(with_finger(ann)) > 3
    holds_that_it_is_over(ann, seat["table"])


@every_game
def test_a_whole_game_by_keyboard_alone(visit: Visits, game: str, seats: int) -> None:
    ann = visit()
    seat = ann.house.make(game, seats)
    ann.sit(seat)
    ann.sees(".seats")
    tab_to(ann, "Deal the cards")
    ann.page.keyboard.press("Enter")
    assert ann.plays(with_keys(ann)) > 3
    holds_that_it_is_over(ann, seat["table"])
    tab_to(ann, "Play again")
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_selector(".result", state="detached")
