"""Logs are lines of JSON without secrets, at every log level."""

import asyncio
import logging
import re
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest

from pli.server.journal.open import open_journal
from pli.server.limits import Limits
from pli.server.logs import JsonLines, LogThrottle, table_hash
from pli.server.tables import entries as e
from pli.server.tables.table import hashed
from tests.server.client import Page, Running, running


async def a_busy_evening(url: str) -> tuple[set[str], list[str]]:
    """Games with people and bots, and people who try things. Tells what must not be logged of it,
    and the tables."""
    async with aiohttp.ClientSession() as session:
        context: Any = None  # a process of its own: nobody looks inside
        server = Running(url, context, session)
        hidden: set[str] = set()
        tables = []
        for game, seats in (("marshmallow", 3), ("merci", 3)):
            made = await server.make(
                game,
                options={"seats": seats},
                bots="medium",
                settings={"pace": "instant", "grace": 1},
            )
            page = await server.page(made["table"], made["token"])
            tables.append(made["table"])
            hidden |= {made["token"], hashed(made["token"]), "c0ffee" * 8}
            await page.send("random", hex="c0ffee" * 8)
            await page.send("begin")
            await page.until("update")
            await plays(page)
            await page.socket.send_bytes(b'{"type":"hello","token":"%s"}' % made["token"].encode())
            await page.socket.send_bytes(b"\xff\x00{" + made["token"].encode())
            stranger = await server.connect(made["table"])
            for token in (made["token"][::-1], "x" * 4000):
                hidden.add(token)
                await stranger.send("hello", token=token)
            await server.post(f"/api/tables/{made['table']}/seats", {"name": made["token"]})
            await server.post("/api/tables", {"game": "plingo", "secret": made["token"]})
            await server.get(f"/api/tables/{made['table']}/games/1/record")
            await server.get(f"/api/tables/{made['table']}?token={made['token']}")
            await server.get(f"/r/{made['table']}/1?{made['token']}")
            await page.socket.send_bytes(bytes(9000))
            await stranger.close()
            await page.close()
        port = int(url.rpartition(":")[2])
        for data in (b"\x16\x03\x01\r\n\r\n", b"GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n"):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(data)
            await writer.drain()
            writer.close()
        await asyncio.sleep(0.2)
    return hidden, tables


async def plays(page: Page) -> None:
    """As much as there is time for."""
    ends = asyncio.get_running_loop().time() + 2
    while page.table["state"] == "playing" and asyncio.get_running_loop().time() < ends:
        if page.legal:
            await page.do(page.legal[0])
        await page.next()


async def secrets_of(db: Path, tables: list[str]) -> set[str]:
    journal = await open_journal(str(db))
    hidden = set()
    for table in tables:
        for entry in map(e.decode, await journal.entries(table)):
            if isinstance(entry, e.Committed):
                hidden.add(entry.secret)
            elif isinstance(entry, e.Contributed):
                hidden.add(entry.random)
    await journal.close()
    return hidden


