"""Pictures at a table: fetched in advance, tied to faces when shown, and no use to a script."""

from pathlib import Path
from typing import Any

import pytest

from pli.motifs.sprites import LENGTH
from pli.server.sprites.sheets import FIELDS, Sheets
from tests.server.client import Page, Running, with_server


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


def test_sheets_are_told_before_the_deal_and_tell_nothing_of_faces(tmp_path: Path) -> None:
    async def test(server: Running) -> None:
        (page,) = await server.waiting("twinit", 2, people=1)
        assert page.told[0]["type"] == "pictures"
        told = pictures(page)
        assert len(told[0]["sheets"]) == 30
        assert told[0]["faces"] == {}
        status, body = await picture(server, page, told[0]["sheets"][0])
        assert status == 200
        assert len(body) == LENGTH

    with_server(tmp_path, test)


def test_every_face_that_lies_open_has_a_picture_before_the_page_hears_of_it(
    tmp_path: Path,
) -> None:
    async def test(server: Running) -> None:
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

    with_server(tmp_path, test)


def test_who_comes_later_is_told_all_that_was_shown_and_no_more(tmp_path: Path) -> None:
    async def test(server: Running) -> None:
        page = await server.alone("twinit", 1, options={"mode": "coop"})
        await page.do("turn 7")
        await page.until("update", lambda update: update["did"] == 1)
        later = await server.page(page.table["id"])
        assert faces(later) == faces(page)
        assert len(faces(later)) == 136

    with_server(tmp_path, test)


@pytest.mark.parametrize("dest", ["empty", "script", "document", "iframe"])
def test_a_script_gets_no_bytes(tmp_path: Path, dest: str) -> None:
    async def test(server: Running) -> None:
        (page,) = await server.waiting("twinit", 2, people=1)
        sheet = pictures(page)[0]["sheets"][0]
        status, _ = await picture(server, page, sheet, **{"Sec-Fetch-Dest": dest})
        assert status == 404
        status, _ = await picture(server, page, sheet, **{"Sec-Fetch-Dest": "image"})
        assert status == 200
        status, _ = await picture(server, page, "0" * 20)
        assert status == 404

    with_server(tmp_path, test)


def test_pictures_outlive_a_restart_and_change_with_every_game(tmp_path: Path) -> None:
    kept: dict[str, Any] = {}

    async def before(server: Running) -> None:
        page = await server.alone("twinit", 1, options={"mode": "coop"})
        sheet = next(iter(faces(page).values())).partition(".")[0]
        kept.update(table=page.table["id"], sheet=sheet, faces=faces(page))
        kept["picture"] = (await picture(server, page, sheet))[1]

    async def after(server: Running) -> None:
        page = await server.page(kept["table"])
        assert faces(page) == kept["faces"]
        assert (await picture(server, page, kept["sheet"]))[1] == kept["picture"]

    with_server(tmp_path, before)
    with_server(tmp_path, after)
    one, other = (Sheets(range(18), f"{game:064x}") for game in (1, 2))
    assert not set(one.names) & set(other.names)
    assert one.drawing(one.names[0]) != other.drawing(other.names[0])


def test_every_picture_has_one_place() -> None:
    sheets = Sheets(range(270), "0" * 64)
    places = sheets.places({str(number): number for number in range(270)})
    assert len(set(places.values())) == 270
    for number in range(270):
        name, _, field = places[str(number)].partition(".")
        assert sheets.drawing(name)[0][int(field)] == number
        assert int(field) < FIELDS


def test_a_replay_tells_the_pictures_of_all_that_was_seen(tmp_path: Path) -> None:
    async def test(server: Running) -> None:
        page = await server.alone("twinit", 1, options={"mode": "coop", "minute_ms": 300})
        await page.until("update", lambda update: update["view"]["phase"] == "over")
        path = f"/api/tables/{page.table['id']}/games/1/replay"
        _, replay = await server.get(path)
        assert replay["faces"] == faces(page)

    with_server(tmp_path, test)
