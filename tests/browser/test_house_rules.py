"""House rules on the page: folded in the waiting room, named at a table that departs from the book;
and the edition, in the language of the player who creates a table."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import NewUser
from tests.browser.test_accessibility import check_accessibility
from tests.browser.user import User, with_mouse

BOOK = "by the book"


def rule(user: User, name: str) -> Locator:
    """A house rule, by its name."""
    return user.page.get_by_role("group", name=name)


def chosen(user: User, name: str) -> str:
    return rule(user, name).locator("label.on").inner_text().strip()


def badge(user: User) -> Locator:
    return user.page.get_by_role("button", name=re.compile("^House rules"))


# In the waiting room


def test_house_rules_are_folded_until_one_departs_and_everyone_can_read_them(
    new_user: NewUser,
) -> None:
    ann, bob = new_user(), new_user("phone", name="Bob", reduced_motion="reduce")
    seat = ann.server.create_table("marshmallow", 4, target=20)
    ann.open_table(seat)
    ann.expect_visible("details")
    folded = ann.page.locator("details")
    expect(folded).not_to_have_attribute("open", "")
    expect(folded.locator("summary")).to_have_text(re.compile(f"House rules *{BOOK}"))
    expect(rule(ann, "Tricks to go out")).not_to_be_visible()
    expect(badge(ann)).to_have_count(0)
    # By keyboard: the fold opens with Enter, and the arrows choose.
    folded.locator("summary").focus()
    ann.page.keyboard.press("Enter")
    expect(rule(ann, "Tricks to go out")).to_be_visible()
    expect(rule(ann, "Tricks to go out").get_by_role("radio")).to_have_count(12)
    assert chosen(ann, "Tricks to go out") == BOOK
    assert chosen(ann, "Marshmallows to win") == "20"
    rule(ann, "Tricks to go out").get_by_role("radio", name=BOOK).focus()
    ann.page.keyboard.press("ArrowRight")
    expect(badge(ann)).to_be_visible()
    assert chosen(ann, "Tricks to go out") == "1"
    expect(folded.locator("summary")).to_contain_text("1 differs from the book")
    rule(ann, "Marshmallows to win").get_by_text("10", exact=True).click()
    expect(folded.locator("summary")).to_contain_text("2 differ from the book")
    # A guest finds it open, and can only read.
    bob.go(f"/t/{seat['table']}")
    expect(bob.page.locator("details")).to_have_attribute("open", "")
    assert chosen(bob, "Tricks to go out") == "1"
    assert chosen(bob, "Marshmallows to win") == "10"
    expect(rule(bob, "Tricks to go out").get_by_role("radio").first).to_be_disabled()
    expect(badge(bob)).to_be_visible()
    check_accessibility(bob, "a guest's house rules")
    bob.page.locator("details summary").click()
    expect(rule(bob, "Tricks to go out")).not_to_be_visible()
    # Back to the book: it is told, and nothing folds up under the hand.
    rule(ann, "Marshmallows to win").get_by_text("20", exact=True).click()
    rule(ann, "Tricks to go out").get_by_text(BOOK).click()
    expect(badge(ann)).to_have_count(0)
    expect(folded).to_have_attribute("open", "")
    expect(folded.locator("summary")).to_contain_text(BOOK)


def test_a_number_that_the_page_does_not_offer_is_still_shown(new_user: NewUser) -> None:
    ann = new_user()
    ann.open_table(ann.server.create_table("marshmallow", 2, target=8))
    ann.expect_visible("details[open]")
    assert chosen(ann, "Marshmallows to win") == "8"
    # Two seats need two tricks at least.
    expect(rule(ann, "Tricks to go out").get_by_role("radio")).to_have_count(11)


# At the table


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_table_that_is_not_by_the_book_says_so_to_its_end(new_user: NewUser, size: str) -> None:
    ann = new_user(size, reduced_motion="reduce")
    seat = ann.server.create_table("marshmallow", 3, target=2, tricks_to_go_out=1)
    ann.open_table(seat)
    ann.page.locator(".start button").click()
    ann.wait_for_prompt()
    told = "House rules: Marshmallows to win: 2 and Tricks to go out: 1"
    expect(badge(ann)).to_have_accessible_name(told)
    expect(badge(ann)).to_have_attribute("title", told.removeprefix("House rules: "))
    badge(ann).click()
    sheet = ann.page.locator("dialog[open]")
    expect(sheet.get_by_role("listitem")).to_have_text(
        [re.compile("^Marshmallows to win: 2"), re.compile("^Tricks to go out: 1")]
    )
    check_accessibility(ann, "what differs")
    ann.close_dialog()
    check_accessibility(ann, "a table with house rules")
    ann.play_game(with_mouse(ann))
    ann.expect_visible(".result tr.won")
    ann.page.locator(".result").get_by_role("button", name=re.compile("^House rules")).click()
    expect(sheet).to_contain_text("Tricks to go out: 1")
    ann.close_dialog()
    ann.go(f"/r/{seat['table']}/1")
    ann.expect_visible("input[type=range]")
    expect(badge(ann)).to_be_visible()


def test_a_table_by_the_book_says_nothing(new_user: NewUser) -> None:
    ann = new_user()
    ann.start_game("marshmallow", 3, target=20)
    ann.wait_for_prompt()
    expect(badge(ann)).to_have_count(0)


def test_open_tables_with_house_rules_are_marked(new_user: NewUser) -> None:
    ann = new_user()
    for name, target in (("Zoe", 20), ("Yan", 10)):
        wanted = {"game": "marshmallow", "name": name, "public": True}
        wanted |= {"options": {"seats": 2, "target": target}}
        seat = ann.server.request("/api/tables", wanted)
        host = new_user()
        host.open_table({**seat, "game": "marshmallow", "used": 1})
        host.expect_visible(".room")
    ann.go("/")
    row = ann.page.locator(".tables button.row")
    expect(row.filter(has_text="Yan")).to_contain_text("House rules")
    expect(row.filter(has_text="Zoe")).not_to_contain_text("House rules")
    for name in ("Zoe", "Yan"):  # taken, so that no other test finds them
        row.filter(has_text=name).click()
        ann.expect_visible(".room")
        ann.go("/")


# The edition


@pytest.mark.parametrize(
    ("language", "invites", "edition"),
    [
        ("en-GB", "Invite friends", "English and Spanish"),
        ("fr-FR", "Inviter des amis", "Française"),
        ("es-ES", "Invitar a amigos", "Inglesa y española"),
    ],
)
def test_the_edition_is_in_the_language_of_who_makes_the_table(
    new_user: NewUser, language: str, invites: str, edition: str
) -> None:
    ann = new_user(locale=language)
    ann.go("/")
    box = ann.page.locator("article.marshmallow")
    box.get_by_role("button", name=re.compile(f"^{invites}")).click()
    ann.expect_visible(".cards")
    on = ann.page.locator(".cards label.on b")
    expect(on).to_have_text(edition)
    # It is no house rule, and a table once made keeps it.
    expect(ann.page.locator("details")).not_to_have_attribute("open", "")
    before = ann.frames("welcome", "table")[-1]["table"]["options"]
    other = "English" if language.startswith("fr") else "Français"
    ann.page.locator("header .round").click()
    ann.page.get_by_text(other, exact=True).click()
    ann.close_dialog()
    ann.page.reload()
    ann.expect_visible(".cards")
    assert ann.frames("welcome", "table")[-1]["table"]["options"] == before
    ann.page.locator(".cards label:not(.on)").click()
    expect(on).not_to_have_text(edition)
