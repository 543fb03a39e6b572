"""Bots at tables: their pace, and searches in worker processes, also when a process is lost."""

import asyncio
import os
import signal
import time
from typing import Any

import pytest

import pli
from pli.bots import ADULT
from pli.bots.workers import DecisionRequest, QueueKey
from pli.server.rooms.bots import hurried
from tests.server.client import PATIENCE, Page, Running, deal


def events(page: Page) -> list[dict[str, Any]]:
    return [each for told in page.told for each in told.get("events", [])]


async def warm(server: Running, game: str) -> None:
    """Once a search is compiled, thinking takes no longer than it should."""
    match = pli.new(game, seed=5)
    seat = match.actors[0]
    seen = [*match.events(seat)]
    question = DecisionRequest(
        game, "search:10", seat, "", 0, match.view(seat), seen, match.legal(seat)
    )
    await server.context.bot_pool.answer(question, 300)


async def thinking(server: Running) -> int:
    """The worker's process, as soon as it thinks."""
    async with asyncio.timeout(PATIENCE):
        while True:
            for pid, state in server.context.bot_pool.pids.items():
                if state == "thinking":
                    return pid
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("game", ["marshmallow", "plingo"])
@pytest.mark.parametrize("level", ["easy", "medium"])
async def test_somebody_plays_a_whole_game_among_bots(
    server: Running, game: str, level: str
) -> None:
    page = await server.alone(game, 3, bots=level)
    await page.play()
    assert page.table["results"] == [page.view["winners"]]
    assert server.context.bot_pool.pids == {}  # they need no thinking


async def test_bots_of_different_levels_sit_at_one_table(server: Running) -> None:
    settings = {"pace": "instant"}
    (page,) = await server.waiting("plingo", 4, 1, settings=settings)
    for seat, level in enumerate(("easy", "medium", "easy"), 1):
        await page.send("fill", seat=seat, level=level)
    await page.sees(lambda table: all(seat["kind"] != "empty" for seat in table["seats"]))
    await deal([page])
    await page.play()


async def test_bots_pause_as_people_do(server: Running) -> None:
    page = await server.alone(
        "marshmallow", 3, settings={"pace": "brisk"}, options={"first_dealer": 1}
    )
    began = time.monotonic()
    for bots in (1, 2):
        await page.until("update")
        assert time.monotonic() - began >= 0.25 * bots


@pytest.mark.parametrize("game", ["merci", "twinit"])
async def test_live_bots_play_at_the_speed_of_people(server: Running, game: str) -> None:
    pages = await server.waiting(game, 4, 1, bots="medium")
    await deal(pages)
    page = pages[0]
    times: list[tuple[int, int]] = []
    while len(times) < 2:
        if page.view["awaited"] == [0]:
            await page.do(page.first_action)
        update = await page.until("update")
        times += [
            (update["time"], event["seat"])
            for event in update["events"]
            if event.get("seat") not in (None, 0)
        ]
    first, last = times[0][0], times[-1][0]
    assert first >= 100  # nobody has an answer at once
    assert last < 60_000


async def test_hard_bots_think_in_workers_and_play_on_when_these_die(server: Running) -> None:
    await warm(server, "marshmallow")
    page = await server.alone("marshmallow", 3, bots="hard", options={"first_dealer": 1})
    killed = await thinking(server)
    os.kill(killed, signal.SIGKILL)
    while page.view["awaited"] != [0]:
        await page.until("update")
    assert [each["seat"] for each in events(page) if each["event"] == "played"] == [1, 2]
    number = await page.do(page.legal[0])
    assert (await page.until("update"))["did"] == number
    await warm(server, "marshmallow")  # there is another one
    assert killed not in server.context.bot_pool.pids


async def test_hard_bots_of_live_games_ask_the_workers_too(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[DecisionRequest, str]] = []
    answer = server.context.bot_pool.answer

    async def listening(question: DecisionRequest, deadline: float, whose: QueueKey) -> str:
        asked.append((question, await answer(question, deadline)))
        return asked[-1][1]

    monkeypatch.setattr(server.context.bot_pool, "answer", listening)
    pages = await server.waiting("merci", 3, 1, bots="hard", options={"first_player": 1})
    await deal(pages)
    page = pages[0]
    while not asked or not any(each.get("seat") == 1 for each in events(page)):
        await page.until("update")
    question, chosen = asked[0]
    assert (question.game, question.bot, question.seat) == ("merci", "hard", 1)
    assert question.view.seat == 1
    assert chosen in question.actions


async def test_a_live_bot_acts_on_a_better_thought_that_comes_in_time(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    async def sudden(question: DecisionRequest, deadline: float, whose: QueueKey) -> str:
        asked.append(question.seat)
        return "draw"  # though something else can be done

    monkeypatch.setattr(server.context.bot_pool, "answer", sudden)
    pages = await server.waiting("merci", 3, 1, bots="hard", options={"first_player": 1})
    await deal(pages)
    page = pages[0]
    before = after = page.view["cards"]
    while not any(after[seat] > before[seat] for seat in asked):
        if page.view["awaited"] == [0]:
            await page.do(page.first_action)
        await page.until("update")
        before, after = after, page.view["cards"]


async def test_a_bot_that_fails_holds_nobody_up(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(question: DecisionRequest) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr("pli.server.rooms.bots.instant", failing)
    page = await server.alone("marshmallow", 3, options={"target": 1})
    await page.play()


async def test_bots_think_for_the_address_of_who_plays_with_them(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that many tables of one address take turns with those of others."""
    thinkers, asked = server.context.bot_pool, list[QueueKey]()
    answer = thinkers.answer

    async def noting(question: DecisionRequest, deadline: float, whose: QueueKey) -> str:
        asked.append(whose)
        return await answer(question, deadline, whose)

    monkeypatch.setattr(thinkers, "answer", noting)
    # The dealer names the trump colour: a bot begins.
    page = await server.alone("marshmallow", 3, bots="hard", options={"first_dealer": 1})
    async with asyncio.timeout(PATIENCE):
        while not asked:
            await asyncio.sleep(0.01)
    assert {*asked} == {("127.0.0.1", page.table["id"])}


async def test_nothing_happens_at_a_table_while_nobody_is_there(server: Running) -> None:
    page = await server.alone(
        "marshmallow", 3, settings={"pace": "brisk"}, options={"first_dealer": 1}
    )
    await page.close()
    await asyncio.sleep(0.8)
    again = await server.page(page.table["id"], page.token)
    assert again.n == page.n
    await again.until("update")


def test_a_table_s_pace_hurries_bots_where_time_matters() -> None:
    assert hurried(ADULT, "calm") is ADULT
    assert hurried(ADULT, "brisk").thinking.mean < ADULT.thinking.mean
    instant = hurried(ADULT, "instant")
    assert instant.thinking.mean + instant.floor < 50  # milliseconds
    assert instant.forgetting == ADULT.forgetting  # quicker, and no more polite
