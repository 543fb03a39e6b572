"""The server may be killed at any moment: nothing that a page was told is lost, and all games go
on. `make crash` runs the same at length."""

import sys
from pathlib import Path

import pytest

from tests.server.client import Running
from tests.server.crash.runs import QUICK, crash, proved


@pytest.mark.cut_connections
@pytest.mark.skipif(sys.platform == "win32", reason="processes can't be forked there")
async def test_what_was_acknowledged_outlives_any_crash_and_every_game_comes_to_its_end(
    tmp_path: Path,
) -> None:
    moments = ("play", "told", "stop", "loading", "starting", "told")
    report = await crash(tmp_path, [*QUICK, *QUICK[::2]], moments, seed=1, pause=0.3)
    assert report.faults == []
    assert sum(report.kills.values()) == 5
    assert report.stops == 2
    assert report.verdict.games >= 12
    assert report.counts["told of a stop"] > 0
    assert proved(sorted(tmp_path.glob("*.pli"))[:4]) == []


async def test_what_was_refused_is_not_said_to_be_done_when_it_is_sent_again(
    server: Running,
) -> None:
    pages = await server.people("plingo", 2)
    page = pages[pages[0].view["awaited"][0]]
    await page.do("joker 1", 1)
    assert (await page.until("refused"))["id"] == 1
    action = page.legal[0]
    await page.do(action, 2)
    assert (await page.until("update"))["did"] == 2
    await page.do("joker 1", 1)
    assert (await page.until("refused"))["id"] == 1
    await page.do(action, 2)
    assert (await page.until("done"))["id"] == 2
