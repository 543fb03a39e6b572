"""Rate limits and connection limits of one connection and of one address, and allowed origins."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from multidict import CIMultiDict

from pli.server.limits import Limits
from pli.server.rate_limits import AddressBuckets, TokenBucket
from pli.server.ws import connection
from tests.server.client import QUICK, Running, coming_from, running
from tests.server.ws.malformed import PING, PONG, TEXT, RawSocket, frame


def limits(**some: Any) -> Limits:
    """As they are by default for messages; a test can't hurry those."""
    return Limits(**{**QUICK, "messages": Limits().messages, **some})


# Rates


def test_a_bucket_lets_a_burst_through_and_then_only_its_rate() -> None:
    bucket = TokenBucket((2.0, 5.0), 0.0)
    assert [bucket.take(0.0) for _ in range(7)] == [True] * 5 + [False] * 2
    assert [bucket.take(1.0) for _ in range(3)] == [True, True, False]
    assert sum(bucket.take(1.0 + n / 100) for n in range(1, 1001)) == 20
    assert [bucket.take(1000.0) for _ in range(6)] == [True] * 5 + [False]


def test_of_too_many_addresses_the_oldest_are_forgotten() -> None:
    buckets = AddressBuckets((0.0, 1.0), 2)
    assert buckets.take("a", 0)
    assert buckets.take("b", 0)
    assert not buckets.take("a", 0)
    assert buckets.take("c", 0)
    assert not buckets.take("a", 0)
    assert buckets.take("b", 0)


async def flooded(server: Running, data: bytes, count: int) -> None:
    """A connection that sends this much is closed, and the others at its table see only that."""
    made = await server.make("plingo", options={"seats": 3})
    token = (await server.sit(made["table"]))["token"]
    host = await server.page(made["table"], made["token"])
    line = await RawSocket.open(int(server.url.rpartition(":")[2]), made["table"])
    line.send(frame(TEXT, b'{"type":"hello","token":"%s"}' % token.encode()))
    await host.sees(lambda table: bool(table["seats"][1]["connected"]))
    line.send(data * count)
    assert await line.ends(10)
    line.drop()
    await host.sees(lambda table: not table["seats"][1]["connected"])
    await host.send("say", phrase="bye")
    await host.until("said")
    again = await server.page(made["table"], token)
    assert again.seat == 1


@pytest.mark.parametrize(
    "data",
    [
        frame(TEXT, b'{"type":"say","phrase":"oops"}'),
        frame(TEXT, b"x"),
        frame(PING, b"x"),
        frame(PONG, b"x"),
    ],
    ids=["messages", "nonsense", "pings", "pongs"],
)
@pytest.mark.server(limits=limits())
async def test_who_sends_too_much_is_sent_away(server: Running, data: bytes) -> None:
    await flooded(server, data, 200)


@pytest.mark.server(limits=limits())
async def test_who_is_sent_away_is_told_why(server: Running) -> None:
    made = await server.make("plingo")
    page = await server.page(made["table"], made["token"])
    for _ in range(100):
        await page.send("say", phrase="oops")
    assert (await page.until("closing"))["code"] == "too_fast"
    with pytest.raises(ConnectionError, match="4002"):
        await page.next()
    assert sum(each["type"] == "said" for each in page.told) <= 62


@pytest.mark.server(limits=limits(requests=(5, 5)))
async def test_an_address_that_asks_too_much_waits(server: Running) -> None:
    answers = [await server.get("/api/health") for _ in range(8)]
    assert [status for status, _ in answers[:5]] == [200] * 5
    status, told = answers[-1]
    assert (status, told["code"]) == (429, "too_many_requests")
    await asyncio.sleep(0.3)
    assert (await server.get("/api/health"))[0] == 200


@pytest.mark.server(limits=limits(tables=(0.001, 3)))
async def test_an_address_makes_so_many_tables(server: Running) -> None:
    for _ in range(3):
        await server.make("plingo")
    status, told = await server.post("/api/tables", {"game": "plingo", "name": "Ann"})
    assert (status, told["code"]) == (429, "too_many_tables")


@pytest.mark.server(limits=limits(replays=(0.001, 3)))
async def test_an_address_asks_for_so_many_replays(server: Running) -> None:
    path = f"/api/tables/{(await server.make('plingo'))['table']}/games/1/replay"
    asked = [(await server.get(path))[0] for _ in range(5)]
    assert asked == [403, 403, 403, 429, 429]


