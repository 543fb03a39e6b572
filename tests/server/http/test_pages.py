"""The client's pages: for unknown addresses as well, and how long a browser may keep them."""

import pytest

from tests.server.client import Running

BROWSER = {"Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"}


@pytest.mark.usefixtures("static")
async def test_a_browser_gets_the_clients_page_for_an_unknown_address(server: Running) -> None:
    for method in ("GET", "HEAD"):
        for path in ("/nothing", "/t/abc/def", "/index.html"):
            async with server.session.request(method, server.url + path, headers=BROWSER) as got:
                assert got.status == 404
                assert got.content_type == "text/html"
                assert got.headers["Cache-Control"] == "no-store"
                assert ("<!doctype html>" in await got.text()) == (method == "GET")


@pytest.mark.usefixtures("static")
async def test_programs_get_json_and_the_api_has_no_pages(server: Running) -> None:
    for path, headers in (
        ("/nothing", {}),
        ("/nothing", {"Accept": "application/json"}),
        ("/api/nothing", BROWSER),
        (f"/pictures/{'a' * 10}/1/{'b' * 20}", BROWSER),
    ):
        async with server.session.get(server.url + path, headers=headers) as got:
            assert got.status == 404
            assert (await got.json())["code"]
    async with server.session.post(server.url + "/nothing", headers=BROWSER) as got:
        assert got.content_type == "application/json"


async def test_without_a_client_even_browsers_get_json(
    server: Running, monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.setattr("pli.server.http.app.STATIC", tmp_path)
    status, told = await server.get("/nothing", headers=BROWSER)
    assert (status, told["code"]) == (404, "no_such_page")


@pytest.mark.usefixtures("static")
async def test_the_service_worker_is_looked_at_each_time(server: Running) -> None:
    async with server.session.get(server.url + "/sw.js") as got:
        assert got.status == 200
        assert got.content_type.endswith("/javascript")
        assert got.headers["Cache-Control"] == "no-cache"
