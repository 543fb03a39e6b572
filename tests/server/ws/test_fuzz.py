"""Random and malformed input on HTTP and WebSockets: the server does not fail, leaks nothing, and
other tables play on."""

import asyncio
import logging
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import aiohttp
import msgspec
import pytest

from pli.games import load
from pli.server.limits import UNLIMITED
from pli.testing.walks import any_action
from tests.conftest import FUZZ
from tests.server.client import Running
from tests.server.players import Game, Person, seated
from tests.server.protocol.knowledge import Audit, Truth
from tests.server.ws.malformed import (
    CLOSE,
    PING,
    TEXT,
    RawSocket,
    frame,
    nested,
    wild_bytes,
    wild_frame,
    wild_request,
    wrong_messages,
)

FRAMES = 10_000 * FUZZ
REQUESTS = 1_000 * FUZZ
LINES = 250 * FUZZ


@asynccontextmanager
async def quiet(caplog: pytest.LogCaptureFixture) -> AsyncIterator[None]:
    """Nothing is logged meanwhile that an operator would have to look into."""
    with caplog.at_level(logging.DEBUG):
        yield
    loud = [each for each in caplog.records if each.exc_info or each.levelno >= logging.WARNING]
    # Advice to the operator of a proxy, which a request with a foreign Origin may call forth: once.
    advice = [each for each in loud if "its Origin is not the Host" in each.getMessage()]
    assert len(advice) <= 1
    loud = [each for each in loud if each not in advice]
    assert not loud, (loud[0].getMessage(), loud[0].exc_text, loud[0].exc_info)


def port_of(server: Running) -> int:
    return int(server.url.rpartition(":")[2])


@pytest.mark.server(limits=UNLIMITED)
async def test_every_field_with_every_wrong_value_is_answered(
    server: Running, caplog: pytest.LogCaptureFixture
) -> None:
    made = await server.make("plingo")
    async with quiet(caplog):
        page = await server.page(made["table"])
        frames = [*map(msgspec.json.encode, wrong_messages()), *nested(500), *nested(1600)]
        for data in frames:
            await page.socket.send_bytes(data)
            await page.until("problem")
        assert {each["type"] for each in page.told} <= {"welcome", "problem", "line"}
        assert len(page.told) > 900
        await page.close()


