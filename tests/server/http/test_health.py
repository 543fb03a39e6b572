"""Health checks, HEAD and OPTIONS requests."""

import asyncio
from pathlib import Path

import aiohttp
import pytest

from pli.server import context as context
from pli.server.http.routes import ROUTES
from tests.server.client import Running, filled_in
from tests.server.journal.sqlite_faults import Connections, Fault


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        (Connections.forbid_writing, Connections.allow_writing),
        (Connections.lock, Connections.unlock),
        (Connections.move_away, Connections.move_back),
    ],
)
async def test_health_is_tried_even_if_nobody_has_saved_anything_lately(
    sqlite: Connections,
    server: Running,
    monkeypatch: pytest.MonkeyPatch,
    begin: Fault,
    end: Fault,
) -> None:
    monkeypatch.setattr(context, "PROBE_INTERVAL", 0.01)
    monkeypatch.setattr("pli.server.journal.sqlite.writer.RETRY_INTERVAL", 0.05)
    monkeypatch.setattr("pli.server.journal.sqlite.writer.FILE_CHECK_INTERVAL", 0.0)

    async def becomes(server: Running, status: int, word: str) -> None:
        async with asyncio.timeout(20):
            while (found := await server.get("/api/health"))[0] != status:
                await asyncio.sleep(0.02)
        assert found[1]["status"] == word
        async with server.session.head(server.url + "/api/health") as response:
            assert (response.status, await response.read()) == (status, b"")

    await becomes(server, 200, "ok")
    await begin(sqlite)
    await becomes(server, 503, "not_saving")
    await end(sqlite)
    await becomes(server, 200, "ok")


async def test_however_many_ask_for_its_health_the_journal_is_written_now_and_then(
    server: Running, tmp_path: Path
) -> None:
    log = tmp_path / "tables.db-wal"
    await server.make("plingo")
    before = log.stat().st_size
    for _ in range(20):
        answers = await asyncio.gather(*(server.get("/api/health") for _ in range(20)))
        assert {status for status, _ in answers} == {200}
    assert log.stat().st_size - before < 20 * 4096


def paths(table: str) -> list[tuple[str, str]]:
    """The method and path of every route, for a table."""
    return [(route.method, filled_in(route.path, table)) for route in ROUTES]


async def test_what_can_be_got_can_be_asked_for_without_its_body(server: Running) -> None:
    table = (await server.make("plingo"))["table"]
    for method, path in paths(table):
        if method != "GET" or path.endswith("/play"):
            continue
        async with server.session.get(server.url + path) as response:
            got = response.status, response.headers["Content-Type"], len(await response.read())
        async with server.session.head(server.url + path) as response:
            length = int(response.headers["Content-Length"])
            assert (response.status, response.headers["Content-Type"], length) == got
            assert await response.read() == b""


async def test_what_can_not_be_done_at_an_address_is_told_with_what_can(server: Running) -> None:
    async def told(response: aiohttp.ClientResponse, methods: set[str]) -> None:
        assert response.status == 405
        assert response.headers["Allow"] == ", ".join(sorted(methods))
        if response.method != "HEAD":
            wrong = await response.json()
            assert wrong["code"] == "not_that_way"
            assert response.headers["Allow"] in wrong["text"]

    table = (await server.make("plingo"))["table"]
    allowed: dict[str, set[str]] = {}
    for method, path in paths(table):
        more = {"HEAD"} if method == "GET" and not path.endswith("/play") else set()
        allowed.setdefault(path, set()).update({method}, more)
    for path, methods in allowed.items():
        for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
            if method not in methods:
                async with server.session.request(method, server.url + path) as response:
                    await told(response, methods)
