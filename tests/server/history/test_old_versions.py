"""Tables of an older version, from a journal that its server wrote: people find them as they were,
with the moves as a list, and play on under the rules of today. One of each game."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from pli import games
from pli.record import clock
from pli.record.transcript import read_transcript
from pli.server.protocol.messages import Settings
from pli.server.tables import entries as e
from pli.server.tables.table import Table
from tests import old
from tests.server.client import Page, Running, running
from tests.server.journal.held import held_appends

every_game = pytest.mark.parametrize("game", old.GAMES)


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Running]:
    """A server whose journal has tables of earlier versions of the games."""
    old.put_journal(tmp_path)
    async with running(tmp_path) as server:
        yield server


async def host_of(server: Running, game: str, state: str) -> Page:
    seat = old.SEATS[game][state]
    return await server.page(seat["table"], seat["token"])


async def plays_again(page: Page, game: str) -> None:
    """A rematch, which is played by the rules of today."""
    before = {**page.table["options"]}
    await page.send("again")
    await page.sees(lambda table: table["state"] == "waiting")
    assert (page.table["number"], page.table["outdated"]) == (2, False)
    assert page.table["version"] == games.load(game).version > old.VERSION
    now = page.table["options"]
    for name in {*before} & {*now}:
        assert now[name] == before[name]
    assert {*now} == {each.name for each in games.load(game).described}
    await page.contribute()
    await page.until("update")
    assert page.table["state"] == "playing"
    assert page.view["phase"] != "over"


@every_game
async def test_a_finished_game_is_shown_with_its_people_and_its_result(
    server: Running, game: str
) -> None:
    table = old.SEATS[game]["finished"]["table"]
    status, info = await server.get(f"/api/tables/{table}")
    assert status == 200
    assert (info["outdated"], info["version"], info["departures"]) == (True, old.VERSION, [])
    assert (info["state"], info["kinds"]) == ("over", ["same"])
    assert info["results"] == [read_transcript(old.record_file(game).read_text()).winners]
    assert [each["kind"] for each in info["seats"]][:2] == ["person", "bot"]
    assert info["seats"][0]["name"] == "Ann"
    page = await host_of(server, game, "finished")
    assert (page.view, page.legal) == ({}, [])
    await plays_again(page, game)


@every_game
async def test_the_moves_of_a_finished_game_are_those_of_its_record(
    server: Running, game: str
) -> None:
    at = f"/api/tables/{old.SEATS[game]['finished']['table']}/games/1"
    text = old.record_file(game).read_text()
    assert await server.get(f"{at}/record") == (200, text.encode())
    status, wrong = await server.get(f"{at}/replay")
    assert (status, wrong["code"]) == (409, "outdated_game")
    status, told = await server.get(f"{at}/moves")
    assert (status, told["abandoned"]) == (200, False)
    assert told["table"]["version"] == old.VERSION
    written = read_transcript(text)
    assert told["winners"] == written.winners
    moves = [
        (clock(each["time"]), each["seat"], each["action"] or "timer") for each in told["moves"]
    ]
    assert moves == [(each.time, each.seat, each.text) for each in written.lines if each.time]
    assert (await server.get(at.replace("games/1", "games/2/moves")))[0] == 404


@every_game
async def test_a_game_that_was_running_cannot_go_on_but_its_people_play_again(
    server: Running, game: str
) -> None:
    page = await host_of(server, game, "running")
    at = f"/api/tables/{page.table['id']}/games/1"
    assert (page.table["state"], page.table["outdated"]) == ("playing", True)
    assert (page.view, page.legal) == ({}, [])
    await page.do(games.load(game).notation.show(0))
    assert (await page.until("refused"))["code"] == "bad_action"
    # What was hidden in it stays so: another server might still play it on.
    status, wrong = await server.get(f"{at}/moves")
    assert (status, wrong["code"]) == (403, "not_over")
    await plays_again(page, game)
    assert page.table["results"] == [[]]
    status, told = await server.get(f"{at}/moves")
    assert (status, told["abandoned"], told["winners"]) == (200, True, [])
    assert len(told["moves"]) > 10
    assert all(each["action"] or each["seat"] is None for each in told["moves"])
    status, wrong = await server.get(f"{at}/record")
    assert (status, wrong["code"]) == (409, "outdated_game")


async def test_a_picture_waits_until_the_end_of_its_game_is_durable(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page asks for pictures in advance, perhaps just when its players begin anew."""
    page = await host_of(server, "twinit", "running")
    sheet = next(each for each in page.told if each["type"] == "pictures")["sheets"][0]
    path = f"/pictures/{page.table['id']}/1/{sheet}"
    with held_appends(server.context.journal, monkeypatch) as held:
        await page.send("again")
        await held.some()
        asked = asyncio.create_task(server.get(path))
        await asyncio.sleep(0.1)
        assert not asked.done()
    assert (await asked)[0] == 200


async def test_a_move_that_nobody_can_read_any_more_is_told_as_such(tmp_path: Path) -> None:
    old.put_journal(tmp_path)
    table = old.SEATS["plingo"]["finished"]["table"]
    with closing(sqlite3.connect(tmp_path / "tables.db")) as db:
        found = db.execute("SELECT number, entry FROM entries WHERE table_id = ?", (table,))
        entries = [(n, msgspec.json.decode(entry)) for n, entry in found]
        number, entry = next((n, entry) for n, entry in entries if entry["e"] == "a")
        new = msgspec.json.encode({**entry, "action": 9999})
        where = "WHERE table_id = ? AND number = ?"
        db.execute(f"UPDATE entries SET entry = ? {where}", (new, table, number))
        db.commit()
    async with running(tmp_path) as server:
        _, told = await server.get(f"/api/tables/{table}/games/1/moves")
        first = told["moves"][0]
        assert (first["action"], first["seat"]) == (None, entry["seat"])
        assert all(each["action"] for each in told["moves"][1:])


def test_a_table_that_waited_since_then_is_played_by_the_rules_of_today() -> None:
    options = {"seats": 3, "edition": "fr", "target": 5, "first_dealer": "random", "sweets": 2}
    made = e.Made(game="marshmallow", options=options, settings=Settings(), public=True, at=1)
    table = Table("k7f3q2aaaa", made)
    wanted = {**options, "tricks_to_go_out": "book"}
    del wanted["sweets"]
    assert table.info().options == wanted
    assert table.info().departures == ["target"]
    table.apply(e.Committed(number=1, secret="5e" * 32))
    table.apply(e.Begun(version=table.game.version))
    assert table.match is not None
    old_one = Table("k7f3q2aaaa", made)
    old_one.apply(e.Begun(version=old.VERSION))
    assert old_one.info().options == options  # as they were
