"""Tables without spectators."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from pli.server.protocol.messages import Settings
from pli.server.tables import entries as e
from tests.server.client import Page, Running, deal, running

ALONE = {"spectators": False}


async def turned_away(server: Running, table: str, **hello: Any) -> dict[str, Any]:
    """A page that says hello: what it is told in place of a welcome."""
    page = await server.connect(table)
    await page.send("hello", **hello)
    told = await page.next()
    await page.close()
    assert [each["type"] for each in page.told] == ["problem"]
    return told


async def sent_away(page: Page) -> None:
    """Reads on to the end of the connection."""
    told = await page.until("closing")
    assert told["code"] == "no_spectators"
    with pytest.raises(ConnectionError, match="4004"):
        await page.next()


@pytest.mark.parametrize("game", ["marshmallow", "plingo", "merci", "twinit"])
async def test_nobody_watches_who_does_not_play(server: Running, game: str) -> None:
    pages = await server.waiting(game, 3, settings=ALONE)
    table = pages[0].table["id"]
    assert (await turned_away(server, table))["code"] == "no_spectators"
    await deal(pages)
    french = await turned_away(server, table, lang="fr")
    assert french["code"] == "no_spectators"
    assert french["text"].startswith("Cette table est réservée à ses joueurs")
    status, told = await server.get(f"/api/tables/{table}")
    assert (status, told["spectators"], told["settings"]["spectators"]) == (200, 0, False)
    assert told["secret"] is None
    assert "view" not in told
    for what in ("record", "replay", "moves"):
        status, told = await server.get(f"/api/tables/{table}/games/1/{what}")
        assert (status, told["code"]) == (403, "not_over")


async def test_one_who_was_turned_away_may_take_a_seat_and_is_welcome(server: Running) -> None:
    (host,) = await server.waiting("plingo", 2, people=1, settings=ALONE, public=True)
    table = host.table["id"]
    page = await server.connect(table)
    await page.send("hello")
    assert (await page.until("problem"))["code"] == "no_spectators"
    assert await page.asks("log") == "hello_first"
    (listed,) = (await server.get("/api/tables"))[1]["tables"]
    assert (listed["id"], listed["free"]) == (table, 1)
    seat = await server.sit(table)
    await page.send("hello", token=seat["token"])
    await page.until("welcome")
    assert page.seat == 1


async def test_who_watches_when_that_is_switched_off_is_told_and_sent_away(server: Running) -> None:
    host, guest = await server.waiting("plingo", 3, people=2)
    watchers = [await server.page(host.table["id"], lang=lang) for lang in ("en", "es")]
    await host.sees(lambda table: table["spectators"] == 2)
    settings = {**host.table["settings"], **ALONE}
    await host.send("configure", settings=settings)
    for watcher in watchers:
        await sent_away(watcher)
    assert watchers[1].told[-1]["text"] == "Esta mesa es solo para quienes juegan."
    for page in (host, guest):
        await page.sees(lambda table: table["settings"] == settings)
        await page.sees(lambda table: table["spectators"] == 0)
    await host.send("configure", settings={**settings, "spectators": True})
    await guest.sees(lambda table: table["settings"]["spectators"])
    await server.page(host.table["id"])


async def test_who_gives_up_its_seat_sees_nothing_more(server: Running) -> None:
    pages = await server.people("marshmallow", 3, settings=ALONE)
    leaver, others = pages[1], (pages[0], pages[2])
    await leaver.send("leave")
    before = len(leaver.told)
    await sent_away(leaver)
    assert {each["type"] for each in leaver.told[before:]} <= {"table", "closing", "line"}
    assert (await turned_away(server, pages[0].table["id"], token=leaver.token))["code"] == (
        "not_your_seat"
    )
    for page in others:
        await page.sees(lambda table: table["seats"][1]["kind"] == "bot")


@pytest.mark.parametrize("game", ["marshmallow", "plingo", "merci", "twinit"])
async def test_who_is_freed_of_its_seat_is_told_and_sent_away(server: Running, game: str) -> None:
    host, guest, other = await server.waiting(game, 3, settings=ALONE)
    await host.send("fill", seat=1, level="easy")
    await sent_away(guest)
    assert [each["type"] for each in guest.told[-3:]] == ["table", "problem", "closing"]
    assert guest.told[-2]["code"] == "seat_freed"
    await deal([host, other])
    assert not [each for each in guest.told if each.get("view")]


async def test_what_a_page_says_after_it_was_sent_away_is_not_heard(server: Running) -> None:
    host, guest = await server.waiting("plingo", 3, people=2)
    watcher = await server.page(host.table["id"])
    await host.send("configure", settings=ALONE)
    for _ in range(10):
        await watcher.send("say", phrase="oops")
    await sent_away(watcher)
    await guest.sees(lambda table: table["spectators"] == 0)


async def test_a_finished_game_is_shown_to_who_has_the_link(server: Running) -> None:
    page = await server.alone("marshmallow", 3, options={"target": 1}, settings=ALONE)
    await page.play()
    table = page.table["id"]
    assert (await turned_away(server, table))["code"] == "no_spectators"
    for what in ("replay", "moves", "record"):
        assert (await server.get(f"/api/tables/{table}/games/1/{what}"))[0] == 200


async def test_it_stays_so_after_a_restart_and_a_rematch(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        page = await server.alone("marshmallow", 3, options={"target": 1}, settings=ALONE)
        await page.play()
        await page.send("again")
        await page.sees(lambda table: table["number"] == 2)
        table = page.table["id"]
    async with running(tmp_path) as server:
        assert (await turned_away(server, table))["code"] == "no_spectators"
        again = await server.page(table, page.token)
        assert not again.table["settings"]["spectators"]


def test_a_table_of_before_lets_others_watch() -> None:
    """Entries are read for years."""
    old = (
        b'{"e":"made","game":"plingo","options":{},"public":false,"at":1,'
        b'"settings":{"grace":30,"clock":0,"pace":"calm"}}'
    )
    made = e.decode(old)
    assert isinstance(made, e.Made)
    assert made.settings == Settings()
    assert made.settings.spectators
    alone = msgspec.structs.replace(made, settings=Settings(spectators=False))
    assert e.decode(e.encode(alone)) == alone
