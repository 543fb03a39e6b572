"""Bots that rest because nobody plays: the page says so, and whoever sits there goes on."""

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.visitor import PATIENCE, Visitor


@pytest.fixture(scope="module")
def sleepy(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server whose bots rest soon."""
    with House(tmp_path_factory.mktemp("sleepy"), rest_entries=12) as house:
        yield house


def idles(ann: Visitor, game: str) -> str:
    """Sits down and does nothing: after a second a bot decides, and soon they rest."""
    options = {"seats": 3, **({"target": 40} if game == "marshmallow" else {})}
    wanted = {"game": game, "name": "Ann", "bots": "easy", "options": options}
    settings = {"pace": "instant", "clock": 1}
    seat = ann.house.ask("/api/tables", {**wanted, "settings": settings})
    ann.sit({**seat, "game": game, "used": 1})
    ann.button("Deal the cards").click()
    return str(seat["table"])


def writes(house: House, table: str, entries: int) -> int:
    """Waits until a table has written so many, which it may do before a page is drawn anew; how
    many it then has."""
    ends = time.monotonic() + PATIENCE / 1000
    while len(house.entries(table)) < entries and time.monotonic() < ends:
        time.sleep(0.05)
    return len(house.entries(table))


@pytest.mark.parametrize(("size", "touch"), [("small", True), ("desktop", False)])
def test_a_table_that_rests_says_so_and_goes_on(
    visit: Visits, sleepy: House, size: str, touch: bool
) -> None:
    ann = visit(size, touch=touch, house=sleepy)
    table = idles(ann, "marshmallow")
    ann.says("The bots are resting.")
    written = len(sleepy.entries(table))
    bob = visit(house=sleepy, name="Bob")
    bob.go(f"/t/{table}")
    bob.says("The bots are resting.")
    assert bob.button("Go on").count() == 0  # who watches does not play

    ann.button("Go on").click()
    assert writes(sleepy, table, written + 12) == written + 12  # and rests again
    ann.says("The bots are resting.")

    slip = ann.page.locator(".slip", has_text="The bots are resting.")
    box = slip.bounding_box()
    width = ann.page.evaluate("innerWidth")
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width

    ann.button("I am back").click()
    expect(slip).to_have_count(0, timeout=PATIENCE)


def test_a_live_table_rests_and_goes_on_as_well(visit: Visits, sleepy: House) -> None:
    ann = visit(house=sleepy)
    table = idles(ann, "twinit")
    ann.says("The bots are resting.")
    written = len(sleepy.entries(table))
    ann.button("Go on").click()
    assert writes(sleepy, table, written + 1) > written
