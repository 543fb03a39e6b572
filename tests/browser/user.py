"""A user with a browser context of its own: what its page shows, receives and sends, and the errors
that it logs."""

import json
import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import BrowserContext, Locator, Page, Request, Response, WebSocket, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.server import ServerProcess
from tests.server.client import whole

EMPTY = {"body": "<link rel=icon href=data:,>", "content_type": "text/html"}

TIMEOUT = 30_000
"""Milliseconds, generous: machines that test are busy."""

SCREENSHOTS = Path(__file__).parents[2] / "build" / "browser"
"""Where screenshots of pages go on which a test got stuck."""

ColorScheme = Literal["light", "dark"]

SIZES = {
    "small": (360, 640),
    "phone": (360, 740),
    "side": (740, 360),  # a phone on its side
    "tablet": (820, 1180),
    "desktop": (1440, 900),
}

PROMPT = """before => {
  const cards = [...document.querySelectorAll('.hand .playable')];
  const over = document.querySelector('.result');
  const choice = document.querySelector(cards.length ? '.slip button' : '[data-action]');
  const kind = over ? 'over' : choice ? 'choice' : cards.length > 0 ? 'card' : '';
  const hand = [...document.querySelectorAll('.hand button')].map((each) => each.textContent);
  const asked = [document.querySelector('.slip h2')?.textContent, choice?.textContent];
  const state = [kind, asked, ...hand, cards.length].join();
  if (!kind || state === before) return null;
  const area = document.querySelector('.hand');
  if (area?.getAnimations({ subtree: true }).length) return null;
  const target = over ?? choice ?? cards.at(-1);
  const box = target.getBoundingClientRect();
  const y = box.top + Math.min(box.height / 2, 60);
  const open = [];
  for (let x = box.left + 2; x < box.right; x += 4)
    if (target.contains(document.elementFromPoint(x, y))) open.push(x);
  if (open.length < 4) return null;
  return { kind, state, x: open[open.length >> 1], y };
}"""
"""What the page asks of its player, once that is another state than before: a card to play, a
choice, or nothing after the result; and the middle of the visible part of the target, once it is at
rest."""


STUCK = """async () => {
  const frame = new Promise((done) => requestAnimationFrame(() => done('draws')));
  const none = new Promise((done) => setTimeout(() => done('draws nothing'), 3000));
  const moving = document.getAnimations().map((each) => [
    each.effect.target?.className, each.playState, each.currentTime, each.pending,
  ]);
  const hand = [...document.querySelectorAll('.hand button')].map((each) => each.className);
  return { page: await Promise.race([frame, none]), moving, hand };
}"""
"""What a page is doing that shows nothing new: whether it is drawn at all, what still moves."""

NO_ANIMATIONS = """() => document.getAnimations()
  .every((each) => each.effect.getComputedTiming().iterations === Infinity)"""
"""True when no animation is running but endless ones."""


@dataclass(frozen=True)
class Prompt:
    """What the page asks of its player now, and where to click for it."""

    kind: str
    """card, choice or over"""
    state: str
    """The player's hand and choice as text: it differs after each action of the player."""
    x: float
    y: float


Act = Callable[[Prompt], None]

WARNINGS = re.compile("warning|error")


