"""A few attacks on a real server for some seconds: other tables play on. The bounds are wide, for
busy machines; `make attack` has narrow ones and all attacks."""

from pathlib import Path

import pytest

from tests.server.attack.attack_run import AttackRun, Bounds

WIDE = Bounds(p99=2.0, memory=400, disk=150)
PATIENCE = 20.0
"""Seconds in which a log, a bot, a new table and its pictures come, however busy the machine is."""

SOME = ("gone-at-once", "fill-a-guest", "bots-alone")


@pytest.mark.cut_connections
async def test_people_play_on_while_their_server_is_attacked(tmp_path: Path) -> None:
    run = AttackRun(tmp_path, 5.0, WIDE, PATIENCE)
    rows = [row async for row in run.run(SOME)]
    assert {row.name: (row.over, row.errors) for row in rows if row.over} == {}
    assert len(rows) == 1 + len(SOME)
    assert all(row.actions > 20 for row in rows)
