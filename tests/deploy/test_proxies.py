"""The shipped configurations of nginx and Caddy, run before real servers."""

import asyncio
import secrets
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from pli.server.logs import table_hash
from pli.server.rooms.lobby import ALPHABET, NAME_LENGTH
from tests.deploy.proxies import PATIENCE, Server, caddy, executable, logged, nginx, serving
from tests.server.client import Visitor

Proxy = Callable[[Sequence[Server]], AbstractContextManager[str]]

PROXIES: dict[str, Proxy] = {"nginx": nginx, "caddy": caddy}

LEFT_OUT = 5.0
"""Seconds after which a proxy has found out that a server is back."""


@pytest.fixture(params=PROXIES)
def proxy(request: pytest.FixtureRequest) -> Proxy:
    name = str(request.param)
    if not executable(name):
        pytest.skip(f"{name} is not installed")
    return PROXIES[name]


@pytest.fixture(scope="module")
def strict_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on which an address may make two tables."""
    limits = ("--limit", "tables=[0.0001, 2]", "--limit", "refused_seconds=0")
    with serving(tmp_path_factory.mktemp("strict"), "strict", *limits) as server:
        yield server


@pytest.fixture
def two_servers(tmp_path: Path) -> Iterator[list[Server]]:
    with (
        serving(tmp_path, "first", "--no-limits") as first,
        serving(tmp_path, "second", "--no-limits") as second,
    ):
        yield [first, second]


@asynccontextmanager
async def visiting(url: str, address: str = "127.0.0.1") -> AsyncIterator[Visitor]:
    """A client at an address of this machine."""
    connector = aiohttp.TCPConnector(local_addr=(address, 0))
    async with aiohttp.ClientSession(connector=connector) as session:
        yield Visitor(url, session)


def table_names(count: int) -> list[str]:
    return ["".join(secrets.choice(ALPHABET) for _ in range(NAME_LENGTH)) for _ in range(count)]


async def test_a_game_is_played_through_the_proxy(proxy: Proxy, strict_server: Server) -> None:
    with proxy([strict_server]) as url:
        async with visiting(url, "127.0.0.10") as visitor:
            page = await visitor.alone("marshmallow", 2)
            before = page.n
            if not page.legal:
                await page.until("update", lambda told: bool(told["legal"]))
            await page.do(page.first_action)
            await page.until("update", lambda told: told["n"] > before)
            await page.close()


async def test_the_host_is_passed_on_so_that_pages_of_other_sites_are_refused(
    proxy: Proxy, strict_server: Server
) -> None:
    body = {"game": "plingo", "name": ""}
    with proxy([strict_server]) as url:
        async with visiting(url, "127.0.0.11") as visitor:
            own_page = {"Host": "cards.example", "Origin": "https://cards.example"}
            _, own = await visitor.post("/api/tables", body, headers=own_page)
            assert own["code"] == "bad_message"  # which is looked at after the origin
            other_page = {"Host": "cards.example", "Origin": "https://elsewhere.example"}
            status, refused = await visitor.post("/api/tables", body, headers=other_page)
            assert (status, refused["code"]) == (403, "wrong_origin")


async def test_limits_are_counted_by_the_clients_own_address(
    proxy: Proxy, strict_server: Server
) -> None:
    start = 20 + 10 * [*PROXIES.values()].index(proxy)
    first, second = f"127.0.0.{start}", f"127.0.0.{start + 1}"
    body = {"game": "plingo", "name": "Ann"}
    with proxy([strict_server]) as url:
        async with visiting(url, first) as visitor:
            for status in (201, 201, 429):
                assert (await visitor.post("/api/tables", body))[0] == status
            forged = {"X-Forwarded-For": "203.0.113.9"}
            assert (await visitor.post("/api/tables", body, headers=forged))[0] == 429
        async with visiting(url, second) as visitor:
            assert (await visitor.post("/api/tables", body))[0] == 201
    seen = [line["address"] for line in strict_server.requests()]
    assert (seen.count(first), seen.count(second)) == (4, 1)
    assert "203.0.113.9" not in seen


async def test_a_big_body_is_refused(proxy: Proxy, strict_server: Server) -> None:
    with proxy([strict_server]) as url:
        async with (
            visiting(url, "127.0.0.12") as visitor,
            visitor.session.post(f"{url}/api/tables", data=b"x" * 100_000) as response,
        ):
            assert response.status == 413


async def visit(visitor: Visitor, table: str) -> None:
    """All that is asked for about a table: its pages, the API, pictures, a WebSocket."""
    places = (
        f"/t/{table}",
        f"/r/{table}/1",
        f"/api/tables/{table}",
        f"/pictures/{table}/1/{'0' * 20}",
    )
    for path in places:
        await visitor.get(path)
    page = await visitor.connect(table)
    await page.send("hello")
    assert (await page.until("problem"))["code"] == "no_such_table"
    await page.close()


VISITED = 5
"""Requests of `visit`."""


async def test_all_of_one_table_goes_to_one_server_and_tables_are_spread(
    proxy: Proxy, two_servers: list[Server]
) -> None:
    tables = table_names(24)
    with proxy(two_servers) as url:
        async with visiting(url) as visitor:
            for _ in range(2):
                for table in tables:
                    await visit(visitor, table)
            found = await logged(two_servers, 2 * VISITED * len(tables))
            for _ in range(24):
                assert (await visitor.get("/api/tables"))[0] == 200
            everything = await logged(two_servers, 2 * VISITED * len(tables) + 24)
    where = defaultdict(list)
    for number, lines in enumerate(found):
        for line in lines:
            parts = line.get("path", "").removeprefix("/api").split("/")
            where[line.get("table") or parts[2]].append(number)
    assert where.keys() == {table_hash(table) for table in tables}
    assert {len(numbers) for numbers in where.values()} == {2 * VISITED}
    chosen = [{*numbers} for numbers in where.values()]
    assert all(len(each) == 1 for each in chosen)
    assert {0} in chosen
    assert {1} in chosen
    for before, after in zip(found, everything, strict=True):
        assert len(after) > len(before)  # what is about no table is spread too


async def test_a_client_whose_connections_are_aborted_puts_no_server_out_of_use(
    proxy: Proxy, tmp_path: Path
) -> None:
    """Beyond its limits a server aborts a client's connections: to a proxy that looks like a server
    that fails, and it must not be left out for everybody."""
    limits = [f"--limit={each}" for each in ("requests=[1, 20]", "sockets=2")]
    tables = table_names(8)
    with (
        serving(tmp_path, "first", *limits) as first,
        serving(tmp_path, "second", *limits) as second,
        proxy([first, second]) as url,
    ):
        servers = [first, second]

        async def visited(address: str) -> list[list[bool]]:
            """At which servers a client finds each table."""
            async with visiting(url, address) as visitor:
                for table in tables:
                    assert (await visitor.get(f"/api/tables/{table}"))[0] == 404
                async with asyncio.timeout(PATIENCE):
                    while True:
                        lines = [each.requests() for each in servers]
                        own = [[x for x in some if x["address"] == address] for some in lines]
                        if sum(map(len, own)) == len(tables):
                            break
                        await asyncio.sleep(0.05)
            return [
                [any(table_hash(table) in line["path"] for line in some) for some in own]
                for table in tables
            ]

        before = await visited("127.0.0.50")
        async with visiting(url, "127.0.0.51") as attacker:
            flood = [attacker.get(f"/api/tables/{tables[n % 8]}") for n in range(96)]
            statuses = [status for status, _ in await asyncio.gather(*flood)]
        assert 502 in statuses
        assert await visited("127.0.0.52") == before


async def test_another_server_takes_the_place_of_one_that_is_down_until_it_is_back(
    proxy: Proxy, two_servers: list[Server]
) -> None:
    tables = table_names(12)
    first, second = two_servers

    def at(server: Server, table: str) -> int:
        return sum(table_hash(table) in line.get("path", "") for line in server.requests())

    with proxy(two_servers) as url:
        async with visiting(url) as visitor:
            for table in tables:
                assert (await visitor.get(f"/api/tables/{table}"))[0] == 404
            await logged(two_servers, len(tables))
            lost = [table for table in tables if at(first, table)]
            assert lost
            page = await visitor.connect(lost[0])
            first.kill()
            async with asyncio.timeout(PATIENCE):
                while not page.socket.closed:
                    await page.socket.receive()
            again = await visitor.connect(lost[0])
            await again.send("hello")
            assert (await again.until("problem"))["code"] == "no_such_table"
            await again.close()
            for table in tables:
                assert (await visitor.get(f"/api/tables/{table}"))[0] == 404
            async with asyncio.timeout(PATIENCE):
                while not all(at(second, table) for table in tables):
                    await asyncio.sleep(0.05)
            for _ in range(8):
                await visitor.make("plingo")  # a POST is sent on too, if it was not sent yet
            first.start()
            before = at(first, lost[0])
            async with asyncio.timeout(10 * LEFT_OUT):
                while at(first, lost[0]) == before:
                    assert (await visitor.get(f"/api/tables/{lost[0]}"))[0] == 404
                    await asyncio.sleep(0.5)
