"""Who may link: only servers that know the database's secret, each by a proof that can't be
replayed."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from pli.server.cluster import handshake
from pli.server.cluster import wire as w
from pli.server.cluster.handshake import NotLinked

SECRET = secrets.token_bytes(32)


@asynccontextmanager
async def sockets(
    accept: Any,
) -> AsyncIterator[tuple[aiohttp.ClientWebSocketResponse, "asyncio.Future[Any]"]]:
    """A connected socket, and what becomes of the accepting side."""
    accepted: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    async def handle(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        try:
            accepted.set_result(await accept(socket))
        except NotLinked as error:
            accepted.set_result(error)
        await socket.close()
        return socket

    app = web.Application()
    app.router.add_get("/link", handle)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port = runner.addresses[0][1]
    url = f"http://127.0.0.1:{port}/link"
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
        yield socket, accepted
    await runner.cleanup()


def accepting(secret: bytes) -> Any:
    return lambda socket: handshake.accept(socket, "owner", secret)


async def test_servers_that_know_the_secret_know_each_other() -> None:
    async with sockets(accepting(SECRET)) as (socket, accepted):
        await handshake.connect(socket, "edge", "owner", SECRET)
        assert await accepted == "edge"


async def test_a_server_with_another_secret_is_refused() -> None:
    async with sockets(accepting(SECRET)) as (socket, accepted):
        with pytest.raises(NotLinked):
            await handshake.connect(socket, "edge", "owner", secrets.token_bytes(32))
        assert isinstance(await accepted, NotLinked)


async def test_a_server_that_is_not_the_one_that_was_meant_is_refused() -> None:
    async with sockets(accepting(SECRET)) as (socket, _):
        with pytest.raises(NotLinked):
            await handshake.connect(socket, "edge", "another", SECRET)


async def test_whoever_accepts_without_knowing_the_secret_is_found_out() -> None:
    async def pretend(socket: web.WebSocketResponse) -> str:
        await socket.send_bytes(w.encode([w.Challenge("owner", bytes(32), w.VERSION)]))
        await socket.receive()
        await socket.send_bytes(w.encode([w.Accepted(bytes(32))]))
        await socket.receive()
        return ""

    async with sockets(pretend) as (socket, _):
        with pytest.raises(NotLinked):
            await handshake.connect(socket, "edge", "owner", SECRET)


async def test_a_proof_that_was_overheard_is_of_no_use() -> None:
    overheard: list[bytes] = []
    async with sockets(accepting(SECRET)) as (socket, accepted):
        sending = socket.send_bytes

        async def listening(data: bytes, *more: Any, **named: Any) -> None:
            overheard.append(data)
            await sending(data, *more, **named)

        socket.send_bytes = listening  # type: ignore[method-assign]  # to overhear
        await handshake.connect(socket, "edge", "owner", SECRET)
        assert await accepted == "edge"
    async with sockets(accepting(SECRET)) as (socket, accepted):
        await socket.receive()
        await socket.send_bytes(overheard[0])
        assert isinstance(await accepted, NotLinked)


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff", w.encode([w.Ping(1)]), w.encode([w.Attach(1, "t", b"{}", "a", [])])],
    ids=["nothing", "malformed", "ping", "attach"],
)
async def test_whatever_comes_before_a_proof_is_refused(data: bytes) -> None:
    async with sockets(accepting(SECRET)) as (socket, accepted):
        await socket.receive()
        await socket.send_bytes(data)
        assert isinstance(await accepted, NotLinked)


def test_messages_of_a_newer_server_are_passed_over() -> None:
    import msgspec

    frame = msgspec.msgpack.encode([["ping", 7], ["unheard_of", 1, 2], ["pong", 8, "more"]])
    assert w.decode(frame) == [w.Ping(7), w.Pong(8)]
