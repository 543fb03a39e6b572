"""Below requests and messages: slow ones, wrong frames, lines that come and go."""

import asyncio
import random
import struct
import time
from contextlib import suppress

from pli.server.limits import Limits
from tests.server.attack.attacker import Attacker
from tests.server.attack.requests import answers
from tests.server.attack.target import sockets
from tests.server.crash.clients import GONE
from tests.server.ws.malformed import BINARY, PING, PONG, TEXT, frame, wild_bytes

SOCKETS = 2_000
OTHERS = 20
"""Sockets of newcomers among those that are counted."""

SLACK = 1.5
"""How many times as long as it says a server may take to give up what is slow."""

HEAD = b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "
BODY = (
    b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b"Content-Length: 4000\r\n\r\n{"
)


async def slow_requests(attacker: Attacker) -> None:
    """Opens 2,000 and sends a byte now and then; then counts those that the server keeps."""
    limits = Limits()
    held: dict[asyncio.StreamWriter, float] = {}
    before = sockets(attacker.given["pid"])
    await attacker.ready()

    async def hold(number: int) -> None:
        await asyncio.sleep(number / SOCKETS)
        async with asyncio.timeout(5):
            reader, writer = await attacker.raw(HEAD if number % 2 else BODY)
        attacker.counts["opened"] += 1
        held[writer] = time.monotonic()
        reading = asyncio.create_task(reader.read(1 << 16))
        try:
            while not reading.done():
                writer.write(b" ")
                await asyncio.wait([reading], timeout=2)
            attacker.counts["ended by the server"] += 1
            with suppress(*GONE, OSError):
                reading.result()
        finally:
            reading.cancel()
            del held[writer]
            writer.transport.abort()
        await asyncio.sleep(1)

    most = 0
    old = 0

    async def count(_: int) -> None:
        nonlocal most, old
        await asyncio.sleep(0.2)
        now = time.monotonic()
        if now > attacker.ends - attacker.seconds / 3:
            most = max(most, sockets(attacker.given["pid"]) - before)
            late = SLACK * limits.request_seconds
            old = max(old, sum(now - since > late for since in held.values()))

    rushing = asyncio.create_task(attacker.rush(SOCKETS, hold))
    await attacker.rush(1, count)
    newcomer = attacker.at("127.0.9.9")
    if not await answers(newcomer, 3):
        attacker.faults.append("nobody else is answered")
    await rushing
    if most > limits.sockets + OTHERS:
        attacker.faults.append(f"{most} sockets of one address are held")
    if old:
        attacker.faults.append(f"{old} requests were slower than they may be")


async def frames(attacker: Attacker) -> None:
    rng = random.Random(attacker.address)
    table = attacker.given["tables"]["plingo"]
    hello = frame(TEXT, b'{"type":"hello"}')
    endless = frame(TEXT, b"x" * 100, fin=False) + frame(0, b"x" * 100, fin=False) * 200
    heavy = (
        lambda: frame(PING, b"x" * 125) * 200,
        lambda: frame(PONG, struct.pack("!Q", rng.randrange(9))) * 200,
        lambda: endless,
        lambda: frame(TEXT, b"", fin=False) + frame(0, b"", fin=False) * 5_000,
        lambda: frame(BINARY, b"x" * 8_000) * 40,
        lambda: frame(TEXT, b"[" * 8_000) * 20,
        lambda: frame(TEXT, b'{"type":"log"}', masked=False) * 100,
        lambda: wild_bytes(rng),
    )
    await attacker.ready()

    async def send(_: int) -> None:
        line = await attacker.raw_socket(table)
        line.send(hello)
        line.send(rng.choice(heavy)())
        attacker.counts["sent"] += 1
        attacker.counts["cut"] += await line.ends(1)
        line.drop()

    await attacker.rush(60, send)


async def reconnects(attacker: Attacker) -> None:
    """At tables of every kind, watching and going at once."""
    tables = [*attacker.given["tables"].values()]
    await attacker.ready()

    async def come(number: int) -> None:
        line = await attacker.raw_socket(tables[number % len(tables)])
        line.send(frame(TEXT, b'{"type":"hello"}'))
        await line.reader.read(1000)
        line.drop()
        attacker.counts["came"] += 1

    await attacker.rush(60, come)
