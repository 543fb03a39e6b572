"""Restarts: tables go on from their journal, and games of older versions are shown as such."""

import asyncio
import sqlite3
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pli.server.limits import Limits
from tests.server.client import BRIEF, Running, play_some, running

WINDOW = 2000
"""ms to denounce in: long enough that a busy machine stops a server before they are over."""

PLAYED = ("marshmallow", "plingo", "merci", "twinit")


def rewrite(folder: Path, tag: str, **fields: Any) -> None:
    """Changes what the journal says in its entries of a kind."""
    with sqlite3.connect(folder / "tables.db") as database:
        for table, number, entry in database.execute("SELECT * FROM entries").fetchall():
            told = msgspec.json.decode(entry)
            if told["e"] == tag:
                changed = msgspec.json.encode({**told, **fields})
                database.execute(
                    "UPDATE entries SET entry = ? WHERE table_id = ? AND number = ?",
                    (changed, table, number),
                )
    database.close()


async def now(server: Running, table: str) -> int:
    """The time of the last thing that happened in a game."""
    match = (await server.durable(table)).match
    assert match is not None
    return match.now


# Restarts


@pytest.mark.parametrize("game", PLAYED)
async def test_after_a_restart_everyone_sees_the_same_and_plays_on(
    tmp_path: Path, game: str
) -> None:
    async with running(tmp_path) as server:
        pages = await server.people(game, 3)
        watcher = await server.page(pages[0].table["id"])
        pages.append(watcher)
        watcher.view = pages[0].view
        await play_some(pages, 5)
        table = pages[0].table["id"]
    async with running(tmp_path) as server:
        again = [await server.page(table, page.token) for page in pages]
        for before, after in zip(pages, again, strict=True):
            assert after.view == before.view
            assert after.n == before.n
            assert after.legal == before.legal
            assert after.told[-1]["acted"] == before.id
        for page in again:
            await page.sees(lambda table: table["spectators"] == 1)
        old, new = pages[0].table, again[0].table
        assert {**new, "seats": []} == {**old, "seats": [], "spectators": 1}
        n = again[0].n
        await play_some(again, 3)
        assert again[0].n > n or not again[0].view["awaited"]


