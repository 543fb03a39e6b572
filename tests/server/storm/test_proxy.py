"""The proxy forwards what it is given, holds it back, and resets connections."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.server.storm.proxy import Proxy

LONG = 3 << 20
"""Bytes: more than all buffers on the way hold."""


async def _echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
        writer.write(b"the end")
        await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


@pytest.fixture
async def proxy() -> AsyncIterator[Proxy]:
    """Before a server that says everything again."""
    server = await asyncio.start_server(_echo, "127.0.0.1", 0)
    proxy = await Proxy(server.sockets[0].getsockname()[1]).start()
    yield proxy
    await proxy.close()
    server.close()
    await server.wait_closed()


async def _said(reader: asyncio.StreamReader, count: int, seconds: float = 10.0) -> bytes:
    return await asyncio.wait_for(reader.readexactly(count), seconds)


async def _first_byte(proxy: Proxy) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    try:
        return await _said(reader, 1)
    finally:
        writer.close()


async def test_bytes_go_both_ways_in_order_and_so_does_the_end(proxy: Proxy) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    data = b"".join(number.to_bytes(4, "big") for number in range(LONG // 4))
    writer.write(data)
    writer.write_eof()
    assert await _said(reader, LONG) == data
    assert await asyncio.wait_for(reader.read(), 10) == b"the end"
    writer.close()
    await writer.wait_closed()
    await asyncio.sleep(0.1)
    assert not proxy.sides


async def test_a_stalled_connection_stays_open_and_nothing_of_it_is_lost(proxy: Proxy) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    writer.write(b"one")
    assert await _said(reader, 3) == b"one"
    proxy.stall()
    writer.write(b"two")
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(reader.read(1), 0.2)
    late_reader, late_writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    late_writer.write(b"late")
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(late_reader.read(1), 0.2)
    proxy.resume()
    assert await _said(reader, 3) == b"two"
    assert await _said(late_reader, 4) == b"late"
    for each in (writer, late_writer):
        each.close()
        await each.wait_closed()


async def test_what_was_held_arrives_though_its_sender_is_gone() -> None:
    arrived = asyncio.Queue[bytes]()

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await arrived.put(await reader.read())
        writer.close()

    server = await asyncio.start_server(listen, "127.0.0.1", 0)
    proxy = await Proxy(server.sockets[0].getsockname()[1]).start()
    _, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    await asyncio.sleep(0.1)
    proxy.stall()
    writer.write(b"a last word")
    writer.close()
    await writer.wait_closed()
    await asyncio.sleep(0.1)
    assert arrived.empty()
    proxy.resume()
    assert await asyncio.wait_for(arrived.get(), 10) == b"a last word"
    await proxy.close()
    server.close()
    await server.wait_closed()


async def test_a_dropped_connection_is_reset_and_so_are_new_ones_until_it_resumes(
    proxy: Proxy,
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    writer.write(b"one")
    assert await _said(reader, 3) == b"one"
    proxy.drop()
    with pytest.raises(ConnectionResetError):
        await _said(reader, 1)
    with pytest.raises(ConnectionError):
        await _first_byte(proxy)
    proxy.resume()
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    writer.write(b"two")
    assert await _said(reader, 3) == b"two"
    assert len(proxy.sides) == 2
    writer.close()
    await writer.wait_closed()


async def test_where_nobody_listens_a_connection_is_reset() -> None:
    proxy = await Proxy(1).start()
    reader, _ = await asyncio.open_connection("127.0.0.1", proxy.port)
    with pytest.raises(ConnectionResetError):
        await _said(reader, 1)
    await proxy.close()


async def test_several_targets_are_taken_in_turns_without_those_where_nobody_listens() -> None:
    async def serve(name: bytes) -> asyncio.Server:
        async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(name)
            writer.close()

        return await asyncio.start_server(greet, "127.0.0.1", 0)

    one, other = await serve(b"1"), await serve(b"2")
    ports = [each.sockets[0].getsockname()[1] for each in (one, other)]
    proxy = await Proxy(ports[0], 1, ports[1]).start()
    found = [await _first_byte(proxy) for _ in range(6)]
    assert sorted(found) == [b"1"] * 3 + [b"2"] * 3
    other.close()
    await other.wait_closed()
    assert [await _first_byte(proxy) for _ in range(3)] == [b"1"] * 3
    await proxy.close()
    one.close()
    await one.wait_closed()
