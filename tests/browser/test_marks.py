"""What a table marks, so that its player sees what counts: the points that win, trumps, the master,
what can be laid, how far rivals are, whom the minute is against."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import merci
from tests.browser.conftest import NewUser
from tests.browser.twinit import Player
from tests.browser.user import User, with_mouse

CARDS = "marked => [...document.querySelectorAll(marked)].map((each) => each.dataset.card)"


def marked(user: User, selector: str) -> set[str]:
    """The cards of these elements."""
    found: list[str] = user.page.evaluate(CARDS, selector)
    return set(found)


def last_view(user: User) -> Any:
    return user.frames("update")[-1]["view"]


@pytest.mark.parametrize("size", ["small", "desktop"])
def test_the_points_that_win_and_trumps_are_seen(new_user: NewUser, size: str) -> None:
    ann = new_user(size)
    ann.start_game("marshmallow", 5, target=20, tricks_to_go_out=1)
    expect(ann.page.locator("header")).to_contain_text("to 20")
    act, prompt = with_mouse(ann), ann.wait_for_prompt()
    for _ in range(60):
        view = last_view(ann)
        trumps = {card for card in view["hand"] if card[0] == view["trump"]}
        if trumps and prompt.kind == "card":
            assert marked(ann, ".hand button:has(.trump)") == trumps
            return
        act(prompt)
        prompt = ann.wait_for_prompt(prompt.state)
    raise AssertionError("no trump was held in so many rounds")


def test_the_master_card_is_named_and_large_enough(new_user: NewUser) -> None:
    ann = new_user("small")
    ann.start_game("plingo", 4, first_master=0)
    master = ann.page.locator(".own .master")
    expect(master).to_contain_text("Master")
    box = master.locator("svg").bounding_box()
    assert box is not None
    assert box["height"] >= 32


def test_what_can_be_laid_is_marked_by_the_starter_rules(new_user: NewUser) -> None:
    ann = new_user("small")
    ann.start_game("merci", 3, rules="start", first_player=0)
    now = merci.wait_until(ann, lambda now: now.view.awaited == [0])
    ann.page.wait_for_function(merci.SHOWN, arg=len(now.view.hand))
    tops = [top for top in now.view.tops if top]
    fitting = {
        card
        for card in now.view.hand
        if any(card[0] == top[0] or card[1] == top[1] for top in tops)
    }
    assert marked(ann, ".hand .fits") == fitting


@pytest.mark.parametrize("size", ["small", "desktop"])
def test_notices_cover_no_pile_and_rivals_tops_are_large_enough(
    new_user: NewUser, size: str
) -> None:
    ann = new_user(size)
    player = Player(ann, headless=2, mode="race", seats=3, catches=3)
    player.click(*player.flip_until_pair())
    ann.expect_visible(".told p")
    covered = ann.page.evaluate(
        """() => {
          const box = (each) => each.getBoundingClientRect();
          const told = [...document.querySelectorAll('.told p')].map(box);
          const piles = [...document.querySelectorAll('.seat .pile, .mat .tile')].map(box);
          return piles.filter((pile) => told.some((line) =>
            line.left < pile.right && pile.left < line.right
            && line.top < pile.bottom - 1 && pile.top < line.bottom - 1)).length;
        }"""
    )
    assert covered == 0
    tops = ann.page.locator(".seat:not(.own) .pile .tile")
    assert tops.count() == 2
    for top in tops.all():
        box = top.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 36


def test_who_is_alone_against_the_minute_plays_solo(new_user: NewUser) -> None:
    ann = new_user()
    ann.go("/")
    ann.button("Alone against the minute").click()
    expect(ann.page.locator(".strip")).to_contain_text("Solo")
    expect(ann.page.locator(".strip")).not_to_contain_text("Co-op")
