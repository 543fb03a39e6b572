"""Layout: at the table nothing scrolls or is cut off, and every control is large enough for a
finger, on phone, tablet and desktop."""

from pathlib import Path

import pytest

from tests.browser.conftest import NewUser
from tests.browser.user import NO_ANIMATIONS, SIZES, User, with_mouse, with_touch

FINGER = 40
"""Pixels."""

LAYOUT_FAULTS = (Path(__file__).parent / "layout_faults.js").read_text()


def layout_faults(user: User, finger: int = FINGER) -> list[str]:
    # Cards in flight are not at their places yet.
    user.page.wait_for_function(NO_ANIMATIONS)
    return [str(each) for each in user.page.evaluate(LAYOUT_FAULTS, finger)]


@pytest.mark.parametrize(
    ("size", "language"),
    [("phone", "fr-FR"), ("side", "fr-FR"), ("tablet", "es-ES"), ("desktop", "en-GB")],
)
@pytest.mark.parametrize(
    ("game", "seats", "options", "theme"),
    [
        ("marshmallow", 5, {}, ""),
        ("plingo", 6, {"teams": "halves", "auction": "on"}, "abacus"),
        ("plingo", 6, {"auction": "on"}, "honeycomb"),
    ],
    ids=["marshmallow", "abacus", "honeycomb"],
)
def test_the_table_fits(
    new_user: NewUser,
    game: str,
    seats: int,
    options: dict[str, str],
    theme: str,
    size: str,
    language: str,
) -> None:
    touch = size != "desktop"
    ann = new_user(size, touch=touch, locale=language)
    ann.set_preferences(themes={game: theme})
    seat = ann.server.create_table(game, seats, **options)
    ann.open_table(seat)
    ann.page.locator(".start button").click()
    act = with_touch(ann) if touch else with_mouse(ann)
    prompt = ann.wait_for_prompt()
    seen: set[str] = set()
    for _ in range(8):  # into the second round, where there is something to choose
        if prompt.kind == "over":
            break
        if prompt.kind not in seen or prompt.kind == "choice":
            assert layout_faults(ann) == [], prompt
        seen.add(prompt.kind)
        act(prompt)
        prompt = ann.wait_for_prompt(prompt.state)


@pytest.mark.parametrize("size", SIZES)
def test_no_page_scrolls_sideways(new_user: NewUser, size: str) -> None:
    ann = new_user(size, touch=size != "desktop", locale="fr-FR")
    table = ann.server.create_table("marshmallow", 5)
    ann.open_table(table)
    ann.expect_visible(".seats")
    wide = "document.scrollingElement.scrollWidth - innerWidth"
    assert ann.page.evaluate(wide) <= 0
    for path in ("/", "/rules/plingo", "/rules/marshmallow", "/nowhere/at/all"):
        if path.startswith("/nowhere"):
            ann.page.evaluate("path => history.pushState(null, '', path)", path)
            ann.page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
        else:
            ann.go(path)
        ann.expect_visible("h1")
        assert ann.page.evaluate(wide) <= 0, path
