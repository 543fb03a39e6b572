"""`make touches`: the time from a touch to the frame that shows it, with the processor slowed down
by four: at a table of Twin It! with all its cards, at one of Merci with words and cards, and in
games of Merci when a card is laid on a stack. Prints the figures; fails above the limits."""

import argparse
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests.browser import merci, twinit
from tests.browser.chromium import CHROMIUM, FLAGS
from tests.browser.server import ServerProcess
from tests.browser.touch_input import TouchInput
from tests.browser.user import SIZES, User

SLOWER = 4
LONGEST_TASK = 50.0
WORK = 8.0
SHOWN = 100.0
"""Milliseconds: of any task while touching, and of script and layout for a touch in the median,
both where the table is crowded; from a finger to the frame that shows it, for 95 of 100."""

WATCH = """([answered, within]) => {
  window.tasks ??= []; window.shown ??= {};
  new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((e) => e.duration)))
    .observe({ type: 'longtask' });
  addEventListener(answered, (event) => {
    if (!event.target.closest(within)) return;
    const shown = (window.shown[answered] ??= []);
    const began = event.timeStamp;
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => shown.push(performance.now() - began);
      channel.port2.postMessage(null);
    });
  }, true);
}"""
"""A message sent in a frame's callback arrives when the frame has been painted."""

MIDDLES = """() => [...document.querySelectorAll('.mat [data-card]')].map((each) => {
  const box = each.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
})"""
PLACES = 135

RESTS = 80
"""Milliseconds for which a tapping finger stays down."""

METRICS = ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration")


@dataclass(frozen=True)
class TouchTarget:
    """What is touched at a table, and which event the page answers."""

    what: str
    place: Callable[[int], tuple[float, float]]
    """The place of a touch, by its number."""
    answered: str
    """The event that the page answers: pointerdown or pointerup."""
    rests: int
    """Milliseconds for which the finger stays down, and as many until the next touch: the server's
    answer arrives within."""
    crowded: bool = False


def at_twinit(user: User) -> TouchTarget:
    player = twinit.Player(user, mode="coop", seats=1, minute_ms=600_000)
    places: list[tuple[float, float]] = []

    def place(touch: int) -> tuple[float, float]:
        places[:] = places or player.page.evaluate(MIDDLES)
        assert len(places) == PLACES
        return places[(touch * 37) % PLACES]

    return TouchTarget(f"Twin It!, {PLACES} cards", place, "pointerdown", 400, crowded=True)


def at_merci(user: User) -> TouchTarget:
    """Words and cards in turns, each picked and put back; the bots wait."""
    user.start_game("merci", 6, first_player=0)
    user.expect_visible(".stack")
    words = (".siouplait", ".skuz")

    def place(touch: int) -> tuple[float, float]:
        if touch % 2:
            return merci.place(user, f".words {words[touch // 2 % 2]}")
        return merci.place(user, ".hand button", touch // 2 % 6)

    return TouchTarget("Merci, 6 seats", place, "pointerup", 50)


LAID = "merci-laid"
TABLES = {"twinit": at_twinit, "merci": at_merci}


def spent(session: CDPSession) -> float:
    told: dict[str, Any] = session.send("Performance.getMetrics")
    return 1000 * sum(float(e["value"]) for e in told["metrics"] if e["name"] in METRICS)


def touched(
    table: TouchTarget,
    finger: TouchInput,
    session: CDPSession,
    page: Page,
    touch: int,
    *,
    whole: bool,
) -> float:
    """Makes a touch; returns the milliseconds of script and layout until the finger is down, or
    until it is up again."""
    place = table.place(touch)
    before = spent(session)
    finger.down(place)
    page.wait_for_timeout(table.rests)
    down = spent(session) - before
    finger.up()
    page.wait_for_timeout(table.rests)
    return spent(session) - before if whole else down


def measure(
    browser: Browser, server: ServerProcess, game: str, size: str, touches: int, slower: int
) -> bool:
    """Whether the limits are kept."""
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height}, locale="en-GB", has_touch=True
    )
    user = User(server, context)
    table = TABLES[game](user)
    page = user.page
    # Playwright's selectors leave a listener for every touch in the page: a new page has none.
    page.reload()
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(2500)
    session = context.new_cdp_session(page)
    # Of this thread alone: what else the machine does meanwhile is not the page's.
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    finger = TouchInput(user)
    work = [
        touched(table, finger, session, page, touch, whole=table.answered == "pointerup")
        for touch in range(touches)
    ]
    # The observer takes time of its own: so it comes after the other measure.
    page.evaluate(WATCH, [table.answered, "*"])
    for touch in range(touches):
        touched(table, finger, session, page, touch, whole=True)
    tasks = [float(each) for each in page.evaluate("window.tasks")]
    shown = shown_after(page, table.answered)
    context.close()
    slowest = max(tasks, default=0.0)
    print(f"{table.what}, {size}, {slower} times slower, {len(work)} touches")
    print(f"longest task {slowest:.0f} ms (0: none over 50), tasks over 50 ms: {len(tasks)}")
    print(f"script and layout for a touch {median(work):.1f} ms in the median")
    light = slowest <= LONGEST_TASK and median(work) <= WORK
    return soon(shown) and (light or not table.crowded)


def soon(shown: list[float]) -> bool:
    late = quantiles(shown, n=20)[-1]
    print(f"finger to frame {median(shown):.0f} ms in the median, {late:.0f} ms at 95 of 100")
    return late <= SHOWN


def shown_after(page: Page, answered: str) -> list[float]:
    return [float(each) for each in page.evaluate("kind => window.shown[kind] ?? []", answered)]


def lay(browser: Browser, server: ServerProcess, size: str, lays: int, slower: int) -> bool:
    """Whole games of Merci, until so many cards were laid: times from pointerdown on a stack to its
    highlight, and from pointerup to the start of the card's animation."""
    width, height = SIZES[size]
    rests: list[float] = []
    lies: list[float] = []
    while len(lies) < lays:
        context = browser.new_context(
            viewport={"width": width, "height": height}, locale="en-GB", has_touch=True
        )
        user = User(server, context)
        user.start_game("merci", 4, rules="full", first_player=0)
        user.expect_visible(".stack")
        page, finger = user.page, TouchInput(user)
        session = context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        for answered in ("pointerdown", "pointerup"):
            page.evaluate(WATCH, [answered, "[data-stack]"])

        def point(x: float, y: float, finger: TouchInput = finger, page: Page = page) -> None:
            finger.down((x, y))
            page.wait_for_timeout(RESTS)
            finger.up()

        merci.play_game(user, merci.with_pointer(user, point), seconds=300)
        rests += shown_after(page, "pointerdown")
        lies += shown_after(page, "pointerup")
        context.close()
    print(f"Merci, a card laid on a stack, {size}, {slower} times slower, {len(lies)} times")
    held = soon(rests)
    print("from when it goes to the frame in which the card sets out:")
    soon(lies)
    return held


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--touches", type=int, default=100)
    parser.add_argument("--size", default="phone", choices=SIZES)
    parser.add_argument("--game", choices=[*TABLES, LAID])
    parser.add_argument("--slower", type=int, default=SLOWER)
    wanted = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        games = [wanted.game] if wanted.game else [*TABLES, LAID]
        held = [
            lay(browser, server, wanted.size, wanted.touches // 3, wanted.slower)
            if game == LAID
            else measure(browser, server, game, wanted.size, wanted.touches, wanted.slower)
            for game in games
        ]
        browser.close()
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
