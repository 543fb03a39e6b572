"""The host frees the seat of a person who is present: the person is told, and their token is
void."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from pli.server.rooms import room as room
from tests.server.client import Page, Running, deal, finished, running
from tests.server.journal.sqlite_faults import Connections

GAMES = ("marshmallow", "plingo", "merci", "twinit")


def kind(page: Page, seat: int) -> str:
    return str(page.table["seats"][seat]["kind"])


async def freed(page: Page) -> dict[str, Any]:
    """Reads on to the news: first why, then all that a spectator may know."""
    told = await page.until("problem")
    assert told["code"] == "seat_freed"
    await page.until("welcome")
    assert page.seat is None
    return told


@pytest.mark.parametrize("level", [None, "easy"])
@pytest.mark.parametrize("game", GAMES)
async def test_a_person_who_is_there_is_told_and_its_token_is_void(
    server: Running, game: str, level: str | None
) -> None:
    host, guest, other = await server.waiting(game, 3)
    await guest.contribute()
    await host.send("fill", seat=1, level=level)
    await freed(guest)
    for page in (host, other):
        await page.sees(lambda table: table["seats"][1]["kind"] != "person")
        assert kind(page, 1) == ("bot" if level else "empty")
        assert page.table["spectators"] == 1
        assert page.table["contributions"] == {}
    stale = await server.connect(host.table["id"])
    await stale.send("hello", token=guest.token)
    assert (await stale.until("problem"))["code"] == "not_your_seat"
    for asked in ("begin", "leave", "back", "again"):
        assert await guest.asks(asked) == "only_watching"
    assert await guest.asks("random", hex="ab" * 16) == "only_watching"
    assert await guest.asks("do", id=1, action="flip") == "only_watching"
    if level is None:
        seat = await server.sit(host.table["id"], "P1")
        assert seat["seat"] == 1
        again = await server.page(host.table["id"], seat["token"])
        await host.sees(lambda table: table["seats"][1]["name"] == "P1")
        await deal([host, again, other])


async def test_it_is_told_in_its_own_language(server: Running) -> None:
    host, guest = await server.waiting("plingo", 3, people=2)
    again = await server.page(host.table["id"], guest.token, lang="es")
    await host.send("fill", seat=1, level=None)
    assert (await freed(again))["text"] == "El anfitrión ha liberado tu asiento."


async def test_only_the_host_frees_seats_and_never_its_own(server: Running) -> None:
    host, guest, other = await server.waiting("plingo", 3)
    watcher = await server.page(host.table["id"])
    assert await guest.asks("fill", seat=2, level=None) == "only_host"
    assert await guest.asks("fill", seat=0, level=None) == "only_host"
    assert await watcher.asks("fill", seat=2, level=None) == "only_watching"
    for level in (None, "easy"):
        assert await host.asks("fill", seat=0, level=level) == "not_now"
    assert await host.asks("fill", seat=1, level="genius") == "unknown_bot"
    told = (await server.get(f"/api/tables/{host.table['id']}"))[1]
    assert [seat["kind"] for seat in told["seats"]] == ["person"] * 3
    assert other.seat == 2


@pytest.mark.parametrize("game", GAMES)
async def test_in_a_game_no_seat_is_freed(server: Running, game: str) -> None:
    host, guest, _ = await server.people(game, 3)
    await host.send("fill", seat=1, level=None)
    assert (await host.until("problem"))["code"] == "not_now"
    told = (await server.get(f"/api/tables/{host.table['id']}"))[1]
    assert told["seats"][1]["kind"] == "person"
    again = await server.page(host.table["id"], guest.token)
    assert again.seat == 1


async def test_who_was_away_when_its_seat_was_freed_comes_back_to_none(server: Running) -> None:
    host, guest = await server.waiting("plingo", 3, people=2)
    await guest.close()
    await host.sees(lambda table: not table["seats"][1]["connected"])
    await host.send("fill", seat=1, level=None)
    await host.sees(lambda table: table["seats"][1]["kind"] == "empty")
    back = await server.connect(host.table["id"])
    await back.send("hello", token=guest.token)
    assert (await back.until("problem"))["code"] == "not_your_seat"


async def test_a_seat_stays_free_after_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        host, guest = await server.waiting("plingo", 3, people=2)
        await host.send("fill", seat=1, level=None)
        await freed(guest)
    async with running(tmp_path) as server:
        page = await server.connect(host.table["id"])
        await page.send("hello", token=guest.token)
        assert (await page.until("problem"))["code"] == "not_your_seat"
        again = await server.page(host.table["id"], host.token)
        assert (kind(again, 0), kind(again, 1)) == ("person", "empty")


async def test_between_games_a_seat_is_freed_and_the_others_play_on_without(
    server: Running,
) -> None:
    pages = await finished(server)
    host, guest, other = pages
    for page in (host, other):
        await page.send("again")
    await host.sees(lambda table: table["seats"][2]["again"] is not None)
    await host.send("fill", seat=1, level=None)
    await freed(guest)
    for page in (host, other):  # who waited for this one alone
        await page.sees(lambda table: table["number"] == 2)
        await page.contribute()
    for page in (host, other):
        await page.until("update")
    assert kind(host, 1) == "bot"
    update = await guest.until("update")
    assert (update["view"]["seat"], update["view"]["hand"], update["legal"]) == (None, [], [])
    assert await guest.asks("do", id=99, action="play B7") == "only_watching"


async def test_a_deal_that_was_asked_for_does_not_come_without_its_seat(server: Running) -> None:
    """The host deals, and frees the seat before all have added their randomness."""
    host, guest, other = await server.waiting("marshmallow", 3)
    for page in (host, other):
        await page.contribute()
    await host.send("begin")
    await host.send("fill", seat=1, level=None)
    await freed(guest)
    await asyncio.sleep(1.7)
    assert (await server.get(f"/api/tables/{host.table['id']}"))[1]["state"] == "waiting"
    seat = await server.sit(host.table["id"], "Cem")
    cem = await server.page(host.table["id"], seat["token"])
    await cem.contribute()
    await host.send("begin")
    await cem.until("update")


async def test_a_seat_that_could_not_be_freed_for_good_is_not(
    sqlite: Connections, server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing can be saved: the seat is still its person's, who hears of nothing else."""
    monkeypatch.setattr(room, "RETRY", 0.05)
    host, guest = await server.waiting("plingo", 3, people=2)
    await sqlite.forbid_writing()
    await host.send("fill", seat=1, level=None)
    assert (await guest.until("problem"))["code"] == "journal_read_only"
    await guest.until("welcome")
    assert guest.seat == 1
    await sqlite.allow_writing()
    await guest.until("welcome")
    await guest.contribute()
    await host.sees(lambda table: table["seats"][1]["ready"])
    codes = [each["code"] for each in guest.told if each["type"] == "problem"]
    assert set(codes) == {"journal_read_only"}