@pytest.mark.parametrize("options", [(), ("--log-requests",)], ids=["", "requests"])
async def test_no_secret_is_ever_logged_and_every_line_is_json(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    db, log = tmp_path / "tables.db", tmp_path / "log"
    command = [sys.executable, "-m", "pli", "serve", "--port", "0", "--db", str(db)]
    with (
        log.open("w") as errors,
        subprocess.Popen(
            [*command, "--log-level", "debug", "--no-limits", *options],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found is not None
            hidden, tables = await a_busy_evening(found[0].rstrip("/"))
        finally:
            process.terminate()
    hidden |= await secrets_of(db, tables)
    hidden |= set(tables)  # a name is the link to its table
    text = log.read_text()
    for secret in hidden:
        assert secret not in text
    lines = [msgspec.json.decode(line) for line in text.splitlines()]
    for line in lines:
        assert {"time", "level", "from", "event"} <= set(line)
        datetime.fromisoformat(line["time"])
        assert line["level"] in ("debug", "info"), line
        assert "trace" not in line
    assert {"serving", "table made", "stopped"} <= {line["event"] for line in lines}
    assert [line["table"] for line in lines if line["event"] == "table made"] == [
        *map(table_hash, tables)
    ]
    requests = [line for line in lines if line["from"] == "pli.requests"]
    assert bool(requests) == bool(options)
    for line in requests:
        assert line["address"] == "127.0.0.1"
    if requests:
        asked = {(line["method"], line["path"], line["status"]) for line in of(lines, "request")}
        assert {("POST", "/api/tables", 201), ("GET", f"/r/{table_hash(tables[0])}/1", 404)} & asked
        assert ("GET", f"/api/tables/{table_hash(tables[0])}", 200) in asked
        assert all(line["ms"] >= 0 and line["bytes"] >= 0 for line in of(lines, "request"))
        assert [line["table"] for line in of(lines, "socket opened")] == [
            table_hash(table) for table in tables for _ in ("a page", "a stranger")
        ]
        ends = of(lines, "socket closed")
        assert len(ends) == 4
        # One of each two sent too large a message.
        assert {line["code"] for line in ends} == {1000, 1009}
        assert all(line["messages"] > 1 and line["ms"] >= 0 for line in ends)


def of(lines: list[dict[str, Any]], event: str) -> list[dict[str, Any]]:
    return [line for line in lines if line["event"] == event]


async def test_who_meets_a_limit_is_logged_once_a_minute_with_its_name(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    few: dict[str, Any] = {"requests": (0.001, 10), "tables": (0.001, 2), "messages": (1, 10)}
    async with running(
        tmp_path, Limits(**few, spectators=1, connections=3), proxied=True
    ) as server:
        tables = [(await server.make("plingo"))["table"] for _ in range(2)]
        for address in ("203.0.113.9", "203.0.113.10"):
            headers = {"X-Forwarded-For": address}
            for _ in range(12):
                await server.get("/api/games", headers=headers)
        for _ in range(3):
            await server.post("/api/tables", {"game": "plingo", "name": "Ann"})
        page = await server.page(tables[0])
        late = [await server.connect(tables[0]) for _ in range(2)]
        for each in late:
            assert await each.asks("hello") == "too_many_spectators"
        with pytest.raises(aiohttp.WSServerHandshakeError, match="429"):
            await server.connect(tables[1])
        for _ in range(20):
            await page.send("say", phrase="oops")
        assert (await page.until("closing"))["code"] == "too_fast"
    met = [(each.__dict__["limit"], each.__dict__["address"]) for each in of_records(caplog)]
    assert met == [
        ("requests", "203.0.113.9"),
        ("requests", "203.0.113.10"),
        ("tables", "127.0.0.1"),
        ("spectators", "127.0.0.1"),
        ("connections", "127.0.0.1"),
        ("messages", "127.0.0.1"),
    ]


def of_records(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    return [each for each in caplog.records if each.getMessage() == "limit met"]


def test_however_many_meet_a_limit_the_log_is_not_filled() -> None:
    seldom = LogThrottle(60.0, most=100)
    assert sum(seldom.allows(("requests", str(number))) for number in range(1000)) == 100
    again = LogThrottle(0.0)
    assert again.allows("x")
    assert again.allows("x")


def test_whatever_is_logged_is_a_line_of_json() -> None:
    def formatted(message: str, *values: object, **extra: Any) -> Any:
        record = logging.getLogger("x").makeRecord(
            "x", logging.ERROR, "f", 1, message, values, None, extra=extra
        )
        line = JsonLines().format(record)
        assert "\n" not in line
        return msgspec.json.decode(line)

    assert formatted("a\nb %s", "c\u2028")["event"] == "a\nb c\u2028"
    assert formatted("x", path="\udcff/\x00")["path"] == "\\udcff/\x00"
    assert formatted("x", seat=None, n=3, thing=object)["n"] == 3


def test_a_fault_is_logged_with_its_trace_on_one_line() -> None:
    try:
        raise ValueError("a\nfault")
    except ValueError:
        info = sys.exc_info()
    record = logging.getLogger("x").makeRecord("x", logging.ERROR, "f", 1, "m", (), info)
    line = JsonLines().format(record)
    assert "\n" not in line
    assert "ValueError" in msgspec.json.decode(line)["trace"]
