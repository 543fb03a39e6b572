"""The server that most tests of it ask for as a fixture."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.server.client import Running, running


@pytest.fixture
async def server(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Running]:
    """A server with its journal in `tmp_path`, and a client of it. `@pytest.mark.server` gives it
    other limits or options: the arguments of `running`. A test that restarts its server, or looks
    at what a stopped one leaves behind, calls `running` itself."""
    mark = request.node.get_closest_marker("server")
    async with running(tmp_path, **(mark.kwargs if mark else {})) as server:
        yield server
