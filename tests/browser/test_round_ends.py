"""The end of a round is seen: what decided it, every score from old to new, and it goes on by a
button or by itself."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewUser
from tests.browser.user import PROMPT, TIMEOUT, Prompt, User, with_mouse

OVERLAPS = """() => {
  if (document.querySelector('.over .forward')) return ['a second button'];
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const panel = box('.round-end');
  const button = document.querySelector('.round-end button').getBoundingClientRect();
  const [x, y] = [button.left + button.width / 2, button.top + button.height / 2];
  if (!document.elementFromPoint(x, y)?.closest('.round-end button')) return ['its button'];
  return ['.hand', '.own'].filter((each) => {
    const other = box(each);
    return panel.left < other.right && other.left < panel.right
      && panel.top < other.bottom - 1 && other.top < panel.bottom - 1;
  });
}"""


def play_to_round_end(user: User) -> None:
    """Answers prompts until the panel is there."""
    act, state = with_mouse(user), ""
    for _ in range(12):
        found = user.page.wait_for_function(
            f"before => document.querySelector('.round-end') ? 'over' : ({PROMPT})(before)",
            arg=state,
            timeout=TIMEOUT,
        ).json_value()
        if found == "over":
            return
        act(prompt := Prompt(**found))
        state = prompt.state
    raise AssertionError("no end of a round")


@pytest.mark.parametrize(("size", "language"), [("desktop", "en"), ("phone", "fr")])
def test_a_round_s_end_is_shown_over_no_hand_and_goes_on(
    new_user: NewUser, size: str, language: str
) -> None:
    ann = new_user(size, quick=False)
    ann.set_preferences(language=language, haste=2)
    seat = ann.server.create_table("marshmallow", 5, target=20, tricks_to_go_out=1)
    ann.open_table({**seat, "begins": True})
    play_to_round_end(ann)
    panel = ann.page.locator(".round-end")
    expect(panel.locator("li")).to_have_count(5)
    assert ann.page.evaluate(OVERLAPS) == []
    told = panel.locator("li").first.get_attribute("aria-label") or ""
    assert re.search(r"\d+", told)
    if size == "desktop":
        panel.get_by_role("button", name="Go on").click()
        assert any('"go_on"' in each for each in ann.sent)
    expect(panel).to_have_count(0)  # on the phone: by itself
    ann.wait_for_prompt()


FORWARD = ".over .forward"

CLICK = f"""before => {{
  const forward = document.querySelector('{FORWARD}');
  forward?.click();
  return forward ? 'out' : ({PROMPT})(before);
}}"""
"""Clicks the button as soon as it is there, since the bots may be done before a mouse is."""


def test_who_is_out_has_the_bots_play_on_at_once(new_user: NewUser) -> None:
    ann = new_user()
    seat = ann.server.request(
        "/api/tables",
        {
            "game": "marshmallow",
            "name": "Ann",
            "bots": "easy",
            "options": {"seats": 4, "tricks_to_go_out": 1},
            "settings": {"pace": "brisk"},
        },
    )
    ann.open_table({**seat, "game": "marshmallow", "used": 1, "begins": True})
    act, state = with_mouse(ann), ""
    for _ in range(80):  # until Ann is out, and not the last one in
        found = ann.page.wait_for_function(CLICK, arg=state).json_value()
        if found == "out":
            break
        assert found["kind"] != "over"
        act(prompt := Prompt(**found))
        state = prompt.state
    ann.wait_for_prompt(state)  # of the next round, or the result
    assert any('"go_on"' in each for each in ann.sent)
    expect(ann.page.locator(FORWARD)).to_have_count(0)
