"""A worker for all tests of a file, which starts once and may be replaced."""

from collections.abc import Iterator

import pytest

from pli.bots.workers import BotPool
from tests.bots.workers.requests import LONG, request, until


@pytest.fixture(scope="module")
def shared() -> Iterator[BotPool]:
    """One worker, so that everybody must wait for it."""
    with BotPool(1) as pool:
        assert pool.ask(request(), LONG).result() in request().actions
        yield pool


@pytest.fixture
def one(shared: BotPool) -> BotPool:
    """The same, with nothing to do."""
    until(lambda: [*shared.pids.values()] == ["idle"])
    return shared
