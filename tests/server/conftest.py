"""Fixtures of the server's tests: a running server, a small web client, a journal's connections."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pli.server.http import app
from tests.server.client import Running, running
from tests.server.journal.sqlite_faults import Connections


@pytest.fixture
async def server(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Running]:
    """A server with its journal in `tmp_path`, and a client of it. `@pytest.mark.server` gives it
    other limits or options: the arguments of `running`. A test that restarts its server, or looks
    at what a stopped one leaves behind, calls `running` itself."""
    mark = request.node.get_closest_marker("server")
    async with running(tmp_path, **(mark.kwargs if mark else {})) as server:
        yield server


@pytest.fixture
def sqlite(monkeypatch: pytest.MonkeyPatch) -> Connections:
    """The connections of a journal that is opened after this."""
    return Connections(monkeypatch)


@pytest.fixture
def static(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small web client in place of the built one, for a server that starts after this."""
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    for page in ("index.html", "table.html"):
        (static / page).write_text("<!doctype html><script src=/assets/a-1.js></script>")
    (static / "assets" / "a-1.js").write_text("1")
    (static / "robots.txt").write_text("User-agent: *")
    monkeypatch.setattr(app, "STATIC", static)
    return static
