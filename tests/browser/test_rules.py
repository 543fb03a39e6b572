"""The rules on a page: cards and pictures among the words, for the reader's eyes and ears."""

import re

import pytest
from playwright.sync_api import expect

from pli.texts import page_source
from tests.browser.conftest import Visits


@pytest.mark.parametrize(
    ("language", "first"), [("en", "green 7"), ("fr", "7 vert"), ("es", "7 verde")]
)
def test_cards_are_drawn_and_named_in_the_reader_s_language(
    visit: Visits, language: str, first: str
) -> None:
    ann = visit("phone", locale=language)
    ann.go("/rules/plingo")
    ann.sees("article h1")
    cards = ann.page.locator("article [data-card] [role=img]")
    written = re.findall(r"\[[BGYP]\d+\]", page_source(language, "plingo", "rules"))
    expect(cards).to_have_count(len(written))
    expect(cards.first).to_have_attribute("aria-label", first)
    expect(ann.page.locator("article")).not_to_contain_text("[G")
    expect(ann.page.locator("article")).not_to_contain_text("PL-")


def test_another_language_draws_them_anew(visit: Visits) -> None:
    ann = visit()
    ann.go("/rules/plingo")
    cards = ann.page.locator("article [data-card] [role=img]")
    expect(cards.first).to_have_attribute("aria-label", "green 7")
    number = cards.count()
    ann.button("Preferences").first.click()
    ann.page.get_by_text("Français", exact=True).click()
    ann.shut()
    expect(ann.page.locator("article h2").first).to_have_text("La donne")
    expect(cards).to_have_count(number)
    expect(cards.first).to_have_attribute("aria-label", "7 vert")


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_the_four_backs_of_merci_stand_before_what_they_do(visit: Visits, language: str) -> None:
    ann = visit(locale=language)
    ann.go("/rules/merci")
    ann.sees("article li > img:first-child")
    loaded = "() => [...document.querySelectorAll('li > img')].filter(each => each.naturalWidth)"
    ann.page.wait_for_function(f"() => ({loaded})().length === 4")
