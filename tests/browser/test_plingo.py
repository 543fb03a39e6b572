"""Plingo in teams and with an auction, in the browser: what is bid, and whose grid it is."""

from playwright.sync_api import expect

from tests.browser.conftest import Visits
from tests.browser.visitor import Act, Visitor, with_finger, with_mouse


def at_the_first_bid(ann: Visitor, act: Act) -> None:
    """The first round is played, which has no auction; a choice in it is a joker's."""
    moment = ann.moment()
    while not ann.page.get_by_role("region", name="How many new boxes").count():
        assert moment.what != "over"
        act(moment)
        moment = ann.moment(moment.state)


def test_a_bid_is_made_by_its_number_key_and_stands_beside_the_seat(visit: Visits) -> None:
    ann = visit("desktop")
    ann.sit(ann.house.make("plingo", 6, teams="halves", auction="on", first_master=0))
    ann.page.locator(".start button").click()
    own = ann.page.locator("section.own")
    expect(own.locator(".team")).to_have_text("your team")
    expect(ann.page.locator(".others .team.mate")).to_have_count(2)
    expect(ann.page.locator("header").get_by_role("button", name="House rules")).to_be_visible()
    at_the_first_bid(ann, with_mouse(ann))
    ann.page.keyboard.press("9")
    expect(own.locator(".bid")).to_contain_text("9")
    assert '"bid 9"' in ann.sent[-1]


def test_zero_passes(visit: Visits) -> None:
    ann = visit("phone", touch=True)
    ann.sit(ann.house.make("plingo", 4, teams="pairs", auction="on", first_master=0))
    ann.page.locator(".start button").click()
    at_the_first_bid(ann, with_finger(ann))
    ann.page.keyboard.press("0")
    expect(ann.page.locator("section.own .bid")).to_contain_text("passed")


def test_teams_and_the_auction_are_marked_as_our_proposal(visit: Visits) -> None:
    ann = visit("desktop")
    ann.sit(ann.house.make("plingo", 4, teams="pairs", auction="on"))
    folded = ann.page.locator("details")
    expect(folded.locator("fieldset", has_text="Teams").get_by_text("Our proposal")).to_be_visible()
    expect(folded.locator("fieldset", has_text="Auction").first).to_contain_text("Our proposal")
    expect(folded.locator("fieldset", has_text="Jokers")).not_to_contain_text("Our proposal")
    ann.page.locator(".start button").click()
    ann.moment()
    ann.page.locator("header").get_by_role("button", name="House rules").click()
    expect(ann.page.locator("dialog[open] li", has_text="Our proposal")).to_have_count(2)
