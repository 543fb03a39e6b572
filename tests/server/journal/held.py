"""Appends that wait on their way to the journal, as those of a slow disk do."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pli.server.journal.api import Append, Done, Journal
from tests.server.client import PATIENCE


class HeldAppends(list[tuple[Append, Done]]):
    """What waits, in order."""

    async def some(self, count: int = 1) -> None:
        """Returns when so many wait."""
        async with asyncio.timeout(PATIENCE):
            while len(self) < count:
                await asyncio.sleep(0.001)


@contextmanager
def held_appends(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> Iterator[HeldAppends]:
    """Holds all appends; at the end of the block they are written."""
    held = HeldAppends()
    with monkeypatch.context() as patch:
        patch.setattr(journal, "append_soon", lambda *values: held.append(values))
        yield held
    for values in held:
        journal.append_soon(*values)
