"""Fixtures of the server's tests: a running server, a small web client, a journal's connections."""

import gc
from collections.abc import AsyncIterator, Generator
from pathlib import Path

import pytest

from pli.server.http import app
from tests.postgres import Postgres
from tests.server.client import Running, running
from tests.server.cluster.members import LONG_LEASE, Relayed, members
from tests.server.journal.sqlite_faults import Connections


@pytest.fixture
async def server(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Running]:
    """A server with its journal in `tmp_path`, and a client of it. `@pytest.mark.server` gives it
    other limits or options: the arguments of `running`. A test that restarts its server, or looks
    at what a stopped one leaves behind, calls `running` itself. With the parameter "relayed" it is
    two servers on one database: tables are run by one of them, all pages are at the other."""
    mark = request.node.get_closest_marker("server")
    options = dict(mark.kwargs) if mark else {}
    if getattr(request, "param", "") == "relayed":
        url = request.getfixturevalue("postgres_url")
        async with members(url, 2, lease=LONG_LEASE, **options) as (owner, edge):
            yield Relayed(edge, owner)
    else:
        async with running(tmp_path, **options) as server:
            yield server


def pytest_itemcollected(item: pytest.Item) -> None:
    """A line that is cut, by a kill or by an attack, leaves the client's connection to the garbage
    collector, in aiohttp, which does not release what ends with a reset: that is no fault of a test
    marked `cut_connections`."""
    if item.get_closest_marker("cut_connections"):
        item.add_marker(pytest.mark.filterwarnings("ignore:Unclosed connection:ResourceWarning"))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, None, None]:
    """Such connections are collected as soon as the test's event loop is closed, while the test's
    filter holds, and not in a later test."""
    yield
    if item.get_closest_marker("cut_connections"):
        gc.collect()


@pytest.fixture
def sqlite(monkeypatch: pytest.MonkeyPatch) -> Connections:
    """The connections of a journal that is opened after this."""
    return Connections(monkeypatch)


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a new journal, once of each engine."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'journal.db'}"
    server: Postgres = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.fixture
def static(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small web client in place of the built one, for a server that starts after this."""
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    for page in ("index.html", "table.html"):
        (static / page).write_text("<!doctype html><script src=/assets/a-1.js></script>")
    (static / "assets" / "a-1.js").write_text("1")
    (static / "sw.js").write_text("1")
    (static / "robots.txt").write_text("User-agent: *")
    monkeypatch.setattr(app, "STATIC", static)
    return static
