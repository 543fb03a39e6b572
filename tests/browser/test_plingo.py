"""Plingo in teams and with an auction, in the browser: what is bid, and whose grid it is."""

from playwright.sync_api import expect

from tests.browser.conftest import NewUser
from tests.browser.user import Act, User, with_mouse, with_touch


def play_to_the_first_bid(ann: User, act: Act) -> None:
    """Plays the first round, which has no auction; a choice in it is a joker's."""
    prompt = ann.wait_for_prompt()
    while not ann.page.get_by_role("region", name="How many new boxes").count():
        assert prompt.kind != "over"
        act(prompt)
        prompt = ann.wait_for_prompt(prompt.state)


def test_a_bid_is_made_by_its_number_key_and_stands_beside_the_seat(new_user: NewUser) -> None:
    ann = new_user("desktop")
    ann.open_table(
        ann.server.create_table("plingo", 6, teams="halves", auction="on", first_master=0)
    )
    ann.page.locator(".start button").click()
    own = ann.page.locator("section.own")
    expect(own.locator(".team")).to_have_text("your team")
    expect(ann.page.locator(".others .team.mate")).to_have_count(2)
    expect(ann.page.locator("header").get_by_role("button", name="House rules")).to_be_visible()
    play_to_the_first_bid(ann, with_mouse(ann))
    ann.page.keyboard.press("9")
    expect(own.locator(".bid")).to_contain_text("9")
    assert '"bid 9"' in ann.sent[-1]


def test_zero_passes(new_user: NewUser) -> None:
    ann = new_user("phone", touch=True)
    ann.open_table(
        ann.server.create_table("plingo", 4, teams="pairs", auction="on", first_master=0)
    )
    ann.page.locator(".start button").click()
    play_to_the_first_bid(ann, with_touch(ann))
    ann.page.keyboard.press("0")
    expect(ann.page.locator("section.own .bid")).to_contain_text("passed")


def test_teams_and_the_auction_are_marked_as_our_proposal(new_user: NewUser) -> None:
    ann = new_user("desktop")
    ann.open_table(ann.server.create_table("plingo", 4, teams="pairs", auction="on"))
    folded = ann.page.locator("details")
    expect(folded.locator("fieldset", has_text="Teams").get_by_text("Our proposal")).to_be_visible()
    expect(folded.locator("fieldset", has_text="Auction").first).to_contain_text("Our proposal")
    expect(folded.locator("fieldset", has_text="Jokers")).not_to_contain_text("Our proposal")
    ann.page.locator(".start button").click()
    ann.wait_for_prompt()
    ann.page.locator("header").get_by_role("button", name="House rules").click()
    expect(ann.page.locator("dialog[open] li", has_text="Our proposal")).to_have_count(2)
