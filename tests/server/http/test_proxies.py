"""Behind reverse proxies: which client address a request is counted for, and what an operator is
told who forgot an option."""

import asyncio
from pathlib import Path

import aiohttp
import pytest

from pli.errors import BadOption, PliError
from pli.server.addresses import LOOPBACK, Proxies, client_prefix, networks
from pli.server.limits import Limits
from tests.server.client import running

PROXY, PRIVATE, DIRECT = "127.0.0.1", "10.0.0.7", "198.51.100.7"


@pytest.mark.parametrize(
    ("peer", "told", "hops", "visitor"),
    [
        (PROXY, [], 1, PROXY),
        (PROXY, ["203.0.113.9"], 1, "203.0.113.9"),
        (PROXY, ["192.0.2.1, 203.0.113.9"], 1, "203.0.113.9"),
        (PROXY, ["192.0.2.1", "203.0.113.9"], 1, "203.0.113.9"),
        (PROXY, ["192.0.2.1,203.0.113.9 , 10.0.0.7"], 2, "203.0.113.9"),
        (PROXY, ["192.0.2.1, 203.0.113.9", "10.0.0.7"], 2, "203.0.113.9"),
        (PROXY, ["203.0.113.9"], 2, "203.0.113.9"),
        (PROXY, ["203.0.113.9:1234"], 1, "203.0.113.9"),
        (PROXY, ["[2001:db8:1:2:3:4:5:6]:1234"], 1, "2001:db8:1:2::"),
        (PROXY, ["[2001:db8:1:2::3]"], 1, "2001:db8:1:2::"),
        (PROXY, ["2001:db8:1:2:3:4:5:6"], 1, "2001:db8:1:2::"),
        (PROXY, ["::ffff:203.0.113.9"], 1, "203.0.113.9"),
        ("::1", ["203.0.113.9"], 1, "203.0.113.9"),
        ("::ffff:127.0.0.1", ["203.0.113.9"], 1, "203.0.113.9"),
        (PROXY, ["nonsense"], 1, "unknown"),
        (PROXY, ["203.0.113.9,"], 1, "unknown"),
        (PROXY, [",,,"], 9, "unknown"),
        (PROXY, ["[", "]"], 1, "unknown"),
        (PROXY, ["999.1.1.1"], 1, "unknown"),
        (DIRECT, ["203.0.113.9"], 1, DIRECT),
        (DIRECT, ["nonsense"], 1, DIRECT),
        (PRIVATE, ["203.0.113.9"], 1, PRIVATE),
        ("2001:db8:1:2::3", ["203.0.113.9"], 1, "2001:db8:1:2::"),
        ("", ["203.0.113.9"], 1, "unknown"),
    ],
)
def test_a_visitor_is_whom_the_outermost_trusted_proxy_saw(
    peer: str, told: list[str], hops: int, visitor: str
) -> None:
    assert client_prefix(Proxies(LOOPBACK, hops).client(peer, told)) == visitor
    assert client_prefix(Proxies((), hops).client(peer, told)) == client_prefix(peer)


def test_other_proxies_are_trusted_where_they_are_named() -> None:
    proxies = Proxies(("10.0.0.0/8", "fd00::/8", "192.0.2.1"))
    for peer in (PRIVATE, "fd00::1", "192.0.2.1", "::ffff:10.1.2.3"):
        assert proxies.client(peer, ["203.0.113.9"]) == "203.0.113.9"
    for peer in (PROXY, "192.0.2.2", "fe80::1", "unknown"):
        assert proxies.client(peer, ["203.0.113.9"]) == peer


@pytest.mark.parametrize("text", ["", "everybody", "10.0.0.0/33", "10.0.0.0/8, ::1", "*"])
def test_a_proxy_that_is_none_is_told(text: str) -> None:
    with pytest.raises(BadOption, match="trusted-proxy"):
        networks([text])


async def test_who_comes_past_the_proxy_can_not_choose_its_address(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    few = Limits(requests=(0.001, 20))
    async with running(tmp_path, few, proxied=True, trusted=("127.0.0.1",)) as server:

        async def asked(source: str, told: str) -> int:
            headers = {"X-Forwarded-For": told}
            there = aiohttp.TCPConnector(local_addr=(source, 0))
            async with (
                aiohttp.ClientSession(connector=there) as session,
                session.get(server.url + "/api/games", headers=headers) as response,
            ):
                return response.status

        seen = []
        for source in ("127.0.0.1", "127.0.0.2"):
            for number in range(23):
                seen.append((source, await asked(source, f"203.0.113.{number}")))
        assert {status for source, status in seen if source == "127.0.0.1"} == {200}
        assert {status for source, status in seen if source == "127.0.0.2"} == {200, 429}
    hints = [each for each in caplog.records if "--trusted-proxy" in each.getMessage()]
    assert [each.__dict__["peer"] for each in hints] == ["127.0.0.2"]


@pytest.mark.parametrize(
    ("host", "origin", "code"),
    [
        (None, "https://cards.example", "no_host"),
        ("", "https://cards.example", "no_host"),
        ("127.0.0.1:8420", "https://cards.example", "no_host"),
        ("[::1]:8420", "https://cards.example", "no_host"),
        ("localhost:8420", "https://cards.example", "no_host"),
        ("pli:8420", "https://cards.example", "no_host"),
        ("cards.example", "https://cards.example:8443", "no_host"),
        ("cards.example", "https://elsewhere.example", "wrong_origin"),
        ("cards.example", "null", "wrong_origin"),
        ("127.0.0.1:8420", "null", "wrong_origin"),
        ("127.0.0.1:8420", "http://[", "wrong_origin"),
        ("[", "https://cards.example", "wrong_origin"),
        ("cards.example", "https://cards.example", None),
        ("127.0.0.1:8420", "https://named.example", None),
    ],
)
async def test_a_proxy_that_does_not_pass_the_host_on_is_told_to(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    host: str | None,
    origin: str,
    code: str | None,
) -> None:
    async with running(tmp_path, origins=("https://named.example",)) as server:
        port = int(server.url.rpartition(":")[2])
        named = "" if host is None else f"Host: {host}\r\n"
        body = '{"game":"plingo","name":"Ann"}'
        head = (
            f"POST /api/tables HTTP/1.0\r\n{named}Origin: {origin}\r\nContent-Length: {len(body)}"
        )
        for _ in range(3):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(f"{head}\r\n\r\n{body}".encode())
            async with asyncio.timeout(20):
                answer = (await reader.read()).decode()
            writer.close()
            if code is None:
                assert " 201 " in answer.splitlines()[0]
            else:
                assert " 403 " in answer.splitlines()[0]
                assert PliError(code).text() in answer
    hints = [each for each in caplog.records if "--origin" in each.getMessage()]
    assert len(hints) == (1 if code == "no_host" else 0)
    assert "--origin" in PliError("no_host").text()
