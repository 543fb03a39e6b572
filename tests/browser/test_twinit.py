"""Twin It! at the page: every mode with bots to its end; mouse, two fingers, keys; pictures that no
script can compare; nothing that scrolls, complains or is in anybody's way."""

import time
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Error, expect

from tests.browser.conftest import Visits
from tests.browser.test_access import holds
from tests.browser.twinit import Player
from tests.browser.visitor import PATIENCE

Take = Callable[[int, int], None]
LONGEST = 75.0
"""Seconds for a game with people's reactions."""


def plays(player: Player, take: Take, seconds: float = LONGEST) -> None:
    """Flips when asked to, takes what it sees, to the result."""
    ends = time.monotonic() + seconds
    while not player.over:
        assert time.monotonic() < ends, "not over yet"
        with suppress(Error, AssertionError):  # what it went for is gone
            pair = player.pair()
            if pair is not None and all(player.eyes.free(card) for card in pair):
                take(*pair)
            player.flip()
        player.page.wait_for_timeout(150)


def test_a_race_by_mouse_is_won(visit: Visits) -> None:
    ann = visit()
    player = Player(ann, mode="race", seats=3, catches=2, count_ms=300)
    plays(player, player.click)
    info = ann.house.ask(f"/api/tables/{player.table}")
    assert info["state"] == "over"
    assert ann.page.locator(".result tr.won").count() == len(info["results"][-1])
    expect(ann.page.locator("figure svg")).to_be_visible()
    if info["results"][-1] == [0]:
        assert "taboo" in info["kinds"]
        expect(ann.button("taboo")).to_be_visible()


def test_coop_with_two_fingers_on_a_phone(visit: Visits) -> None:
    ann = visit("phone", touch=True)
    player = Player(ann, mode="coop", seats=1, minute_ms=9000)
    pair = player.pair()
    assert pair is not None
    player.fingers(*pair)
    ann.page.wait_for_function("() => document.querySelectorAll('.catch').length === 1")
    assert player.events("caught")[0]["cards"] == sorted(pair)
    plays(player, player.fingers, 40)
    assert "beginners" in ann.page.locator(".result").inner_text() or player.events("time_up")


def test_rush_by_keyboard(visit: Visits) -> None:
    ann = visit()
    player = Player(ann, mode="rush", seats=2, minute_ms=8000)
    pair = player.pair()
    assert pair is not None
    player.press(*pair)
    ann.page.wait_for_function("() => document.querySelectorAll('.own .catch').length === 1")
    plays(player, player.press, 40)
    assert player.events("won_points")


def test_teams_know_each_other_and_play_to_the_end(visit: Visits) -> None:
    ann = visit("tablet")
    player = Player(ann, mode="teams", seats=4, catches=1, count_ms=300)
    expect(ann.page.locator(".seat.mate")).to_have_count(1)
    plays(player, lambda one, other: player.click(one))
    assert len(ann.house.ask(f"/api/tables/{player.table}")["results"][-1]) == 2


def test_a_touch_shows_at_once_and_a_second_one_lifts_the_hand(visit: Visits) -> None:
    ann = visit()
    player = Player(ann, mode="coop", seats=1)
    card = player.cards()[5]
    player.click(card)
    hand = ann.page.locator(f'[data-card="{card}"] .hand')
    expect(hand).to_have_count(1)
    ann.page.wait_for_timeout(500)
    player.click(card)
    expect(hand).to_have_count(0)


def test_no_pair_is_said_and_costs_nothing_in_coop(visit: Visits) -> None:
    ann = visit()
    player = Player(ann, mode="coop", seats=1)
    cards = player.cards()
    same = {card for pair in player.eyes.pairs(cards) for card in pair}
    one, other = [card for card in cards if card not in same][:2]
    player.click(one, other)
    ann.says("No pair.")


def test_alone_against_the_minute_is_one_click_from_home(visit: Visits) -> None:
    ann = visit()
    ann.go("/")
    ann.button("Alone against the minute").click()
    ann.page.wait_for_selector(".mat .tile", timeout=PATIENCE)
    expect(ann.page.locator(".mat .tile")).to_have_count(135)


def test_a_script_in_the_page_gets_no_bytes(visit: Visits) -> None:
    ann = visit()
    player = Player(ann, mode="coop", seats=1)
    ann.offline = True  # the answers are errors, as they should be
    status = ann.page.evaluate(
        """async () => {
          const shown = getComputedStyle(document.querySelector('.tile .face')).backgroundImage;
          return (await fetch(shown.slice(5, -2))).status;
        }"""
    )
    assert status == 404
    ann.offline = False
    ann.troubles.clear()
    assert player.cards()


@pytest.mark.parametrize(
    ("mode", "seats", "size"),
    [("race", 6, "phone"), ("coop", 1, "phone"), ("rush", 6, "tablet"), ("teams", 4, "desktop")],
)
def test_nothing_scrolls_and_axe_finds_nothing(
    visit: Visits, mode: str, seats: int, size: str
) -> None:
    ann = visit(size, touch=size == "phone", reduced_motion="reduce", locale="fr-FR")
    Player(ann, mode=mode, seats=seats)
    over = ann.page.evaluate(
        "[document.scrollingElement.scrollHeight - innerHeight,"
        " document.scrollingElement.scrollWidth - innerWidth]"
    )
    assert max(over) <= 0
    holds(ann, mode)


def test_a_replay_shows_the_pictures_again(visit: Visits) -> None:
    ann = visit()
    player = Player(ann, mode="coop", seats=1, minute_ms=1500)
    ann.page.wait_for_selector(".result", timeout=PATIENCE)
    ann.go(f"/r/{player.table}/1")
    ann.page.wait_for_selector(".mat .tile .face", timeout=PATIENCE)
    shown = "getComputedStyle(document.querySelector('.tile .face')).backgroundImage"
    assert "/pictures/" in ann.page.evaluate(shown)
