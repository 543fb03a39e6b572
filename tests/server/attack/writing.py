"""A journal without end, and bots that think without end."""

import time
from typing import Any

from tests.server.attack.attacker import Attacker
from tests.server.client import Page

TABLES = 18
ASKING = 1.0
"""Seconds between attempts to make a table of bots go on."""


async def _hear(page: Page, message: dict[str, Any]) -> None:
    """Another game as soon as one is over."""
    if message["type"] != "table":
        return
    state = page.table["state"]
    if state == "over":
        await page.send("again")
    elif state == "waiting" and not page.table["seats"][page.seat]["ready"]:
        await page.contribute()


async def _tables(attacker: Attacker, bots: str) -> list[Page]:
    return [await attacker.alone("marshmallow", 5, bots) for _ in range(TABLES)]


async def bots_alone(attacker: Attacker) -> None:
    """The own seat is filled with a bot, and all want another game, for ever."""
    pages = await _tables(attacker, "easy")
    asked: dict[Page, float] = {}
    await attacker.ready()

    async def fill(page: Page) -> None:
        now = time.monotonic()
        if now - asked.get(page, 0.0) > ASKING:
            asked[page] = now
            await page.send("fill", seat=0, level="easy")

    async def hear(page: Page, message: dict[str, Any]) -> None:
        attacker.counts["entries"] += message["type"] == "update"
        await _hear(page, message)

    async def watch(number: int) -> None:
        pages[number] = await attacker.back(pages[number])
        await attacker.speak(pages[number], fill, hear)

    await attacker.rush(TABLES, watch)


async def _play(attacker: Attacker, pages: list[Page]) -> None:
    """The first thing that one may do, as often as one may send it."""
    await attacker.ready()

    async def act(page: Page) -> None:
        if page.table["state"] == "playing" and page.legal:
            await page.do(page.legal[0])
            attacker.counts["acted"] += 1

    async def play(number: int) -> None:
        pages[number] = await attacker.back(pages[number])
        await attacker.speak(pages[number], act, _hear)

    await attacker.rush(len(pages), play)


async def scripted_play(attacker: Attacker) -> None:
    await _play(attacker, await _tables(attacker, "easy"))


async def hard_bots(attacker: Attacker) -> None:
    await _play(attacker, await _tables(attacker, "hard"))
