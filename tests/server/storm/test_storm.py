"""Servers, their database and the lines between them may fail at any moment: nothing that a page
was told is lost, and all games go on. `make storm` and `make failover` run the same at length."""

import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.postgres import NoPostgres, binaries
from tests.server.crash.runs import QUICK, proved
from tests.server.storm.runs import TWICE, events, storm
from tests.server.storm.storm import KILLS

try:
    binaries()
    missing = ""
except NoPostgres as error:
    missing = str(error)

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="processes can't be forked there"),
    pytest.mark.skipif(bool(missing), reason=missing or "there is a PostgreSQL"),
    pytest.mark.cut_connections,
]


async def test_what_was_acknowledged_outlives_servers_database_and_lines(tmp_path: Path) -> None:
    happens = ("kill told", "cut stall database", "freeze", "kill play", "database")
    report = await storm(tmp_path, QUICK, happens, seed=1, pause=0.3, lease=2.0)
    assert report.faults == []
    assert report.kills == {"told": 1, "play": 1}
    assert report.events == {"kill": 2, "cut": 1, "freeze": 1, "database": 1}
    assert report.verdict.games >= len(QUICK)
    assert report.verdict.actions > 100
    assert report.pauses["killed"]
    assert proved(sorted(tmp_path.glob("*.pli"))[:2]) == []


def test_a_storm_has_as_many_events_of_each_kind_as_asked_for() -> None:
    found = events(1, 50, 20, 5, 10, 3)
    kinds = Counter(each.partition(" ")[0] for each in found)
    kills = [each.partition(" ")[2] for each in found if each.startswith("kill")]
    assert sum(2 if moment in TWICE else 1 for moment in kills) == 50
    assert {*kills} == {*KILLS}
    assert kinds - Counter(kill=len(kills)) == Counter(freeze=20, database=5, cut=10, stop=3)
    assert events(1, 50, 20, 5, 10, 3) == found
    assert events(2, 50, 20, 5, 10, 3) != found
