"""Whole games at the page: by mouse, by touch, by keyboard alone."""

import pytest

from tests.browser.conftest import Visits
from tests.browser.test_access import holds
from tests.browser.test_secrets import audits_the_line
from tests.browser.visitor import Visitor, tab_to, with_finger, with_keys, with_mouse

GAMES = [("marshmallow", 3), ("plingo", 2)]
SHORT = {"marshmallow": {"target": 5}}
every_game = pytest.mark.parametrize(("game", "seats"), GAMES, ids=[name for name, _ in GAMES])


def holds_that_it_is_over(visitor: Visitor, table: str) -> None:
    """The page shows what the server has: a finished game, whose winner has the first line."""
    info = visitor.house.ask(f"/api/tables/{table}")
    assert info["state"] == "over"
    won = visitor.page.locator(".result tr.won").count()
    assert won == len(info["results"][-1])
    assert visitor.page.locator(".result h1").inner_text()


def holds_that_what_follows_is_open_to_all(visitor: Visitor, table: str) -> None:
    """The result, and the replay in its middle."""
    holds(visitor, "result")
    visitor.go(f"/r/{table}/1")
    visitor.sees("input[type=range]")
    for _ in range(5):
        visitor.page.keyboard.press("ArrowRight")
    holds(visitor, "replay")


@every_game
def test_a_whole_game_by_mouse(visit: Visits, game: str, seats: int) -> None:
    ann = visit()
    seat = ann.begin(game, seats, **SHORT.get(game, {}))
    assert ann.plays(with_mouse(ann)) > 3
    holds_that_it_is_over(ann, seat["table"])
    audits_the_line(ann, seat)


@every_game
def test_a_whole_game_by_touch(visit: Visits, game: str, seats: int) -> None:
    ann = visit("phone", touch=True)
    seat = ann.house.make(game, seats, **SHORT.get(game, {}))
    ann.sit(seat)
    ann.button("Deal the cards").tap()
    assert ann.plays(with_finger(ann)) > 3
    holds_that_it_is_over(ann, seat["table"])
    holds_that_what_follows_is_open_to_all(ann, seat["table"])


@every_game
def test_a_whole_game_by_keyboard_alone(visit: Visits, game: str, seats: int) -> None:
    ann = visit()
    seat = ann.house.make(game, seats, **SHORT.get(game, {}))
    ann.sit(seat)
    ann.sees(".seats")
    tab_to(ann, "Deal the cards")
    ann.page.keyboard.press("Enter")
    assert ann.plays(with_keys(ann)) > 3
    holds_that_it_is_over(ann, seat["table"])
    tab_to(ann, "Play again")
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_selector(".result", state="detached")