@pytest.mark.server(limits=limits())
async def test_a_page_gets_one_log_at_a_time(server: Running) -> None:
    page = (await server.people("plingo", 2))[0]
    for _ in range(20):
        await page.send("log")
    await page.until("log")
    assert {each["code"] for each in page.told if each["type"] == "problem"} == {"not_now"}


@pytest.mark.server(limits=limits(files=(0.001, 3)))
async def test_an_address_asks_for_so_many_pages_and_files(server: Running) -> None:
    asked = [(await server.get("/nothing.js"))[0] for _ in range(5)]
    assert asked == [404, 404, 404, 429, 429]
    assert (await server.get("/api/health"))[0] == 200


@pytest.mark.server(limits=limits(requests=(0.001, 3), refused_seconds=0.5))
async def test_who_asks_on_and_on_waits_for_each_refusal_and_the_others_do_not(
    server: Running,
) -> None:
    while (await server.get("/api/games"))[0] != 429:
        pass
    loop, asked = asyncio.get_running_loop(), 0
    ends = loop.time() + 2
    while loop.time() < ends:
        assert (await server.get("/api/games"))[0] == 429
        asked += 1
    assert asked <= 4  # as fast as it can it would be some thousand
    async with coming_from(server, "127.0.0.2") as other:
        assert (await other.get("/api/games"))[0] == 200


@pytest.mark.server(limits=limits(requests=(0.001, 3), refused_seconds=5, sockets=5))
async def test_of_an_address_only_so_many_wait_for_a_refusal(server: Running) -> None:
    port = int(server.url.rpartition(":")[2])
    while (await server.get("/api/games"))[0] != 429:
        pass
    before = len(asyncio.all_tasks())
    for _ in range(100):  # gone before they hear of it, which frees their connections
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /api/games HTTP/1.1\r\nHost: x\r\n\r\n")
        with suppress(TimeoutError, ConnectionError):
            await asyncio.wait_for(reader.read(1), 0.01)
        writer.transport.abort()
    assert len(asyncio.all_tasks()) - before <= 12  # two of each that waits


@pytest.mark.server(limits=limits(logs=(0.001, 3)))
async def test_an_address_asks_for_so_many_logs(server: Running) -> None:
    pages = await server.people("plingo", 2)
    for number in range(3):
        await pages[number % 2].send("log")
        await pages[number % 2].until("log")
    assert await pages[0].asks("log") == "too_many_requests"
    assert await pages[1].asks("log") == "too_many_requests"


@pytest.mark.server(limits=limits(address_messages=(0.001, 30)))
async def test_all_lines_of_an_address_together_send_so_much(server: Running) -> None:
    table = (await server.make("plingo"))["table"]
    async with coming_from(server, "127.0.0.2") as other:
        apart = await other.page(table)
        pages = [await server.page(table) for _ in range(5)]
        for page in pages:
            for _ in range(10):
                await page.send("say", phrase="oops")
        told = [await page.until("closing") for page in pages[-2:]]
        assert [each["code"] for each in told] == ["too_fast", "too_fast"]
        await apart.send("say", phrase="oops")
        assert (await apart.until("problem"))["code"] == "only_watching"


# How many


@pytest.mark.server(limits=limits(all_tables=3))
async def test_a_server_has_so_many_unfinished_tables(server: Running) -> None:
    for _ in range(3):
        await server.make("plingo")
    status, told = await server.post("/api/tables", {"game": "plingo", "name": "Ann"})
    assert (status, told["code"]) == (503, "server_full")


@pytest.mark.parametrize("some", [{"connections": 3}, {"all_connections": 3}])
async def test_there_are_so_many_connections_at_a_time(
    tmp_path: Path, some: dict[str, int]
) -> None:
    async with running(tmp_path, limits(**some)) as server:
        table = (await server.make("plingo"))["table"]
        pages = [await server.page(table) for _ in range(3)]
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await server.connect(table)
        assert refused.value.status == 429
        await pages[0].close()
        async with asyncio.timeout(5):
            while len(server.context.connections) > 2:
                await asyncio.sleep(0.01)
        pages.append(await server.page(table))
        for page in pages:
            await page.close()


@pytest.mark.server(limits=limits(spectators=2))
async def test_a_table_has_so_many_spectators_and_its_people_come_in_all_the_same(
    server: Running,
) -> None:
    made = await server.make("plingo")
    watching = [await server.page(made["table"]) for _ in range(2)]
    page = await server.connect(made["table"])
    await page.send("hello")
    assert (await page.until("problem"))["code"] == "too_many_spectators"
    host = await server.page(made["table"], made["token"])
    assert host.seat == 0
    for each in (*watching, page, host):
        await each.close()


# Lines


