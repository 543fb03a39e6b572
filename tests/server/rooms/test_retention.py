"""How long finished games are kept: for ever, or `record_days`."""

from pathlib import Path

import pytest

from pli.server.limits import Limits
from tests.server.client import BRIEF, Running, finished
from tests.server.rooms.test_capacity import age

KEPT = Limits(**BRIEF, unused_days=5, record_days=20)


async def played(server: Running) -> str:
    """A table at which people finished a game, and left."""
    pages = await finished(server)
    table = str(pages[0].table["id"])
    for page in pages:
        await page.close()
    await server.unloaded(table)
    assert await shown(server, table)
    await server.context.journal.archive([])  # says when tables were touched
    return table


async def shown(server: Running, table: str) -> bool:
    """Whether its finished game can be looked at."""
    status, _ = await server.get(f"/api/tables/{table}/games/1/moves")
    assert status in (200, 404)
    return status == 200


async def clean(server: Running) -> int:
    """What the server does every few hours."""
    await server.context.lobby.archive_unused()
    return await server.context.lobby.delete_expired()


def held(folder: Path, *texts: str) -> list[str]:
    """Those that any file of the journal holds."""
    content = b"".join(each.read_bytes() for each in folder.glob("tables.db*"))
    return [text for text in texts if text.encode() in content]


@pytest.mark.server(limits=Limits(**BRIEF))
async def test_by_default_records_are_kept_for_ever(server: Running, tmp_path: Path) -> None:
    table = await played(server)
    age(tmp_path, 4000, table)
    assert await clean(server) == 0
    listing = await server.context.journal.listing(table)
    assert listing is not None
    assert listing.state == "archived"
    assert await shown(server, table)
    assert held(tmp_path, "P1") == ["P1"]


@pytest.mark.server(limits=KEPT)
async def test_after_record_days_a_table_is_gone_from_the_files_as_well(
    server: Running, tmp_path: Path
) -> None:
    old, newer = await played(server), await played(server)
    age(tmp_path, 21, old)
    age(tmp_path, 19, newer)
    assert held(tmp_path, old, newer) == [old, newer]
    assert await clean(server) == 1
    assert held(tmp_path, old, newer) == [newer]
    assert not await shown(server, old)  # nor from memory
    assert await shown(server, newer)
    age(tmp_path, 21, newer)
    assert await clean(server) == 1
    assert held(tmp_path, newer, "Ann", "P1", "P2") == []
    assert (await server.make("plingo", name="Zoe"))["table"]
    assert held(tmp_path, "Zoe") == ["Zoe"]


@pytest.mark.server(limits=KEPT)
async def test_a_table_where_somebody_is_stays(server: Running, tmp_path: Path) -> None:
    (page, *_) = await finished(server)
    table = page.table["id"]
    await server.context.journal.archive([])
    age(tmp_path, 30, table)
    assert await clean(server) == 0
    assert await server.durable(table)
    assert await shown(server, table)


@pytest.mark.server(limits=Limits(**BRIEF, unused_days=50, record_days=20))
async def test_a_finished_table_may_go_before_it_would_be_archived_an_unfinished_one_not(
    server: Running, tmp_path: Path
) -> None:
    over = await played(server)
    page = await server.alone("marshmallow", 3, settings={"pace": "calm"})
    playing = page.table["id"]
    await page.close()
    await server.unloaded(playing)
    await server.context.journal.archive([])
    age(tmp_path, 30, over, playing)
    assert await clean(server) == 1
    assert await server.context.journal.entries(over) == []
    assert (await server.durable(playing)).state == "playing"
