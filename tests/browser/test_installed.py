"""The client as an installed program: it opens without a line, and tells whose turn it is while
nobody looks; what it stores, and which keys there are."""

import json
import re

from playwright.sync_api import expect

from pli.server.http.app import STATIC
from tests.browser.conftest import NewUser
from tests.browser.server import ServerProcess
from tests.browser.test_accessibility import check_accessibility

WORKING = """navigator.serviceWorker.register('/sw.js')
  .then(() => navigator.serviceWorker.ready)
  .then(() => navigator.serviceWorker.controller !== null
    || new Promise((done) => { navigator.serviceWorker.oncontrollerchange = () => done(true) }))"""
"""Starts the service worker, as the page does after a while; true when it serves the page."""

HIDDEN = """() => {
  for (const [name, value] of [['hidden', true], ['visibilityState', 'hidden']])
    Object.defineProperty(document, name, { configurable: true, get: () => value });
  document.dispatchEvent(new Event('visibilitychange'));
}"""

NOTIFIED = """async (count) => {
  const worker = await navigator.serviceWorker.ready;
  for (;;) {
    const all = await worker.getNotifications();
    if (all.length === count) return all.map(({ title, body, data }) => ({ title, body, data }));
    await new Promise((soon) => setTimeout(soon, 20));
  }
}"""
"""The notifications that are shown, once there are so many."""


def test_the_client_opens_without_a_line_and_says_what_needs_one(new_user: NewUser) -> None:
    ann = new_user("phone", installs=True)
    ann.go("/")
    assert ann.page.evaluate(WORKING)
    ann.offline = True
    ann.context.set_offline(True)
    ann.page.reload()
    ann.expect_visible(".shelf li")
    ann.expect_text("There is no line at the moment.")
    check_accessibility(ann, "home without a line")
    ann.page.get_by_role("link", name=re.compile("Rules.*Plingo")).click()
    expect(ann.page.locator("article")).to_contain_text("Plingo")
    ann.go("/t/abcdefghij")
    ann.expect_text("On the way to the table…")
    ann.context.set_offline(False)
    ann.go("/")
    expect(ann.page.get_by_text("There is no line")).to_have_count(0)
    # What the server says is not hidden by what was stored: not found is not found.
    assert (answer := ann.page.goto(ann.url + "/nothing")) is not None
    assert answer.status == 404
    ann.expect_text("There is nothing on this table.")
    ann.offline = False


def test_a_turn_is_notified_if_wished_and_the_preferences_tell_what_is_stored(
    new_user: NewUser,
) -> None:
    ann = new_user(permissions=["notifications"], installs=True)
    ann.start_game("plingo", 2)
    prompt = ann.wait_for_prompt()
    ann.page.keyboard.press("m")
    ann.page.get_by_role("switch", name="Tell me when it is my turn").check()
    ann.page.get_by_text("What is stored on this device").click()
    ann.expect_text("Your seats at tables")
    ann.expect_text("Your name, these preferences")
    check_accessibility(ann, "what is stored")
    ann.page.wait_for_function("navigator.serviceWorker.getRegistration().then(Boolean)")
    ann.close_dialog()
    assert ann.page.evaluate(NOTIFIED, 0) == []
    ann.page.evaluate(HIDDEN)
    path = ann.page.evaluate("location.pathname")
    told = {"title": "Your turn", "body": "Plingo", "data": path}
    assert ann.page.evaluate(NOTIFIED, 1) == [told]
    ann.page.mouse.click(prompt.x, prompt.y)  # the turn is over, and so is the notification
    ann.wait_for_prompt(prompt.state)


def test_the_keyboard_help_lists_the_keys_that_there_are(
    new_user: NewUser, server: ServerProcess
) -> None:
    def keys(game: str, seats: int) -> list[str]:
        ann.start_game(game, seats)
        ann.expect_visible("main.table header .tools")
        ann.expect_visible(".hand button" if game != "twinit" else ".felt")
        ann.page.keyboard.press("?")
        ann.expect_visible("dialog[open] dl")
        listed = ann.page.locator("dialog[open] dt").all_inner_texts()
        ann.close_dialog()
        return [str(key) for key in listed]

    ann = new_user()
    trick, live = keys("plingo", 2), keys("twinit", 2)
    assert {"H", "T", "←\xa0→", "← →"} & {*trick} >= {"H", "T"}
    assert not {"H", "T"} & {*live}
    assert len(trick) == len({*trick})


def test_the_manifest_names_icons_of_their_true_sizes() -> None:
    manifest = json.loads((STATIC / "manifest.webmanifest").read_text())
    pictures = [each for each in manifest["icons"] if each["type"] == "image/png"]
    assert {"192x192", "512x512"} <= {each["sizes"] for each in pictures}
    assert any(each.get("purpose") == "maskable" for each in pictures)
    for each in pictures:
        data = (STATIC / each["src"][1:]).read_bytes()
        width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
        assert f"{width}x{height}" == each["sizes"]
    assert (STATIC / "apple-touch-icon.png").exists()
