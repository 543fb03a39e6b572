"""Plain requests: tables without end, files, garbage."""

import asyncio
import random
import re
import time

from tests.server.attack.attacker import Attacker, request
from tests.server.client import Visitor
from tests.server.crash.clients import GONE
from tests.server.ws.malformed import wild_body

MANY = 20_000
AT_ONCE = 20
"""Requests that are sent on one connection without waiting."""


async def never_begun(attacker: Attacker) -> None:
    body = b'{"game":"plingo","name":"Zoe"}'
    made = 0
    await attacker.ready()

    async def make(_: int) -> None:
        nonlocal made
        if made >= MANY:
            await asyncio.sleep(attacker.seconds)
        made += AT_ONCE
        await attacker.pipelined([request("/api/tables", "POST", body)] * AT_ONCE)

    await attacker.rush(60, make)


async def public_tables(attacker: Attacker) -> None:
    """From three addresses, since that was enough; no client ever connects to these tables."""
    begin, _, last = attacker.address.rpartition(".")
    visitors = [attacker.at(f"{begin}.{int(last) + more}") for more in range(3)]
    made: set[str] = set()
    await attacker.ready()

    async def make(number: int) -> None:
        wanted = {"game": "plingo", "name": "Zoe", "public": True}
        given = await attacker.post("/api/tables", wanted, visitors[number])
        if given is not None:
            made.add(given["table"])
        else:
            await asyncio.sleep(0.5)

    await attacker.rush(3, make)
    status, told = await attacker.at(f"{begin}.{int(last) + 3}").get("/api/tables")
    listed = {each["id"] for each in told["tables"]} if status == 200 else set()
    if dead := len(listed & made):
        attacker.faults.append(f"{dead} dead tables in the list")


async def garbage(attacker: Attacker) -> None:
    rng = random.Random(attacker.address)
    table = attacker.given["tables"]["plingo"]
    paths = ("/api/tables", f"/api/tables/{table}/seats", "/api/health", "/nowhere")
    await attacker.ready()

    async def send(_: int) -> None:
        sent = [request(rng.choice(paths), "POST", wild_body(rng) or b"x") for _ in range(20)]
        await attacker.pipelined(sent)

    await attacker.rush(30, send)


async def static_files(attacker: Attacker) -> None:
    """All that costs a server more than a 404, on as many lines as one may have."""
    paths = ["/", "/t/aaaaaaaaaa", "/api/games", "/api/rules/plingo/en", "/icon.svg"]
    paths += await _assets(attacker.own)
    asked = [request(path) for path in paths] * 5
    await attacker.ready()
    await attacker.rush(100, lambda _: attacker.pipelined(asked))


async def _assets(visitor: Visitor) -> list[str]:
    """What the page loads, if the page has been built."""
    status, page = await visitor.get("/")
    if status != 200:
        return []
    return re.findall(r'"(/assets/[^"]+)"', page.decode())[:6]


async def answers(visitor: Visitor, seconds: float) -> bool:
    """Whether a request is answered in that time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            async with asyncio.timeout(seconds):
                if (await visitor.get("/api/health"))[0] == 200:
                    return True
        except GONE:
            await asyncio.sleep(0.1)
    return False
