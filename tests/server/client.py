"""A real server in this process and WebSocket clients without a browser, shared by the server's
tests."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
from aiohttp import web

from pli.bots.workers import BotPool
from pli.server.context import Context
from pli.server.http.app import close_connections, make_app
from pli.server.http.runner import Runner
from pli.server.journal.open import open_journal
from pli.server.limits import Limits
from pli.server.tables.table import Table, load_table
from tests.server.protocol.schemas import check_message

_ENOUGH = (1e6, 1e6)
QUICK: dict[str, Any] = {
    **dict.fromkeys(
        ("messages", "address_messages", "requests", "files", "tables", "seats"), _ENOUGH
    ),
    "refused_seconds": 0,
    "slow_entries": 1_000_000,
    "rest_entries": 1_000_000,
}
"""Limits that a test does not meet, however quickly it and its bots act."""

BRIEF: dict[str, Any] = {**QUICK, "linger_seconds": 0.02}
"""The same, where a table leaves memory as soon as its last connection has closed."""

PATIENCE = 20.0
"""Seconds after which a test gives up waiting for a message."""


def whole(view: dict[str, Any], legal: list[str], change: dict[str, Any]) -> dict[str, Any]:
    """The whole update that follows from a delta and what was known before."""
    gone, more = change["gone"], change["more"]
    return {
        **{key: value for key, value in change.items() if key not in ("gone", "more")},
        "type": "update",
        "view": view | change["view"],
        "legal": [each for each in legal if each not in gone] + more,
    }


class Page:
    """One WebSocket connection. Checks all messages against the schema and keeps them; deltas are
    kept as the whole updates that follow from them."""

    keeps = True
    """False: nothing is kept or checked, for measurements and long runs."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.token: str | None = None
        self.raw: list[bytes] = []
        self.told: list[dict[str, Any]] = []
        self.table: dict[str, Any] = {}
        self.view: dict[str, Any] = {}
        self.legal: list[str] = []
        self.seat: int | None = None
        self.n = -1
        self.id = 0
        """Of the last action sent."""

    async def send(self, kind: str, /, **fields: object) -> None:
        await self.socket.send_str(msgspec.json.encode({"type": kind, **fields}).decode())

    async def do(self, action: str, number: int | None = None) -> int:
        self.id = self.id + 1 if number is None else number
        await self.send("do", id=self.id, action=action)
        return self.id

    async def next(self) -> dict[str, Any]:
        """The next message of any kind. ConnectionError: the connection is closed."""
        frame = await self.socket.receive(PATIENCE)
        if frame.type is not aiohttp.WSMsgType.TEXT:
            raise ConnectionError(str(self.socket.close_code))
        message: dict[str, Any] = msgspec.json.decode(frame.data)
        self.table = message.get("table", self.table)
        if self.keeps:
            self.raw.append(frame.data.encode())
            check_message(message, self.table.get("game"), self.view)
        if message["type"] == "change":
            message = whole(self.view, self.legal, message)
        if self.keeps:
            self.told.append(message)
        if message["type"] == "welcome":
            self.seat = message["seat"]
            self.id = max(self.id, message["acted"])
        if message["type"] in ("welcome", "update"):
            self.view = message["view"] or {}
            self.legal, self.n = message["legal"], message["n"]
        return message

    async def until(
        self, kind: str, holds: Callable[[dict[str, Any]], bool] = lambda _: True
    ) -> dict[str, Any]:
        """Reads on to the first message of this kind for which that holds."""
        return await self._reads(kind, lambda message: message["type"] == kind and holds(message))

    async def sees(self, holds: Callable[[dict[str, Any]], bool]) -> None:
        """Reads on until that holds of the table, if it does not yet."""
        if not holds(self.table):
            await self._reads("such table", lambda _: holds(self.table))

    async def _reads(self, what: str, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        try:
            async with asyncio.timeout(PATIENCE):
                while True:
                    message = await self.next()
                    if holds(message):
                        return message
        except TimeoutError:
            raise AssertionError(f"no {what}, only {self.told[-3:]}") from None

    async def until_frame(self, kind: aiohttp.WSMsgType) -> aiohttp.WSMessage:
        """Reads raw frames up to one of this kind, for connections without automatic pongs."""
        async with asyncio.timeout(PATIENCE):
            while (frame := await self.socket.receive()).type is not kind:
                pass
        return frame

    @property
    def first_action(self) -> str:
        """The first legal action that is not a denunciation, which would only be a guess."""
        return next(action for action in self.legal if action != "denounce")

    async def play(self) -> None:
        """Does the first legal action whenever there is one, until the game is over."""
        async with asyncio.timeout(3 * PATIENCE):
            tried = -1
            while self.table["state"] == "playing":
                if self.legal and tried != self.n:
                    tried = self.n
                    await self.do(self.first_action)
                await self.next()
        await self.until("update")  # which comes after the news that the game is over

    async def contribute(self) -> None:
        await self.send("random", hex=secrets.token_hex(16))

    async def asks(self, kind: str, /, **fields: object) -> str:
        """Sends a message that is refused: the code of the problem."""
        await self.send(kind, **fields)
        return str((await self.until("problem"))["code"])

    async def close(self) -> None:
        await self.socket.close()


class Visitor:
    """A client of a server, over HTTP and WebSockets."""

    page_kind: type[Page] = Page

    def __init__(self, url: str, session: aiohttp.ClientSession) -> None:
        self.url = url
        self.session = session

    async def get(self, path: str, **more: Any) -> tuple[int, Any]:
        async with self.session.get(self.url + path, **more) as response:
            return response.status, await _read(response)

    async def post(self, path: str, body: object, **more: Any) -> tuple[int, Any]:
        data = msgspec.json.encode(body)
        async with self.session.post(self.url + path, data=data, **more) as response:
            return response.status, await _read(response)

    async def make(self, game: str, **fields: object) -> dict[str, Any]:
        """A new table: its id, and its host's token."""
        status, made = await self.post("/api/tables", {"game": game, "name": "Ann", **fields})
        assert status == 201, made
        return dict(made)

    async def sit(self, table: str, name: str = "Bob", **fields: object) -> dict[str, Any]:
        status, seat = await self.post(f"/api/tables/{table}/seats", {"name": name, **fields})
        assert status == 201, seat
        return dict(seat)

    async def connect(self, table: str) -> Page:
        """A connection that has not said hello."""
        return self.page_kind(await self.session.ws_connect(f"{self.url}/api/tables/{table}/play"))

    async def page(self, table: str, token: str | None = None, **more: object) -> Page:
        """A page that has been welcomed."""
        page = await self.connect(table)
        page.token = token
        await page.send("hello", **({"token": token} if token else {}), **more)
        await page.until("welcome")
        return page

    async def waiting(
        self, game: str, seats: int, people: int | None = None, **fields: Any
    ) -> list[Page]:
        """A table with people at its first seats, or at all; each page knows its token."""
        options = {"seats": seats, **fields.pop("options", {})}
        made = await self.make(game, options=options, **fields)
        tokens = [made["token"]]
        for number in range(1, seats if people is None else people):
            tokens.append((await self.sit(made["table"], f"P{number}"))["token"])
        return [await self.page(made["table"], token) for token in tokens]

    async def people(self, game: str, seats: int, **fields: Any) -> list[Page]:
        """A table with a person at every seat, dealt."""
        pages = await self.waiting(game, seats, **fields)
        await deal(pages)
        return pages

    async def alone(self, game: str, seats: int, bots: str = "medium", **fields: Any) -> Page:
        """One person among bots that don't pause, dealt."""
        settings = {"pace": "instant", **fields.pop("settings", {})}
        fields |= {"bots": bots, "settings": settings}
        (page,) = await self.waiting(game, seats, 1, **fields)
        await deal([page])
        return page


class Running(Visitor):
    """A server in this process, and a client of it."""

    def __init__(self, url: str, context: Context, session: aiohttp.ClientSession) -> None:
        super().__init__(url, session)
        self.context = context

    async def durable(self, table: str) -> Table:
        """The table that follows from its journal: what is durable, and so shown."""
        return load_table(table, await self.context.journal.entries(table))

    async def unloaded(self, *tables: str) -> None:
        """Waits until these tables are in the journal only, which takes `linger_seconds`."""
        async with asyncio.timeout(PATIENCE):
            while any(self.context.lobby.in_memory(table) for table in tables):
                await asyncio.sleep(0.01)


@asynccontextmanager
async def coming_from(server: Running, address: str) -> AsyncIterator[Running]:
    """The same server for a client at another address of this machine, such as 127.0.0.2."""
    connector = aiohttp.TCPConnector(local_addr=(address, 0), force_close=True)
    async with aiohttp.ClientSession(connector=connector) as session:
        yield Running(server.url, server.context, session)


async def deal(pages: list[Page]) -> None:
    """All add their randomness, the first one is the host and begins."""
    for page in pages:
        await page.contribute()
    await pages[0].send("begin")
    for page in pages:
        await page.until("update")


async def play_some(pages: list[Page], actions: int) -> None:
    """So many actions, each the first legal one of a seat that is awaited."""
    for _ in range(actions):
        seats = pages[0].view["awaited"]
        if not seats:
            return
        actor = pages[seats[0]]
        await actor.do(actor.first_action)
        for page in pages:
            await page.until("update", lambda told: bool(told["events"]))


async def finished(server: Running, seats: int = 3) -> list[Page]:
    """The pages of a table full of people, after a short game."""
    pages = await server.people(
        "marshmallow", seats, options={"target": 1}, settings={"pace": "instant"}
    )
    while pages[0].table["state"] == "playing":
        actor = pages[pages[0].view["awaited"][0]]
        await actor.do(actor.legal[0])
        for page in pages:
            await page.until("update")
    return pages


def filled_in(path: str, table: str) -> str:
    """A route's path with a value for each parameter."""
    return path.format(
        table=table, number=1, sheet="0" * 20, game="plingo", language="fr", study="none"
    )


async def _read(response: aiohttp.ClientResponse) -> Any:
    data = await response.read()
    return msgspec.json.decode(data) if response.content_type == "application/json" else data


@asynccontextmanager
async def running(
    folder: Path,
    limits: Limits | None = None,
    trust_clock: bool = False,
    db: str | None = None,
    **more: Any,
) -> AsyncIterator[Running]:
    """A server with its journal in a folder, or at the URL `db`; started again there it goes on."""
    journal = await open_journal(db or str(folder / "tables.db"), trust_clock)
    context = Context(journal, BotPool(1), limits or Limits(**QUICK), **more)
    app = make_app(context)
    runner = Runner(app, 1.0)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    async with aiohttp.ClientSession() as session:
        try:
            yield Running(f"http://127.0.0.1:{port}", context, session)
        finally:
            await close_connections(app)
            await asyncio.sleep(0.05)
            await session.close()
            await runner.cleanup()
