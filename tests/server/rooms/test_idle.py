"""Idle tables: without a person's action bots slow down, then the table rests until a person
acts; a rematch needs a person."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from pli.server.limits import Limits
from pli.server.rooms import bots as bots
from pli.server.tables import entries as e
from tests.server.client import QUICK, Page, Running, deal, running

SHORT: dict[str, dict[str, Any]] = {
    "marshmallow": {"target": 1},
    "twinit": {"mode": "race", "catches": 1},
}
INSTANT = {"pace": "instant"}


def rests_after(entries: int, slow: int = 1_000_000) -> Limits:
    return Limits(**{**QUICK, "slow_entries": slow, "rest_entries": entries})


async def entries_of(server: Running, page: Page) -> list[Any]:
    """Of a page's table, as they are on disk."""
    return [e.decode(body) for body in await server.context.journal.entries(page.table["id"])]


async def written(server: Running, page: Page) -> int:
    return len(await entries_of(server, page))


async def left_to_bots(server: Running, game: str = "marshmallow", **fields: Any) -> Page:
    """A person whose seat a bot plays, among bots that don't pause."""
    page = await server.alone(game, 3, **fields)
    await page.send("fill", seat=0, level="medium")
    await page.sees(lambda table: table["seats"][0]["stand_in"])
    return page


def is_resting(table: dict[str, Any]) -> bool:
    return bool(table["resting"])


def is_awake(table: dict[str, Any]) -> bool:
    return not table["resting"]


async def stays(value: Callable[[], Awaitable[int]]) -> bool:
    before = await value()
    await asyncio.sleep(0.3)
    return await value() == before


