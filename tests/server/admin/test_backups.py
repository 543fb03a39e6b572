"""Backup and restore, the whole way: a copy is made while people play, put in a new place, checked,
and a server goes on from it."""

import asyncio
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from pli.server.limits import Limits
from tests.cli.command import pli
from tests.postgres import Postgres
from tests.server.admin.journals import everything
from tests.server.client import BRIEF, QUICK, Page, Running, finished, running

TABLES = 4

DUMP = ("--format=custom", "--exclude-table-data=pli.servers")
"""As docs/hosting.md has it: the servers of the old database do not own tables of the new one."""

RESTORE = ("--no-owner", "--exit-on-error")


class Load:
    """Tables at which people and bots play as fast as they can, game after game."""

    def __init__(self, server: Running) -> None:
        self._server = server
        self.pages: list[Page] = []
        self.actions = 0

    async def start(self) -> None:
        for _ in range(TABLES):
            self.pages.append(await self._server.alone("marshmallow", 3, bots="easy"))

    async def play(self, page: Page) -> None:
        while True:
            if page.table["state"] == "over":
                await page.send("again", kind=page.table["kinds"][0])
                await page.sees(lambda table: table["state"] == "waiting")
                await page.contribute()
                await page.send("begin")
                await page.sees(lambda table: table["state"] == "playing")
            if page.legal:
                await page.do(page.first_action)
                self.actions += 1
            await page.next()


@asynccontextmanager
async def under_load(server: Running) -> AsyncIterator[Load]:
    load = Load(server)
    await load.start()
    tasks = [asyncio.create_task(load.play(page)) for page in load.pages]
    try:
        while load.actions < 20:
            await asyncio.sleep(0.01)
        yield load
        assert [task for task in tasks if task.done()] == []
    finally:
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def must_go_on(folder: Path, db: str, tables: set[str], pages: list[Page]) -> None:
    """A restored journal is sound, and a server opens every table of it."""
    done = pli("admin", "check", "--db", db)
    assert done.returncode == 0, done.stderr
    assert set(await everything(db)) == tables
    async with running(folder, Limits(**BRIEF), db=db) as server:
        for table in tables:
            status, told = await server.get(f"/api/tables/{table}")
            assert (status, told["id"]) == (200, table)
        for page in pages:
            back = await server.page(page.table["id"], page.token)
            assert back.seat == 0
            while not back.legal and back.table["state"] == "playing":
                await back.next()
            if back.table["state"] == "playing":
                await back.do(back.first_action)
                await back.until("update", lambda update: bool(update["did"]))


async def test_an_sqlite_backup_under_load_is_restored_elsewhere(tmp_path: Path) -> None:
    old, new, copy = tmp_path / "old", tmp_path / "new", tmp_path / "backups" / "copy.db"
    old.mkdir()
    new.mkdir()
    async with running(old, Limits(**QUICK)) as server:
        over = (await finished(server))[0].table["id"]
        async with under_load(server) as load:
            before = load.actions
            done = await asyncio.to_thread(pli, "backup", copy, "--db", old / "tables.db")
            assert done.returncode == 0, done.stderr
            assert load.actions > before
            pages = load.pages
    shutil.copy(copy, new / "tables.db")
    tables = {over, *(page.table["id"] for page in pages)}
    await must_go_on(new, f"sqlite:///{new / 'tables.db'}", tables, pages)
    whole = await everything(str(old / "tables.db"))
    kept = await everything(str(copy))
    shorter = 0
    for name in tables:
        entries = [*kept[name].entries.values()]
        assert entries == [*whole[name].entries.values()][: len(entries)]
        shorter += len(entries) < len(whole[name].entries)
    assert shorter  # it was copied in the middle of play


async def test_a_dump_of_postgres_under_load_is_restored_into_a_new_database(
    tmp_path: Path, postgres: Postgres, postgres_url: str
) -> None:
    for program in ("pg_dump", "pg_restore"):
        if not (postgres.programs / program).exists():
            pytest.skip(f"this PostgreSQL comes without {program}")
    dump, restored = tmp_path / "pli.dump", postgres.new_database()
    async with running(tmp_path, Limits(**QUICK), db=postgres_url) as server:
        over = (await finished(server))[0].table["id"]
        async with under_load(server) as load:
            before = load.actions
            await asyncio.to_thread(
                call, postgres, "pg_dump", *DUMP, f"--file={dump}", postgres_url
            )
            assert load.actions > before
            pages = load.pages
    call(postgres, "pg_restore", *RESTORE, f"--dbname={restored}", dump)
    tables = {over, *(page.table["id"] for page in pages)}
    whole, kept = await everything(postgres_url), await everything(restored)
    for name in tables:
        entries = [*kept[name].entries.values()]
        assert entries == [*whole[name].entries.values()][: len(entries)]
    await must_go_on(tmp_path, restored, tables, pages)


def test_the_page_for_operators_says_the_same() -> None:
    page = (Path(__file__).parents[3] / "docs" / "hosting.md").read_text()
    for each in (("pg_dump", *DUMP), ("pg_restore", *RESTORE)):
        assert " ".join(each) in page


def call(postgres: Postgres, program: str, *arguments: object) -> None:
    command = [str(postgres.programs / program), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
