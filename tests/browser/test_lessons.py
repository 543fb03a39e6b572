"""Lessons in the browser: each whole, by mouse, touch and keyboard, with a mistake on the way."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from pli.lessons import Asked, Lesson, Said, lesson_files
from tests.browser.conftest import NewUser
from tests.browser.test_accessibility import check_accessibility
from tests.browser.user import NO_ANIMATIONS, User
from tests.conftest import FUZZ

WAYS = ["mouse", "touch", "keyboard"]
SIZE = {"mouse": "desktop", "touch": "small", "keyboard": "tablet"}
LANGUAGE = {"mouse": "es", "touch": "fr", "keyboard": "en"}
"""The longest words on the smallest screen."""

COVERED = """names => {
  const bubble = document.querySelector('.bubble.placed').getBoundingClientRect();
  const wrong = [];
  const boxOf = each => each.getBoundingClientRect();
  const ring = boxOf(document.querySelector('.calm .ring'));
  const edge = Math.min(ring.left, ring.top, innerWidth - ring.right, innerHeight - ring.bottom);
  if (ring.width && edge < 2) wrong.push('the ring is cut');
  for (const selector of names) {
    const found = [...document.querySelectorAll(selector)].map(boxOf);
    if (!found.some(each => each.width > 0)) wrong.push(`${selector} is not there`);
    for (const each of found) {
      if (each.right < 0 || each.left > innerWidth || each.bottom < 0 || each.top > innerHeight)
        wrong.push(`${selector} is outside`);
      if (each.left < bubble.right && bubble.left < each.right
          && each.top < bubble.bottom && bubble.top < each.bottom)
        wrong.push(`${selector} is covered`);
    }
  }
  return wrong;
}"""
"""What of some things, by their selectors, is missing or covered by the bubble; whether the edge of
what is lit is cut at the window's."""

OWN = "[data-light=own]"
"""The learner's own seat, which is seen whether it is lit or not."""

SELECTORS = {
    "card": ':is(.cards, .felt) :is([data-card="{0}"], [data-card^="{0}/"])',
    "seat": '[data-light="seat {}"]',
    "hand": ".hand",
    "trick": ".trick li > *",
    "own": "[data-light=own]",
    "master": ".own .master",
    "reveal": ".reveal",
    "strip": "[data-light=strip] > *",
    "trump": "[data-light=strip] .trump",
    "choice": '.slip [data-action="{}"]',
    "controls": ".controls",
    "word": ".words .{}",
    "stack": ".stack:nth-child({})",
    "pile": ".pile",
    "board": ".sheet .tile",
    "catches": ".felt .seat.s{} .catches",
    "flip": ".felt .flip",
    "compare": ".compare",
}
"""Where a test finds what a lesson lights: as a player sees it, not as the page looks for it."""


def selector(name: str) -> str:
    first, _, rest = name.partition(" ")
    return SELECTORS[first].format(rest)


def places(user: User, action: str, legal: list[str]) -> list[Locator]:
    """What is touched for an action, one after the other."""
    verb, *what = action.split()
    names: list[str] = []
    if len(what) == 3:  # siouplait P5 on 3, play G2 on 2, give O4 to 1
        names = [f"card {what[0]}", f"{'stack' if what[1] == 'on' else 'seat'} {what[2]}"]
        names[:0] = [] if verb in ("play", "give") else [f"word {verb}"]
    elif verb in ("play", "touch"):
        names = [f"card {what[0]}"]
    elif verb == "flip":
        names = ["flip"]
    elif verb == "choose":
        names = [f"seat {what[0]}"]
    elif verb in ("draw", "take"):
        names = ["pile"]
    elif verb in ("merci", "merci-beaucoup", "denounce"):
        names = [f"word {verb}"]
    else:
        same = [each for each in legal if each.split()[0] == verb]
        return [user.page.locator(".slip button").nth(same.index(action))]
    pick = {"seat": " .pick"}
    return [user.page.locator(selector(name) + pick.get(name.split()[0], "")) for name in names]


def do(user: User, way: str, action: str, legal: list[str]) -> None:
    for target in places(user, action, legal):
        touch(user, way, target)


