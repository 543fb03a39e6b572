"""The OpenAPI document: it is valid, it names all that there is, and the server serves it."""

import asyncio
from pathlib import Path
from typing import get_args

import pytest
from aiohttp import web
from openapi_spec_validator import OpenAPIV31SpecValidator

from pli.server.http.openapi import document
from pli.server.http.routes import ROUTES
from pli.server.limits import UNLIMITED
from pli.server.protocol import messages as m
from pli.server.ws.connection import CLOSE_CODES
from tests.server.client import Running
from tests.server.http.api_fuzz import fuzz

DOCUMENT = document(ROUTES)


def test_it_is_an_openapi_document() -> None:
    OpenAPIV31SpecValidator(DOCUMENT).validate()


def test_every_route_is_in_it_and_nothing_else() -> None:
    told = {
        (method.upper(), path) for path, methods in DOCUMENT["paths"].items() for method in methods
    }
    routes = {(route.method, route.path) for route in ROUTES}
    assert told == routes | {("HEAD", route.path) for route in ROUTES if route.answers_head}


def test_every_operation_has_a_name_of_its_own() -> None:
    names = [each["operationId"] for path in DOCUMENT["paths"].values() for each in path.values()]
    assert len(names) == len({*names})


def test_the_websocket_names_its_messages_and_close_codes() -> None:
    socket = DOCUMENT["paths"]["/api/tables/{table}/play"]["get"]
    schemas = DOCUMENT["components"]["schemas"]
    for whose, union in (("client", m.FromPage), ("server", m.ToPage)):
        told = schemas[socket["x-messages"][whose]["$ref"].rpartition("/")[2]]
        names = {each["$ref"].rpartition("/")[2] for each in told["anyOf"]}
        assert names == {each.__name__ for each in get_args(union)} <= {*schemas}
    assert {name: each["code"] for name, each in socket["x-close-codes"].items()} == CLOSE_CODES
    assert {*CLOSE_CODES} == {*get_args(m.Farewell)}


async def test_the_server_has_it_and_says_when_it_is_unchanged(server: Running) -> None:
    url = f"{server.url}/api/openapi.json"
    async with server.session.get(url) as response:
        assert response.status == 200
        assert await response.json() == DOCUMENT
        tag = response.headers["ETag"]
    for known, status in ((tag, 304), (f'"other", {tag}', 304), ("*", 304), ('"other"', 200)):
        for method in ("GET", "HEAD"):
            headers = {"If-None-Match": known}
            async with server.session.request(method, url, headers=headers) as response:
                assert (response.status, response.headers["ETag"]) == (status, tag)
                if status == web.HTTPNotModified.status_code:
                    assert await response.read() == b""


async def test_head_has_no_body_whatever_encodings_a_client_takes(server: Running) -> None:
    page = await server.alone("plingo", 3, "easy")
    await page.send("leave")
    await page.sees(lambda table: table["state"] == "over")
    for kind in ("record", "replay", "moves"):
        for encoding in ("identity", "gzip"):
            path = f"/api/tables/{page.table['id']}/games/1/{kind}"
            head, body = await raw_head(server, path, encoding)
            assert head.startswith("HTTP/1.1 200")
            assert body == b""


async def raw_head(server: Running, path: str, encoding: str) -> tuple[str, bytes]:
    port = int(server.url.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = [f"HEAD {path} HTTP/1.1", "Host: a", f"Accept-Encoding: {encoding}"]
    writer.write("\r\n".join([*lines, "Connection: close", "", ""]).encode())
    async with asyncio.timeout(10):
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    return head.decode(), body


@pytest.mark.server(limits=UNLIMITED)
async def test_requests_made_from_it_are_answered_as_it_says(
    server: Running, tmp_path: Path
) -> None:
    """A short run of `make schemathesis`."""
    cases, wrong = await fuzz(server, tmp_path, examples=3, seed=1)
    assert not wrong, wrong
    assert cases > 500
