"""Slow and hostile clients: requests that never end, responses that are not read, too many
sockets, WebSocket frames that no browser sends."""

import asyncio
import logging
import os
import random
import re
import resource
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest

from pli.errors import PliError
from pli.server.http.runner import HttpConnection
from pli.server.limits import Limits
from tests.server.client import QUICK, Running
from tests.server.ws.malformed import BINARY, CLOSE, PING, TEXT, RawSocket, frame

ELSEWHERE = "127.0.0.2"
"""Another address of this machine."""

LONG = 20.0
"""Seconds: for what must happen at once on a machine that is not busy."""

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def port(server: Running) -> int:
    return int(server.url.rpartition(":")[2])


async def connect(server: Running, source: str = "127.0.0.1") -> Stream:
    return await asyncio.open_connection("127.0.0.1", port(server), local_addr=(source, 0))


async def rest(stream: Stream, seconds: float = LONG) -> bytes:
    """What comes until the server ends it."""
    reader, writer = stream
    found = b""
    with suppress(ConnectionError):
        async with asyncio.timeout(seconds):
            while more := await reader.read(1 << 16):
                found += more
    writer.close()
    return found


def limits(**some: Any) -> Limits:
    return Limits(**{**QUICK, **some})


# Slow requests

HEAD = (
    b"POST /api/tables HTTP/1.1\r\nHost: a\r\nAccept-Language: fr\r\nContent-Length: 1000\r\n\r\n"
)
UPGRADE = b"GET /nothing HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"


@pytest.mark.parametrize("trickled", [False, True], ids=["silent", "trickled"])
@pytest.mark.parametrize(
    ("begin", "more"),
    [
        (b"GET /", b"x"),
        (b"GET / HTTP/1.1\r\nHost: a\r\n", b"X: y\r\n"),
        (HEAD, b" "),
        (HEAD.replace(b"Content-Length: 1000", b"Transfer-Encoding: chunked"), b"1\r\n \r\n"),
        (b"GET /api/games HTTP/1.1\r\nHost: a\r\n\r\nGET /", b"x"),
        (UPGRADE + HEAD, b" "),
    ],
    ids=["path", "head", "body", "chunks", "second", "after an upgrade"],
)
@pytest.mark.usefixtures("short_keep_alive")
@pytest.mark.server(limits=limits(request_seconds=0.6))
async def test_a_request_that_does_not_come_to_its_end_is_ended(
    server: Running, begin: bytes, more: bytes, trickled: bool
) -> None:
    stream = await connect(server)
    _, writer = stream
    writer.write(begin)
    ended = asyncio.create_task(rest(stream))
    while trickled and not ended.done():
        await asyncio.sleep(0.05)
        with suppress(ConnectionError):
            writer.write(more)
    answer = await ended
    # A connection that was used before, and then says nothing whole, may end without a word.
    if trickled or b"/api/games" not in begin:
        found = re.search(rb"HTTP/1.. 408", answer)
        assert found is not None
        told = answer[found.start() :]
        assert b"default-src 'none'" in told
        wrong = msgspec.json.decode(told.partition(b"\r\n\r\n")[2])
        assert wrong["code"] == "request_late"
        language = "fr" if b": fr" in begin else "en"  # the head may not have come that far
        assert wrong["text"] == PliError("request_late").text(language)
    assert (await server.get("/api/games"))[0] == 200


@pytest.mark.server(limits=limits(request_seconds=2))
async def test_who_is_slow_but_in_time_is_answered_and_may_ask_again(server: Running) -> None:
    body = msgspec.json.encode({"game": "plingo", "name": "Ann"})
    head = b"POST /api/tables HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % len(body)
    reader, writer = await connect(server)
    for _ in range(2):
        for data in (head[:7], head[7:30], head[30:], body[:9], body[9:]):
            writer.write(data)
            await asyncio.sleep(0.1)
        async with asyncio.timeout(LONG):
            assert b" 201 " in await reader.readuntil(b"\r\n\r\n")
            assert b"token" in await reader.readuntil(b"}")
        await asyncio.sleep(2.2)  # a connection that asks nothing is not late
    writer.close()


# Slow readers


@pytest.fixture
def large(static: Path) -> int:
    """The web client has a large file: its size."""
    (static / "assets" / "large.bin").write_bytes(bytes(64 << 20))
    return 64 << 20


@pytest.fixture
def short_keep_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pli.server.http.runner.KEEP_ALIVE", 1.0)


