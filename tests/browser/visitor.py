"""Somebody in front of a browser, with what a page must never do: complain, or fail to load."""

import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import BrowserContext, Locator, Page, Request, Response, WebSocket, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.house import House
from tests.server.client import whole

EMPTY = {"body": "<link rel=icon href=data:,>", "content_type": "text/html"}

PATIENCE = 30_000
"""Milliseconds: machines that test are busy."""

LEFT = Path(__file__).parents[2] / "build" / "browser"
"""Pictures of pages on which a test got stuck."""

Light = Literal["light", "dark"]

SIZES = {
    "small": (360, 640),
    "phone": (360, 740),
    "side": (740, 360),  # a phone on its side
    "tablet": (820, 1180),
    "desktop": (1440, 900),
}

MOMENT = """before => {
  const cards = [...document.querySelectorAll('.hand .playable')];
  const over = document.querySelector('.result');
  const choice = document.querySelector('.slip button');
  const what = over ? 'over' : choice ? 'choice' : cards.length > 0 ? 'card' : '';
  const hand = [...document.querySelectorAll('.hand button')].map((each) => each.textContent);
  const asked = document.querySelector('.slip h2')?.textContent;
  const state = [what, asked, ...hand, cards.length].join();
  if (!what || state === before) return null;
  const area = document.querySelector('.hand');
  if (area?.getAnimations({ subtree: true }).length) return null;
  const target = over ?? choice ?? cards.at(-1);
  const box = target.getBoundingClientRect();
  const y = box.top + Math.min(box.height / 2, 60);
  const open = [];
  for (let x = box.left + 2; x < box.right; x += 4)
    if (target.contains(document.elementFromPoint(x, y))) open.push(x);
  if (open.length < 4) return null;
  return { what, state, x: open[open.length >> 1], y };
}"""
"""What a player waits for, once more than before: a card to play, something to choose, the result;
and where to point at it, when it lies still: at the middle of what can be seen of it."""


STILL = """() => document.getAnimations()
  .every((each) => each.effect.getComputedTiming().iterations === Infinity)"""
"""Nothing is on its way."""


@dataclass(frozen=True)
class Moment:
    what: str
    """card, choice or over"""
    state: str
    """What the own hand looks like: another one after each own action."""
    x: float
    y: float


Act = Callable[[Moment], None]

WARNINGS = re.compile("warning|error")