class User:
    """A page, the frames that it received and sent, and its errors."""

    def __init__(self, server: ServerProcess, context: BrowserContext) -> None:
        self.server = server
        self.url = server.url
        self.context = context
        self.page = context.new_page()
        self.page.set_default_timeout(TIMEOUT)
        self.errors: list[str] = []
        self.offline = False
        """While this is set, failed requests are expected and no errors."""
        self.received: list[str] = []
        """All frames of all its WebSockets."""
        self.sent: list[str] = []
        self._messages: list[Any] = []
        self._last: Any = None
        self._watch(self.page)

    def speed_up_animations(self) -> None:
        """Animations run twenty times as fast."""
        session = self.context.new_cdp_session(self.page)
        session.send("Animation.enable")
        session.send("Animation.setPlaybackRate", {"playbackRate": 20})

    def _watch(self, page: Page) -> None:
        page.on("console", lambda message: self._error(message.type, message.text, message.type))
        page.on("pageerror", lambda error: self._error("error", str(error)))
        page.on("requestfailed", self._failed)
        page.on("response", self._answered)
        page.on("websocket", self._connected)

    def _error(self, kind: str, text: str, only: str = "error") -> None:
        if WARNINGS.search(only) and not self.offline:
            self.errors.append(f"{kind}: {text}")

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # by the page itself
            self._error("error", f"{request.failure}: {request.url}")

    def _answered(self, answer: Response) -> None:
        if answer.status >= 400:
            self._error("error", f"{answer.status}: {answer.url}")

    def _connected(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._receive)
        socket.on("framesent", lambda frame: self.sent.append(str(frame)))

    def _receive(self, frame: str | bytes) -> None:
        self.received.append(str(frame))
        message = json.loads(frame)
        if message["type"] == "change":
            message = whole(self._last["view"], self._last["legal"], message)
        if message["type"] in ("welcome", "update"):
            self._last = message
        self._messages.append(message)

    # Navigation

    def go(self, path: str) -> None:
        self.page.goto(self.url + path)

    def store_seat(self, seat: Any) -> None:
        """Puts a seat into the browser's local storage."""
        # An empty page of the same origin has the same storage, and loads fastest.
        self.page.route("**/empty", lambda route: route.fulfill(**EMPTY), times=1)
        self.go("/empty")
        self.page.evaluate("s => localStorage.setItem('pli.seats', JSON.stringify([s]))", seat)

    def set_preferences(self, **wanted: object) -> None:
        """Changes preferences in the browser's local storage."""
        self.go("/")
        self.page.evaluate(
            "wanted => localStorage.setItem('pli.preferences', JSON.stringify({"
            "...JSON.parse(localStorage.getItem('pli.preferences')), ...wanted }))",
            wanted,
        )

    def open_table(self, seat: Any) -> None:
        """Stores a seat and opens its table."""
        self.store_seat(seat)
        self.go(f"/t/{seat['table']}")

    def start_game(self, game: str, seats: int, **options: int | str) -> Any:
        """Creates a table with quick bots, opens it and starts the game; returns the seat."""
        seat = self.server.create_table(game, seats, **options)
        self.open_table(seat)
        self.button("Deal the cards").click()
        return seat

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name)

    def expect_visible(self, what: str) -> None:
        expect(self.page.locator(what).first).to_be_visible()

    def expect_text(self, text: str) -> None:
        expect(self.page.get_by_text(text).first).to_be_visible()

    def close_dialog(self) -> None:
        """Closes the open dialog."""
        self.page.keyboard.press("Escape")
        expect(self.page.locator("dialog .sheet")).to_have_count(0)

    # At the table

    def wait_for_prompt(self, before: str = "") -> Prompt:
        """Waits until the page asks for something other than `before`."""
        try:
            found = self.page.wait_for_function(PROMPT, arg=before).json_value()
        except PlaywrightTimeout:
            told = self.page.locator("[role=log]").all_inner_texts()
            picture = SCREENSHOTS / f"stuck-{time.time():.0f}.png"
            self.page.screenshot(path=picture)
            raise AssertionError(f"nothing more to do: {told}, {picture}, {self.line()}") from None
        return Prompt(**found)

    def line(self) -> str:
        """What the page and its server last said to each other, and what the page is doing: whether
        it is the page that does not show something, or the server that has nothing to show."""
        said = [each for each in self.received if each != '{"type":"pong"}']
        asked = [each for each in self.sent if each != '{"type":"ping"}']
        doing = self.page.evaluate(STUCK)
        kinds = [json.loads(each)["type"] for each in said]
        return f"received {kinds} {said[-2:]}, sent {asked[-3:]}, {doing}, {self.server.log!r}"

    def play_game(self, act: Act, most: int = 400, until: str = "over") -> int:
        """Answers prompts up to the result (or the first prompt of another kind); returns how
        many."""
        prompt = self.wait_for_prompt()
        for count in range(most):
            if prompt.kind == until:
                return count
            act(prompt)
            prompt = self.wait_for_prompt(prompt.state)
        raise AssertionError(f"no {until} after {most} actions")

    @property
    def hand(self) -> list[str]:
        return [str(name) for name in self.page.locator(".hand .hidden").all_inner_texts()]

    def frames(self, *kinds: str) -> list[Any]:
        """The messages of some types that it received; deltas as the updates that they make."""
        return [message for message in [*self._messages] if message["type"] in kinds]


def with_mouse(user: User) -> Act:
    return lambda prompt: user.page.mouse.click(prompt.x, prompt.y)


PICKED = "() => Boolean(document.querySelector('.hand :is(.picked, .sent)'))"

DROPPED = 3000
"""Milliseconds after which a tap that had no effect was dropped: a browser whose page answers a
touch too late makes no click of it. A player taps again."""


def with_touch(user: User) -> Act:
    """By touch: the first tap picks a card, the second plays it."""

    def tap(prompt: Prompt, done: str) -> None:
        for _ in range(TIMEOUT // DROPPED):
            user.page.touchscreen.tap(prompt.x, prompt.y)
            with suppress(PlaywrightTimeout):
                user.page.wait_for_function(done, arg=prompt.state, timeout=DROPPED)
                return
        raise AssertionError(f"a tap has no effect: {prompt}, {user.line()}")

    def act(prompt: Prompt) -> None:
        if prompt.kind != "card":
            user.page.touchscreen.tap(prompt.x, prompt.y)
            return
        tap(prompt, PICKED)
        tap(prompt, f"before => !({PICKED})() || document.querySelector('.hand .sent')")

    return act


def with_keyboard(user: User) -> Act:
    """By keyboard: arrows to a card that can be played, then Enter; a number for a choice."""
    keyboard = user.page.keyboard

    def act(prompt: Prompt) -> None:
        if prompt.kind == "choice":
            # A number has its own key; of colours the first is 1.
            first = user.page.locator("[data-action]").first.inner_text()
            number = re.search("[1-9]", first)
            keyboard.press(number[0] if number else "1")
            return
        for _ in range(20):
            keyboard.press("ArrowRight")
            if user.page.evaluate("document.activeElement.ariaDisabled === 'false'"):
                break
        keyboard.press("Enter")

    return act


def tab_to(user: User, name: str, most: int = 60) -> None:
    """Moves the focus with Tab to an element with this name."""
    focused = (
        # What only scrolls has no name of its own, but all that is within.
        "(() => { const e = document.activeElement;"
        " return e.ariaLabel || (e.tagName !== 'DIV' && e.innerText) || ''; })()"
    )
    for _ in range(most):
        user.page.keyboard.press("Tab")
        if name in str(user.page.evaluate(focused)):
            return
    raise AssertionError(f"no way by keyboard to {name}")
