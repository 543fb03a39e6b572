"""A worker for all tests of a file, which starts once and may be replaced."""

from collections.abc import Iterator

import pytest

from pli.bots.workers import Thinkers
from tests.bots.asking import LONG, question, until


@pytest.fixture(scope="module")
def shared() -> Iterator[Thinkers]:
    """One worker, so that everybody must wait for it."""
    with Thinkers(1) as thinkers:
        assert thinkers.ask(question(), LONG).result() in question().actions
        yield thinkers


@pytest.fixture
def one(shared: Thinkers) -> Thinkers:
    """The same, with nothing to do."""
    until(lambda: [*shared.pids.values()] == ["idle"])
    return shared
