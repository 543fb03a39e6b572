"""House rules on the page: folded in the waiting room, told at a table that departs from the book;
the edition in the language of who makes a table; and games of older rules."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests import old
from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.test_access import holds
from tests.browser.visitor import PATIENCE, Visitor, with_mouse

BOOK = "by the book"


def rule(visitor: Visitor, name: str) -> Locator:
    """A house rule, by its name."""
    return visitor.page.get_by_role("group", name=name)


def chosen(visitor: Visitor, name: str) -> str:
    return rule(visitor, name).locator("label.on").inner_text().strip()


def badge(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("button", name=re.compile("^House rules"))


# In the waiting room


def test_house_rules_are_folded_until_one_departs_and_everyone_can_read_them(
    visit: Visits,
) -> None:
    ann, bob = visit(), visit("phone", name="Bob", reduced_motion="reduce")
    seat = ann.house.make("marshmallow", 4, target=20)
    ann.sit(seat)
    ann.sees("details")
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
    holds(bob, "a guest's house rules")
    bob.page.locator("details summary").click()
    expect(rule(bob, "Tricks to go out")).not_to_be_visible()
    # Back to the book: it is told, and nothing folds up under the hand.
    rule(ann, "Marshmallows to win").get_by_text("20", exact=True).click()
    rule(ann, "Tricks to go out").get_by_text(BOOK).click()
    expect(badge(ann)).to_have_count(0)
    expect(folded).to_have_attribute("open", "")
    expect(folded.locator("summary")).to_contain_text(BOOK)


def test_a_number_that_the_page_does_not_offer_is_still_shown(visit: Visits) -> None:
    ann = visit()
    ann.sit(ann.house.make("marshmallow", 2, target=8))
    ann.sees("details[open]")
    assert chosen(ann, "Marshmallows to win") == "8"
    # Two seats need two tricks at least.
    expect(rule(ann, "Tricks to go out").get_by_role("radio")).to_have_count(11)


# At the table


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_table_that_is_not_by_the_book_says_so_to_its_end(visit: Visits, size: str) -> None:
    ann = visit(size, reduced_motion="reduce")
    seat = ann.house.make("marshmallow", 3, target=2, tricks_to_go_out=1)
    ann.sit(seat)
    ann.page.locator(".start button").click()
    ann.moment()
    told = "House rules: Marshmallows to win: 2 and Tricks to go out: 1"
    expect(badge(ann)).to_have_accessible_name(told)
    expect(badge(ann)).to_have_attribute("title", told.removeprefix("House rules: "))
    badge(ann).click()
    sheet = ann.page.locator("dialog[open]")
    expect(sheet.get_by_role("listitem")).to_have_text(
        [re.compile("^Marshmallows to win: 2"), re.compile("^Tricks to go out: 1")]
    )
    holds(ann, "what differs")
    ann.shut()
    holds(ann, "a table with house rules")
    ann.plays(with_mouse(ann))
    ann.sees(".result tr.won")
    ann.page.locator(".result").get_by_role("button", name=re.compile("^House rules")).click()
    expect(sheet).to_contain_text("Tricks to go out: 1")
    ann.shut()
    ann.go(f"/r/{seat['table']}/1")
    ann.sees("input[type=range]")
    expect(badge(ann)).to_be_visible()


def test_a_table_by_the_book_says_nothing(visit: Visits) -> None:
    ann = visit()
    ann.begin("marshmallow", 3, target=20)
    ann.moment()
    expect(badge(ann)).to_have_count(0)


def test_open_tables_with_house_rules_are_marked(visit: Visits) -> None:
    ann = visit()
    for name, target in (("Zoe", 20), ("Yan", 10)):
        wanted = {"game": "marshmallow", "name": name, "public": True}
        wanted |= {"options": {"seats": 2, "target": target}}
        seat = ann.house.ask("/api/tables", wanted)
        host = visit()
        host.sit({**seat, "game": "marshmallow", "used": 1})
        host.sees(".room")
    ann.go("/")
    row = ann.page.locator(".tables button.row")
    expect(row.filter(has_text="Yan")).to_contain_text("House rules", timeout=PATIENCE)
    expect(row.filter(has_text="Zoe")).not_to_contain_text("House rules")
    for name in ("Zoe", "Yan"):  # taken, so that no other test finds them
        row.filter(has_text=name).click()
        ann.sees(".room")
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
    visit: Visits, language: str, invites: str, edition: str
) -> None:
    ann = visit(locale=language)
    ann.go("/")
    box = ann.page.locator("article.marshmallow")
    box.get_by_role("button", name=re.compile(f"^{invites}")).click()
    ann.sees(".cards")
    on = ann.page.locator(".cards label.on b")
    expect(on).to_have_text(edition)
    # It is no house rule, and a table once made keeps it.
    expect(ann.page.locator("details")).not_to_have_attribute("open", "")
    before = ann.frames("welcome", "table")[-1]["table"]["options"]
    other = "English" if language.startswith("fr") else "Français"
    ann.page.locator("header .round").click()
    ann.page.get_by_text(other, exact=True).click()
    ann.shut()
    ann.page.reload()
    ann.sees(".cards")
    assert ann.frames("welcome", "table")[-1]["table"]["options"] == before
    ann.page.locator(".cards label:not(.on)").click()
    expect(on).not_to_have_text(edition)


# Games of older rules


@pytest.fixture
def old_house(tmp_path: Path) -> Iterator[House]:
    old.put_journal(tmp_path)
    with House(tmp_path) as house:
        yield house
        assert house.complaints == ""


def test_old_games_are_shown_with_their_moves_and_played_anew(
    visit: Visits, old_house: House
) -> None:
    ann = visit("phone", house=old_house, reduced_motion="reduce")
    for game in old.GAMES:
        for state in ("finished", "running"):
            seat = {**old.SEATS[game][state], "seat": 0, "game": game, "used": 1}
            ann.sit(seat)
            ann.sees(".old .acts")
            moves = ann.page.locator(".old ol li")
            if state == "finished":
                ann.says("Played under version 1 of the rules")
                ann.says("wins")
                ann.sees(".old ol li")
                assert moves.count() > 20
                ann.sees(".old a[download]")
            else:
                ann.says("begun under older rules")
                expect(moves).to_have_count(0)
            if game == "merci":
                holds(ann, f"an old game, {state}")
            ann.button("Play again by today's rules").click()
            expect(ann.page.locator(".old")).to_have_count(0)
            ann.sees("main.table header .tools")
            # What was played then can still be read, by the link to its replay.
            ann.offline = True  # the first answer is an error: there is no replay
            ann.go(f"/r/{seat['table']}/1")
            ann.sees(".old ol li")
            assert moves.count() > 10
            ann.offline = False