@pytest.mark.server(limits=limits(hello_seconds=0.6))
async def test_a_line_on_which_nobody_says_hello_is_cut_though_it_answers_pings(
    server: Running,
) -> None:
    page = await server.connect((await server.make("plingo"))["table"])
    await page.send("hello", token="x" * 32)
    assert (await page.until("problem"))["code"] == "not_your_seat"
    for _ in range(3):
        await page.send("say", phrase="hello")
        assert (await page.until("problem"))["code"] == "hello_first"
    assert (await page.until("closing"))["code"] == "silent"  # the client answers pings itself


@pytest.mark.server(limits=limits())
async def test_a_line_that_takes_nothing_is_cut_and_the_table_goes_on(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "CLOSE_TIMEOUT", 0.3)
    made = await server.make("plingo")
    host = await server.page(made["table"], made["token"])
    line = await RawSocket.open(int(server.url.rpartition(":")[2]), made["table"])
    assert isinstance(line.writer.transport, asyncio.Transport)
    line.writer.transport.pause_reading()
    line.send(frame(TEXT, b'{"type":"hello"}'))
    await host.sees(lambda table: table["spectators"] == 1)
    (stuck,) = [each for each in server.context.connections if each.seat is None]
    message = b'{"type":"problem","code":"x","text":"%s"}' % (b"x" * 60_000)
    async with asyncio.timeout(20):
        while stuck in server.context.connections:
            stuck.tell(message)
            await asyncio.sleep(0.005)
    await host.sees(lambda table: table["spectators"] == 0)
    line.drop()


# Addresses


ADDRESSES: list[tuple[list[str], str]] = [
    ([], "127.0.0.1"),
    (["203.0.113.9"], "203.0.113.9"),
    (["198.51.100.1, 203.0.113.9"], "203.0.113.9"),
    (["198.51.100.1", "203.0.113.9"], "203.0.113.9"),
    (["2001:db8:1:2:3:4:5:6"], "2001:db8:1:2::"),
    (["::ffff:203.0.113.9"], "203.0.113.9"),
    (["nonsense"], "unknown"),
]


@pytest.mark.parametrize("proxied", [True, False])
async def test_only_behind_a_proxy_is_believed_what_a_proxy_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, proxied: bool
) -> None:
    async with running(tmp_path, proxied=proxied) as server:
        context, seen = server.context, list[str]()
        allow = context.allow_request

        def watched(request: web.Request) -> None:
            seen.append(context.address(request))
            allow(request)

        monkeypatch.setattr(context, "allow_request", watched)
        for told, address in ADDRESSES:
            headers = CIMultiDict(("X-Forwarded-For", each) for each in told)
            assert (await server.get("/api/health", headers=headers))[0] == 200
            assert seen.pop() == (address if proxied else "127.0.0.1")


@pytest.mark.server(limits=limits(requests=(0.001, 2)), proxied=True)
async def test_addresses_have_their_limits_each(server: Running) -> None:
    for address in ("203.0.113.9", "203.0.113.10", "2001:db8::1"):
        headers = {"X-Forwarded-For": f"198.51.100.1, {address}"}
        asked = [await server.get("/api/health", headers=headers) for _ in range(3)]
        assert [status for status, _ in asked] == [200, 200, 429]
    headers = {"X-Forwarded-For": "2001:db8::2"}  # another of the same client_prefix
    assert (await server.get("/api/health", headers=headers))[0] == 429


# Other sites


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (None, True),
        ("{here}", True),
        ("https://cards.example", True),
        ("http://elsewhere.example", False),
        ("{here}.elsewhere.example", False),
        ("https://cards.example.elsewhere.example", False),
        ("null", False),
        ("http://[", False),
        ("", False),
    ],
)
@pytest.mark.server(origins=("https://cards.example",))
async def test_pages_of_other_sites_can_neither_post_nor_play(
    server: Running, origin: str | None, allowed: bool
) -> None:
    table = (await server.make("plingo"))["table"]
    headers = {} if origin is None else {"Origin": origin.format(here=server.url)}
    wanted = 201 if allowed else 403
    body: Any = {"game": "plingo", "name": "Ann"}
    assert (await server.post("/api/tables", body, headers=headers))[0] == wanted
    path = f"/api/tables/{table}/seats"
    assert (await server.post(path, {"name": "Bob"}, headers=headers))[0] == wanted
    url = f"{server.url}/api/tables/{table}/play"
    if allowed:
        await (await server.session.ws_connect(url, headers=headers)).close()
    else:
        with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
            await server.session.ws_connect(url, headers=headers)
