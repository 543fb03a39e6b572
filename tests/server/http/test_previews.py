"""Link previews: titles and pictures for messengers, which reveal nothing that is not public."""

import io
import re
from html import unescape
from pathlib import Path

import aiohttp
import pytest
from PIL import Image

from pli import games
from pli.server.http.app import STATIC as BUILT
from pli.server.http.previews import LINES
from pli.server.limits import Limits
from tests.server.client import QUICK, Running, finished

NAMED = '"><script>alert(1)</script>'


@pytest.fixture
def pictured(static: Path) -> Path:
    """The small client with a page that has a head, and what previews are drawn from."""
    page = (
        "<html><head><title>Pli</title>"
        '<meta name="description" content="Pli" /></head><body></body></html>'
    )
    for name in ("index.html", "table.html"):
        (static / name).write_text(page)
    ground = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630" color="#fffaf0">'
        '<rect width="1200" height="630" fill="#27397a"/></svg>'
    )
    (static / "preview-plingo.svg").write_text(ground)
    for font in (BUILT / "assets").glob("display-*.woff2"):
        (static / "assets" / font.name).write_bytes(font.read_bytes())
    return static


async def tags(server: Running, path: str, **headers: str) -> dict[str, str]:
    async with server.session.get(server.url + path, headers=headers) as got:
        assert got.status == 200
        assert got.content_type == "text/html"
        assert "Accept-Language" in got.headers["Vary"]
        page = await got.text()
    found = re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)" />', page)
    shown = {name: unescape(text) for name, text in found}
    title = re.search("<title>(.*)</title>", page)
    assert title is not None
    assert unescape(title[1]) == shown["og:title"]
    assert page.count("<title>") == page.count('name="description"') == 1
    return shown


@pytest.mark.usefixtures("pictured")
async def test_a_link_tells_who_invites_to_what_in_the_readers_language(server: Running) -> None:
    made = await server.make("plingo", name="Ann")
    path = f"/t/{made['table']}"
    told = await tags(server, path)
    assert told["og:title"] == "Ann invites you to Plingo"
    assert told["og:url"] == server.url + path
    assert told["og:image"] == f"{server.url}/previews/plingo/invitation.en.jpg"
    assert told["twitter:card"] == "summary_large_image"
    french = await tags(server, path, **{"Accept-Language": "fr-CH, en;q=0.5"})
    assert french["og:title"] == "Ann vous invite à jouer à Plingo"
    assert french["og:image"].endswith("/invitation.fr.jpg")
    assert (await tags(server, "/rules/plingo"))["og:title"] == "The rules of Plingo"
    for unknown in ("/", "/t/aaaaaaaaaa", "/t/abc", "/r/aaaaaaaaaa/1", "/r/x/y", "/rules/chess"):
        assert (await tags(server, unknown))["og:title"] == "Pli"


@pytest.mark.usefixtures("pictured")
async def test_names_and_hosts_are_escaped(server: Running) -> None:
    made = await server.make("plingo", name=NAMED[:24])
    assert (await tags(server, f"/t/{made['table']}"))["og:title"].startswith(NAMED[:24])
    async with server.session.get(f"{server.url}/t/{made['table']}") as got:
        assert "<script" not in await got.text()
    for host in ('a"><script>', "a b", ""):
        told = await tags(server, "/", Host=host)
        assert told["og:url"] == "/"
        assert told["og:image"] == "/icon-512.png"


@pytest.mark.server(proxied=True)
@pytest.mark.usefixtures("pictured")
async def test_behind_a_trusted_proxy_addresses_are_those_of_the_browser(server: Running) -> None:
    told = await tags(server, "/", **{"Host": "pli.example", "X-Forwarded-Proto": "https"})
    assert told["og:image"] == "https://pli.example/icon-512.png"
    told = await tags(server, "/", **{"Host": "pli.example", "X-Forwarded-Proto": "javascript"})
    assert told["og:image"] == "http://pli.example/icon-512.png"


@pytest.mark.usefixtures("pictured")
async def test_a_finished_game_tells_its_result_and_a_replay_who_played(server: Running) -> None:
    pages = await finished(server)
    table = pages[0].table["id"]
    result = (await tags(server, f"/t/{table}"))["og:title"]
    assert result.endswith(" won at Marshmallow Test")
    replay = await tags(server, f"/r/{table}/1")
    assert replay["og:title"].endswith(": a game of Marshmallow Test, card by card")
    assert " and " in replay["og:title"]
    assert "/replay.en.jpg" in replay["og:image"]


@pytest.mark.skipif(not (BUILT / "index.html").exists(), reason="the client is not built")
async def test_pictures_are_drawn_once_and_only_those_that_there_are(
    server: Running, pictured: Path
) -> None:
    async def get(path: str, method: str = "GET") -> tuple[aiohttp.ClientResponse, bytes]:
        async with server.session.request(method, f"{server.url}/previews/{path}") as got:
            return got, await got.read()

    (pictured / "preview-outside.svg").write_text((pictured / "preview-plingo.svg").read_text())
    got, drawn = await get("marshmallow/play.en.jpg")  # without a ground of its own
    assert got.content_type == "image/jpeg"
    got, drawn = await get("plingo/invitation.fr.jpg")
    assert got.content_type == "image/jpeg"
    assert "max-age" in got.headers["Cache-Control"]
    assert Image.open(io.BytesIO(drawn)).size == (1200, 630)
    kept = server.context.render_pool.cached_bytes
    assert (await get("plingo/invitation.fr.jpg"))[1] == drawn
    assert server.context.render_pool.cached_bytes == kept
    head, nothing = await get("plingo/invitation.fr.jpg", "HEAD")
    assert (head.status, nothing) == (200, b"")
    assert (await get("plingo/invitation.en.jpg"))[1] != drawn
    for path in ("chess/play.en.jpg", "plingo/cards.en.jpg", "plingo/play.de.jpg", "merci/x"):
        assert (await get(path))[0].status == 404


@pytest.mark.server(limits=Limits(**{**QUICK, "requests": (0.001, 3)}))
@pytest.mark.usefixtures("pictured")
async def test_beyond_the_limit_of_requests_a_page_comes_without_its_preview(
    server: Running,
) -> None:
    made = await server.make("plingo", name="Ann")
    titles = [(await tags(server, f"/t/{made['table']}"))["og:title"] for _ in range(4)]
    assert titles == ["Ann invites you to Plingo"] * 2 + ["Pli"] * 2


@pytest.mark.skipif(not (BUILT / "index.html").exists(), reason="the client is not built")
def test_every_game_has_a_ground_for_its_previews() -> None:
    assert LINES
    for game in games.names():
        assert 'viewBox="0 0 1200 630"' in (BUILT / f"preview-{game}.svg").read_text()
