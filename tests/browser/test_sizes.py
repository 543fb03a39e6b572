"""At the table nothing scrolls, nothing is cut off, and a finger finds everything: on a phone, a
tablet and a desk."""

from pathlib import Path

import pytest

from tests.browser.conftest import Visits
from tests.browser.visitor import SIZES, STILL, Visitor, with_finger, with_mouse

FINGER = 40
"""Pixels."""

MEASURE = (Path(__file__).parent / "measure.js").read_text()


def measured(visitor: Visitor, finger: int = FINGER) -> list[str]:
    # What flies is somewhere on its way.
    visitor.page.wait_for_function(STILL)
    return [str(each) for each in visitor.page.evaluate(MEASURE, finger)]


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
    visit: Visits,
    game: str,
    seats: int,
    options: dict[str, str],
    theme: str,
    size: str,
    language: str,
) -> None:
    touch = size != "desktop"
    ann = visit(size, touch=touch, locale=language)
    ann.prefers(themes={game: theme})
    seat = ann.house.make(game, seats, **options)
    ann.sit(seat)
    ann.page.locator(".start button").click()
    act = with_finger(ann) if touch else with_mouse(ann)
    moment = ann.moment()
    seen: set[str] = set()
    for _ in range(8):  # into the second round, where there is something to choose
        if moment.what == "over":
            break
        if moment.what not in seen or moment.what == "choice":
            assert measured(ann) == [], moment
        seen.add(moment.what)
        act(moment)
        moment = ann.moment(moment.state)


@pytest.mark.parametrize("size", SIZES)
def test_no_page_scrolls_sideways(visit: Visits, size: str) -> None:
    ann = visit(size, touch=size != "desktop", locale="fr-FR")
    table = ann.house.make("marshmallow", 5)
    ann.sit(table)
    ann.sees(".seats")
    wide = "document.scrollingElement.scrollWidth - innerWidth"
    assert ann.page.evaluate(wide) <= 0
    for path in ("/", "/rules/plingo", "/rules/marshmallow", "/nowhere/at/all"):
        if path.startswith("/nowhere"):
            ann.page.evaluate("path => history.pushState(null, '', path)", path)
            ann.page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
        else:
            ann.go(path)
        ann.sees("h1")
        assert ann.page.evaluate(wide) <= 0, path
