"""For everyone: axe finds nothing on any page, keys are shown on `?`, what happens is told, and who
wants no motion sees none."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visits
from tests.browser.visitor import STILL, Light, Visitor, with_mouse

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"

RUN = """async rules => {
  const only = rules ? { runOnly: { type: 'rule', values: rules } } : {};
  const wanted = { resultTypes: ['violations'], preload: false, ...only };
  const sheet = document.querySelector('dialog[open]');  // what is behind was looked at before
  const found = await axe.run(sheet ?? document, wanted);
  const where = (each) => each.nodes.map((node) => node.html);
  return found.violations.map((each) => [each.id, ...where(each)].join(' | '));
}"""

LIT = ["color-contrast"]
"""The rules that are about light; all others hold by night if they hold by day."""


def holds(visitor: Visitor, where: str, lights: tuple[Light, ...] = ("light", "dark")) -> None:
    """Nothing is in anybody's way, by day and by night."""
    page = visitor.page
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text())
    for rules, light in zip((None, LIT), lights, strict=False):
        page.emulate_media(color_scheme=light)
        page.wait_for_function(STILL)  # colours go over into each other
        assert page.evaluate(RUN, rules) == [], (where, light)


def test_home_and_what_opens_there(visit: Visits) -> None:
    ann = visit(reduced_motion="reduce")
    ann.go("/")
    ann.sees(".shelf li")
    holds(ann, "home")
    for name in ("Preferences", "Ann"):
        ann.button(name).first.click()
        ann.sees("dialog[open]")
        holds(ann, name)
        ann.shut()


@pytest.mark.parametrize("path", ["/rules/plingo", "/t/nowhere123", "/t/nowhere"])
def test_other_pages(visit: Visits, path: str) -> None:
    ann = visit("phone", reduced_motion="reduce")
    ann.go(path)
    ann.sees("h1")
    holds(ann, path)


@pytest.mark.parametrize(
    ("game", "size", "first", "sheets"),
    [
        ("marshmallow", "desktop", "first_dealer", "mtr"),
        ("plingo", "phone", "first_master", "ls?"),
    ],
)
def test_a_table_and_what_opens_there(
    visit: Visits, game: str, size: str, first: str, sheets: str
) -> None:
    ann = visit(size, reduced_motion="reduce")
    ann.sit(ann.house.make(game, 3, **{first: 0}))  # so that a trump is to be chosen soon
    ann.sees(".options fieldset")
    holds(ann, "waiting room")
    ann.button("Deal the cards").click()
    moment = ann.moment()
    seen: set[str] = set()
    while not {"card", "choice", "sheets"} <= seen and moment.what != "over":
        if moment.what not in seen:
            holds(ann, moment.what)
            seen.add(moment.what)
        with_mouse(ann)(moment)
        moment = ann.moment(moment.state)
        if "sheets" not in seen:
            seen.add("sheets")
            for key in sheets:
                ann.page.keyboard.press(key)
                ann.sees("dialog[open]")
                holds(ann, f"sheet {key}", ("dark",) if key == "l" else ("light",))
                ann.shut()


def test_the_keys_are_shown_on_a_question_mark(visit: Visits) -> None:
    ann = visit()
    ann.begin("marshmallow", 2)
    ann.moment()
    ann.page.keyboard.press("?")
    sheet = ann.page.locator("dialog[open]")
    expect(sheet).to_contain_text("Play the picked card")
    for key in ("Enter", "H", "T", "L", "S", "R", "M", "?"):
        expect(sheet.locator("kbd", has_text=key).first).to_be_visible()
    ann.shut()
    expect(sheet).to_have_count(0)


def test_what_happens_is_told_in_sentences(visit: Visits) -> None:
    ann = visit()
    ann.begin("marshmallow", 2)
    ann.moment()
    live = ann.page.locator("[role=log][aria-live=polite]")
    expect(live).to_have_count(1)
    ann.page.evaluate(
        "() => { window.told = []; new MutationObserver(() =>"
        " told.push(document.querySelector('[role=log]').textContent))"
        ".observe(document.querySelector('[role=log]'),"
        " { characterData: true, childList: true, subtree: true }); }"
    )
    moment = ann.moment()
    for _ in range(3):
        with_mouse(ann)(moment)
        moment = ann.moment(moment.state)
    told = " ".join(ann.page.evaluate("told"))
    assert "You play" in told
    assert "plays" in told
    assert "Your turn" in told


def test_who_wants_no_motion_sees_none(visit: Visits) -> None:
    ann = visit(quick=False, reduced_motion="reduce")
    ann.begin("plingo", 3)
    moment = ann.moment()
    ann.page.evaluate(
        "() => { window.moved = []; const look = () => { for (const each of"
        " document.getAnimations()) { const { duration } = each.effect.getComputedTiming();"
        " if (duration > 20) moved.push(duration); } requestAnimationFrame(look); }; look(); }"
    )
    with_mouse(ann)(moment)
    ann.moment(moment.state)
    assert ann.page.evaluate("moved") == []
