"""The common start of Twin It!: nobody is shown a face, and no hand counts, before all pages that
know of it have their pictures."""

import time
from pathlib import Path
from typing import Any

import pytest

from pli.server.rooms import start
from tests.server.client import Page, Running, deal, running

SOON = 0.15


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "COUNTDOWN", SOON)
    monkeypatch.setattr(start, "RETURN", 2 * SOON)


async def dealt(
    server: Running, *knows: bool, pace: str = "calm", mode: str = "race"
) -> list[Page]:
    """The pages of a new table, each of which knows of the start or not, after the deal."""
    options = {"seats": len(knows), "mode": mode}
    made = await server.make("twinit", options=options, settings={"pace": pace})
    tokens = [made["token"]]
    tokens += [(await server.sit(made["table"], f"P{n}"))["token"] for n in range(1, len(knows))]
    pages = [
        await server.page(made["table"], token, **({"starts": True} if each else {}))
        for token, each in zip(tokens, knows, strict=True)
    ]
    await deal(pages)
    return pages


def faces(page: Page) -> set[str]:
    return {face for each in page.told if each["type"] == "pictures" for face in each["faces"]}


def starts(page: Page) -> list[dict[str, Any]]:
    return [each for each in page.told if each["type"] == "start"]


async def started(page: Page) -> dict[str, Any]:
    told: dict[str, Any] = await page.until("start", lambda each: each["count"] == 0)
    return told


async def ready(page: Page) -> None:
    await page.send("ready", number=page.table["number"])


@pytest.mark.parametrize("mode", ["race", "rush", "coop"])
async def test_it_starts_for_all_when_the_last_page_has_its_pictures(
    server: Running, mode: str
) -> None:
    ann, bob = pages = await dealt(server, True, True, mode=mode)
    await ready(ann)
    await ann.until("start", lambda each: each["waits_for"] == [1])
    await ann.do("touch 1")
    refused = await ann.until("refused")
    assert refused["code"] == "not_started"
    assert not faces(ann)
    await ready(bob)
    for page in pages:
        await page.until("start", lambda each: each["count"] is not None and each["count"] > 0)
        assert not faces(page)
        assert (await started(page))["time"] < 1000 * SOON
        assert faces(page)
    assert mode == "race" or ann.view["minute_ends"] == 60_000


async def test_who_never_has_them_holds_nobody_up_for_long(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "OTHERS_WAIT", SOON)
    ann, bob = await dealt(server, True, True)
    await ready(ann)
    await started(ann)
    await started(bob)
    later = await server.page(ann.table["id"], bob.token, starts=True)
    assert starts(later)[-1]["count"] == 0
    assert faces(later) == faces(ann)


async def test_a_game_whose_pages_all_lack_pictures_starts_at_last(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "LONGEST", SOON)
    (ann, _) = await dealt(server, True, True)
    await started(ann)


async def test_a_page_that_does_not_know_of_it_is_not_waited_for(server: Running) -> None:
    ann, old = await dealt(server, True, False)
    assert starts(ann)[-1]["waits_for"] == [0]
    assert not faces(old)
    await ready(ann)
    await started(ann)
    await old.until("welcome")
    assert faces(old) == faces(ann)
    assert not starts(old)


@pytest.mark.parametrize(("knows", "pace"), [(False, "calm"), (True, "instant")])
async def test_where_no_page_knows_of_it_or_nothing_takes_time_the_deal_is_the_start(
    server: Running, knows: bool, pace: str
) -> None:
    ann, _ = await dealt(server, knows, False, pace=pace)
    assert faces(ann)
    assert [each["count"] for each in starts(ann)] in ([], [0])


async def test_who_leaves_or_reloads_is_waited_for_no_longer_than_others(server: Running) -> None:
    ann, bob = await dealt(server, True, True)
    await ready(ann)
    await bob.close()
    await started(ann)


async def test_who_comes_in_the_middle_of_the_countdown_is_told_what_is_left(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "COUNTDOWN", 1.0)
    ann, bob = await dealt(server, True, True)
    await ready(ann)
    await ready(bob)
    await ann.until("start", lambda each: each["count"] is not None)
    watcher = await server.page(ann.table["id"], starts=True)
    assert 0 < starts(watcher)[-1]["count"] <= 1000
    assert not faces(watcher)
    await started(watcher)
    await started(ann)
    assert faces(watcher) == faces(ann)


async def test_bots_do_nothing_before_it(server: Running) -> None:
    made = await server.make("twinit", options={"seats": 3, "mode": "rush"}, bots="hard")
    page = await server.page(made["table"], made["token"], starts=True)
    await deal([page])
    n = page.n
    began = time.monotonic()
    await ready(page)
    await started(page)
    assert page.n == n
    update = await page.until("update")
    assert update["time"] <= 1000 * (time.monotonic() - began - SOON) + 50


async def test_a_game_that_had_not_started_starts_after_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ann, bob = await dealt(server, True, True, mode="rush")
        await ready(ann)
        table, tokens = ann.table["id"], [ann.token, bob.token]
    async with running(tmp_path) as server:
        again = [await server.page(table, token, starts=True) for token in tokens]
        for page in again:
            assert starts(page)[0]["count"] is None
            assert not faces(page)
            await ready(page)
        for page in again:
            await started(page)
        await again[0].do("turn 7")
        await again[0].until("update", lambda told: told["did"] == 1)
    async with running(tmp_path) as server:
        page = await server.page(table, tokens[0], starts=True)
        assert [each["count"] for each in starts(page)] == [0]
        assert faces(page)
