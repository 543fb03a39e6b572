"""Whole servers on a journal in PostgreSQL: games, restarts, a database that crashes under play."""

import asyncio
import re
import signal
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest

from pli.server.limits import Limits
from pli.server.rooms import room
from tests.postgres import NoPostgres, Postgres
from tests.server.client import BRIEF, Page, Visitor, finished, play_some, running

LONG = 60.0
"""Seconds: for a process to start on a busy machine."""


async def test_people_play_a_whole_game_which_is_kept(tmp_path: Path, postgres_url: str) -> None:
    async with running(tmp_path, db=postgres_url) as server:
        pages = await finished(server)
        table = pages[0].table["id"]
        async with asyncio.timeout(LONG):
            while not await server.context.journal.recorded(table):
                await asyncio.sleep(0.05)
        status, record = await server.get(f"/api/tables/{table}/games/1/record")
        assert status == 200
        assert record


async def test_a_person_plays_with_bots(tmp_path: Path, postgres_url: str) -> None:
    async with running(tmp_path, db=postgres_url) as server:
        page = await server.alone("marshmallow", 4, options={"target": 1})
        await page.play()
        assert page.table["results"]


async def test_after_a_restart_everyone_sees_the_same_and_plays_on(
    tmp_path: Path, postgres_url: str
) -> None:
    async with running(tmp_path, db=postgres_url) as server:
        pages = await server.people("plingo", 3)
        await play_some(pages, 5)
        table = pages[0].table["id"]
    async with running(tmp_path, db=postgres_url) as server:
        again = [await server.page(table, page.token) for page in pages]
        for before, after in zip(pages, again, strict=True):
            assert after.view == before.view
            assert after.n == before.n
        await play_some(again, 5)


async def test_a_dropped_room_is_opened_again_here_or_on_another_server(
    tmp_path: Path, postgres_url: str
) -> None:
    limits = Limits(**BRIEF)
    async with (
        running(tmp_path, limits=limits, db=postgres_url) as server,
        running(tmp_path, limits=limits, db=postgres_url) as other,
    ):
        pages = await server.people("marshmallow", 3)
        table = pages[0].table["id"]
        refused = await other.connect(table)
        assert await refused.asks("hello") == "owned_elsewhere"
        for place in (server, other, server):
            await play_some(pages, 2)
            for page in pages:
                await page.close()
            await server.unloaded(table)
            await other.unloaded(table)
            async with asyncio.timeout(LONG):
                while True:
                    try:
                        pages = [await place.page(table, page.token) for page in pages]
                    except (ConnectionError, AssertionError):
                        await asyncio.sleep(0.1)  # it is being given up
                    else:
                        break


async def test_play_goes_on_when_the_database_has_crashed_and_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "RETRY", 0.05)
    try:
        database = Postgres().start()
    except NoPostgres as missing:
        pytest.skip(str(missing))
    try:
        async with running(tmp_path, db=database.new_database()) as server:
            pages = await server.people("marshmallow", 3, options={"target": 1000})
            await play_some(pages, 3)
            shown = [(page.n, page.view) for page in pages]
            await asyncio.to_thread(database.stop, "immediate")
            actor = pages[pages[0].view["awaited"][0]]
            await actor.do(actor.first_action)
            for page in pages:
                told = await page.until("problem")
                assert told["code"] in ("journal_unreachable", "journal_unknown")
            assert (await server.get("/api/health"))[1]["status"] == "not_saving"
            await asyncio.to_thread(database.start)
            for page in pages:
                await page.until("welcome")  # as the journal has it
                await page.until("welcome")  # it can be written again
            assert [(page.n, page.view) for page in pages] == shown
            await play_some(pages, 3)
            assert (await server.durable(pages[0].table["id"])).n == pages[0].n
    finally:
        database.remove()


async def test_the_command_serves_from_a_database_and_gives_its_tables_up(
    postgres_url: str,
) -> None:
    command = [sys.executable, "-m", "pli", "serve", "--port", "0", "--db", postgres_url]
    token = table = ""
    for start in range(2):
        with subprocess.Popen(
            [*command, "--log-level", "warning"], stdout=subprocess.PIPE, text=True
        ) as process:
            try:
                assert process.stdout is not None
                found = re.search(r"http://\S+", process.stdout.readline())
                assert found is not None
                async with aiohttp.ClientSession() as session:
                    visitor = Visitor(found[0].rstrip("/"), session)
                    if start == 0:
                        page = await visitor.alone("marshmallow", 3)
                        table, token = page.table["id"], str(page.token)
                    else:
                        again: Page = await visitor.page(table, token)
                        assert again.seat == 0
                process.send_signal(signal.SIGTERM)
                assert await asyncio.to_thread(process.wait, LONG) == 0
            finally:
                process.kill()