class Visitor:
    """A page, and what it was told and said meanwhile."""

    def __init__(self, house: House, context: BrowserContext) -> None:
        self.house = house
        self.url = house.url
        self.context = context
        self.page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.troubles: list[str] = []
        self.offline = False
        """While the line is cut, failed requests are no wonder."""
        self.told: list[str] = []
        """All frames of all its sockets."""
        self.sent: list[str] = []
        self._heard: list[Any] = []
        self._known: Any = None
        self._listen(self.page)

    def hurry(self) -> None:
        """What moves on the page moves twenty times as fast."""
        session = self.context.new_cdp_session(self.page)
        session.send("Animation.enable")
        session.send("Animation.setPlaybackRate", {"playbackRate": 20})

    def _listen(self, page: Page) -> None:
        page.on("console", lambda said: self._trouble(said.type, said.text, said.type))
        page.on("pageerror", lambda error: self._trouble("error", str(error)))
        page.on("requestfailed", self._failed)
        page.on("response", self._answered)
        page.on("websocket", self._connected)

    def _trouble(self, kind: str, text: str, only: str = "error") -> None:
        if WARNINGS.search(only) and not self.offline:
            self.troubles.append(f"{kind}: {text}")

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the page itself wanted it no more
            self._trouble("error", f"{request.failure}: {request.url}")

    def _answered(self, answer: Response) -> None:
        if answer.status >= 400:
            self._trouble("error", f"{answer.status}: {answer.url}")

    def _connected(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._hear)
        socket.on("framesent", lambda frame: self.sent.append(str(frame)))

    def _hear(self, frame: str | bytes) -> None:
        self.told.append(str(frame))
        message = json.loads(frame)
        if message["type"] == "change":
            message = whole(self._known["view"], self._known["legal"], message)
        if message["type"] in ("welcome", "update"):
            self._known = message
        self._heard.append(message)

    # Going places

    def go(self, path: str) -> None:
        self.page.goto(self.url + path)

    def keep(self, seat: Any) -> None:
        """This device remembers a seat."""
        # An empty page of the same house has the same memory, and loads in no time.
        self.page.route("**/empty", lambda route: route.fulfill(**EMPTY), times=1)
        self.go("/empty")
        self.page.evaluate("s => localStorage.setItem('pli.seats', JSON.stringify([s]))", seat)

    def prefers(self, **wanted: object) -> None:
        """Set before, on this device."""
        self.go("/")
        self.page.evaluate(
            "wanted => localStorage.setItem('pli.preferences', JSON.stringify({"
            "...JSON.parse(localStorage.getItem('pli.preferences')), ...wanted }))",
            wanted,
        )

    def sit(self, seat: Any) -> None:
        """At the table of a seat."""
        self.keep(seat)
        self.go(f"/t/{seat['table']}")

    def begin(self, game: str, seats: int, **options: int | str) -> Any:
        """A table of its own, with quick bots, dealt."""
        seat = self.house.make(game, seats, **options)
        self.sit(seat)
        self.button("Deal the cards").click()
        return seat

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name)

    def sees(self, what: str) -> None:
        expect(self.page.locator(what).first).to_be_visible(timeout=PATIENCE)

    def says(self, text: str) -> None:
        expect(self.page.get_by_text(text).first).to_be_visible(timeout=PATIENCE)

    def shut(self) -> None:
        """Whatever lies over the page is put away."""
        self.page.keyboard.press("Escape")
        expect(self.page.locator("dialog .sheet")).to_have_count(0)

    # At the table

    def moment(self, before: str = "") -> Moment:
        """Waits for something to do."""
        try:
            found = self.page.wait_for_function(MOMENT, arg=before).json_value()
        except PlaywrightTimeout:
            told = self.page.locator("[role=log]").all_inner_texts()
            picture = LEFT / f"stuck-{time.time():.0f}.png"
            self.page.screenshot(path=picture)
            raise AssertionError(f"nothing more to do: {told}, {picture}") from None
        return Moment(**found)

    def plays(self, act: Act, most: int = 400, until: str = "over") -> int:
        """Acts whenever there is something to do, to the result (or to the first such moment); how
        often it did."""
        moment = self.moment()
        for count in range(most):
            if moment.what == until:
                return count
            act(moment)
            moment = self.moment(moment.state)
        raise AssertionError(f"no {until} after {most} actions")

    @property
    def hand(self) -> list[str]:
        return [str(name) for name in self.page.locator(".hand .hidden").all_inner_texts()]

    def frames(self, *kinds: str) -> list[Any]:
        """What it was told, changes as the updates that they make."""
        return [message for message in [*self._heard] if message["type"] in kinds]


def with_mouse(visitor: Visitor) -> Act:
    return lambda moment: visitor.page.mouse.click(moment.x, moment.y)


def with_finger(visitor: Visitor) -> Act:
    """The first tap picks a card, the second plays it."""

    def act(moment: Moment) -> None:
        for _ in range(2 if moment.what == "card" else 1):
            visitor.page.touchscreen.tap(moment.x, moment.y)

    return act


def with_keys(visitor: Visitor) -> Act:
    """Arrows to a card that can be played, Enter; a number for a choice."""
    keyboard = visitor.page.keyboard

    def act(moment: Moment) -> None:
        if moment.what == "choice":
            # A number has its own key; of colours the first is 1.
            first = visitor.page.locator(".slip button").first.inner_text()
            number = re.search("[1-9]", first)
            keyboard.press(number[0] if number else "1")
            return
        for _ in range(20):
            keyboard.press("ArrowRight")
            if visitor.page.evaluate("document.activeElement.ariaDisabled === 'false'"):
                break
        keyboard.press("Enter")

    return act


def tab_to(visitor: Visitor, name: str, most: int = 60) -> None:
    """The way of a keyboard through the page, to something with a name."""
    focused = (
        # What only scrolls has no name of its own, but all that is within.
        "(() => { const e = document.activeElement;"
        " return e.ariaLabel || (e.tagName !== 'DIV' && e.innerText) || ''; })()"
    )
    for _ in range(most):
        visitor.page.keyboard.press("Tab")
        if name in str(visitor.page.evaluate(focused)):
            return
    raise AssertionError(f"no way by keyboard to {name}")
