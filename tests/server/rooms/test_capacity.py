"""The limit on unfinished tables: which tables are archived to make room, and which never are."""

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from pli.server.limits import Limits
from tests.server.client import BRIEF, QUICK, Page, Running, coming_from, running

DAY = 24 * 60 * 60


async def begun(server: Running) -> Page:
    """A table where a person has begun to play among bots."""
    return await server.alone("marshmallow", 3, settings={"pace": "calm"})


async def is_there(server: Running, table: str) -> bool:
    return (await server.get(f"/api/tables/{table}"))[0] == 200


async def refusal(server: Running) -> tuple[int, str]:
    status, wrong = await server.post("/api/tables", {"game": "plingo", "name": "Eve"})
    return status, wrong.get("code", "")


def age(folder: Path, days: int, *tables: str) -> None:
    """As if these tables had been unused for so long, with the server running on each day."""
    now = int(time.time())
    with closing(sqlite3.connect(folder / "tables.db")) as database, database:
        for table in tables:
            aged = (now - days * DAY, table)
            database.execute("UPDATE listings SET touched = ? WHERE table_id = ?", aged)
        ran = [(now // DAY - n,) for n in range(days + 1)]
        database.executemany("INSERT OR IGNORE INTO days VALUES (?)", ran)


@pytest.mark.server(limits=Limits(**BRIEF, all_tables=4))
async def test_tables_that_never_began_make_room_the_oldest_first(
    server: Running, tmp_path: Path
) -> None:
    made = [(await server.make("plingo"))["table"] for _ in range(4)]
    age(tmp_path, 3, made[2])
    age(tmp_path, 2, made[0])
    await server.unloaded(*made)
    new = [(await server.make("plingo"))["table"] for _ in range(2)]
    assert await server.context.journal.count() == 4
    left = [each for each in made + new if await is_there(server, each)]
    assert left == [made[1], made[3], *new]


@pytest.mark.server(limits=Limits(**BRIEF, all_tables=2))
async def test_tables_where_somebody_is_and_games_that_were_begun_stay(
    server: Running, tmp_path: Path
) -> None:
    playing = await begun(server)
    await playing.close()
    waiting = await server.make("plingo")
    page = await server.page(waiting["table"], waiting["token"])
    age(tmp_path, 2, playing.table["id"], waiting["table"])
    await server.unloaded(playing.table["id"])
    assert await refusal(server) == (503, "server_full")
    await page.send("configure", public=True)
    await page.sees(lambda table: table["public"])
    assert await is_there(server, playing.table["id"])


@pytest.mark.server(limits=Limits(**BRIEF, all_tables=1, abandoned_days=7))
async def test_a_game_that_was_abandoned_for_long_makes_room_and_its_records_stay(
    server: Running, tmp_path: Path
) -> None:
    page = await server.alone("marshmallow", 3, options={"target": 1})
    await page.play()
    await page.send("again", kind="same")
    await page.until("table", lambda told: told["table"]["state"] == "playing")
    await page.close()
    table = page.table["id"]
    await server.unloaded(table)
    await server.context.journal.archive([])  # which first notes what was touched
    age(tmp_path, 5, table)
    assert await refusal(server) == (503, "server_full")
    age(tmp_path, 8, table)
    assert (await refusal(server))[0] == 201
    assert not await is_there(server, table)
    status, text = await server.get(f"/api/tables/{table}/games/1/record")
    assert status == 200
    assert b"result" in text


@pytest.mark.server(limits=Limits(**BRIEF, all_tables=100, tables_each=3))
async def test_an_address_makes_room_among_its_own_tables(server: Running, tmp_path: Path) -> None:
    others = [(await server.make("plingo"))["table"] for _ in range(2)]
    age(tmp_path, 2, *others)
    async with coming_from(server, "127.0.0.2") as flood:
        made = []
        for _ in range(6):
            made.append((await flood.make("plingo"))["table"])
            age(tmp_path, 1, made[-1])
            await server.unloaded(*made)
        left = [each for each in made if await is_there(server, each)]
        assert len(left) == 3
        assert made[-1] in left
    for each in others:
        assert await is_there(server, each)


@pytest.mark.server(limits=Limits(**BRIEF, tables_each=2))
async def test_an_address_whose_games_are_all_being_played_waits(server: Running) -> None:
    async with coming_from(server, "127.0.0.2") as flood:
        pages = [await begun(flood) for _ in range(2)]
        assert await refusal(flood) == (429, "too_many_tables")
        assert not any(page.socket.closed for page in pages)
    assert (await refusal(server))[0] == 201


@pytest.mark.server(limits=Limits(**BRIEF, all_tables=1, tables_each=1))
async def test_finished_games_take_no_room(server: Running) -> None:
    page = await server.alone("marshmallow", 3, options={"target": 1})
    assert await refusal(server) == (429, "too_many_tables")
    await page.play()
    assert (await refusal(server))[0] == 201


@pytest.mark.server(limits=Limits(**QUICK, all_tables=10))
async def test_many_who_make_tables_at_once_are_not_more_than_there_may_be(server: Running) -> None:
    told = await asyncio.gather(*(refusal(server) for _ in range(30)))
    assert told.count((503, "server_full")) == 20
    assert await server.context.journal.count() == 10


@pytest.mark.server(limits=Limits(**BRIEF))
async def test_what_is_unused_for_long_is_archived_but_not_while_somebody_is_there(
    server: Running, tmp_path: Path
) -> None:
    lobby = server.context.lobby
    made = [(await server.make("plingo"))["table"] for _ in range(250)]
    playing = [await begun(server) for _ in range(3)]
    tables = [page.table["id"] for page in playing]
    await playing[0].close()
    watching = await server.page(made[0])
    await server.unloaded(*made[1:], tables[0])
    await server.context.journal.archive([])  # which first notes what was touched
    age(tmp_path, 29, made[1])
    age(tmp_path, 31, made[0], *made[2:], tables[0], tables[1])
    assert await lobby.archive_unused() == 249
    assert not watching.socket.closed
    left = [each for each in (*made, *tables) if await is_there(server, each)]
    assert left == [made[0], made[1], tables[1], tables[2]]


@pytest.mark.parametrize("ahead", [40, 4000])
async def test_a_clock_that_is_ahead_at_the_start_archives_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, ahead: int
) -> None:
    real = time.time

    async def look(days: int, trust_clock: bool = False) -> list[str]:
        """The tables that are there after a start on that day, which archives what is unused."""
        monkeypatch.setattr(time, "time", lambda: real() + days * DAY)
        monkeypatch.setattr("pli.server.journal.sqlite.schema.time", time.time)
        monkeypatch.setattr("pli.server.journal.sqlite.writer.time", time.time)
        async with running(tmp_path, Limits(**BRIEF), trust_clock=trust_clock) as server:
            await server.context.lobby.archive_unused()
            return [each for each in tables if await is_there(server, each)]

    async with running(tmp_path) as server:
        page = await begun(server)
        tables = [page.table["id"], (await server.make("plingo"))["table"]]
    assert await look(ahead) == tables
    assert "--trust-clock" in caplog.text
    assert await look(ahead) == tables  # not even when it has been used on that day
    assert await look(0) == tables
    assert await look(ahead, trust_clock=True) == []
