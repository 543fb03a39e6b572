"""A journal without end, and bots that think without end."""

import asyncio
import time

from tests.server.attack.attacker import Attacker
from tests.server.client import Page
from tests.server.crash_people import GONE

TABLES = 18
PAUSE = 0.051
"""Seconds between messages: as many as one line may send for ever."""


async def _settle(page: Page) -> None:
    """Another game as soon as one is over."""
    state = page.table["state"]
    if state == "over":
        await page.send("again")
    elif state == "waiting" and not page.table["seats"][page.seat]["ready"]:
        await page.contribute()


async def _tables(attacker: Attacker, game: str, seats: int, bots: str) -> list[Page]:
    return [await attacker.alone(game, seats, bots) for _ in range(TABLES)]


async def bots_alone(attacker: Attacker) -> None:
    """The own seat is filled with a bot, and all want another game, for ever."""
    pages = await _tables(attacker, "marshmallow", 5, "easy")
    await attacker.ready()

    async def watch(number: int) -> None:
        page = pages[number]
        if page.socket.closed:
            page = pages[number] = await attacker.enter(page.table["id"], page.token)
        await page.send("fill", seat=0, level="easy")
        asked = time.monotonic()
        while True:
            message = await page.next()
            if message["type"] in ("problem", "closing"):
                attacker.counts[message["code"]] += 1
            if message["type"] == "table":
                await _settle(page)
            elif message["type"] == "update":
                attacker.counts["entries"] += 1
            if time.monotonic() - asked > 1:  # whatever makes a table go on again
                asked = time.monotonic()
                await page.send("fill", seat=0, level="easy")

    await attacker.rush(TABLES, watch)


async def _play(attacker: Attacker, pages: list[Page]) -> None:
    """The first thing that one may do, as often as one may send it."""

    async def act(number: int) -> None:
        page = pages[number]
        if page.socket.closed:
            page = pages[number] = await attacker.enter(page.table["id"], page.token)
        listening = asyncio.create_task(_read(attacker, page))
        try:
            while not listening.done():
                if page.table["state"] == "playing" and page.legal:
                    await page.do(page.legal[0])
                    attacker.counts["acted"] += 1
                await asyncio.sleep(PAUSE)
        finally:
            listening.cancel()
            await asyncio.wait([listening])

    await attacker.rush(len(pages), act)


async def _read(attacker: Attacker, page: Page) -> None:
    try:
        while True:
            message = await page.next()
            if message["type"] in ("problem", "closing"):
                attacker.counts[message["code"]] += 1
            if message["type"] == "table":
                await _settle(page)
    except GONE:
        attacker.counts["line lost"] += 1


async def scripted_play(attacker: Attacker) -> None:
    pages = await _tables(attacker, "marshmallow", 5, "easy")
    await attacker.ready()
    await _play(attacker, pages)


async def hard_bots(attacker: Attacker) -> None:
    pages = await _tables(attacker, "marshmallow", 5, "hard")
    await attacker.ready()
    await _play(attacker, pages)
