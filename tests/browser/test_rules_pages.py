"""Rules pages: how to play in pictures, on one screen; then the text, with its cards and pictures
named for screen readers."""

import re

import pytest
from playwright.sync_api import expect

from pli import games
from pli.texts import page_source
from tests import test_how_to_play as how_to_play
from tests.browser.conftest import NewUser
from tests.browser.test_accessibility import check_accessibility
from tests.browser.test_languages import check_language
from tests.browser.user import User

PANELS = "article ol > li"

CUT_OFF = """() => [...document.querySelectorAll('article ol > li')].flatMap((panel, i) => {
  const cloth = panel.querySelector('.cloth').getBoundingClientRect();
  const drawn = [...panel.querySelectorAll('.cloth svg, .cloth img, .cloth .word, .cloth .figure')];
  return drawn.map((each) => each.getBoundingClientRect())
    .filter((box) => box.left < cloth.left || box.right > cloth.right
      || box.top < cloth.top || box.bottom > cloth.bottom)
    .map((box) => `${i + 1}: ${JSON.stringify(box)} in ${JSON.stringify(cloth)}`);
})"""
"""What reaches over the edge of its panel's cloth."""

DRAWN = "() => [...document.querySelectorAll('article ol img')].every(each => each.naturalWidth)"

SIDEWAYS = "() => document.scrollingElement.scrollWidth > innerWidth"


def lefts(user: User) -> list[float]:
    """Where the panels begin, from the left."""
    boxes = [panel.bounding_box() for panel in user.page.locator(PANELS).all()]
    return [round(box["x"]) for box in boxes if box]


@pytest.mark.parametrize(
    ("size", "columns", "languages", "checked"),
    [
        ("phone", 1, ("en", "fr", "es", "fr"), "merci twinit"),
        ("tablet", 2, ("fr", "es", "en", "es"), "marshmallow"),
        ("desktop", 3, ("es", "en", "fr", "fr"), "plingo"),
    ],
)
def test_how_to_play_is_drawn_for_every_game(
    new_user: NewUser, size: str, columns: int, languages: tuple[str, ...], checked: str
) -> None:
    """`checked`: the games whose accessibility is checked in this size, which takes a while."""
    for game, language in zip(games.names(), languages, strict=True):
        ann = new_user(size, locale=language, reduced_motion="reduce")
        ann.go(f"/rules/{game}")
        panels = ann.page.locator(PANELS)
        expect(panels).to_have_count(len(how_to_play.sentences(language, game)))
        ann.page.wait_for_function(DRAWN)
        assert len(set(lefts(ann))) == columns
        assert ann.page.evaluate(CUT_OFF) == []
        assert not ann.page.evaluate(SIDEWAYS)
        if size == "desktop":
            last = panels.last.bounding_box()
            assert last
            assert last["y"] + last["height"] <= 900
        check_language(ann, language)
        if game in checked.split():
            check_accessibility(ann, f"{game} {size}")


def test_the_fine_print_is_folded_and_printed(new_user: NewUser) -> None:
    ann = new_user()
    ann.go("/rules/plingo")
    folded = ann.page.locator("article details")
    expect(folded).to_have_count(3)  # readings, house rules, proposals
    first = folded.first.locator("li").first
    expect(first).not_to_be_visible()
    folded.first.locator("summary").click()
    expect(first).to_be_visible()
    last = folded.last.locator("li").last
    assert not last.evaluate("each => each.checkVisibility()")
    ann.page.emulate_media(media="print")
    assert last.evaluate("each => each.checkVisibility()")
    expect(ann.page.locator("header .logo")).not_to_be_visible()


def test_at_the_table_the_panels_are_a_column(new_user: NewUser) -> None:
    ann = new_user()
    ann.start_game("marshmallow", 2)
    ann.wait_for_prompt()
    ann.page.keyboard.press("r")
    expect(ann.page.locator(PANELS)).to_have_count(len(how_to_play.sentences("en", "marshmallow")))
    assert len(set(lefts(ann))) == 1
    assert ann.page.evaluate(CUT_OFF) == []
    body = "() => { const each = document.querySelector('dialog[open] .body');"
    assert not ann.page.evaluate(f"{body} return each.scrollWidth > each.clientWidth; }}")


@pytest.mark.parametrize(
    ("language", "first"), [("en", "green 7"), ("fr", "7 vert"), ("es", "7 verde")]
)
def test_cards_are_drawn_and_named_in_the_reader_s_language(
    new_user: NewUser, language: str, first: str
) -> None:
    ann = new_user("phone", locale=language)
    ann.go("/rules/plingo")
    ann.expect_visible("article h1")
    cards = ann.page.locator("article [data-card] [role=img]")
    written = re.findall(r"\[[BGYP]\d+\]", page_source(language, "plingo", "rules"))
    expect(cards).to_have_count(len(written))
    expect(cards.first).to_have_attribute("aria-label", first)
    expect(ann.page.locator("article")).not_to_contain_text("[G")
    expect(ann.page.locator("article")).not_to_contain_text("PL-")


def test_another_language_draws_them_anew(new_user: NewUser) -> None:
    ann = new_user()
    ann.go("/rules/plingo")
    cards = ann.page.locator("article [data-card] [role=img]")
    expect(cards.first).to_have_attribute("aria-label", "green 7")
    number = cards.count()
    ann.button("Preferences").first.click()
    ann.page.get_by_text("Français", exact=True).click()
    ann.close_dialog()
    expect(ann.page.locator("article h2").last).to_have_text("En détail")
    expect(ann.page.locator("article h3").first).to_have_text("La donne")
    expect(cards).to_have_count(number)
    expect(cards.first).to_have_attribute("aria-label", "7 vert")


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_the_four_backs_of_merci_stand_before_what_they_do(
    new_user: NewUser, language: str
) -> None:
    ann = new_user(locale=language)
    ann.go("/rules/merci")
    ann.expect_visible("article li > img:first-child")
    loaded = "() => [...document.querySelectorAll('li > img')].filter(each => each.naturalWidth)"
    ann.page.wait_for_function(f"() => ({loaded})().length === 4")
