"""Somebody at a table of Twin It! in front of a browser, with eyes: from the server's journal the
test knows which faces are equal, as people see it; the page does not."""

import asyncio
import threading
from collections import defaultdict
from contextlib import suppress
from typing import Any

import aiohttp

from pli.games.twinit.state import State
from pli.server.tables.table import load_table
from tests.browser.fingers import Fingers
from tests.browser.house import QUICK, House
from tests.browser.visitor import PATIENCE, Visitor
from tests.server.client import Page


class Eyes:
    """What lies open at a table, by motif."""

    def __init__(self, house: House, table: str) -> None:
        self._house, self._table = house, table

    @property
    def state(self) -> State:
        match = load_table(self._table, self._house.entries(self._table)).match
        assert match is not None
        state: State = match.state
        return state

    def motifs(self, cards: list[int]) -> list[int]:
        """What is to be seen on each of them."""
        state = self.state
        return [int(state.motif[2 * card + state.side[card]]) for card in cards]

    def places(self) -> dict[int, int]:
        """Where each card lies that lies on the table."""
        match = load_table(self._table, self._house.entries(self._table)).match
        assert match is not None
        return {int(each.face[:-1]): each.place for each in match.view(None).table}

    def pairs(self, cards: list[int]) -> list[tuple[int, int]]:
        """Equal ones among the cards."""
        found: dict[int, list[int]] = defaultdict(list)
        for card, motif in zip(cards, self.motifs(cards), strict=True):
            found[motif].append(card)
        return [(each[0], each[1]) for each in found.values() if len(each) > 1]


class Friend:
    """Somebody at the table without a browser, who flips when asked to and turns cards when told
    to, and sees no pairs: nobody's eyes are to wait for another page's drawing."""

    def __init__(self, house: House, seat: Any) -> None:
        self._loop: asyncio.AbstractEventLoop
        self._page: Page | None = None
        self._there = threading.Event()
        url = f"{house.url.rstrip('/')}/api/tables/{seat['table']}/play"
        come = self._come(url, seat["token"])
        threading.Thread(target=asyncio.run, args=(come,), daemon=True).start()
        self._there.wait(20)

    async def _come(self, url: str, token: str) -> None:
        self._loop = asyncio.get_running_loop()
        async with aiohttp.ClientSession() as session:
            self._page = page = Page(await session.ws_connect(url))
            await page.send("hello", token=token)
            await page.until("welcome")
            await page.contribute()
            self._there.set()
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
    """At the table, with a mouse, fingers or keys; the others are quick bots, or friends."""

    def __init__(self, visitor: Visitor, *, friends: int = 0, **options: Any) -> None:
        self.visitor, self.page = visitor, visitor.page
        body = {"game": "twinit", "name": "Ann", "options": options, "settings": QUICK}
        bots = {} if friends else {"bots": "medium"}
        seat = visitor.house.ask("/api/tables", body | bots)
        self.table = str(seat["table"])
        self.friends: list[Friend] = []
        for n in range(friends):
            came = visitor.house.ask(f"/api/tables/{self.table}/seats", {"name": f"Friend {n}"})
            self.friends.append(Friend(visitor.house, came))
        visitor.sit({**seat, "game": "twinit", "used": 1})
        self.page.locator(".start button").click()
        self.page.wait_for_selector(".felt .tile", timeout=PATIENCE)
        self.eyes = Eyes(visitor.house, self.table)

    @property
    def over(self) -> bool:
        return self.page.locator(".result").count() > 0

    def cards(self) -> list[int]:
        """All that can be touched."""
        found = self.page.evaluate(
            "() => [...document.querySelectorAll('[data-card]')].map(e => Number(e.dataset.card))"
        )
        return [int(card) for card in found]

    def pair(self) -> tuple[int, int] | None:
        found = self.eyes.pairs(self.cards())
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

    def drags(self, card: int) -> int:
        """With the mouse, to the free place that is furthest; says which."""
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

    def told(self, kind: str) -> list[dict[str, Any]]:
        """The same events, as soon as there are some."""
        for _ in range(50):
            if found := self.events(kind):
                return found
            self.page.wait_for_timeout(100)
        return []

    def fingers(self, *cards: int) -> None:
        """Two fingers come down at once, rest, and go."""
        self.draws([self.middle(card) for card in cards])

    def draws(self, *fingers: list[tuple[float, float]]) -> None:
        """Fingers come down, go from there to wherever they are to go, and are lifted."""
        hand = Fingers(self.visitor)
        hand.down(*fingers[0])
        self.page.wait_for_timeout(80)
        for at in fingers[1:]:
            for finger, (x, y) in enumerate(at):
                hand.move(finger, x, y, steps=1)
            self.page.wait_for_timeout(80)
        hand.up()

    def flips(self) -> bool:
        """Waits to be asked for the next card and flips it; False: the game is over."""
        self.page.wait_for_selector(".flip:enabled, .result", timeout=PATIENCE)
        if not self.over:
            self.page.keyboard.press("f")
        return not self.over

    def flips_to_a_pair(self) -> tuple[int, int]:
        """Flips until there is one, and it is its turn again: then nothing moves by itself."""
        while True:
            self.page.wait_for_selector(".flip:enabled", timeout=PATIENCE)
            pair = self.pair()
            if pair is not None:
                return pair
            there = len(self.cards())
            assert self.flips()
            more = "there => document.querySelectorAll('[data-card]').length > there"
            self.page.wait_for_function(more, arg=there)

    def events(self, kind: str) -> list[dict[str, Any]]:
        told = [e for update in self.visitor.frames("update") for e in update["events"]]
        return [event for event in told if event["event"] == kind]
