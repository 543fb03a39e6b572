"""What a table does for who sits at it: it says why a card can't be played, gives a hint, shows the
last trick, plays a last card by itself, tells whose turn it is from another tab, and lets one go
and come back."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

import pli
from tests.browser.conftest import Visits
from tests.browser.visitor import PATIENCE, Visitor, with_mouse

KEEP_LOCK = """() => {
  const ask = WakeLock.prototype.request;
  WakeLock.prototype.request = function (...what) {
    return ask.apply(this, what).then((lock) => (window.lock = lock));
  };
}"""


def icon(visitor: Visitor) -> str:
    return str(visitor.page.locator("link[rel=icon]").get_attribute("href"))


def actions(visitor: Visitor) -> list[Any]:
    sent = [json.loads(frame) for frame in [*visitor.sent]]
    return [message for message in sent if message["type"] == "do"]


def test_a_dimmed_card_says_why_it_cant_be_played(visit: Visits) -> None:
    ann = visit()
    ann.begin("marshmallow", 3, target=30)
    moment = ann.moment()
    while ann.page.locator(".hand .dim").count() == 0:
        with_mouse(ann)(moment)
        moment = ann.moment(moment.state)
    hand = ann.hand
    box = ann.page.locator(".hand .dim").first.bounding_box()
    assert box is not None
    ann.page.mouse.click(box["x"] + 8, box["y"] + 40)
    notice = ann.page.locator(".notice")
    expect(notice).to_have_text(re.compile("You can follow|This trick was trumped"))
    expect(ann.page.locator("[role=log]")).to_contain_text(notice.inner_text())
    assert ann.hand == hand


def test_a_hint_shows_the_chance_of_every_card_and_which_is_best(visit: Visits) -> None:
    ann = visit()
    ann.begin("marshmallow", 3)
    moment = ann.moment()
    if moment.what == "choice":
        with_mouse(ann)(moment)
        ann.moment(moment.state)
    playable = ann.page.locator(".hand .playable").count()
    chances = ann.page.locator(".hand .chance")
    for _ in range(5):
        ann.page.keyboard.press("h")
        ann.sees(".hand .chance, .notice")
        if chances.count():
            break
        expect(ann.page.locator(".notice")).to_have_count(0, timeout=PATIENCE)  # too busy just now
    expect(chances).to_have_count(playable)
    assert all(re.fullmatch(r"\d+%", text) for text in chances.all_inner_texts())
    expect(ann.page.locator(".hand .chance.best")).to_have_count(1)
    expect(ann.page.locator("[role=log]")).to_contain_text(
        re.compile(r"A strong bot would choose the \w+ \d+: \d+% to win")
    )


def test_the_last_trick_can_be_looked_at(visit: Visits) -> None:
    ann = visit()
    ann.begin("plingo", 3)
    moment = ann.moment()
    for _ in range(2):
        with_mouse(ann)(moment)
        moment = ann.moment(moment.state)
    ann.page.keyboard.press("t")
    sheet = ann.page.locator("dialog[open]")
    expect(sheet.locator("li")).to_have_count(3)
    laid = {str(card["card"]) for card in ann.frames("update")[-1]["view"]["last_trick"]}
    assert len(laid) == 3


def test_a_last_card_plays_itself_for_who_wants_that(visit: Visits) -> None:
    ann = visit()
    ann.prefers(last=True)
    ann.begin("plingo", 2)
    moment = ann.moment()
    done = 0
    while len(actions(ann)) == done:
        with_mouse(ann)(moment)
        done += 1
        moment = ann.moment(moment.state)
    alone = actions(ann)[-1]["action"]
    assert alone.startswith("play ")
    assert done >= 5  # only when nothing else was left in the hand


def test_tab_and_icon_say_whose_turn_it_is(visit: Visits) -> None:
    ann = visit()
    seat = ann.house.make("marshmallow", 2, target=3)
    ann.sit(seat)
    ann.sees(".seats")
    assert icon(ann) == "/icon.svg"
    ann.button("Deal the cards").click()
    ann.moment()
    expect(ann.page).to_have_title("Your turn · Marshmallow Test")
    assert icon(ann) == "/icon-turn.svg"
    ann.plays(with_mouse(ann))
    expect(ann.page).to_have_title("Marshmallow Test · Pli")
    assert icon(ann) == "/icon.svg"


def test_the_screen_stays_awake_at_a_table_and_may_sleep_after(visit: Visits) -> None:
    ann = visit()
    ann.context.add_init_script(f"({KEEP_LOCK})()")
    ann.begin("plingo", 2)
    ann.moment()
    ann.page.wait_for_function("window.lock && !window.lock.released")
    ann.page.keyboard.press("m")
    ann.page.get_by_role("link", name="To the shelf").click()
    ann.sees(".shelf")
    ann.page.wait_for_function("window.lock.released")


def test_home_leads_back_to_the_own_table(visit: Visits) -> None:
    ann = visit()
    seat = ann.begin("plingo", 3)
    ann.moment()
    hand = ann.hand
    ann.page.keyboard.press("m")
    ann.page.get_by_role("link", name="To the shelf").click()
    ann.page.get_by_role("link", name="Back to Plingo").click()
    ann.moment()
    assert ann.page.url.endswith(f"/t/{seat['table']}")
    assert ann.hand == hand


def test_what_was_shut_opens_again_at_once(visit: Visits) -> None:
    ann = visit()
    ann.begin("plingo", 2)
    ann.moment()
    for _ in range(5):
        ann.page.keyboard.press("m")
        ann.page.keyboard.press("Escape")
        ann.page.keyboard.press("m")
        ann.sees("dialog[open] nav")
        ann.shut()


@pytest.mark.parametrize(("game", "seats"), [("marshmallow", 3), ("plingo", 3)])
def test_a_replay_is_seen_from_every_seat_and_open(visit: Visits, game: str, seats: int) -> None:
    ann = visit()
    seat = ann.house.make(game, seats)
    ann.house.finish(seat)
    ann.sit(seat)
    ann.page.get_by_role("link", name="Watch the replay").click()
    ann.sees("input[type=range]")
    for _ in range(20):
        ann.page.keyboard.press("ArrowRight")
        if ann.hand:
            break
    hands = set()
    for eyes in range(seats):
        ann.page.locator(".scrub select").select_option(str(eyes))
        expect(ann.page.locator(f".hand[data-anchor=seat-{eyes}] button").first).to_be_visible()
        hands.add(",".join(ann.hand))
    assert len(hands) == seats
    ann.page.locator(".scrub select").select_option("-1")
    expect(ann.page.locator(".seat .open")).to_have_count(seats)
    assert ann.page.url.endswith(f"/r/{seat['table']}/1")


def test_a_replay_is_shared_by_its_link_and_its_record_holds(visit: Visits) -> None:
    ann, bob = visit(), visit(name="Bob")
    table = str(ann.begin("marshmallow", 2, target=3)["table"])
    ann.plays(with_mouse(ann))
    ann.sees(".result tr.won")
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ann.button("Share the replay").click()
    ann.says("Copied")
    link = str(ann.page.evaluate("navigator.clipboard.readText()"))
    assert link.endswith(f"/r/{table}/1")
    bob.page.goto(link)
    bob.sees("input[type=range]")
    with ann.page.expect_download() as download:
        ann.page.get_by_role("link", name="Download the record").click()
    record = download.value.path().read_text()
    assert pli.replay(pli.read_record(record)).winners
    ann.page.get_by_text("Was the shuffle fair?").click()
    ann.says("It fits.")
    ann.says("What your own page added went in as well")
