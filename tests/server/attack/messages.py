"""Messages as fast as a line may send them, on as many lines as an address may have."""

import asyncio
import itertools
from collections.abc import Callable
from typing import Any

from tests.server.attack.attacker import Attacker
from tests.server.client import Page

Message = Callable[[Page, int], dict[str, Any] | None]
"""What a page says next, when it has said so many things; None: nothing."""


class Lines:
    """Pages that send one message after the other, and come back when they are sent away."""

    def __init__(self, attacker: Attacker) -> None:
        self._attacker = attacker
        self._pages: list[Page] = []

    async def add(self, table: str, token: str | None = None) -> None:
        self._pages.append(await self._attacker.enter(table, token, changes=True))

    async def flood(self, message: Message) -> None:
        async def send(number: int) -> None:
            self._pages[number] = await self._attacker.back(self._pages[number])
            said = itertools.count()

            async def say(page: Page) -> None:
                fields = message(page, next(said))
                if fields is not None:
                    await page.send(fields.pop("type"), **fields)

            await self._attacker.speak(self._pages[number], say)

        await self._attacker.rush(len(self._pages), send)


async def crowd(attacker: Attacker, tables: int, people: int) -> Lines:
    """Tables at which so many wait for others."""
    lines = Lines(attacker)
    for _ in range(tables):
        made = await attacker.make("plingo", options={"seats": 6})
        await lines.add(made["table"], made["token"])
        for _ in range(1, people):
            path = f"/api/tables/{made['table']}/seats"
            given = await attacker.insist(path, {"name": "Zoe"})
            await lines.add(made["table"], given["token"])
    return lines


async def phrases_and_hellos(attacker: Attacker) -> None:
    lines = await crowd(attacker, 4, 6)
    for table in attacker.given["tables"].values():
        for _ in range(6):
            await lines.add(table)
    await attacker.ready()

    def message(page: Page, count: int) -> dict[str, Any]:
        return {"type": "say", "phrase": "oops"} if count % 2 else {"type": "hello"}

    await lines.flood(message)


async def hints_and_whys(attacker: Attacker) -> None:
    lines = Lines(attacker)
    for number in range(18):
        game, seats = (("plingo", 2), ("marshmallow", 5), ("merci", 6))[number % 3]
        page = await attacker.alone(game, seats, "easy")
        table, token = page.table["id"], page.token
        await page.close()
        await lines.add(table, token)
    await attacker.ready()

    def message(page: Page, count: int) -> dict[str, Any]:
        if count % 2:
            return {"type": "hint"}
        return {"type": "why", "action": (page.legal or ["draw"])[0]}

    await lines.flood(message)


async def configure_and_fill(attacker: Attacker) -> None:
    lines = await crowd(attacker, 20, 1)
    await attacker.ready()

    def message(page: Page, count: int) -> dict[str, Any]:
        if count % 2:
            return {"type": "fill", "seat": 3, "level": "easy" if count % 4 == 1 else None}
        return {"type": "configure", "options": {"seats": 4 + count // 2 % 2}}

    await lines.flood(message)


async def sit_and_leave(attacker: Attacker) -> None:
    """A client takes a seat and gives it up, over and over; the host's page hears of it all."""
    tables = []
    for _ in range(20):
        made = await attacker.make("plingo", options={"seats": 6})
        tables.append((made["table"], await attacker.enter(made["table"], made["token"])))
    await attacker.ready()

    async def sit(number: int) -> None:
        table, _ = tables[number]
        given = await attacker.post(f"/api/tables/{table}/seats", {"name": "Zoe"})
        if given is None:
            await asyncio.sleep(0.5)
            return
        page = await attacker.own.page(table, given["token"])
        await page.send("leave")
        await page.close()
        attacker.counts["left"] += 1

    await attacker.rush(len(tables), sit)


async def spectators(attacker: Attacker) -> None:
    lines = Lines(attacker)
    tables = attacker.given["tables"]
    for number in range(60):
        await lines.add(tables[("marshmallow", "twinit")[number % 2]])
    await attacker.ready()
    await lines.flood(lambda page, count: {"type": "log"} if count % 20 == 0 else None)


async def fill_a_guest(attacker: Attacker) -> None:
    """A host tells a bot to play for a guest who is there."""
    made = await attacker.make("plingo", options={"seats": 2})
    guest = attacker.at("127.0.9.9")
    token = (await guest.sit(made["table"]))["token"]
    pages = [await attacker.enter(made["table"], made["token"])]
    pages.append(await guest.page(made["table"], token))
    for page in pages:
        await page.contribute()
    await pages[0].send("begin")
    await pages[1].sees(lambda table: bool(table["state"] == "playing"))
    await attacker.ready()
    replaced = False

    async def fill(_: int) -> None:
        await pages[0].send("fill", seat=1, level="medium")
        await asyncio.sleep(0.2)

    async def watch(_: int) -> None:
        nonlocal replaced
        await pages[1].next()
        replaced |= pages[1].table["seats"][1]["stand_in"]

    filling = asyncio.create_task(attacker.rush(1, fill))
    hearing = asyncio.create_task(attacker.rush(1, lambda _: attacker.listen(pages[0])))
    await attacker.rush(1, watch)
    await asyncio.gather(filling, hearing)
    if replaced:
        attacker.faults.append("a bot plays for a guest who is there")
