"""Hints for a person who plays against bots only."""

from typing import Any

from tests.server.client import Page, Running


async def hinted(page: Page) -> dict[str, Any]:
    """The first time its search may still have to be compiled."""
    for _ in range(60):
        await page.send("hint")
        hints = await page.until("hints")
        if hints["actions"]:
            return hints
    raise AssertionError("there are no hints")


async def test_who_plays_alone_against_bots_is_told_what_a_strong_bot_would_do(
    server: Running,
) -> None:
    page = await server.alone("marshmallow", 3, options={"first_dealer": 0})
    hints = await hinted(page)
    assert hints["n"] == page.n
    assert {each["action"] for each in hints["actions"]} == {*page.legal}
    assert all(0 <= each["chance"] <= 1 for each in hints["actions"])
    await page.send("hint")
    assert await page.until("hints") == hints  # without thinking about it twice
    number = await page.do(hints["actions"][0]["action"])
    assert (await page.until("update"))["did"] == number


async def test_live_games_have_hints_too(server: Running) -> None:
    page = await server.alone("merci", 3, options={"first_player": 0})
    legal = page.legal
    hints = await hinted(page)
    assert {each["action"] for each in hints["actions"]} <= {*legal, *page.legal}


async def test_who_has_nothing_to_decide_is_told_nothing(server: Running) -> None:
    options = {"first_dealer": 1}
    page = await server.alone("marshmallow", 3, options=options, settings={"pace": "calm"})
    await page.send("hint")
    assert (await page.until("hints"))["actions"] == []


async def test_there_are_no_hints_where_two_people_sit_even_if_a_bot_stands_in(
    server: Running,
) -> None:
    settings = {"pace": "instant", "grace": 1}
    pages = await server.waiting("marshmallow", 3, 2, settings=settings)
    assert await pages[0].asks("hint") == "hints_alone"
    await pages[0].send("fill", seat=2, level="easy")
    for page in pages:
        await page.contribute()
    await pages[0].send("begin")
    await pages[0].until("update")
    assert await pages[0].asks("hint") == "hints_alone"
    await pages[1].close()
    await pages[0].sees(lambda table: table["seats"][1]["stand_in"])
    assert await pages[0].asks("hint") == "hints_alone"


async def test_there_are_no_hints_for_spectators_nor_in_games_that_are_not_searched(
    server: Running,
) -> None:
    page = await server.alone("marshmallow", 3)
    watcher = await server.page(page.table["id"])
    assert await watcher.asks("hint") == "only_watching"
    (waiting,) = await server.waiting("marshmallow", 3, 1)
    assert await waiting.asks("hint") == "not_now"
    twins = await server.alone("twinit", 2)
    assert await twins.asks("hint") == "no_hints"
    assert "Twin It!" in twins.told[-1]["text"]
