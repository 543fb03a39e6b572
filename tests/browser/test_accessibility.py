"""Accessibility: axe finds nothing on any page, keys are listed on `?`, events are announced, and
reduced motion is respected."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewUser
from tests.browser.user import NO_ANIMATIONS, ColorScheme, User, with_mouse

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"

RUN = """async rules => {
  const only = rules ? { runOnly: { type: 'rule', values: rules } } : {};
  const wanted = { resultTypes: ['violations'], preload: false, ...only };
  const sheet = document.querySelector('dialog[open]');  // what is behind was looked at before
  const found = await axe.run(sheet ?? document, wanted);
  const where = (each) => each.nodes.map((node) => node.html);
  return found.violations.map((each) => [each.id, ...where(each)].join(' | '));
}"""

CONTRAST = ["color-contrast"]
"""The rules that depend on the colour scheme; all others are checked in one."""


def check_accessibility(
    user: User, where: str, schemes: tuple[ColorScheme, ...] = ("light", "dark")
) -> None:
    """axe finds nothing, in these colour schemes."""
    page = user.page
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text())
    for rules, scheme in zip((None, CONTRAST), schemes, strict=False):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(NO_ANIMATIONS)  # colours fade
        assert page.evaluate(RUN, rules) == [], (where, scheme)


def test_home_and_what_opens_there(new_user: NewUser) -> None:
    ann = new_user(reduced_motion="reduce")
    ann.go("/")
    ann.expect_visible(".shelf li")
    check_accessibility(ann, "home")
    for name in ("Preferences", "Ann"):
        ann.button(name).first.click()
        ann.expect_visible("dialog[open]")
        check_accessibility(ann, name)
        ann.close_dialog()


@pytest.mark.parametrize("path", ["/rules/plingo", "/t/nowhere123", "/t/nowhere"])
def test_other_pages(new_user: NewUser, path: str) -> None:
    ann = new_user("phone", reduced_motion="reduce")
    ann.go(path)
    ann.expect_visible("h1")
    check_accessibility(ann, path)


@pytest.mark.parametrize(
    ("game", "size", "first", "sheets"),
    [
        ("marshmallow", "desktop", "first_dealer", "mtr"),
        ("plingo", "phone", "first_master", "ls?"),
    ],
)
def test_a_table_and_what_opens_there(
    new_user: NewUser, game: str, size: str, first: str, sheets: str
) -> None:
    ann = new_user(size, reduced_motion="reduce")
    ann.open_table(
        ann.server.create_table(game, 3, **{first: 0})
    )  # so that a trump is to be chosen soon
    ann.expect_visible(".options fieldset")
    check_accessibility(ann, "waiting room")
    ann.button("Deal the cards").click()
    prompt = ann.wait_for_prompt()
    seen: set[str] = set()
    while not {"card", "choice", "sheets"} <= seen and prompt.kind != "over":
        if prompt.kind not in seen:
            check_accessibility(ann, prompt.kind)
            seen.add(prompt.kind)
        with_mouse(ann)(prompt)
        prompt = ann.wait_for_prompt(prompt.state)
        if "sheets" not in seen:
            seen.add("sheets")
            for key in sheets:
                ann.page.keyboard.press(key)
                ann.expect_visible("dialog[open]")
                check_accessibility(ann, f"sheet {key}", ("dark",) if key == "l" else ("light",))
                ann.close_dialog()


def test_the_keys_are_shown_on_a_question_mark(new_user: NewUser) -> None:
    ann = new_user()
    ann.start_game("marshmallow", 2)
    ann.wait_for_prompt()
    ann.page.keyboard.press("?")
    sheet = ann.page.locator("dialog[open]")
    expect(sheet).to_contain_text("Play the picked card")
    for key in ("Enter", "H", "T", "L", "S", "R", "M", "?"):
        expect(sheet.locator("kbd", has_text=key).first).to_be_visible()
    ann.close_dialog()
    expect(sheet).to_have_count(0)


def test_what_happens_is_told_in_sentences(new_user: NewUser) -> None:
    ann = new_user()
    ann.start_game("marshmallow", 2)
    ann.wait_for_prompt()
    live = ann.page.locator("[role=log][aria-live=polite]")
    expect(live).to_have_count(1)
    ann.page.evaluate(
        "() => { window.told = []; new MutationObserver(() =>"
        " told.push(document.querySelector('[role=log]').textContent))"
        ".observe(document.querySelector('[role=log]'),"
        " { characterData: true, childList: true, subtree: true }); }"
    )
    prompt = ann.wait_for_prompt()
    for _ in range(3):
        with_mouse(ann)(prompt)
        prompt = ann.wait_for_prompt(prompt.state)
    told = " ".join(ann.page.evaluate("told"))
    assert "You play" in told
    assert "plays" in told
    assert "Your turn" in told


def test_who_wants_no_motion_sees_none(new_user: NewUser) -> None:
    ann = new_user(quick=False, reduced_motion="reduce")
    ann.start_game("plingo", 3)
    prompt = ann.wait_for_prompt()
    ann.page.evaluate(
        "() => { window.moved = []; const look = () => { for (const each of"
        " document.getAnimations()) { const { duration } = each.effect.getComputedTiming();"
        " if (duration > 20) moved.push(duration); } requestAnimationFrame(look); }; look(); }"
    )
    with_mouse(ann)(prompt)
    ann.wait_for_prompt(prompt.state)
    assert ann.page.evaluate("moved") == []
