"""One attack as a process of its own: at one address, for some seconds, as fast as it can. Whatever
the server says to it, it goes on, and counts what it was told."""

import asyncio
import json
import os
import re
import resource
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from tests.server.client import Page, Visitor
from tests.server.crash.clients import GONE
from tests.server.ws.malformed import RawSocket

AGAIN = 0.05
"""Seconds after which a client that was refused asks again."""

PREPARING = 40.0
"""Seconds to take seats, for attackers that keep to the limits of an address."""

PAUSE = 0.052
"""Seconds between messages: as many as one line may send for ever."""

LARGEST = 3 << 30
"""Bytes of memory that an attacker may take."""

FILES = 4096

Hear = Callable[[Page, dict[str, Any]], Awaitable[object]]

_STATUS = re.compile(rb"HTTP/1\.[01] (\d\d\d)")


class Seat(Page):
    """A page that keeps nothing, however long it stays."""

    keeps = False


class Stranger(Visitor):
    page_kind = Seat


def stranger(url: str, address: str) -> Stranger:
    """A client at an address of this machine, with any number of connections."""
    connector = aiohttp.TCPConnector(local_addr=(address, 0), limit=0)
    return Stranger(url, aiohttp.ClientSession(connector=connector))


@dataclass
class Attacker:
    """What an attack is given, and what it found."""

    url: str
    address: str
    seconds: float
    given: dict[str, Any]
    """`tables`: of victims, by game; `pid`: of the server."""
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    ends: float = 0.0
    _strangers: dict[str, Stranger] = field(default_factory=dict)

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    @property
    def own(self) -> Stranger:
        return self.at(self.address)

    def at(self, address: str) -> Stranger:
        if address not in self._strangers:
            self._strangers[address] = stranger(self.url, address)
        return self._strangers[address]

    async def ready(self) -> None:
        """Everything is prepared: waits until it is to begin."""
        print(json.dumps({"ready": True}), flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        self.ends = time.monotonic() + self.seconds

    async def rush(self, copies: int, work: Callable[[int], Awaitable[object]]) -> None:
        """So many do it again and again until the time is over."""

        async def again(number: int) -> None:
            while True:
                try:
                    await work(number)
                except (*GONE, AssertionError, OSError, EOFError) as error:
                    self.counts[type(error).__name__] += 1
                    await asyncio.sleep(AGAIN)

        tasks = [asyncio.create_task(again(number)) for number in range(copies)]
        done, _ = await asyncio.wait(tasks, timeout=max(0.0, self.ends - time.monotonic()))
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        for task in done:
            task.result()  # it does not end by itself but by a mistake in it

    # What attacks are made of

    async def get(self, path: str, visitor: Visitor | None = None) -> int:
        status, _ = await (visitor or self.own).get(path)
        self.counts[str(status)] += 1
        return status

    async def post(self, path: str, body: object, visitor: Visitor | None = None) -> Any:
        """What was given, or None."""
        status, given = await (visitor or self.own).post(path, body)
        self.counts[str(status)] += 1
        return given if status == 201 else None

    async def insist(self, path: str, body: object, visitor: Visitor | None = None) -> Any:
        """Asks until it is given: for what is prepared."""
        async with asyncio.timeout(PREPARING):
            while (given := await self.post(path, body, visitor)) is None:
                await asyncio.sleep(AGAIN)
        return given

    async def make(self, game: str, **wanted: object) -> Any:
        return await self.insist("/api/tables", {"game": game, "name": "Zoe", **wanted})

    async def enter(self, table: str, token: str | None = None, **more: object) -> Page:
        """A page at a table, as soon as it may come."""
        async with asyncio.timeout(PREPARING):
            while True:
                try:
                    return await self.own.page(table, token, **more)
                except (*GONE, AssertionError) as error:
                    self.counts[f"not in: {getattr(error, 'status', type(error).__name__)}"] += 1
                    await asyncio.sleep(AGAIN)

    async def alone(self, game: str, seats: int, bots: str, **options: object) -> Page:
        """A page at a table of its own, where it plays with bots that don't pause."""
        settings = {"pace": "instant"}
        wanted: dict[str, object] = {"options": {"seats": seats, **options}, "bots": bots}
        made = await self.make(game, settings=settings, **wanted)
        page = await self.enter(made["table"], made["token"], changes=True)
        await page.contribute()
        await page.send("begin")
        return page

    async def back(self, page: Page) -> Page:
        """The page, or another one for its seat if it was closed."""
        if not page.socket.closed:
            return page
        return await self.enter(page.table["id"], page.token, changes=True)

    async def listen(self, page: Page, hear: Hear | None = None) -> None:
        """Reads whatever comes, and counts complaints; ConnectionError if it was closed."""
        while True:
            message = await page.next()
            if message["type"] in ("problem", "closing"):
                self.counts[message["code"]] += 1
            if hear is not None:
                await hear(page, message)

    async def speak(
        self, page: Page, say: Callable[[Page], Awaitable[object]], hear: Hear | None = None
    ) -> None:
        """Says something as often as one line may, and listens, until it is closed."""
        listening = asyncio.create_task(self.listen(page, hear))
        try:
            while not listening.done():
                await say(page)
                self.counts["said"] += 1
                await asyncio.wait([listening], timeout=PAUSE)
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)

    async def raw(self, data: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection on which that was sent."""
        where = ("127.0.0.1", self.port)
        reader, writer = await asyncio.open_connection(*where, local_addr=(self.address, 0))
        writer.write(data)
        return reader, writer

    async def raw_socket(self, table: str) -> RawSocket:
        async with asyncio.timeout(5):
            return await RawSocket.open(self.port, table, self.address)

    async def pipelined(self, requests: Sequence[bytes]) -> None:
        """All on one connection, without waiting for answers in between."""
        reader, writer = await self.raw(b"".join(requests))
        answers = 0
        try:
            async with asyncio.timeout(10):
                while answers < len(requests) and (data := await reader.read(1 << 16)):
                    for status in _STATUS.findall(data):
                        answers += 1
                        self.counts[status.decode()] += 1
        finally:
            writer.transport.abort()

    async def close(self) -> None:
        for each in self._strangers.values():
            await each.session.close()


def request(path: str, method: str = "GET", body: bytes = b"", close: bool = False) -> bytes:
    """Of HTTP, by hand."""
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    if body:
        head += f"Content-Length: {len(body)}\r\nContent-Type: application/json\r\n"
    if close:
        head += "Connection: close\r\n"
    return head.encode() + b"\r\n" + body


async def _attack(name: str, attacker: Attacker) -> None:
    from tests.server.attack.attacks import ATTACKS

    try:
        await ATTACKS[name].run(attacker)
    finally:
        told = {"counts": attacker.counts, "faults": attacker.faults}
        print(json.dumps(told), flush=True)
        await attacker.close()


def main() -> None:
    name, given = sys.argv[1], json.loads(sys.argv[2])
    # Attackers have machines of their own elsewhere: here they must not take the victims' time.
    os.nice(15)
    resource.setrlimit(resource.RLIMIT_AS, (LARGEST, LARGEST))
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(FILES, most), most))
    asyncio.run(_attack(name, Attacker(**given)))


if __name__ == "__main__":
    main()
