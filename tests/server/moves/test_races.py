"""Races at a real table over uneven lines: a move is held until no earlier one can arrive, and
all are told by how much a race was decided."""

import asyncio
import time

import pytest

from pli.server.moves.lag import Lag
from tests.server.client import Page, Running

LONG = 150
"""ms: the round trip of the second page's line. The first one has none."""

PUNCTUAL = 0.03
"""Seconds by which the second move may come later than it is meant to."""

pytestmark = pytest.mark.parametrize("server", ["direct", "relayed"], indirect=True)

COOP = {"mode": "coop", "minute_ms": 600_000}


@pytest.fixture(autouse=True)
def lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allowances are set by the test: a busy machine would measure others."""
    monkeypatch.setattr(Lag, "add_sample", lambda *_: None)


async def two(server: Running) -> list[Page]:
    """On a short and on a long line, dealt."""
    pages = await server.people("twinit", 2, options=COOP)
    room = server.context.lobby.in_memory(pages[0].table["id"])
    assert room is not None
    for viewer in room.audience:
        viewer.lag.allowance = LONG if viewer.seat == 1 else 0
    await asyncio.sleep(2 * LONG / 1000)  # nothing counts before the cards are dealt
    return pages


def touches(page: Page) -> list[str]:
    return [action for action in page.legal if action.startswith("touch")]


@pytest.mark.parametrize("gap", [30, 250])
async def test_who_was_first_on_its_own_line_wins_and_all_hear_by_how_much(
    server: Running, gap: int
) -> None:
    first, second = (1, 0) if gap < LONG else (0, 1)
    late = 1.0
    while late > PUNCTUAL:  # a busy machine may sleep for longer
        pages = await two(server)
        wanted = touches(pages[0])[0]
        await pages[0].do(wanted)
        began = time.monotonic()
        await asyncio.sleep(gap / 1000)
        await pages[1].do(wanted)
        late = time.monotonic() - began - gap / 1000
    for page in pages:
        raced = await page.until("raced")
        assert (raced["first"], raced["second"]) == (first, second)
        assert raced["by"] == pytest.approx(abs(LONG - gap), abs=70)
    refused = next(told for told in pages[second].told if told["type"] == "refused")
    assert (refused["code"], refused["late"]) == ("covered", raced["by"])
    assert refused["action"] == wanted
    (hand,) = pages[1].view["hands"][first]
    assert wanted == f"touch {hand['card']}"


async def test_an_action_is_held_as_long_as_an_earlier_one_may_arrive_and_counts_when_it_was_done(
    server: Running,
) -> None:
    pages = await two(server)
    began = time.monotonic()
    await pages[0].do(touches(pages[0])[0])
    update = await pages[0].until("update", lambda told: told["did"])
    assert time.monotonic() - began >= LONG / 1000
    (hand,) = update["view"]["hands"][0]
    assert hand["since"] <= update["time"] - LONG
    assert not any(told["type"] == "raced" for told in pages[0].told)


async def test_who_could_have_seen_that_it_is_taken_was_not_racing(server: Running) -> None:
    pages = await two(server)
    wanted = touches(pages[0])[0]
    await pages[0].do(wanted)
    await pages[1].until("update", lambda told: any(told["view"]["hands"]))
    await asyncio.sleep(3 * LONG / 1000)
    await pages[1].do(wanted)
    refused = await pages[1].until("refused")
    assert (refused["code"], refused["late"]) == ("covered", None)
