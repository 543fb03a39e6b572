"""A server takes a game from a folder like those of the package: tables, bots, journals, replays,
records. Every message is checked against the schema, as in all tests."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from pli import games
from pli.record import read_record, replay
from pli.record.verification import verify
from tests.outside import fresh_folder
from tests.server.client import Running, deal, play_some, running
from tests.server.protocol import schemas


@pytest.fixture(autouse=True)
def added(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with fresh_folder(tmp_path_factory.mktemp("games")) as folder:
        games.add(folder)
        schemas.forget()
        yield
    schemas.forget()


async def test_people_and_a_bot_play_and_what_they_played_is_kept(server: Running) -> None:
    pages = await server.waiting(
        "switch", 3, 2, options={"target": 4}, settings={"pace": "instant"}
    )
    table = pages[0].table["id"]
    await pages[0].send("fill", seat=2, level="hard")
    await pages[0].sees(lambda told: told["seats"][2]["kind"] == "bot")
    await deal(pages)
    await asyncio.gather(*(page.play() for page in pages))
    winners = pages[0].view["winners"]
    assert [winners] == pages[1].table["results"]
    status, told = await server.get(f"/api/tables/{table}/games/1/replay?seat=1")
    assert status == 200
    assert told["updates"][-1]["view"]["winners"] == winners
    status, record = await server.get(f"/api/tables/{table}/games/1/record")
    assert status == 200
    read = read_record(record.decode())
    assert verify(read) >= 1
    assert replay(read).winners == winners


async def test_a_game_goes_on_after_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        pages = await server.people("switch", 2)
        await play_some(pages, 7)
        table, token, before = pages[1].table["id"], pages[1].token, pages[1].view
    async with running(tmp_path) as server:
        assert (await server.page(table, token)).view == before


async def test_pages_are_told_how_it_is_shown(server: Running) -> None:
    status, told = await server.get("/api/games/switch/table")
    assert status == 200
    assert told["suits"] == ["C", "D", "H", "S"]
    assert told["texts"]["fr"]["events.drew.you"] == "You draw a card."
    assert (await server.get("/api/games/chess/table"))[0] == 404
    assert (await server.get("/api/rules/switch/es"))[1].startswith(b"# Switch")
