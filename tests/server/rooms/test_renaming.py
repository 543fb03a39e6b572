"""Portraits that players choose, and other names for players who have a seat."""

from pathlib import Path
from typing import Any

import pytest

from pli.server.admin.forgetting import forget
from pli.server.journal.open import open_maintenance
from pli.server.protocol.messages import FACES
from pli.server.rooms.nicknames import free_face
from pli.server.tables import entries as e
from tests.server.client import Running, running


def shown(table: dict[str, Any]) -> list[tuple[str | None, int | None]]:
    return [(seat["name"], seat.get("face")) for seat in table["seats"]]


@pytest.mark.parametrize(
    ("wanted", "others", "given"),
    [
        (None, [], None),
        (3, [], 3),
        (3, [None, 4], 3),
        (3, [3], 4),
        (3, [3, 4, None], 5),
        (FACES - 1, [FACES - 1], 0),
    ],
)
def test_a_portrait_is_given_once(
    wanted: int | None, others: list[int | None], given: int | None
) -> None:
    assert free_face(wanted, others) == given


async def test_two_guests_are_never_alike_and_stay_so(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        made = await server.make("plingo", options={"seats": 4}, face=2)
        path = f"/api/tables/{made['table']}"
        await server.sit(made["table"], "Ann", face=2)
        await server.sit(made["table"], "Bob")
        told = (await server.get(path))[1]
        assert shown(told) == [("Ann", 2), ("Ann 2", 3), ("Bob", None), (None, None)]
        assert "face" not in told["seats"][2]
    async with running(tmp_path) as server:
        assert shown((await server.get(path))[1]) == shown(told)


@pytest.mark.parametrize("face", [-1, FACES, "1", 0.5, True])
async def test_there_are_no_other_portraits(server: Running, face: object) -> None:
    made = await server.make("plingo")
    seat = f"/api/tables/{made['table']}"
    fields = {"name": "Bob", "face": face}
    for path, body in (
        ("/api/tables", {**fields, "game": "plingo"}),
        (f"{seat}/seats", fields),
        (f"{seat}/name", {**fields, "token": made["token"]}),
    ):
        status, told = await server.post(path, body)
        assert (status, told["code"]) == (400, "bad_message")


async def test_a_new_name_is_seen_at_once_and_kept(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        host, guest = await server.people("plingo", 2)
        table = host.table["id"]
        path = f"/api/tables/{table}/name"
        body = {"token": guest.token, "name": " Zoë ", "face": 5}
        assert await server.post(path, body) == (201, {"name": "Zoë", "face": 5})
        for page in (host, guest):
            await page.sees(lambda told: shown(told) == [("Ann", None), ("Zoë", 5)])
        assert host.table["host"] == 0  # and nothing else has changed
        again = {"token": host.token, "name": "zoë", "face": 5}
        assert await server.post(path, again) == (201, {"name": "zoë 2", "face": 6})
        await guest.sees(lambda told: told["seats"][0]["name"] == "zoë 2")
        assert guest.table["host"] == 0
        before = (await server.durable(table)).n
        assert (await server.post(path, body))[0] == 201
        assert (await server.durable(table)).n == before  # as it is already: nothing is written
        wanted = shown(guest.table)
    async with running(tmp_path) as server:
        assert shown((await server.get(f"/api/tables/{table}"))[1]) == wanted
    journal = await open_maintenance(str(tmp_path / "tables.db"), write=True)
    try:
        done = await forget(journal, "Zoë")
    finally:
        await journal.close()
    assert done.entries == 1
    assert not done.unread


async def test_nobody_is_renamed_by_another_nor_to_what_can_not_be_shown(server: Running) -> None:
    host, guest = await server.waiting("plingo", 3, people=2)
    path = f"/api/tables/{host.table['id']}/name"
    for token, name, code in (
        ("x" * 32, "Zoe", "not_your_seat"),
        (guest.token, "\u200b", "bad_name"),
        (guest.token, "", "bad_message"),
        ("short", "Zoe", "bad_message"),
    ):
        status, told = await server.post(path, {"token": token, "name": name})
        assert (status, told["code"]) == (400, code)
    status, told = await server.post(
        "/api/tables/aaaaaaaaaa/name", {"token": guest.token, "name": "Zoe"}
    )
    assert (status, told["code"]) == (404, "no_such_table")
    await guest.send("leave")
    await host.sees(lambda table: table["seats"][1]["kind"] == "empty")
    status, told = await server.post(path, {"token": guest.token, "name": "Zoe"})
    assert told["code"] == "not_your_seat"


async def test_who_stands_up_before_a_game_frees_the_seat_and_watches(server: Running) -> None:
    host, guest = await server.waiting("plingo", 2)
    await host.send("leave")
    assert (await host.until("welcome"))["seat"] is None
    await guest.sees(lambda table: table["seats"][0]["kind"] == "empty")
    assert guest.table["host"] == 1
    assert guest.table["seats"][0]["open"]


def test_entries_of_earlier_servers_have_no_portrait() -> None:
    entry = e.decode(b'{"e":"sat","seat":1,"name":"Bob","token":"t"}')
    assert entry == e.Sat(seat=1, name="Bob", token="t")
    assert e.encode(entry) == b'{"e":"sat","seat":1,"name":"Bob","token":"t"}'


# Spectators


async def test_spectators_have_a_name_if_they_like_and_never_that_of_a_player(
    server: Running,
) -> None:
    (host,) = await server.waiting("plingo", 3, people=1)
    table = host.table["id"]
    assert "watching" not in host.table
    pages = [await server.page(table)]
    await host.sees(lambda told: told["spectators"] == 1)
    assert "watching" not in host.table
    zoe = await server.page(table, name=" Zoe ")
    pages += [await server.page(table, name=name) for name in ("ann", "\u200b")]
    await host.sees(lambda told: told["spectators"] == 4)
    assert host.table["watching"] == ["Zoe", "ann 2"]
    await zoe.close()
    await host.sees(lambda told: told.get("watching") == ["ann 2"])
    again = await server.page(table, host.token, name="Somebody else")
    assert shown(again.table)[0] == ("Ann", None)
    assert again.table["watching"] == ["ann 2"]
    assert len(pages) == 3
