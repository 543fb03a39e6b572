"""Three languages: the browser's own at first, another one at any time, and not a word of English
left."""

import json
import re
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visits
from tests.browser.visitor import Visitor, with_mouse

MESSAGES = Path(__file__).parents[2] / "web" / "generated" / "messages"

NAMES = {"English", "Français", "Español"}
"""Each is called so in all of them."""

WORDS = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const words = [document.title];
  while (walker.nextNode()) words.push(walker.currentNode.textContent.trim());
  for (const each of document.querySelectorAll('[aria-label], [title], [placeholder]'))
    words.push(each.ariaLabel, each.title, each.placeholder);
  return words.filter(Boolean);
}"""


@cache
def messages(language: str) -> dict[str, str]:
    found = json.loads((MESSAGES / f"{language}.json").read_text())
    return {key: text for key, text in found.items() if isinstance(text, str)}


def holds_one_language(visitor: Visitor, language: str) -> None:
    expect(visitor.page.locator("html")).to_have_attribute("lang", language)
    words = [str(each) for each in visitor.page.evaluate(WORDS)]
    assert words
    keys = {key for key in messages("en") if "_" in key}
    assert not [each for each in words if set(re.findall(r"\w+", each)) & keys]
    assert not [each for each in words if re.search(r"undefined|\{\w+\}|\[object", each)]
    own = set(messages(language).values())
    foreign = {
        text
        for other in ("en", "fr", "es")
        if other != language
        for text in messages(other).values()
        if len(text) > 3 and "{" not in text and text not in own | NAMES
    }
    assert not [each for each in words if each in foreign]


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_every_page_speaks_the_browser_s_language(visit: Visits, language: str) -> None:
    ann = visit(locale=language)
    for path in ("/", "/rules/marshmallow", "/t/nowhere123"):
        ann.go(path)
        ann.sees("h1")
        holds_one_language(ann, language)
    seat = ann.house.make("marshmallow", 2, target=3)
    ann.sit(seat)
    ann.sees(".options fieldset")
    holds_one_language(ann, language)
    ann.page.locator(".start button").click()
    ann.moment()
    holds_one_language(ann, language)
    for key in "msl?":
        ann.page.keyboard.press(key)
        ann.sees("dialog[open]")
        holds_one_language(ann, language)
        ann.shut()
    ann.plays(with_mouse(ann))
    ann.sees(".result tr.won")
    holds_one_language(ann, language)
    ann.go(f"/r/{seat['table']}/1")
    ann.sees("input[type=range]")
    holds_one_language(ann, language)


def test_the_language_changes_at_any_time(visit: Visits) -> None:
    ann = visit()
    ann.begin("plingo", 3)
    ann.moment()
    hand = len(ann.hand)
    for name, language in (("Français", "fr"), ("Español", "es"), ("English", "en")):
        ann.page.keyboard.press("m")
        ann.page.get_by_text(name, exact=True).click()
        ann.shut()
        ann.moment()
        holds_one_language(ann, language)
        assert len(ann.hand) == hand
    # The server speaks it too: why a card can't be played.
    ann.page.keyboard.press("m")
    ann.page.get_by_text("Français", exact=True).click()
    ann.page.reload()
    ann.moment()
    holds_one_language(ann, "fr")
