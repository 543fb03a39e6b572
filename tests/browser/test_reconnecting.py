"""The game goes on after a reload, in a second tab, after a lost connection, and when the server
was killed."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.conftest import NewUser
from tests.browser.proxy import Proxy
from tests.browser.server import ServerProcess
from tests.browser.user import User, with_mouse


@pytest.fixture
def own_server(browser: Browser, tmp_path: Path) -> Iterator[ServerProcess]:
    """A server for one test alone, which kills it."""
    with ServerProcess(tmp_path) as server:
        yield server


def play_cards(user: User, cards: int = 2) -> None:
    """Plays a few cards."""
    act = with_mouse(user)
    prompt = user.wait_for_prompt()
    for _ in range(cards):
        act(prompt)
        prompt = user.wait_for_prompt(prompt.state)


def own_actions(user: User) -> int:
    """How many of the user's actions the server has acknowledged."""
    return sum(bool(each.get("did")) for each in user.frames("update"))


def test_a_reloaded_page_has_the_same_hand_and_plays_on(new_user: NewUser) -> None:
    ann = new_user()
    ann.start_game("marshmallow", 3)
    play_cards(ann)
    hand, log = ann.hand, len(ann.frames("update"))
    ann.page.reload()
    ann.wait_for_prompt()
    assert sorted(ann.hand) == sorted(hand)
    ann.page.keyboard.press("l")
    expect(ann.page.locator("dialog[open] ol li").first).to_be_visible()
    assert ann.page.locator("dialog[open] ol li").count() > 2
    ann.close_dialog()
    play_cards(ann)
    assert len(ann.frames("update")) > log


def test_a_second_tab_takes_over_and_the_first_can_take_it_back(new_user: NewUser) -> None:
    ann = new_user()
    seat = ann.start_game("plingo", 3)
    ann.wait_for_prompt()
    second = User(ann.server, ann.context)
    second.go(f"/t/{seat['table']}")
    play_cards(second, 1)
    ann.expect_text("You play in another window now.")
    ann.button("Play here").click()
    play_cards(ann, 1)
    second.expect_text("You play in another window now.")
    assert second.errors == []


def test_a_server_that_goes_down_and_comes_back_loses_nothing(
    new_user: NewUser, own_server: ServerProcess
) -> None:
    ann = new_user(server=own_server)
    ann.start_game("marshmallow", 3, target=30)
    play_cards(ann, 1)
    prompt = ann.wait_for_prompt()
    ann.offline = True
    own_server.kill()
    ann.expect_text("The line is gone. Coming back…")
    count = len(ann.hand)
    count, told = len(ann.hand), len(ann.received)
    with_mouse(ann)(prompt)  # kept, and sent after reconnecting
    own_server.start()
    expect(ann.page.locator(".banner")).to_have_count(0)
    ann.wait_for_prompt(prompt.state)
    assert len(ann.hand) == count - 1
    assert any(json.loads(frame).get("did") for frame in ann.received[told:])
    ann.offline = False
    play_cards(ann, 1)
    ann.offline = True  # its server stops before its page is closed


def test_a_page_goes_on_when_the_server_that_runs_its_table_stops(
    new_user: NewUser, tmp_path: Path, postgres_url: str
) -> None:
    """Of two servers, the page is at the one that goes on: it does not even see a lost line."""
    names = ("one", "two")
    for name in names:
        (tmp_path / name).mkdir()
    internal = ("--internal", "127.0.0.1:0")
    with (
        ServerProcess(tmp_path / "one", *internal, db=postgres_url) as owner,
        ServerProcess(tmp_path / "two", *internal, db=postgres_url) as other,
    ):
        seat = owner.create_table("marshmallow", 3, target=30)
        ann = new_user(server=other)
        ann.open_table(seat)
        ann.button("Deal the cards").click()
        play_cards(ann)
        welcomes, acknowledged = len(ann.frames("welcome")), own_actions(ann)
        ann.page.evaluate("window.same = true")
        owner.stop()
        play_cards(ann)
        assert ann.page.evaluate("window.same")
        assert len(ann.frames("welcome")) == welcomes + 1
        assert own_actions(ann) == acknowledged + 2
        expect(ann.page.locator(".banner")).to_have_count(0)


def test_a_page_of_an_older_version_is_reloaded_and_the_cards_are_dealt(
    new_user: NewUser,
) -> None:
    ann = new_user()
    ann.go("/")
    ann.expect_visible(".shelf li")
    renewed = False

    def answer(route: Route) -> None:
        """Until the page is reloaded, its assets are gone, and the home page is another."""
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
    ann.wait_for_prompt()  # dealt without another click
    ann.offline = False


def test_a_lost_connection_comes_back_without_a_reload(
    new_user: NewUser, server: ServerProcess
) -> None:
    ann = new_user()
    proxy = Proxy(server)
    ann.url = proxy.url
    ann.start_game("plingo", 2)
    play_cards(ann, 1)
    prompt = ann.wait_for_prompt()
    ann.page.evaluate("window.notReloaded = true")
    ann.offline = True
    ann.context.set_offline(True)
    proxy.disconnect()
    ann.expect_text("The line is gone. Coming back…")
    with_mouse(ann)(prompt)
    proxy.restore()
    ann.context.set_offline(False)
    expect(ann.page.locator(".banner")).to_have_count(0)
    ann.offline = False
    ann.wait_for_prompt(prompt.state)
    play_cards(ann, 1)
    assert ann.page.evaluate("window.notReloaded")
    proxy.close()


def test_a_line_on_which_packets_vanish_is_told_and_replaced(
    new_user: NewUser, server: ServerProcess
) -> None:
    ann = new_user()
    proxy = Proxy(server)
    ann.url = proxy.url
    ann.start_game("plingo", 2)
    prompt = ann.wait_for_prompt()
    ann.offline = True
    welcomes = len(ann.frames("welcome"))
    proxy.silence()
    ann.expect_text("Nothing comes through the line.")
    with_mouse(ann)(prompt)  # kept, and sent over the next connection
    ann.wait_for_prompt(prompt.state)
    expect(ann.page.locator(".banner")).to_have_count(0)
    assert len(ann.frames("welcome")) == welcomes + 1
    proxy.close()