class Loop:
    """A client that never plays, and keeps the table going by every message there is."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def run(self, seconds: float) -> None:
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            try:
                async with asyncio.timeout(0.2):
                    await self.page.next()
            except TimeoutError:
                pass
            await self._react()

    async def _react(self) -> None:
        table, page = self.page.table, self.page
        seat = table["seats"][0]
        if table["state"] == "over" and not seat["again"]:
            await page.send("back")
            await page.send("again")
        elif table["state"] == "waiting" and not seat["ready"]:
            await page.contribute()
        elif table["state"] == "playing" and not seat["stand_in"]:
            await page.send("fill", seat=0, level="medium")
        elif table.get("resting"):
            await page.send("go_on")


@pytest.mark.parametrize("game", ["marshmallow", "twinit"])
@pytest.mark.server(limits=Limits(messages=(1e6, 1e6)))
async def test_a_journal_does_not_grow_without_a_person(server: Running, game: str) -> None:
    """At the usual limits, with everything asked for that a page can ask for."""
    seconds = 5.0
    made = await server.make(
        game, bots="medium", settings=INSTANT, options={"seats": 3, **SHORT[game]}
    )
    page = await server.page(made["table"], made["token"])
    await page.contribute()
    await page.send("begin")
    await Loop(page).run(seconds)
    # A hundred at once, then two bots and who is stood in for at the pace of people.
    assert await written(server, page) < 200 + 10 * seconds


@pytest.mark.parametrize("game", ["marshmallow", "twinit"])
async def test_without_a_person_bots_slow_down(tmp_path: Path, game: str) -> None:
    limits = Limits(**{**QUICK, "slow_entries": 20})
    async with running(tmp_path, limits) as server:
        page = await left_to_bots(server, game)
        await asyncio.sleep(3)
        acted = [each for each in await entries_of(server, page) if isinstance(each, e.Acted)]
        assert 20 <= len(acted) < 60


@pytest.mark.server(limits=rests_after(30))
async def test_without_a_person_a_table_rests_and_everybody_is_told(server: Running) -> None:
    page = await left_to_bots(server)
    watcher = await server.page(page.table["id"])
    await page.sees(is_resting)
    await watcher.sees(is_resting)
    n = page.n
    assert 30 <= n < 60
    assert await stays(lambda: written(server, page))
    _, told = await server.get(f"/api/tables/{page.table['id']}")
    assert is_resting(told)
    assert await watcher.asks("go_on") == "only_watching"
    assert await stays(lambda: written(server, page))
    await page.send("go_on")
    for each in (watcher, page):
        await each.sees(is_awake)
        await each.sees(is_resting)
    assert page.n - n == 30
    late = await server.page(page.table["id"])
    assert is_resting(late.table)


@pytest.mark.server(limits=rests_after(30))
async def test_who_comes_back_to_its_seat_wakes_the_table(server: Running) -> None:
    page = await left_to_bots(server)
    await page.sees(is_resting)
    await page.send("back")
    await page.sees(is_awake)
    await page.sees(lambda table: not table["seats"][0]["stand_in"])
    await page.play()
    assert not is_resting(page.table)
    assert not any(told["type"] == "problem" for told in page.told)


@pytest.mark.server(limits=rests_after(30))
async def test_in_a_live_game_an_action_wakes_the_table_and_time_goes_on(server: Running) -> None:
    options = {"mode": "coop", "minute_ms": 600_000}
    page = await left_to_bots(server, "twinit", options=options)
    await page.sees(is_resting)
    before = await server.page(page.table["id"])
    await asyncio.sleep(0.5)
    after = await server.page(page.table["id"])
    assert before.told[-1]["time"] == after.told[-1]["time"]
    number = await page.do(next(each for each in page.legal if each.startswith("turn")))
    await page.sees(is_awake)
    update = await page.until("update", lambda message: message["did"] == number)
    await asyncio.sleep(0.1)
    later = await server.page(page.table["id"])
    welcome = next(told for told in later.told if told["type"] == "welcome")
    assert welcome["time"] > update["time"]


@pytest.mark.server(limits=rests_after(1))
async def test_who_thinks_for_long_is_waited_for_without_any_rest(server: Running) -> None:
    page = await server.alone("marshmallow", 3, options={"first_dealer": 2})
    await page.until("update")  # a bot led
    assert page.view["awaited"] == [0]
    n = page.n
    await asyncio.sleep(0.3)
    assert not is_resting(page.table)
    await page.do(page.legal[0])
    await page.until("update", lambda message: message["did"] == 1)
    assert page.n == n + 1


@pytest.mark.server(limits=rests_after(30, slow=10))
async def test_an_arrival_wakes_the_table_once_until_somebody_acts(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(bots.PAUSES, "calm", (0.0, 0.0))
    page = await left_to_bots(server, options={"target": 20})
    await page.sees(is_resting)
    for _ in range(4):
        await page.close()
        page = await server.page(page.table["id"], page.token)
        await page.send("fill", seat=0, level="medium")
        await page.sees(is_resting)
        await page.sees(lambda table: table["seats"][0]["stand_in"])
    acted = [each for each in await entries_of(server, page) if isinstance(each, e.Acted)]
    assert len(acted) == 30 + 10
    watcher = await server.page(page.table["id"])
    assert is_resting(watcher.table)
    await page.send("back")
    await page.sees(is_awake)


@pytest.mark.server(limits=rests_after(30, slow=10))
async def test_where_only_others_watch_the_table_rests_until_a_person_comes(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(bots.PAUSES, "calm", (0.0, 0.0))
    settings = {"pace": "instant", "grace": 1}
    page = await server.alone("marshmallow", 3, settings=settings, options={"target": 20})
    watcher = await server.page(page.table["id"])
    await page.close()
    await watcher.sees(is_resting)
    other = await server.page(page.table["id"])
    assert is_resting(other.table)
    page = await server.page(page.table["id"], page.token)
    assert not is_resting(page.table)
    assert not page.table["seats"][0]["stand_in"]


@pytest.mark.parametrize("game", ["marshmallow", "plingo", "twinit"])
async def test_with_a_person_bots_never_slow_down(tmp_path: Path, game: str) -> None:
    """At the usual limits."""
    usual = {"slow_entries": Limits().slow_entries, "rest_entries": Limits().rest_entries}
    async with running(tmp_path, Limits(**{**QUICK, **usual})) as server:
        page = await server.alone(game, 4)
        await page.play()
        assert not any(is_resting(told["table"]) for told in page.told if "table" in told)
        longest = alone = 0
        for entry in await entries_of(server, page):
            if isinstance(entry, e.Acted) and entry.id:
                alone = 0
            elif isinstance(entry, e.Acted | e.Ticked):
                alone += 1
            longest = max(longest, alone)
        assert longest < Limits().slow_entries / 3


async def test_a_table_that_rests_does_so_after_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path, rests_after(30)) as server:
        page = await left_to_bots(server, options={"target": 20})
        await page.sees(is_resting)
        n = page.n
    async with running(tmp_path, rests_after(30)) as server:
        watcher = await server.page(page.table["id"])
        await watcher.sees(is_resting)
        assert watcher.n == n
        page = await server.page(page.table["id"], page.token)
        assert not is_resting(page.table)


# Playing again


async def bots_finish(page: Page) -> None:
    await page.sees(lambda table: table["state"] == "over")


async def test_a_rematch_needs_a_person(server: Running) -> None:
    page = await left_to_bots(server, options={"target": 1})
    await bots_finish(page)
    assert await page.asks("again") == "bot_plays"
    assert page.table["state"] == "over"
    await page.send("back")
    await page.send("again")
    await page.sees(lambda table: table["number"] == 2)


async def test_who_played_and_let_a_bot_finish_plays_again_at_once(server: Running) -> None:
    options = {"target": 1, "first_dealer": 0}
    page = await server.alone("marshmallow", 3, options=options)
    await page.do(page.legal[0])
    await page.send("fill", seat=0, level="medium")
    await page.sees(lambda table: table["seats"][0]["stand_in"])
    await bots_finish(page)
    assert page.table["seats"][0]["stand_in"]
    await page.send("again")
    await page.sees(lambda table: table["number"] == 2)


async def test_whose_game_ended_while_it_was_away_plays_again_at_once(server: Running) -> None:
    settings = {"pace": "instant", "grace": 1}
    page = await server.alone("marshmallow", 3, options={"target": 1}, settings=settings)
    watcher = await server.page(page.table["id"])
    await page.close()
    await bots_finish(watcher)
    page = await server.page(page.table["id"], page.token)
    await page.send("again")
    await page.sees(lambda table: table["number"] == 2)


@pytest.mark.server(limits=rests_after(90))
async def test_a_rematch_among_bots_goes_on_counting(server: Running) -> None:
    """A game after the other is as little of a game as a long one."""
    page = await left_to_bots(server, options={"target": 1})
    games = 1
    while not is_resting(page.table) and games < 12:
        await bots_finish(page)
        await page.send("back")
        await page.send("again")
        await page.sees(lambda table: table["state"] == "waiting")
        await deal([page])
        games += 1
        await page.send("fill", seat=0, level="medium")
        await page.sees(
            lambda table: is_resting(table) or table["state"] == "over" or stands_in(table)
        )
        await page.sees(lambda table: is_resting(table) or table["state"] == "over")
    assert games > 1
    acted = [each for each in await entries_of(server, page) if isinstance(each, e.Acted)]
    assert len(acted) == 90


def stands_in(table: dict[str, Any]) -> bool:
    return bool(table["seats"][0]["stand_in"])
