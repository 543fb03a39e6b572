"""Bots rest while no person plays: the page says so, and its player lets them go on."""

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import NewUser
from tests.browser.server import ServerProcess
from tests.browser.user import TIMEOUT, User


@pytest.fixture(scope="module")
def resting_server(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServerProcess]:
    """A server whose bots rest soon."""
    with ServerProcess(tmp_path_factory.mktemp("resting"), rest_entries=12) as server:
        yield server


def start_idle_game(ann: User, game: str) -> str:
    """Starts a game and does nothing: a bot acts after a second, and soon all rest."""
    options = {"seats": 3, **({"target": 40} if game == "marshmallow" else {})}
    wanted = {"game": game, "name": "Ann", "bots": "easy", "options": options}
    settings = {"pace": "instant", "clock": 1}
    seat = ann.server.request("/api/tables", {**wanted, "settings": settings})
    ann.open_table({**seat, "game": game, "used": 1})
    ann.button("Deal the cards").click()
    return str(seat["table"])


def wait_for_entries(server: ServerProcess, table: str, entries: int) -> int:
    """Waits until the journal has so many entries of a table; returns how many it then has."""
    ends = time.monotonic() + TIMEOUT / 1000
    while len(server.entries(table)) < entries and time.monotonic() < ends:
        time.sleep(0.05)
    return len(server.entries(table))


@pytest.mark.parametrize(("size", "touch"), [("small", True), ("desktop", False)])
def test_a_table_that_rests_says_so_and_goes_on(
    new_user: NewUser, resting_server: ServerProcess, size: str, touch: bool
) -> None:
    ann = new_user(size, touch=touch, server=resting_server)
    table = start_idle_game(ann, "marshmallow")
    ann.expect_text("The bots are resting.")
    written = len(resting_server.entries(table))
    bob = new_user(server=resting_server, name="Bob")
    bob.go(f"/t/{table}")
    bob.expect_text("The bots are resting.")
    assert bob.button("Go on").count() == 0  # who watches does not play

    ann.button("Go on").click()
    assert wait_for_entries(resting_server, table, written + 12) == written + 12  # and rests again
    ann.expect_text("The bots are resting.")

    slip = ann.page.locator(".slip", has_text="The bots are resting.")
    box = slip.bounding_box()
    width = ann.page.evaluate("innerWidth")
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width

    ann.button("I am back").click()
    expect(slip).to_have_count(0)


def test_a_live_table_rests_and_goes_on_as_well(
    new_user: NewUser, resting_server: ServerProcess
) -> None:
    ann = new_user(server=resting_server)
    table = start_idle_game(ann, "twinit")
    ann.expect_text("The bots are resting.")
    written = len(resting_server.entries(table))
    ann.button("Go on").click()
    assert wait_for_entries(resting_server, table, written + 1) > written
