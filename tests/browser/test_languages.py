"""Three languages: the browser's own at first, another one at any time, and no text in any
other."""

import json
import re
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewUser
from tests.browser.user import User, with_mouse

MESSAGES = Path(__file__).parents[2] / "web" / "generated" / "messages"

NAMES = {"English", "Français", "Español"}
"""The languages' names, the same in all texts."""

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


def check_language(user: User, language: str) -> None:
    expect(user.page.locator("html")).to_have_attribute("lang", language)
    words = [str(each) for each in user.page.evaluate(WORDS)]
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
def test_every_page_speaks_the_browser_s_language(new_user: NewUser, language: str) -> None:
    ann = new_user(locale=language)
    for path in ("/", "/rules/marshmallow", "/t/nowhere123"):
        ann.go(path)
        ann.expect_visible("h1")
        check_language(ann, language)
    seat = ann.server.create_table("marshmallow", 2, target=3)
    ann.open_table(seat)
    ann.expect_visible(".options fieldset")
    check_language(ann, language)
    ann.page.locator(".start button").click()
    ann.wait_for_prompt()
    check_language(ann, language)
    for key in "msl?":
        ann.page.keyboard.press(key)
        ann.expect_visible("dialog[open]")
        check_language(ann, language)
        ann.close_dialog()
    ann.play_game(with_mouse(ann))
    ann.expect_visible(".result tr.won")
    check_language(ann, language)
    ann.go(f"/r/{seat['table']}/1")
    ann.expect_visible("input[type=range]")
    check_language(ann, language)


def test_the_language_changes_at_any_time(new_user: NewUser) -> None:
    ann = new_user()
    ann.start_game("plingo", 3)
    ann.wait_for_prompt()
    hand = len(ann.hand)
    for name, language in (("Français", "fr"), ("Español", "es"), ("English", "en")):
        ann.page.keyboard.press("m")
        ann.page.get_by_text(name, exact=True).click()
        ann.close_dialog()
        ann.wait_for_prompt()
        check_language(ann, language)
        assert len(ann.hand) == hand
    # The server speaks it too: why a card can't be played.
    ann.page.keyboard.press("m")
    ann.page.get_by_text("Français", exact=True).click()
    ann.page.reload()
    ann.wait_for_prompt()
    check_language(ann, "fr")
