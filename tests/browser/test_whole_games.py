"""Whole games in the browser: by mouse, by touch, by keyboard alone."""

import pytest

from tests.browser.conftest import NewUser
from tests.browser.test_accessibility import check_accessibility
from tests.browser.test_leaks import check_frames
from tests.browser.user import User, tab_to, with_keyboard, with_mouse, with_touch

GAMES = [("marshmallow", 3), ("plingo", 2)]
SHORT = {"marshmallow": {"target": 5}}
every_game = pytest.mark.parametrize(("game", "seats"), GAMES, ids=[name for name, _ in GAMES])


def check_game_over(user: User, table: str) -> None:
    """The page shows the result that the server has."""
    info = user.server.request(f"/api/tables/{table}")
    assert info["state"] == "over"
    won = user.page.locator(".result tr.won").count()
    assert won == len(info["results"][-1])
    assert user.page.locator(".result h1").inner_text()


def check_result_and_replay(user: User, table: str) -> None:
    """axe finds nothing in the result and in the middle of the replay."""
    check_accessibility(user, "result")
    user.go(f"/r/{table}/1")
    user.expect_visible("input[type=range]")
    for _ in range(5):
        user.page.keyboard.press("ArrowRight")
    check_accessibility(user, "replay")


@every_game
def test_a_whole_game_by_mouse(new_user: NewUser, game: str, seats: int) -> None:
    ann = new_user()
    seat = ann.start_game(game, seats, **SHORT.get(game, {}))
    assert ann.play_game(with_mouse(ann)) > 3
    check_game_over(ann, seat["table"])
    check_frames(ann, seat)


@every_game
def test_a_whole_game_by_touch(new_user: NewUser, game: str, seats: int) -> None:
    ann = new_user("phone", touch=True)
    seat = ann.server.create_table(game, seats, **SHORT.get(game, {}))
    ann.open_table(seat)
    ann.button("Deal the cards").tap()
    assert ann.play_game(with_touch(ann)) > 3
    check_game_over(ann, seat["table"])
    check_result_and_replay(ann, seat["table"])


@every_game
def test_a_whole_game_by_keyboard_alone(new_user: NewUser, game: str, seats: int) -> None:
    ann = new_user()
    seat = ann.server.create_table(game, seats, **SHORT.get(game, {}))
    ann.open_table(seat)
    ann.expect_visible(".seats")
    tab_to(ann, "Deal the cards")
    ann.page.keyboard.press("Enter")
    assert ann.play_game(with_keyboard(ann)) > 3
    check_game_over(ann, seat["table"])
    tab_to(ann, "Play again")
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_selector(".result", state="detached")