class Attack:
    """All that is sent to two tables while people play there."""

    def __init__(self, server: Running, tables: list[Game]) -> None:
        self.server = server
        self.tables = tables
        self.frames = 0
        self.heard: list[bytes] = []
        """What was sent once, to be sent again."""
        self.told: dict[str, list[tuple[list[bytes], list[str]]]] = {}
        """By table, all that was received by one connection, and what it sent."""
        self.answers: dict[int, int] = {}
        """By status."""

    async def all(self) -> None:
        one, two = self.tables
        share = FRAMES // 10
        frames = [
            *(self.watcher(one, share, seed) for seed in range(4)),
            *(self.watcher(two, share, seed) for seed in range(4, 6)),
            *(self.stranger(one, share, seed) for seed in range(6, 8)),
            self.player(one, share * 2),
        ]
        lines = [self.lines(one, LINES // 5, seed) for seed in range(5)]
        await asyncio.gather(*frames, *lines)
        await asyncio.gather(*(self.requests(one, REQUESTS // 20, seed) for seed in range(20)))

    async def watcher(self, table: Game, count: int, seed: int) -> None:
        """A spectator that sends random messages."""
        rng = random.Random(f"watcher {seed}")
        while count > 0:
            socket = await self._socket(table)
            await socket.send_str('{"type":"hello","lang":"es"}')
            count = await self._send(table, socket, count, rng)

    async def stranger(self, table: Game, count: int, seed: int) -> None:
        """A connection that is never welcomed: without hello, or with tokens of other tables."""
        rng = random.Random(f"stranger {seed}")
        other = next(each for each in self.tables if each is not table)
        while count > 0:
            socket = await self._socket(table)
            for token in [*other.tokens, table.tokens[0][:-1], table.tokens[0] + "x"]:
                await socket.send_str(f'{{"type":"hello","token":"{token}"}}')
            count = await self._send(table, socket, count, rng, hello=False)

    async def player(self, table: Game, count: int) -> None:
        """A player that sends random messages between its actions."""
        rng = random.Random("player")
        person = table.people[2]
        for _ in range(count):
            data = wild_frame(rng, self.heard)
            raw = data.encode() if isinstance(data, str) else data
            if b'"do"' not in raw:  # its own actions must have rising numbers
                person.sent.append(raw.decode(errors="replace"))
                await person.page.socket.send_bytes(raw)
                self.frames += 1
            await asyncio.sleep(0)

    async def _socket(self, table: Game) -> aiohttp.ClientWebSocketResponse:
        return await self.server.session.ws_connect(
            f"{self.server.url}/api/tables/{table.table}/play"
        )

    async def _send(
        self,
        table: Game,
        socket: aiohttp.ClientWebSocketResponse,
        count: int,
        rng: random.Random,
        hello: bool = True,
    ) -> int:
        """Sends until the line is cut or all is sent; tells how much is left to send."""
        received: list[bytes] = []
        sent: list[str] = []
        self.told.setdefault(table.table, []).append((received, sent))

        async def read() -> None:
            async for message in socket:
                if message.type is aiohttp.WSMsgType.TEXT:
                    received.append(message.data.encode())

        reading = asyncio.create_task(read())
        with suppress(ConnectionError):
            while count > 0 and not socket.closed:
                data = wild_frame(rng, self.heard)
                raw = data.encode() if isinstance(data, str) else data
                if not hello and b"hello" in raw:
                    continue
                if rng.random() < 0.02:
                    self.heard.append(raw)
                sent.append(raw.decode(errors="replace"))
                await (socket.send_str(data) if isinstance(data, str) else socket.send_bytes(data))
                count -= 1
                self.frames += 1
                await asyncio.sleep(0)
        await socket.close()
        await reading
        return count

    async def lines(self, table: Game, count: int, seed: int) -> None:
        """What no browser would send, lines that break off, and lines of which nothing is heard."""
        rng = random.Random(f"lines {seed}")
        left: list[RawSocket] = []
        for number in range(count):
            line = await RawSocket.open(port_of(self.server), table.table)
            if rng.random() < 0.5:
                line.send(frame(TEXT, b'{"type":"hello"}'))
            for _ in range(rng.randrange(1, 4)):
                line.send(wild_bytes(rng))
                self.frames += 1
            if number % 10 == 0:
                line.send(frame(PING, b"x") * 300)
                self.frames += 300
            end = rng.randrange(3)
            if end == 0:
                line.send(frame(CLOSE, b""))
                await line.ends(1)
            if end == 1 and len(left) < 5:
                left.append(line)
                continue
            line.drop()
        for line in left:
            line.drop()

    async def requests(self, table: Game, count: int, seed: int) -> None:
        rng = random.Random(f"requests {seed}")
        for _ in range(count):
            reader, writer = await asyncio.open_connection("127.0.0.1", port_of(self.server))
            asked = wild_request(rng, table.table)
            writer.write(asked)
            answer = b"HTTP/1.1 100"
            # One that promises more than it holds is waited for, and gets no answer.
            with suppress(ConnectionError, TimeoutError, asyncio.IncompleteReadError):
                async with asyncio.timeout(0.3):
                    while answer.split()[1] == b"100":
                        answer = await reader.readuntil(b"\r\n\r\n")
                status = int(answer.split()[1])
                assert status < 500, (asked, answer)
                assert b"Content-Security-Policy" in answer, (asked, answer)
                self.answers[status] = self.answers.get(status, 0) + 1
            writer.transport.abort()


async def played_until(table: Game, stop: asyncio.Event, rng: random.Random) -> int:
    """Game after game, each to its end. How many it were."""
    await table.deal()
    for number in range(1, 1000):
        while table.playing:
            await table.step(rng)
            await asyncio.sleep(0.01)
        for person in table.people:
            await person.hears("table")
        results = table.watcher.page.table["results"]
        assert len(results) == number
        assert results[-1]
        if stop.is_set():
            return number
        for person in table.people:
            await person.page.send("again")
        for person in table.people:
            while person.page.table["number"] == number:
                await asyncio.sleep(0.002)
            await person.page.contribute()
        while not table.playing:
            await asyncio.sleep(0.002)
    raise AssertionError


@pytest.mark.cut_connections
@pytest.mark.server(limits=UNLIMITED)
async def test_ten_thousand_wild_frames_and_the_tables_play_on(
    server: Running, caplog: pytest.LogCaptureFixture
) -> None:
    async with quiet(caplog):
        tables = [
            await seated(server, "marshmallow", {"seats": 3, "target": 6}),
            await seated(server, "plingo", {"seats": 3}),
        ]
        stop = asyncio.Event()
        playing = [
            asyncio.create_task(played_until(table, stop, random.Random(number)))
            for number, table in enumerate(tables)
        ]
        attack = Attack(server, tables)
        await attack.all()
        stop.set()
        async with asyncio.timeout(60):
            games = await asyncio.gather(*playing)
        for table in tables:
            await table.close()
        async with asyncio.timeout(10):
            while server.context.connections:
                await asyncio.sleep(0.01)
        assert (await server.get("/api/health"))[1]["status"] == "ok"
    assert attack.frames >= FRAMES
    assert {200, 201, 400, 404, 405} <= set(attack.answers)
    assert min(games) > 0
    for table in tables:
        truth = Truth(table.table, await server.context.journal.entries(table.table))
        audit = Audit(truth, [token for each in tables for token in each.tokens])
        for person in table.all:
            audit.hold(person.page.raw, person.sent)
        for received, sent in attack.told[table.table]:
            audit.hold(received, sent)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("merci", {"seats": 3, "rules": "full", "fault_window_ms": 20}),
        ("twinit", {"seats": 3, "catches": 2, "count_ms": 20}),
    ],
    ids=["merci", "twinit"],
)
@pytest.mark.server(limits=UNLIMITED)
async def test_whoever_acts_at_random_where_time_matters_stops_nobody(
    server: Running, caplog: pytest.LogCaptureFixture, game: str, options: dict[str, object]
) -> None:
    """Before the game, in it and after it, without waiting for an answer."""
    rng = random.Random(game)
    async with quiet(caplog), asyncio.timeout(60):
        table = await seated(server, game, options)
        wild = table.people.pop()
        notation = load(game).notation

        async def acts(count: int) -> None:
            for _ in range(count):
                await wild.page.do(notation.show(any_action(notation, rng)))

        await acts(50)
        table.people.append(wild)
        await table.deal()
        table.people.pop()
        while table.playing:
            await acts(10)
            await table.step(rng)
            awaited = wild.page.seat in wild.page.view["awaited"]
            if awaited and wild.page.legal:
                await wild.does(rng.choice(wild.page.legal))
        await acts(50)
        # Every action is answered, whatever becomes of it.
        while answered(wild) < wild.page.id:
            await asyncio.sleep(0.01)
        assert table.watcher.page.table["results"]
        await table.close()


def answered(person: Person) -> int:
    return sum(
        each["type"] in ("refused", "done") or (each["type"] == "update" and each["did"] > 0)
        for each in person.page.told
    )