def touch(user: User, way: str, target: Locator) -> None:
    if way == "keyboard":
        target.focus()
        user.page.keyboard.press("Enter")
        return
    # What is not allowed can be tried too, so not only what Playwright calls enabled.
    user.page.wait_for_function(NO_ANIMATIONS)
    spot: Any = {"x": 8, "y": 12}  # at the upper left: the next card of a hand covers the right
    if way == "touch":
        target.tap(position=spot, force=True)
    else:
        target.click(position=spot, force=True)


def go_on(user: User, way: str) -> None:
    """On from what is said: by the button, which has the focus for the keyboard."""
    button = user.page.locator(".bubble button")
    if way == "keyboard":
        expect(button).to_be_focused()
        user.page.keyboard.press("Enter")
    elif way == "touch":
        button.tap()
    else:
        button.click()


def mistake(step: Asked, texts: dict[str, str]) -> tuple[str, str] | None:
    """An action with an answer of the lesson's own that a hand can try, and that answer."""
    for action, code in step.codes.items():
        key = step.answers.get(action) or step.answers.get(code)
        if key is not None:
            return action, texts[key]
    return None


def plain(text: str) -> re.Pattern[str]:
    """A text with any spaces: French has some that don't break."""
    return re.compile(r"\s".join(re.escape(each) for each in text.split()))


Look = Callable[[User, int], None]


def take(user: User, way: str, lesson: Lesson, language: str, look: Look | None = None) -> int:
    """Takes a whole lesson, with a mistake at every ask that answers one; returns how many."""
    texts = dict(lesson.texts[language])
    bubble = user.page.locator(".bubble.placed")
    mistakes = number = 0
    for scene in lesson.run():
        for step in scene:
            if not isinstance(step, Said | Asked):
                continue
            number += 1
            expect(bubble.locator(".text")).to_have_text(plain(texts[step.text]))
            lit = [selector(name) for name in step.light]
            kept = [*lit, OWN]
            user.page.wait_for_function(f"names => ({COVERED})(names).length === 0", arg=kept)
            if any(name.startswith("choice ") for name in step.light):
                expect(user.page.locator(lit[0])).to_be_focused()
            if look is not None:
                look(user, number)
            if isinstance(step, Said):
                go_on(user, way)
                continue
            if wrong := mistake(step, texts):
                action, answer = wrong
                do(user, way, action, step.legal)
                expect(bubble.locator(".answer")).to_have_text(plain(answer))
                mistakes += 1
                user.page.wait_for_function(f"names => ({COVERED})(names).length === 0", arg=kept)
            for action in step.asked:
                do(user, way, action, step.legal)
    return mistakes


RUNS = [
    (game, way)
    for i, game in enumerate(lesson_files())
    for j, way in enumerate(WAYS)
    if FUZZ > 1 or (i + 2 * j) % len(WAYS) == 0
]
"""Each game in one way, and each way in some game; in all ways where tests run longer."""


@pytest.mark.parametrize(("game", "way"), RUNS)
def test_a_lesson_can_be_taken_to_its_end(new_user: NewUser, game: str, way: str) -> None:
    language = LANGUAGE[way]
    ann = new_user(SIZE[way], touch=way == "touch", locale=language)
    ann.go(f"/learn/{game}")

    def look(user: User, number: int) -> None:
        if number in (1, 2):
            check_accessibility(user, game)

    assert take(ann, way, Lesson(lesson_files()[game]), language, look) > 0
    ann.expect_visible(".end")
    check_accessibility(ann, game)
    assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_first_play_now_offers_the_lesson_once(new_user: NewUser) -> None:
    game = next(iter(lesson_files()))
    ann = new_user()
    ann.set_preferences(learned=[])
    ann.go("/")
    play = ann.page.locator(f"article.{game} .now .main")
    play.click()
    ann.expect_visible("dialog[open] .offer")
    check_accessibility(ann, "offer")
    ann.button("Learn it").click()
    ann.expect_visible(".bubble.placed")
    ann.page.keyboard.press("Escape")
    play.click()
    ann.expect_visible(".hand")
    assert "/t/" in ann.page.url