@pytest.fixture
def short_lingering(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pli.server.http.runner.LINGER", 0.5)


async def gives_up(caplog: pytest.LogCaptureFixture) -> None:
    """Waits until the server does not wait any more for an answer to be taken."""
    async with asyncio.timeout(LONG):
        while "answer_seconds" not in [getattr(each, "limit", "") for each in caplog.records]:
            await asyncio.sleep(0.05)


@pytest.mark.server(limits=limits(answer_seconds=0.8))
async def test_an_answer_that_nobody_takes_is_given_up(
    large: int, server: Running, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    stream = await connect(server)
    stream[1].write(b"GET /assets/large.bin HTTP/1.1\r\nHost: a\r\n\r\n")
    await gives_up(caplog)
    assert len(await rest(stream)) < large / 2


@pytest.mark.server(limits=limits(answer_seconds=0.8))
async def test_answers_to_many_requests_at_once_that_nobody_takes_are_given_up(
    server: Running, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    request = b"GET /api/rules/plingo/en HTTP/1.1\r\nHost: a\r\n\r\n"
    stream = await connect(server)
    stream[1].write(request * 4000)
    await gives_up(caplog)
    assert 0 < (await rest(stream)).count(b"HTTP/1.1 200") < 4000


@pytest.mark.usefixtures("short_lingering")
@pytest.mark.server(limits=limits())
async def test_a_connection_that_is_closed_does_not_wait_for_ever_for_the_rest_to_be_taken(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = HttpConnection.connection_made

    def little_room(self: HttpConnection, transport: asyncio.BaseTransport) -> None:
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
        made(self, transport)

    monkeypatch.setattr(HttpConnection, "connection_made", little_room)
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    await asyncio.to_thread(line.connect, ("127.0.0.1", port(server)))
    line.sendall(b"GET /api/rules/merci/en HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    async with asyncio.timeout(LONG):
        while server.context.sockets.count == 0:
            await asyncio.sleep(0.02)
        while server.context.sockets.count:
            await asyncio.sleep(0.02)
    line.close()


# Sockets


@pytest.mark.server(limits=limits())
async def test_one_address_can_not_hold_all_sockets(server: Running) -> None:
    table = (await server.make("plingo"))["table"]
    streams = [await connect(server, ELSEWHERE) for _ in range(300)]
    ends = [asyncio.create_task(reader.read(1)) for reader, _ in streams]
    async with asyncio.timeout(LONG):
        while sum(each.done() for each in ends) < 100:
            await asyncio.sleep(0.02)
    page = await server.page(table)  # from another address
    assert page.table["id"] == table
    assert sum(each.done() for each in ends) == 100
    (kept, *_) = [end for end in ends if not end.done()]
    streams[ends.index(kept)][1].write(b"GET /api/games HTTP/1.1\r\nHost: a\r\n\r\n")
    assert await kept == b"H"  # it is answered
    for _, writer in streams:
        writer.close()
    await asyncio.gather(*ends, return_exceptions=True)
    async with asyncio.timeout(LONG):  # who lets go may come again
        while True:
            again = await connect(server, ELSEWHERE)
            again[1].write(b"GET /api/games HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            if (await rest(again)).startswith(b"HTTP/1.1 200"):
                return


@pytest.mark.server(limits=limits(sockets=5), proxied=True)
async def test_a_trusted_proxy_has_all_sockets_it_needs_but_its_visitors_do_not(
    server: Running,
) -> None:
    table = (await server.make("plingo"))["table"]
    url = f"{server.url}/api/tables/{table}/play"
    for address in ("203.0.113.9", "203.0.113.10"):
        headers = {"X-Forwarded-For": address}
        lines = [await server.session.ws_connect(url, headers=headers) for _ in range(5)]
        with pytest.raises(aiohttp.WSServerHandshakeError, match="429"):
            await server.session.ws_connect(url, headers=headers)
        status, told = await server.get("/api/games", headers=headers)
        assert (status, told["code"]) == (429, "too_many_connections")
        await lines[0].close()
        async with asyncio.timeout(LONG):
            while (await server.get("/api/games", headers=headers))[0] == 429:
                await asyncio.sleep(0.02)


# Descriptors


@contextmanager
def serving(folder: Path, descriptors: tuple[int, int], *options: str) -> Iterator[tuple[int, str]]:
    """A server that has so many file descriptors, and could have so many: its process and URL."""
    command = [sys.executable, "-m", "pli", "serve", "--port", "0", "--workers", "1"]
    command += ["--db", str(folder / "tables.db"), *options]
    with (
        (folder / "log").open("w") as log,
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, descriptors),
        ) as process,
    ):
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found is not None
            yield process.pid, found[0].rstrip("/")
        finally:
            process.kill()


def seconds_of(pid: int) -> float:
    """That a process has worked."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@linux
def test_a_server_takes_as_many_descriptors_as_it_may_have(tmp_path: Path) -> None:
    with serving(tmp_path, (80, 300)) as (pid, _):
        told = Path(f"/proc/{pid}/limits").read_text()
        assert re.search(r"Max open files +300 +300 ", told)


@linux
async def test_a_server_out_of_descriptors_neither_spins_nor_logs_for_ever_and_recovers(
    tmp_path: Path,
) -> None:
    async def healthy(url: str) -> None:
        async with aiohttp.ClientSession() as session, asyncio.timeout(LONG):
            while True:
                with suppress(aiohttp.ClientError):
                    async with session.get(f"{url}/api/health") as response:
                        if response.status == 200:
                            return
                await asyncio.sleep(0.1)

    with serving(tmp_path, (100, 100), "--limit", "sockets=1000") as (pid, url):
        await healthy(url)
        where = ("127.0.0.1", int(url.rpartition(":")[2]))
        held = [socket.create_connection(where) for _ in range(300)]
        await asyncio.sleep(0.5)
        before = seconds_of(pid)
        for _ in range(4):
            await asyncio.sleep(0.5)
            held += [socket.create_connection(where) for _ in range(20)]
        assert seconds_of(pid) - before < 1
        assert len(os.listdir(f"/proc/{pid}/fd")) < 100  # there are some left for files
        for each in held:
            each.close()
        await healthy(url)
    lines = [msgspec.json.decode(line) for line in (tmp_path / "log").read_text().splitlines()]
    (line,) = [line for line in lines if line["event"] == "limit met"]
    assert (line["limit"], line["address"]) == ("descriptors", "127.0.0.1")
    assert not [line for line in lines if line["level"] == "error"]


# Frames


async def close_code(line: RawSocket) -> int:
    """With which the server ends a connection."""
    data = await rest((line.reader, line.writer))
    return int(struct.unpack("!H", data[-2:])[0])


HELLO = frame(TEXT, b'{"type":"hello"}')


@pytest.mark.parametrize(
    ("before", "wrong"),
    [
        (b"", frame(TEXT, b'{"type":"hello"}', masked=False)),
        (b"", frame(BINARY, b'{"type":"hello"}' + b" " * 500, masked=False)),
        (b"", frame(PING, b"", masked=False)),
        (b"", frame(CLOSE, b"\x03\xe8", masked=False)),
        (HELLO, frame(TEXT, b"x", masked=False)),
        (HELLO + frame(PING, b"x"), frame(TEXT, b"x" * 130, masked=False)),
        (frame(TEXT, b" " * 300), frame(TEXT, b"x" * 200, masked=False)),
    ],
)
@pytest.mark.parametrize("byte_by_byte", [False, True])
async def test_a_frame_that_is_not_masked_ends_the_connection_with_1002(
    server: Running, before: bytes, wrong: bytes, byte_by_byte: bool
) -> None:
    line = await RawSocket.open(port(server), (await server.make("plingo"))["table"])
    if byte_by_byte:
        for byte in before + wrong[:2]:
            line.send(bytes([byte]))
            await asyncio.sleep(0.001)
    else:
        line.send(before + wrong)
    assert await close_code(line) == 1002


async def test_masked_frames_come_through_however_they_are_cut(server: Running) -> None:
    rng = random.Random(5)
    table = (await server.make("plingo"))["table"]
    for _ in range(10):
        line = await RawSocket.open(port(server), table)
        spaces = b" " * rng.choice((0, 90, 130, 3000))
        data = frame(PING, b"x" * 125) + frame(TEXT, b'{"type":"hello"}' + spaces)
        data += frame(TEXT, b'{"type":"be', fin=False) + frame(PING, b"") + frame(0, b'gin"}')
        cuts = sorted(rng.sample(range(1, len(data)), 12))
        for begin, end in pairwise([0, *cuts, len(data)]):
            line.send(data[begin:end])
            await asyncio.sleep(0.001)
        async with asyncio.timeout(LONG):
            await line.reader.readuntil(b'"type":"welcome"')
            await line.reader.readuntil(b'"type":"problem"')
        line.drop()
