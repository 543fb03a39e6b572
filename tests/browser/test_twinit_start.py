"""The start of Twin It! on unequal lines, and what follows an error."""

from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import NewUser
from tests.browser.proxy import Proxy
from tests.browser.server import ServerProcess
from tests.browser.twinit import TableState
from tests.browser.user import TIMEOUT

WATCH = """
new MutationObserver(() => {
  const felt = document.querySelector('.felt');
  if (felt?.classList.contains('starting')) window.wasStarting = true;
  if (!felt || felt.classList.contains('starting') || !window.wasStarting || window.started) return;
  const names = performance.getEntriesByType('resource').map(({ name }) => name);
  const sheets = new Set(names.filter((name) => name.includes('/pictures/')));
  window.started = { at: Date.now(), sheets: sheets.size };
}).observe(document, { subtree: true, childList: true, attributes: true })
"""
"""Notes when a page starts, and how many sheets it has then."""

OVERLAPS = """() => {
  const all = (what) => [...document.querySelectorAll(what)];
  const boxes = (what) => all(what).map((each) => each.getBoundingClientRect());
  const within = (a, b) => a.left < b.right && a.top < b.bottom;
  const meet = (a, b) => within(a, b) && within(b, a);
  return boxes('.told p, .compare').filter((a) => boxes('.pile').some((b) => meet(a, b))).length;
}"""


def test_pages_on_unequal_lines_start_together_and_an_error_shows_what_differed(
    new_user: NewUser, server: ServerProcess
) -> None:
    made = server.request(
        "/api/tables",
        {"game": "twinit", "name": "Ann", "options": {"seats": 2}, "settings": {"pace": "calm"}},
    )
    joined = server.request(f"/api/tables/{made['table']}/seats", {"name": "Bob"})
    ann, bob = new_user(), new_user("phone", name="Bob")
    proxy = Proxy(server, 0.1)
    bob.url = proxy.url
    for user, seat in ((ann, made), (bob, joined)):
        user.page.add_init_script(WATCH)
        user.open_table({**seat, "table": made["table"], "game": "twinit", "used": 1})
        if user is ann:
            ann.expect_visible(".start button")
            proxy.bandwidth = 150_000
    bob.expect_visible(".waiting, .seats, main")
    ann.page.locator(".start button").click()
    expect(ann.page.locator(".felt .wait")).to_contain_text("Bob")
    assert not ann.page.evaluate("() => Boolean(window.started)")
    proxy.bandwidth = 0
    started: list[Any] = []
    for user in (ann, bob):
        user.page.wait_for_function("() => window.started", timeout=2 * TIMEOUT)
        started.append(user.page.evaluate("() => window.started"))
    assert [each["sheets"] for each in started] == [30, 30]
    assert abs(started[0]["at"] - started[1]["at"]) < 1000
    told = [each["count"] for each in ann.frames("start")]
    assert told[0] is None
    assert told[-2:] == [3000, 0]

    # Two cards that differ: the faces are shown large, over no pile.
    state, page = TableState(server, made["table"]), bob.page
    cards = [
        int(page.locator(".pile .tile").nth(n).get_attribute("data-card") or 0) for n in (0, 1)
    ]
    if len(set(state.motifs(cards))) == 1:
        return  # in one game of a hundred the first two are equal
    for card in cards:
        page.locator(f'[data-card="{card}"]').click()
    expect(page.locator(".compare span")).to_have_count(2)
    assert page.evaluate(OVERLAPS) == 0
    assert page.locator(".compare span").first.evaluate("each => each.offsetWidth") >= 96
    expect(page.locator(".compare")).to_have_count(0)
    for tile in page.locator(".others .tile").all():
        assert tile.evaluate("each => each.offsetWidth") >= 44
    proxy.close()
