"""Plays Twin It! in a browser. Which faces are equal is read from the server's journal, since the
page does not know it: people see it."""

import asyncio
import threading
from collections import defaultdict
from contextlib import suppress
from typing import Any

import aiohttp

from pli.games.twinit.state import State
from pli.server.tables.table import load_table
from tests.browser.server import QUICK, ServerProcess
from tests.browser.touch_input import TouchInput
from tests.browser.user import User
from tests.server.client import Page


class TableState:
    """The state of a table, read from the journal."""

    def __init__(self, server: ServerProcess, table: str) -> None:
        self._server, self._table = server, table

    @property
    def current(self) -> State:
        match = load_table(self._table, self._server.entries(self._table)).match
        assert match is not None
        state: State = match.state
        return state

    def motifs(self, cards: list[int]) -> list[int]:
        """The motif that each of the cards shows."""
        state = self.current
        return [int(state.motif[2 * card + state.side[card]]) for card in cards]

    def places(self) -> dict[int, int]:
        """The place of each card that lies on the table."""
        match = load_table(self._table, self._server.entries(self._table)).match
        assert match is not None
        return {int(each.face[:-1]): each.place for each in match.view(None).table}

    def pairs(self, cards: list[int]) -> list[tuple[int, int]]:
        """Pairs with equal motifs among the cards."""
        found: dict[int, list[int]] = defaultdict(list)
        for card, motif in zip(cards, self.motifs(cards), strict=True):
            found[motif].append(card)
        return [(each[0], each[1]) for each in found.values() if len(each) > 1]


class HeadlessPlayer:
    """A player without a browser, on a thread of its own: flips on its turn, turns and touches
    cards when a test tells it to, and catches nothing. So no test waits for a second page to
    paint."""

    def __init__(self, server: ServerProcess, seat: Any) -> None:
        self._loop: asyncio.AbstractEventLoop
        self._page: Page | None = None
        self._connected = threading.Event()
        url = f"{server.url.rstrip('/')}/api/tables/{seat['table']}/play"
        playing = self._play(url, seat["token"])
        threading.Thread(target=asyncio.run, args=(playing,), daemon=True).start()
        self._connected.wait(20)

    async def _play(self, url: str, token: str) -> None:
        self._loop = asyncio.get_running_loop()
        async with aiohttp.ClientSession() as session:
            self._page = page = Page(await session.ws_connect(url))
            await page.send("hello", token=token)
            await page.until("welcome")
            await page.contribute()
            self._connected.set()
            with suppress(ConnectionError, TimeoutError):
                while True:
                    await page.next()
                    if "flip" in page.legal:
                        page.legal = []
                        await page.do("flip")

    def begin(self) -> None:
        self._send("begin")

    def turn(self, card: int) -> None:
        self._do(f"turn {card}")

    def touch(self, card: int) -> None:
        self._do(f"touch {card}")

    def _do(self, action: str) -> None:
        assert self._page is not None
        self._page.id += 1
        self._send("do", id=self._page.id, action=action)

    def _send(self, kind: str, **fields: object) -> None:
        assert self._page is not None
        asyncio.run_coroutine_threadsafe(self._page.send(kind, **fields), self._loop).result(20)


class Player:
    """A user at a new table, who acts by mouse, touch or keyboard; the others are quick bots, or so
    many players without a browser."""

    def __init__(
        self, user: User, *, headless: int = 0, bots: str = "medium", **options: Any
    ) -> None:
        self.user, self.page = user, user.page
        body = {"game": "twinit", "name": "Ann", "options": options, "settings": QUICK}
        seat = user.server.request("/api/tables", body | ({} if headless else {"bots": bots}))
        self.table = str(seat["table"])
        self.headless: list[HeadlessPlayer] = []
        for n in range(headless):
            joined = user.server.request(f"/api/tables/{self.table}/seats", {"name": f"Friend {n}"})
            self.headless.append(HeadlessPlayer(user.server, joined))
        user.open_table({**seat, "game": "twinit", "used": 1})
        self.page.locator(".start button").click()
        self.page.wait_for_selector(".felt .tile")
        self.state = TableState(user.server, self.table)

    @property
    def over(self) -> bool:
        return self.page.locator(".result").count() > 0

    def cards(self) -> list[int]:
        """All cards that can be touched."""
        found = self.page.evaluate(
            "() => [...document.querySelectorAll('[data-card]')].map(e => Number(e.dataset.card))"
        )
        return [int(card) for card in found]

    def pair(self) -> tuple[int, int] | None:
        found = self.state.pairs(self.cards())
        return found[0] if found else None

    def middle(self, card: int) -> tuple[float, float]:
        box = self.page.locator(f'[data-card="{card}"]').first.bounding_box(timeout=2000)
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def click(self, *cards: int) -> None:
        for card in cards:
            self.page.mouse.click(*self.middle(card))

    def press(self, *cards: int) -> None:
        for card in cards:
            self.page.locator(f'[data-card="{card}"]').first.focus(timeout=2000)
            self.page.keyboard.press("Enter")

    def drag(self, card: int) -> int:
        """Drags a card by mouse to the last free place; returns its number."""
        x, y = self.middle(card)
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + 40, y + 40, steps=3)
        free = self.page.locator(".free").last
        box, place = free.bounding_box(timeout=2000), free.get_attribute("data-place")
        assert box is not None
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=5)
        self.page.mouse.up()
        return int(str(place))

    def wait_for_events(self, kind: str) -> list[dict[str, Any]]:
        """The events of a kind, as soon as there are some."""
        for _ in range(50):
            if found := self.events(kind):
                return found
            self.page.wait_for_timeout(100)
        return []

    def tap_together(self, *cards: int) -> None:
        """Two fingers touch two cards at once."""
        self.drag_fingers([self.middle(card) for card in cards])

    def drag_fingers(self, *fingers: list[tuple[float, float]]) -> None:
        """Fingers are put down at the first places, moved to each of the next, and lifted."""
        touch = TouchInput(self.user)
        touch.down(*fingers[0])
        self.page.wait_for_timeout(80)
        for at in fingers[1:]:
            for finger, (x, y) in enumerate(at):
                touch.move(finger, x, y, steps=1)
            self.page.wait_for_timeout(80)
        touch.up()

    def flip(self) -> bool:
        """Waits for its turn and flips a card; False: the game is over."""
        self.page.wait_for_selector(".flip:enabled, .result")
        if not self.over:
            self.page.keyboard.press("f")
        return not self.over

    def flip_until_pair(self) -> tuple[int, int]:
        """Flips until a pair lies open and it is its turn again: then nothing happens by itself."""
        while True:
            self.page.wait_for_selector(".flip:enabled")
            pair = self.pair()
            if pair is not None:
                return pair
            before = len(self.cards())
            assert self.flip()
            more = "before => document.querySelectorAll('[data-card]').length > before"
            self.page.wait_for_function(more, arg=before)

    def events(self, kind: str) -> list[dict[str, Any]]:
        told = [e for update in self.user.frames("update") for e in update["events"]]
        return [event for event in told if event["event"] == kind]
