"""Leaving during a game: a bot plays on, the seat may be taken; without people the game ends."""

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pli import games
from pli.cli import app
from pli.server.history.api import History
from tests.server.client import Running

BRISK = {"pace": "instant"}


async def test_when_somebody_leaves_a_bot_plays_on(server: Running) -> None:
    pages = await server.people("marshmallow", 3, settings=BRISK)
    gone = pages.pop(pages[0].view["awaited"][0])
    await gone.send("leave")
    await gone.until("welcome")
    assert (gone.seat, gone.view["hand"], gone.legal) == (None, [], [])
    for page in pages:
        update = await page.until("update")
        assert update["events"][0]["event"] == "played"
        assert page.table["seats"][update["events"][0]["seat"]]["kind"] == "bot"


async def test_what_who_left_had_under_way_is_not_done(server: Running) -> None:
    pages = await server.people("marshmallow", 3)
    actor = pages[pages[0].view["awaited"][0]]
    number = await actor.do(actor.legal[0])
    await actor.send("leave")
    await actor.do(actor.legal[1])  # while the first one is being saved
    assert (await actor.until("update"))["did"] == number
    await actor.until("welcome")
    assert (await actor.until("refused"))["code"] == "only_watching"


async def test_somebody_else_takes_over_a_seat_that_was_left_but_not_the_table(
    server: Running,
) -> None:
    host, second, third = await server.people("marshmallow", 3, options={"first_dealer": 1})
    assert second.legal
    await host.send("leave")
    await second.sees(lambda table: table["host"] == 1)
    assert [seat["open"] for seat in second.table["seats"]] == [True, False, False]
    seat = await server.sit(host.table["id"], "Dan")
    assert seat["seat"] == 0
    dan = await server.page(host.table["id"], seat["token"])
    assert dan.view == host.view  # as it was before it left
    assert dan.table["commitment"] == second.table["commitment"]
    assert [*dan.table["contributions"]] == ["0", "1", "2"]  # the shuffles follow from them
    await third.sees(lambda table: table["seats"][0]["name"] == "Dan")
    assert third.table["seats"][0]["kind"] == "person"
    assert not third.table["seats"][0]["open"]
    assert dan.table["host"] == 1
    assert await dan.asks("fill", seat=2, level="easy") == "only_host"
    old = await server.connect(host.table["id"])
    await old.send("hello", token=host.token)
    assert (await old.until("problem"))["code"] == "not_your_seat"
    for page in (second, third, dan):
        number = await page.do(page.legal[0])
        for each in (second, third, dan):
            did = (await each.until("update"))["did"]
            assert did == (number if each is page else 0)


async def test_the_last_person_who_leaves_ends_the_game_and_it_can_be_verified(
    server: Running, tmp_path: Path
) -> None:
    page = await server.alone("marshmallow", 3, settings={"pace": "calm"})
    watcher = await server.page(page.table["id"])
    commitment = page.table["commitment"]
    await page.send("leave")
    await watcher.sees(lambda table: table["state"] == "over")
    assert watcher.table["secret"]
    assert watcher.table["results"] == [[]]
    status, text = await server.get(f"/api/tables/{page.table['id']}/games/1/record")
    assert status == 200
    file = tmp_path / "game.pli"
    file.write_bytes(text)
    last = text.decode().splitlines()[-1]
    assert last.startswith("result unfinished")
    told = CliRunner().invoke(app, ["verify", str(file), "--commitment", commitment])
    assert told.exit_code == 0, told.output


@pytest.mark.parametrize("game", ["merci", "twinit"])
async def test_in_live_games_a_bot_plays_on_too(server: Running, game: str) -> None:
    pages = await server.people(game, 3)
    gone = pages.pop(pages[0].view["awaited"][0])
    seat = gone.seat
    await gone.send("leave")
    for page in pages:
        update = await page.until("update", lambda told: bool(told["events"]))
        assert update["events"][0]["seat"] == seat


@pytest.mark.parametrize("game", games.names())
async def test_a_bot_that_comes_when_everybody_has_left_does_nothing(
    server: Running,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    game: str,
) -> None:
    """Being told what happened before takes it so long that the last person leaves meanwhile."""
    seen = History.seen
    everybody_left = asyncio.Event()

    async def slow(*asked: Any) -> Any:
        past = await seen(*asked)
        await everybody_left.wait()
        return past

    monkeypatch.setattr(History, "seen", slow)
    pages = await server.people(game, 3, settings=BRISK)
    watcher = await server.page(pages[0].table["id"])
    for page in sorted(pages, key=lambda page: page.seat not in watcher.view["awaited"]):
        await page.send("leave")
    await watcher.sees(lambda table: table["state"] == "over")
    told = len(watcher.told)
    before = await server.context.journal.entries(watcher.table["id"])
    everybody_left.set()
    await asyncio.sleep(0.2)
    assert await watcher.asks("back") == "only_watching"  # and nothing else was told before
    assert len(watcher.told) == told + 1
    assert await server.context.journal.entries(watcher.table["id"]) == before
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]
