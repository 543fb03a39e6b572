"""Page weight: what is loaded when; and how many clicks it takes to the first card."""

import gzip
import re
import time

import pytest

from pli.server.http.app import STATIC
from tests.browser.conftest import NewUser
from tests.browser.proxy import Proxy
from tests.browser.server import ServerProcess
from tests.browser.user import with_mouse, with_touch

MOST = 80 * 1024
"""Bytes of script, compressed, before anything can be seen."""


@pytest.mark.parametrize("file", ["index.html", "table.html"])
def test_the_first_script_is_small(file: str) -> None:
    page = (STATIC / file).read_text()
    scripts = re.findall(r'(?:src|href)="(/assets/[^"]+\.js)"', page)
    assert scripts
    sizes = [len(gzip.compress((STATIC / name[1:]).read_bytes(), 9)) for name in scripts]
    assert sum(sizes) <= MOST, dict(zip(scripts, sizes, strict=True))


def test_a_game_is_loaded_when_its_table_opens_and_not_before(new_user: NewUser) -> None:
    ann = new_user()
    loaded: list[str] = []
    ann.page.on("request", lambda request: loaded.append(request.url))
    ann.go("/")
    ann.page.wait_for_load_state("networkidle")
    assert not [url for url in loaded if re.search("/(marshmallow|merci|plingo)-", url)]
    ann.start_game("plingo", 2)
    ann.wait_for_prompt()
    assert [url for url in loaded if "/plingo-" in url and url.endswith(".js")]
    assert not [url for url in loaded if "/marshmallow-" in url]


@pytest.mark.parametrize(("theme", "other"), [("abacus", "honeycomb"), ("honeycomb", "abacus")])
def test_only_the_theme_that_was_chosen_is_loaded(
    new_user: NewUser, theme: str, other: str
) -> None:
    ann = new_user()
    ann.set_preferences(themes={"plingo": theme})
    loaded: list[str] = []
    ann.page.on("request", lambda request: loaded.append(request.url))
    ann.start_game("plingo", 2)
    ann.wait_for_prompt()
    ann.expect_visible(".grid")
    assert [url for url in loaded if f"/{theme}-" in url]
    assert not [url for url in loaded if f"/{other}-" in url]
    for page in ("index.html", "table.html"):
        assert f"/{theme}-" not in (STATIC / page).read_text()


def test_two_clicks_from_home_to_the_first_card(new_user: NewUser) -> None:
    ann = new_user(quick=False)
    ann.go("/")
    ann.button(re.compile("Play now.*Marshmallow")).click()
    prompt = ann.wait_for_prompt()
    if prompt.kind == "choice":  # the dealer names a trump, once a game for everybody
        with_mouse(ann)(prompt)
        prompt = ann.wait_for_prompt(prompt.state)
    before = len(ann.hand)
    with_mouse(ann)(prompt)
    ann.page.wait_for_function(
        "n => document.querySelectorAll('.hand button').length < n", arg=before
    )


def test_three_taps_from_home_to_the_first_card(new_user: NewUser) -> None:
    bob = new_user("phone", touch=True)
    bob.go("/")
    bob.button(re.compile("Play now.*Plingo")).tap()
    prompt = bob.wait_for_prompt()
    with_touch(bob)(prompt)  # two: the first picks, the second plays
    bob.wait_for_prompt(prompt.state)


SLOW_3G = (0.4, 50_000)
"""A round trip in seconds, and bytes a second."""

FIRST_CARDS = 5
"""Seconds from the tap to the own cards, on such a line."""

REQUESTS = 20
"""For a table and its game, of which a browser makes six at a time: each six cost a round trip."""


def test_on_a_slow_line_the_first_cards_are_soon_there(
    new_user: NewUser, server: ServerProcess
) -> None:
    bob = new_user("phone", touch=True, quick=False)
    round_trip, bandwidth = SLOW_3G
    proxy = Proxy(server, round_trip)
    bob.url = proxy.url
    bob.go("/")
    bob.page.wait_for_load_state("networkidle")
    proxy.bandwidth = bandwidth
    requests: list[str] = []
    bob.page.on("request", lambda request: requests.append(request.url))
    play = bob.button(re.compile("Play now.*Merci"))
    play.scroll_into_view_if_needed()
    began = time.monotonic()
    play.tap()
    bob.expect_visible(".hand button")
    took = time.monotonic() - began
    assert len(requests) <= REQUESTS, requests
    assert round_trip < took < FIRST_CARDS
    bob.offline = True  # its page may be fetching more
    proxy.close()
