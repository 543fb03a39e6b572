"""Sprite sheets at a table: fetched in advance, tied to faces when these are shown, and
unreadable for scripts."""

from pathlib import Path
from typing import Any

import pytest

from pli.motifs.sprites import LENGTH
from pli.server.sprites.sheets import FIELDS, Sheets
from tests.server.client import Page, Running, running


def pictures(page: Page) -> list[dict[str, Any]]:
    return [message for message in page.told if message["type"] == "pictures"]


def faces(page: Page) -> dict[str, str]:
    return {face: at for message in pictures(page) for face, at in message["faces"].items()}


def open_faces(view: dict[str, Any]) -> set[str]:
    shown = {lying["face"] for lying in view["table"]} | {top for top in view["tops"] if top}
    return shown | {face for owner in view["catches"] for catch in owner for face in catch}


async def picture(server: Running, page: Page, sheet: str, **headers: str) -> tuple[int, Any]:
    table = page.table
    path = f"/pictures/{table['id']}/{table['number']}/{sheet}"
    return await server.get(path, headers=headers)


async def test_sheets_are_told_before_the_deal_and_tell_nothing_of_faces(server: Running) -> None:
    (page,) = await server.waiting("twinit", 2, people=1)
    assert page.told[0]["type"] == "pictures"
    told = pictures(page)
    assert len(told[0]["sheets"]) == 30
    assert told[0]["faces"] == {}
    status, body = await picture(server, page, told[0]["sheets"][0])
    assert status == 200
    assert len(body) == LENGTH


async def test_every_face_that_lies_open_has_a_picture_before_the_page_hears_of_it(
    server: Running,
) -> None:
    pages = await server.people("twinit", 2)
    for _ in range(6):
        turn = pages[0].view["turn"]
        await pages[turn].do("flip")
        n = pages[turn].n
        for page in pages:
            while page.n <= n:
                await page.next()
            assert open_faces(page.view) <= set(faces(page))
            known = [m["type"] for m in page.told if m["type"] in ("pictures", "update")]
            assert known[-2:] == ["pictures", "update"]
    assert len(set(faces(pages[0]).values())) == len(faces(pages[0]))


async def test_who_comes_later_is_told_all_that_was_shown_and_no_more(server: Running) -> None:
    page = await server.alone("twinit", 1, options={"mode": "coop"})
    await page.do("turn 7")
    await page.until("update", lambda update: update["did"] == 1)
    later = await server.page(page.table["id"])
    assert faces(later) == faces(page)
    assert len(faces(later)) == 136


@pytest.mark.parametrize("dest", ["empty", "script", "document", "iframe"])
async def test_a_script_gets_no_bytes(server: Running, dest: str) -> None:
    (page,) = await server.waiting("twinit", 2, people=1)
    sheet = pictures(page)[0]["sheets"][0]
    status, _ = await picture(server, page, sheet, **{"Sec-Fetch-Dest": dest})
    assert status == 404
    status, _ = await picture(server, page, sheet, **{"Sec-Fetch-Dest": "image"})
    assert status == 200
    status, _ = await picture(server, page, "0" * 20)
    assert status == 404


async def test_pictures_outlive_a_restart_and_change_with_every_game(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        page = await server.alone("twinit", 1, options={"mode": "coop"})
        sheet = next(iter(faces(page).values())).partition(".")[0]
        drawn = (await picture(server, page, sheet))[1]
    async with running(tmp_path) as server:
        again = await server.page(page.table["id"])
        assert faces(again) == faces(page)
        assert (await picture(server, again, sheet))[1] == drawn
    one, other = (Sheets(range(18), f"{game:064x}") for game in (1, 2))
    assert not set(one.names) & set(other.names)
    assert one.task(one.names[0]) != other.task(other.names[0])


def test_every_picture_has_one_place() -> None:
    sheets = Sheets(range(270), "0" * 64)
    places = sheets.places({str(number): number for number in range(270)})
    assert len(set(places.values())) == 270
    for number in range(270):
        name, _, field = places[str(number)].partition(".")
        assert sheets.task(name)[0][int(field)] == number
        assert int(field) < FIELDS


async def test_a_replay_tells_the_pictures_of_all_that_was_seen(server: Running) -> None:
    page = await server.alone("twinit", 1, options={"mode": "coop", "minute_ms": 300})
    await page.until("update", lambda update: update["view"]["phase"] == "over")
    path = f"/api/tables/{page.table['id']}/games/1/replay"
    _, replay = await server.get(path)
    assert replay["faces"] == faces(page)
