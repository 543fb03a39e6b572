"""A page that is loaded anew, a second one, a line that is cut, a server that goes down: the game
goes on."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.line import Line
from tests.browser.visitor import PATIENCE, Visitor, with_mouse


@pytest.fixture
def own_house(browser: Browser, tmp_path: Path) -> Iterator[House]:
    """A server for one test alone, to be killed."""
    with House(tmp_path) as house:
        yield house


def plays_on(visitor: Visitor, cards: int = 2) -> None:
    """A few more cards."""
    act = with_mouse(visitor)
    moment = visitor.moment()
    for _ in range(cards):
        act(moment)
        moment = visitor.moment(moment.state)


def test_a_page_loaded_anew_has_the_same_hand_and_plays_on(visit: Visits) -> None:
    ann = visit()
    ann.begin("marshmallow", 3)
    plays_on(ann)
    hand, log = ann.hand, len(ann.frames("update"))
    ann.page.reload()
    ann.moment()
    assert sorted(ann.hand) == sorted(hand)
    ann.page.keyboard.press("l")
    expect(ann.page.locator("dialog[open] ol li").first).to_be_visible()
    assert ann.page.locator("dialog[open] ol li").count() > 2
    ann.shut()
    plays_on(ann)
    assert len(ann.frames("update")) > log


def test_a_second_tab_takes_over_and_the_first_can_take_it_back(visit: Visits) -> None:
    ann = visit()
    seat = ann.begin("plingo", 3)
    ann.moment()
    second = Visitor(ann.house, ann.context)
    second.go(f"/t/{seat['table']}")
    plays_on(second, 1)
    ann.says("You play in another window now.")
    ann.button("Play here").click()
    plays_on(ann, 1)
    second.says("You play in another window now.")
    assert second.troubles == []


def test_a_server_that_goes_down_and_comes_back_loses_nothing(
    visit: Visits, own_house: House
) -> None:
    ann = visit(house=own_house)
    ann.begin("marshmallow", 3, target=30)
    plays_on(ann, 1)
    moment = ann.moment()
    ann.offline = True
    own_house.kill()
    ann.says("The line is gone. Coming back…")
    count = len(ann.hand)
    count, told = len(ann.hand), len(ann.told)
    with_mouse(ann)(moment)  # kept, and sent when the line is there again
    own_house.start()
    expect(ann.page.locator(".banner")).to_have_count(0, timeout=PATIENCE)
    ann.moment(moment.state)
    assert len(ann.hand) == count - 1
    assert any(json.loads(frame).get("did") for frame in ann.told[told:])
    ann.offline = False
    plays_on(ann, 1)


def test_a_page_from_before_a_new_version_is_loaded_anew_and_the_cards_are_dealt(
    visit: Visits,
) -> None:
    ann = visit()
    ann.go("/")
    ann.sees(".shelf li")
    renewed = False

    def answer(route: Route) -> None:
        """Until it is loaded anew, what the page asks for is gone, and the first page another."""
        nonlocal renewed
        renewed = renewed or route.request.is_navigation_request()
        path = urlsplit(route.request.url).path
        if not renewed and path.startswith("/assets/TablePage-"):
            route.fulfill(status=404)
        elif not renewed and path == "/":
            route.fulfill(body="<html>")
        else:
            route.continue_()

    ann.page.route("**", answer)
    ann.offline = True
    ann.page.evaluate("window.old = true")
    ann.button(re.compile("Play now.*Plingo")).click()
    ann.page.wait_for_function("() => !window.old")
    ann.moment()  # dealt without another click
    ann.offline = False


def test_a_line_that_is_cut_comes_back_without_a_reload(visit: Visits, house: House) -> None:
    ann = visit()
    line = Line(house)
    ann.url = line.url
    ann.begin("plingo", 2)
    plays_on(ann, 1)
    moment = ann.moment()
    ann.page.evaluate("window.notReloaded = true")
    ann.offline = True
    ann.context.set_offline(True)
    line.cut()
    ann.says("The line is gone. Coming back…")
    with_mouse(ann)(moment)
    line.mend()
    ann.context.set_offline(False)
    expect(ann.page.locator(".banner")).to_have_count(0, timeout=PATIENCE)
    ann.offline = False
    ann.moment(moment.state)
    plays_on(ann, 1)
    assert ann.page.evaluate("window.notReloaded")
    line.close()
