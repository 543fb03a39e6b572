"""Ordinary play meets no limit: twenty people behind one address, at five tables, who reload
pages, play again, ask for logs and hints and watch replays."""

import asyncio
import itertools
import random
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiohttp

from tests.server.attack.attacker import Stranger, stranger
from tests.server.attack.victims import fetch_sheets
from tests.server.client import Page
from tests.server.crash.server import Server

ADDRESS = "127.0.2.1"
PLAYING = 15.0
"""Seconds."""

TURN, LIVE = (0.08, 0.12), (0.33, 0.5)
"""Seconds for an action: where turns are taken an evening is played in seconds; where time matters
as people are at their quickest."""

REMATCHES = 2
REPLAYS = 10
SPECTATORS = 8

RULES = ("not_now", "not_over", "hints_alone", "already_begun")
"""Complaints that are no limit: the same was asked for twice at the same time, or too early."""

TABLES: tuple[tuple[str, dict[str, Any], int], ...] = (
    ("marshmallow", {"seats": 5, "target": 1}, 5),
    ("plingo", {"seats": 3}, 3),
    ("merci", {"seats": 6}, 6),
    ("twinit", {"seats": 4, "mode": "coop", "minute_ms": 3000}, 4),
    ("twinit", {"seats": 3, "mode": "race", "catches": 1}, 2),
)
"""The game, its options, and how many people: twenty in all."""


