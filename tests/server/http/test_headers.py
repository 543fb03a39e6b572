"""Security headers on everything the server sends: answers, errors, answers to what is not HTTP,
and static files."""

import asyncio
import re
from pathlib import Path

import aiohttp
import pytest

from pli.server.http.routes import ROUTES
from pli.server.limits import Limits
from pli.server.protocol.messages import LARGEST
from tests.server.client import Running, filled_in


def strict(headers: dict[str, str]) -> None:
    policy = headers["content-security-policy"]
    rules = dict(each.strip().split(" ", 1) for each in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == "'self'"
    assert rules["frame-ancestors"] == "'none'"
    assert rules["base-uri"] == "'none'"
    assert "unsafe" not in policy
    assert "*" not in policy
    assert "http" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in headers
    assert "aiohttp" not in headers.get("server", "").lower()
    assert "set-cookie" not in headers


async def asked(server: Running, data: bytes) -> int:
    """The status of the answer, whose headers are held."""
    port = int(server.url.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    async with asyncio.timeout(10):
        answer = (await reader.readuntil(b"\r\n\r\n")).decode()
    writer.transport.abort()
    first, *lines = answer.strip().split("\r\n")
    strict({name.lower(): value for name, value in (line.split(": ", 1) for line in lines)})
    return int(first.split()[1])


def get(path: str, more: str = "", method: str = "GET") -> bytes:
    return f"{method} {path} HTTP/1.1\r\nHost: a\r\n{more}\r\n".encode()


async def test_every_route_answers_under_strict_headers(server: Running) -> None:
    made = await server.make("plingo")
    for route in ROUTES:
        for table in (made["table"], "a" * 10):
            path = filled_in(route.path, table)
            assert re.fullmatch(r"[a-z0-9/.]+", path)
            for method in ("GET", "POST", "DELETE"):
                more = "Content-Length: 0\r\n" if method == "POST" else ""
                assert await asked(server, get(path, more, method)) < 500


@pytest.mark.server(limits=Limits(requests=(1, 60)))
async def test_errors_leave_under_strict_headers_too(server: Running) -> None:
    large = f"Content-Length: {LARGEST + 1}\r\n\r\n" + "x" * (LARGEST + 1)
    wrong = {
        get("/nothing"): 404,
        get("/api/nothing"): 404,
        get("/api/health", method="DELETE"): 405,
        get("/api/tables", large, "POST"): 413,
        get("/api/tables", "Origin: http://b\r\nContent-Length: 0\r\n", "POST"): 403,
        get("/api/tables", "Expect: much\r\n", "POST"): 417,
        b"GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n": 400,
        b"GET / HTTP/1.1\r\n\r\n": 400,
        b"\x16\x03\x01\x02\x00 HTTP/1.1\r\n\r\n": 400,
        get("/", "X: " + "y" * 9000 + "\r\n"): 400,
    }
    for data, status in wrong.items():
        assert await asked(server, data) == status, data[:80]
    for _ in range(200):
        if await asked(server, get("/api/health")) == 429:
            return
    raise AssertionError


async def test_a_fault_of_ours_tells_nothing_of_itself(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise ValueError("inside")

    monkeypatch.setattr(server.context.lobby, "open_tables", broken)
    assert await asked(server, get("/api/tables")) == 500
    status, told = await server.get("/api/tables")
    assert (status, told["code"]) == (500, "server_fault")
    assert "inside" not in told["text"]


async def test_a_web_socket_begins_under_strict_headers(server: Running) -> None:
    table = (await server.make("plingo"))["table"]
    page = await server.page(table)
    strict({name.lower(): value for name, value in page.socket._response.headers.items()})
    await page.close()
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await server.session.ws_connect(
            f"{server.url}/api/tables/{table}/play", headers={"Origin": "http://b"}
        )
    assert refused.value.headers is not None
    strict({name.lower(): value for name, value in refused.value.headers.items()})


@pytest.mark.usefixtures("static")
async def test_the_clients_files_leave_under_strict_headers_and_nothing_else_does(
    server: Running, tmp_path: Path
) -> None:
    (tmp_path / "private.txt").write_text("private")
    for path in ("/", "/t/abc", "/r/abc/1", "/rules/plingo", "/assets/a-1.js", "/robots.txt"):
        assert await asked(server, get(path)) == 200
        assert await asked(server, get(path, method="HEAD")) == 200
    assert await asked(server, get("/assets/a-1.js", "Range: bytes=5-1\r\n")) == 416
    for path in (
        "/assets",
        "/assets/",
        "/assets/none.js",
        "/assets/../index.html",
        "/assets/..%2f..%2fprivate.txt",
        "/assets/%2e%2e/%2e%2e/private.txt",
        "/../private.txt",
        "/private.txt",
        "/index.html",
        "/table.html",
        "//private.txt",
        "/assets/%00",
        "/assets/" + "x" * 300,
    ):
        assert await asked(server, get(path)) in (403, 404), path
    async with server.session.get(server.url + "/assets/a-1.js") as response:
        assert "immutable" in response.headers["Cache-Control"]
    async with server.session.get(server.url + "/assets/none.js") as response:
        assert response.headers["Cache-Control"] == "no-store"
    async with server.session.get(server.url + "/t/abc") as response:
        assert response.headers["Cache-Control"] == "no-store"
    async with server.session.get(server.url + "/robots.txt") as response:
        assert "max-age" in response.headers["Cache-Control"]
