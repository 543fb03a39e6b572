"""Sample entries and listings for tests of the journal."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from pli.server.journal.api import Append, Journal, JournalProblem, KeptRecord, Listing, State
from pli.server.journal.open import open_journal
from pli.server.journal.sqlite.journal import SqliteJournal
from pli.server.journal.sqlite.schema import BUSY_TIMEOUT


@asynccontextmanager
async def opened(path: Path, timeout: float = BUSY_TIMEOUT) -> AsyncIterator[SqliteJournal]:
    journal = await SqliteJournal.open(path, timeout)
    try:
        yield journal
    finally:
        await journal.close()


@asynccontextmanager
async def opened_at(place: str, **more: Any) -> AsyncIterator[Journal]:
    """The journal that a URL names, of any engine."""
    journal = await open_journal(place, **more)
    try:
        yield journal
    finally:
        await journal.close()


def listing(table: str, state: State = "playing", public: bool = True, at: int = 1000) -> Listing:
    return Listing(table, "chess", 1, state, public, at, at, b'{"free": 2}')


def entry(
    table: str,
    first: int,
    *entries: bytes,
    listing: Listing | None = None,
    record: KeptRecord | None = None,
) -> Append:
    return Append(table, first, entries or (b"entry %d" % first,), listing, record)


async def begin(journal: Journal, table: str, state: State = "playing", at: int = 1000) -> None:
    """A table with one entry."""
    await journal.append(entry(table, 0, listing=listing(table, state, at=at)))


async def outcomes(journal: Journal, *appends: Append) -> list[JournalProblem | None]:
    """What comes of appends that are given at once, in their order."""
    told: dict[int, JournalProblem | None] = {}
    all_told = asyncio.Event()

    def done(at: int, problem: JournalProblem | None) -> None:
        assert at not in told
        told[at] = problem
        if len(told) == len(appends):
            all_told.set()

    for at, append in enumerate(appends):
        journal.append_soon(append, partial(done, at))
    assert told == {}  # never at once
    await all_told.wait()
    return [told[at] for at in range(len(appends))]


async def healed(journal: Journal) -> None:
    """Waits until the journal finds by itself that it can be written again."""
    while not journal.healthy:
        await asyncio.sleep(0.01)


def files(folder: Path) -> dict[str, bytes]:
    """All that a folder holds, but for the lock, which has no content."""
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.suffix != ".lock"}