class Friend:
    """A player who acts up to three times a second."""

    def __init__(self, visitor: Stranger, table: str, token: str, told: Counter[str]) -> None:
        self.visitor = visitor
        self.table = table
        self.games = 0
        """That were begun here."""
        self.acted = 0
        self._token = token
        self._told = told
        self._sheets: set[str] = set()
        self._fetching = 0
        """The game whose pictures are on their way."""
        self._wanted = 0
        self._random = random.Random(token)

    async def stay(self) -> None:
        """Loads the page anew once in the middle of it."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._random.uniform(0.3, 0.6) * PLAYING):
                await self._visit()
        await self._visit()

    async def _visit(self) -> None:
        page = await self.visitor.connect(self.table)
        await page.send("hello", token=self._token, changes=True, lang="fr")
        async with asyncio.TaskGroup() as group:
            group.create_task(self._act(page))
            group.create_task(self._listen(page, group))

    async def _listen(self, page: Page, group: asyncio.TaskGroup) -> None:
        try:
            while True:
                message = await page.next()
                self._told[f"{message['type']} {message.get('code', '')}".strip()] += 1
                if message["type"] == "pictures" and message["sheets"]:
                    group.create_task(self._fetch(page, message["number"], message["sheets"]))
                elif message["type"] in ("welcome", "table"):
                    await self._settle(page)
        finally:
            await page.close()

    async def _fetch(self, page: Page, number: int, sheets: list[str]) -> None:
        """Those that the browser does not have yet."""
        self._fetching = number
        missing = [sheet for sheet in sheets if sheet not in self._sheets]
        for some in (missing[:15], missing[15:]):
            await fetch_sheets(self.visitor, self.table, number, some)
            self._sheets |= {*some}
        self._fetching = 0
        if page.table:
            await self._settle(page)

    async def _settle(self, page: Page) -> None:
        table = page.table
        state, number = table["state"], table["number"]
        if state == "playing" and number > self.games:
            self.games = number
        if page.seat is None:
            return
        if state == "waiting":
            if not table["seats"][page.seat]["ready"]:
                if self._fetching != number:
                    await page.contribute()
            elif number == 1 and page.seat == 0 and self._begins(table):
                await page.send("begin")
        elif state == "over" and number <= REMATCHES and self._wanted < number:
            self._wanted = number
            await page.send("again")

    @staticmethod
    def _begins(table: dict[str, Any]) -> bool:
        return all(seat["kind"] == "bot" or seat["ready"] for seat in table["seats"])

    async def _act(self, page: Page) -> None:
        for count in itertools.count():
            live = page.table.get("game") in ("merci", "twinit")
            await asyncio.sleep(self._random.uniform(*(LIVE if live else TURN)))
            if page.table.get("state") != "playing" or not page.legal:
                continue
            if count % 10 == 3:
                await page.send("log")
            elif count % 10 == 7:
                await page.send("say", phrase="thanks")
            elif page.seat in page.view["awaited"] or page.table["game"] == "twinit":
                await page.do(self._random.choice(page.legal))
                self.acted += 1


async def watched(visitor: Stranger, table: str, told: Counter[str]) -> None:
    """A spectator who asks for the log once."""
    page = await visitor.connect(table)
    await page.send("hello", changes=True)
    while True:
        message = await page.next()
        told[f"{message['type']} {message.get('code', '')}".strip()] += 1
        if message["type"] == "welcome":
            await page.send("log")


async def finished(visitor: Stranger) -> str:
    """A table where a short game is over: one person played among bots, and asked for hints."""
    page = await visitor.alone("marshmallow", 3, bots="easy", options={"target": 1})
    await page.send("hint")
    await page.until("hints")
    await page.play()
    table = str(page.table["id"])
    await page.close()
    return table


async def replayed(visitor: Stranger, table: str, statuses: Counter[int]) -> None:
    for number in range(REPLAYS):
        game = f"/api/tables/{table}/games/1"
        for path in (f"/r/{table}/1", f"{game}/replay?seat={number % 3}", f"{game}/record"):
            status, _ = await visitor.get(path)
            statuses[status] += 1
        await asyncio.sleep(0.3)


async def seat(visitor: Stranger, game: str, options: dict[str, Any], people: int) -> list[str]:
    """A table's name, and its people's tokens."""
    settings = {"pace": "brisk"}
    made = await visitor.make(game, options=options, settings=settings)
    tokens = [made["token"]]
    for number in range(1, people):
        tokens.append((await visitor.sit(made["table"], f"P{number}"))["token"])
    if people < options["seats"]:
        page = await visitor.page(made["table"], made["token"])
        for free in range(people, options["seats"]):
            await page.send("fill", seat=free, level="medium")
        await page.sees(lambda table: all(each["kind"] != "empty" for each in table["seats"]))
        await page.close()
    return [made["table"], *tokens]


async def evening(url: str) -> None:
    told: Counter[str] = Counter()
    statuses: Counter[int] = Counter()
    strangers = [stranger(url, ADDRESS) for _ in range(20)]
    visitors = iter(strangers)
    friends = []
    for game, options, people in TABLES:
        table, *tokens = await seat(strangers[0], game, options, people)
        friends += [Friend(next(visitors), table, token, told) for token in tokens]
    assert len(friends) == 20
    alone = await finished(strangers[0])
    async with asyncio.TaskGroup() as group:
        staying = [group.create_task(friend.stay()) for friend in friends]
        await asyncio.sleep(1)
        staying += [
            group.create_task(watched(strangers[n], friends[0].table, told))
            for n in range(SPECTATORS)
        ]
        await asyncio.gather(replayed(strangers[1], alone, statuses), asyncio.sleep(PLAYING))
        for task in staying:
            task.cancel()
    for each in strangers:
        await each.session.close()
    wrong = {what for what in told if what.startswith(("problem", "closing"))}
    assert not wrong - {f"problem {code}" for code in RULES}, told
    assert set(statuses) <= {200, 404}, statuses  # without a built page there is none of a replay
    assert statuses[200] >= 2 * REPLAYS
    assert all(friend.games for friend in friends)
    assert max(friend.games for friend in friends) == 1 + REMATCHES
    assert sum(friend.acted for friend in friends) > 10 * len(friends)
    assert told["log"] >= SPECTATORS


async def test_twenty_friends_behind_one_address_meet_no_limit(tmp_path: Path) -> None:
    server = Server(tmp_path, ())
    try:
        server.start()
        async with aiohttp.ClientSession() as session:
            await server.listens(session)
        async with asyncio.timeout(120):
            await evening(server.url)
    finally:
        server.end()
