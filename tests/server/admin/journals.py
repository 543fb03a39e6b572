"""A journal as servers leave it, with tables of all states, for tests of `pli admin`."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from pli.server.admin.copying import copy
from pli.server.journal.maintenance import Contents, Maintenance
from pli.server.journal.open import open_maintenance
from pli.server.limits import Limits
from tests.cli.command import pli
from tests.server.client import BRIEF, finished, running
from tests.server.rooms.test_capacity import age

NICK = 'Zoë "Zed" Q'
"""With what is written otherwise in JSON, or in more than a byte."""


@dataclass
class Played:
    """A journal and its tables."""

    db: str
    file: Path
    """From which it was made, or which it is."""
    over: str
    playing: str
    waiting: str
    archived: str
    tokens: dict[str, str]
    """Of the host of each table."""

    @property
    def tables(self) -> list[str]:
        return sorted([self.over, self.playing, self.waiting, self.archived])


async def played(folder: Path, place: str) -> Played:
    """The journal of a real server, moved to the engine of `place` if that is another."""
    file = folder / "tables.db"
    async with running(folder, Limits(**BRIEF, unused_days=5)) as server:
        old, over = await finished(server), await finished(server)
        archived = str(old[0].table["id"])
        playing = await server.alone("plingo", 3, name=NICK, bots="easy", settings={"pace": "calm"})
        made = await server.make("merci", name="Ann", options={"seats": 4})
        await server.sit(made["table"], NICK)
        await server.sit(made["table"], NICK)  # who is told apart by a number
        for page in [*old, *over, playing]:
            await page.close()
        tokens = {page.table["id"]: str(page.token) for page in (over[0], playing)}
        tables = (str(over[0].table["id"]), str(playing.table["id"]), str(made["table"]))
        await server.unloaded(archived, *tables)
        await server.context.journal.archive([])
        age(folder, 6, archived)
        assert await server.context.lobby.archive_unused() == 1
    if not place.startswith("postgresql"):
        return Played(f"sqlite:///{file}", file, *tables, archived, tokens)
    async with (
        opened(f"sqlite:///{file}", write=True) as source,
        opened(place, write=True, create=True) as target,
    ):
        await copy(source, target)
    return Played(place, file, *tables, archived, tokens)


@asynccontextmanager
async def opened(db: str, write: bool = False, create: bool = False) -> AsyncIterator[Maintenance]:
    journal = await open_maintenance(db, write, create)
    try:
        yield journal
    finally:
        await journal.close()


async def contents(db: str, table: str) -> Contents:
    async with opened(db) as journal:
        return await journal.contents(table)


async def everything(db: str) -> dict[str, Contents]:
    async with opened(db) as journal:
        return {name: await journal.contents(name) for name in await journal.names("", 1000)}


async def change(db: str, table: str, edit: Callable[[Contents], Contents]) -> None:
    """Damages a table, say."""
    async with opened(db, write=True) as journal:
        assert await journal.rewrite(table, edit)


def told(*arguments: object) -> Any:
    """What a command says as JSON."""
    done = pli("admin", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return msgspec.json.decode(done.stdout)
