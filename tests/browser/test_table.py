"""What the page of a table offers its player: why a card can't be played, hints, the last trick, a
last card that is played automatically, the turn in the tab's title and icon, a wake lock, the way
back."""

import json
import re
from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import NewUser
from tests.browser.user import User, with_mouse

KEEP_LOCK = """() => {
  const ask = WakeLock.prototype.request;
  WakeLock.prototype.request = function (...what) {
    return ask.apply(this, what).then((lock) => (window.lock = lock));
  };
}"""


def icon(user: User) -> str:
    return str(user.page.locator("link[rel=icon]").get_attribute("href"))


def actions(user: User) -> list[Any]:
    sent = [json.loads(frame) for frame in [*user.sent]]
    return [message for message in sent if message["type"] == "do"]


def test_a_dimmed_card_says_why_it_cant_be_played(new_user: NewUser) -> None:
    ann = new_user()
    ann.start_game("marshmallow", 3, target=30)
    prompt = ann.wait_for_prompt()
    while ann.page.locator(".hand .dim").count() == 0:
        with_mouse(ann)(prompt)
        prompt = ann.wait_for_prompt(prompt.state)
    hand = ann.hand
    box = ann.page.locator(".hand .dim").first.bounding_box()
    assert box is not None
    ann.page.mouse.click(box["x"] + 8, box["y"] + 40)
    notice = ann.page.locator(".notice")
    expect(notice).to_have_text(re.compile("You can follow|This trick was trumped"))
    expect(ann.page.locator("[role=log]")).to_contain_text(notice.inner_text())
    assert ann.hand == hand


def test_a_hint_shows_the_chance_of_every_card_and_which_is_best(new_user: NewUser) -> None:
    ann = new_user()
    ann.start_game("marshmallow", 3)
    prompt = ann.wait_for_prompt()
    if prompt.kind == "choice":
        with_mouse(ann)(prompt)
        ann.wait_for_prompt(prompt.state)
    playable = ann.page.locator(".hand .playable").count()
    chances = ann.page.locator(".hand .chance")
    for _ in range(5):
        ann.page.keyboard.press("h")
        ann.expect_visible(".hand .chance, .notice")
        if chances.count():
            break
        expect(ann.page.locator(".notice")).to_have_count(0)  # too busy just now
    expect(chances).to_have_count(playable)
    told = re.compile(r"(\d+)%, wins about \1% of games")
    assert all(told.fullmatch(text) for text in chances.all_text_contents())
    expect(ann.page.locator(".hand .chance.best")).to_have_count(1)
    expect(ann.page.locator("[role=log]")).to_contain_text(
        re.compile(r"A strong bot would choose the \w+ \d+: that wins about \d+% of games")
    )
    expect(ann.page.locator(".advice")).to_contain_text("how many of 100 games it would win")


def test_the_last_trick_can_be_looked_at(new_user: NewUser) -> None:
    ann = new_user()
    ann.start_game("plingo", 3)
    prompt = ann.wait_for_prompt()
    for _ in range(2):
        with_mouse(ann)(prompt)
        prompt = ann.wait_for_prompt(prompt.state)
    ann.page.keyboard.press("t")
    sheet = ann.page.locator("dialog[open]")
    expect(sheet.locator("li")).to_have_count(3)
    laid = {str(card["card"]) for card in ann.frames("update")[-1]["view"]["last_trick"]}
    assert len(laid) == 3


def test_a_last_card_plays_itself_for_who_wants_that(new_user: NewUser) -> None:
    ann = new_user()
    ann.set_preferences(last=True)
    ann.start_game("plingo", 2)
    prompt = ann.wait_for_prompt()
    done = 0
    while len(actions(ann)) == done:
        with_mouse(ann)(prompt)
        done += 1
        prompt = ann.wait_for_prompt(prompt.state)
    alone = actions(ann)[-1]["action"]
    assert alone.startswith("play ")
    assert done >= 5  # only when nothing else was left in the hand


def test_tab_and_icon_say_whose_turn_it_is(new_user: NewUser) -> None:
    ann = new_user()
    seat = ann.server.create_table("marshmallow", 2, target=3)
    ann.open_table(seat)
    ann.expect_visible(".seats")
    assert icon(ann) == "/icon.svg"
    ann.button("Deal the cards").click()
    ann.wait_for_prompt()
    expect(ann.page).to_have_title("Your turn · Marshmallow Test")
    assert icon(ann) == "/icon-turn.svg"
    ann.play_game(with_mouse(ann))
    expect(ann.page).to_have_title("Marshmallow Test · Pli")
    assert icon(ann) == "/icon.svg"


def test_the_screen_stays_awake_at_a_table_and_may_sleep_after(new_user: NewUser) -> None:
    ann = new_user()
    ann.context.add_init_script(f"({KEEP_LOCK})()")
    ann.start_game("plingo", 2)
    ann.wait_for_prompt()
    ann.page.wait_for_function("window.lock && !window.lock.released")
    ann.page.keyboard.press("m")
    ann.page.get_by_role("link", name="To the shelf").click()
    ann.expect_visible(".shelf")
    ann.page.wait_for_function("window.lock.released")


def test_home_leads_back_to_the_own_table(new_user: NewUser) -> None:
    ann = new_user()
    seat = ann.start_game("plingo", 3)
    ann.wait_for_prompt()
    hand = ann.hand
    ann.page.keyboard.press("m")
    ann.page.get_by_role("link", name="To the shelf").click()
    ann.page.get_by_role("link", name="Back to Plingo").click()
    ann.wait_for_prompt()
    assert ann.page.url.endswith(f"/t/{seat['table']}")
    assert ann.hand == hand


def test_what_was_shut_opens_again_at_once(new_user: NewUser) -> None:
    ann = new_user()
    ann.start_game("plingo", 2)
    ann.wait_for_prompt()
    for _ in range(5):
        ann.page.keyboard.press("m")
        ann.page.keyboard.press("Escape")
        ann.page.keyboard.press("m")
        ann.expect_visible("dialog[open] nav")
        ann.close_dialog()