async def test_pages_are_told_of_a_planned_stop(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        (page,) = await server.waiting("plingo", 3, people=1)
        await server.context.lobby.close()
        assert (await page.until("closing"))["code"] == "restart"
        with pytest.raises(ConnectionError, match="1012"):
            await page.next()


async def test_a_minute_goes_on_where_it_was_and_stands_still_while_nobody_is_there(
    tmp_path: Path,
) -> None:
    options = {"mode": "coop", "minute_ms": 1500}
    async with running(tmp_path) as server:
        (page,) = await server.waiting("twinit", 1, options=options)
        await page.contribute()
        await page.send("begin")
        await page.until("update")
        turns = [action for action in page.legal if action.startswith("turn")]
        await asyncio.sleep(0.4)
        await page.do(turns[0])
        last = await page.until("update", lambda told: told["did"])
        assert last["time"] >= 400
        ends = page.view["minute_ends"]
    async with running(tmp_path) as server:
        page = await server.page(page.table["id"], page.token)
        assert page.view["minute_ends"] == ends
        assert abs(page.told[-1]["time"] - last["time"]) < 300
        await page.close()
        await asyncio.sleep(0.5)
        page = await server.page(page.table["id"], page.token)
        assert page.told[-1]["time"] < last["time"] + 600
        since = time.monotonic() - page.told[-1]["time"] / 1000
        over = await page.until("update", lambda told: told["view"]["phase"] == "over")
        assert ends <= over["time"] < ends + 1000
        assert time.monotonic() - since == pytest.approx(ends / 1000, abs=1.0)


async def test_the_time_to_denounce_runs_out_after_a_restart_too(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        pages = await server.people("merci", 3, options={"fault_window_ms": WINDOW})
        actor = pages[pages[0].view["awaited"][0]]
        other = pages[(actor.seat or 0) - 1]
        table = other.table["id"]
        laying = next(action for action in actor.legal if action != "draw")
        await actor.do(laying)
        await other.until("update")
        assert "denounce" in other.legal
        acted = await now(server, table)
    async with running(tmp_path) as server:
        again = await server.page(table, other.token)
        assert "denounce" in again.legal
        assert await now(server, table) == acted
        await again.until("update", lambda told: "denounce" not in told["legal"])
        assert await now(server, table) == acted + WINDOW


@pytest.mark.parametrize("game", ["marshmallow", "merci"])
async def test_bots_go_on_after_a_restart(tmp_path: Path, game: str) -> None:
    async with running(tmp_path) as server:
        page = await server.alone(game, 3, settings={"pace": "brisk"})
    async with running(tmp_path) as server:
        page = await server.page(page.table["id"], page.token)
        while not any(told["events"] for told in page.told if told["type"] == "update"):
            if page.view["awaited"] == [0]:
                await page.do(page.legal[0])
                await page.until("update", lambda told: told["did"])
            await page.until("update")


# Old games


async def test_a_game_begun_under_older_rules_is_shown_as_such_and_not_replayed(
    tmp_path: Path,
) -> None:
    async with running(tmp_path) as server:
        pages = await server.people("marshmallow", 3, settings={"pace": "instant", "grace": 1})
        await play_some(pages, 4)
        table = pages[0].table["id"]
    rewrite(tmp_path, "begun", version=0)
    async with running(tmp_path) as server:
        again = [await server.page(table, page.token) for page in pages]
        page = again[0]
        assert page.table["outdated"]
        assert (page.table["state"], page.view, page.legal) == ("playing", {}, [])
        await page.do("play B7")
        assert (await page.until("refused"))["code"] == "bad_action"
        assert await page.asks("log") == "not_now"
        for each in again:
            await each.send("again")
        for each in again:
            await each.sees(lambda table: table["state"] == "waiting")
            assert not each.table["outdated"]
            await each.contribute()
        for each in again:
            await each.until("update")
        assert page.table["number"] == 2
        await play_some(again, 4)
        status, wrong = await server.get(f"/api/tables/{table}/games/1/record")
        assert (status, wrong["code"]) == (409, "outdated_game")


async def test_a_table_whose_journal_is_damaged_is_told_and_harms_no_other(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        pages = await server.people("marshmallow", 3)
        await play_some(pages, 2)
    rewrite(tmp_path, "a", action=59)
    async with running(tmp_path) as server:
        table = pages[0].table["id"]
        status, wrong = await server.get(f"/api/tables/{table}")
        assert (status, wrong["code"]) == (503, "journal_damaged")
        page = await server.connect(table)
        assert await page.asks("hello", token=pages[0].token) == "journal_damaged"
        await server.people("marshmallow", 3)


@pytest.mark.server(limits=Limits(**BRIEF))
async def test_a_table_unused_for_long_is_archived_and_its_record_kept(server: Running) -> None:
    page = await server.alone("marshmallow", 3, options={"target": 1})
    await page.play()
    await page.close()
    table = page.table["id"]
    await server.unloaded(table)
    assert await server.context.lobby.archive(int(time.time()) + 10) == 1
    assert (await server.get(f"/api/tables/{table}"))[0] == 404
    assert await (await server.connect(table)).asks("hello") == "no_such_table"
    status, text = await server.get(f"/api/tables/{table}/games/1/record")
    assert status == 200
    assert page.table["secret"] in text.decode()


# What happened before


async def test_the_log_is_all_that_a_seat_has_seen_happen(server: Running) -> None:
    pages = await server.people("plingo", 3)
    await play_some(pages, 12)
    watcher = await server.page(pages[0].table["id"])
    for page in pages:
        seen = [each for told in page.told for each in told.get("events", [])]
        await page.send("log")
        logged = (await page.until("log"))["events"]
        assert [each["event"] for each in logged] == seen
        assert [each["time"] for each in logged] == sorted(each["time"] for each in logged)
    await watcher.send("log")
    assert len((await watcher.until("log"))["events"]) > 12
