"""The journal: the durable state of all tables, as an interface to whatever stores it.

A table is its entries, numbered from 0 without gaps. Entry N can be written once: a second writer
gets a Conflict, rereads the table and steps down. An append is acknowledged when it is flushed to
the disk (durable). The same transaction can store a listing, which is what has to be known of a
table without opening it, and records of finished games, which outlive the entries.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Literal, Protocol

import msgspec

from pli.errors import PliError

State = Literal["waiting", "playing", "over", "archived"]
"""An archived table has no entries any more, and takes no new ones."""


class Listing(msgspec.Struct, frozen=True):
    """What is known of a table without opening it."""

    table: str
    game: str
    version: int
    state: State
    public: bool
    created: int
    """Seconds since 1970."""
    touched: int
    """The same of its last change. The journal raises it when entries come without a new
    listing."""
    summary: bytes
    """What lists of tables show, encoded by the server."""
    finished: int = 0
    """How many games were finished at it or abandoned."""

    @property
    def begun(self) -> bool:
        """Whether cards were ever dealt: a table that never began holds only its settings."""
        return self.state != "waiting" or self.finished > 0


class KeptRecord(msgspec.Struct, frozen=True):
    """The record of a finished game."""

    number: int
    text: str
    about: bytes | None = None
    """The table at the end of the game, encoded by the server; older versions wrote none."""


class Append(msgspec.Struct, frozen=True):
    """What is written atomically: any of entries, a listing, a record."""

    table: str
    first: int
    """The number of the first entry."""
    entries: Sequence[bytes]
    listing: Listing | None = None
    record: KeptRecord | None = None


ROW_OVERHEAD = 60
"""Bytes that a row of the journal takes beside its content: its key, and its share of pages that
are not full."""


def size_of_entries(entries: Iterable[bytes]) -> int:
    """Bytes by which the journal grows, approximately."""
    return sum([len(each) + ROW_OVERHEAD for each in entries])


class JournalProblem(PliError):
    """Any failure of the journal."""

    code = "journal_failed"


class Conflict(JournalProblem):
    """That entry is written already; or the one before it is missing, or the table is archived."""

    code = "journal_conflict"


class NotSaved(JournalProblem):
    """Nothing was written; the code says why."""


class NotRead(JournalProblem):
    """The journal can't be read; the code says why."""


class NotOpened(JournalProblem):
    """The journal can't be opened. The file, if there is one, was not changed."""

    code = "journal_unopened"


Done = Callable[[JournalProblem | None], None]
"""The callback of an append: None, once it is durable."""


class Journal(Protocol):
    """Used on the event loop on which it was opened; nothing here blocks."""

    def append_soon(self, append: Append, done: Done) -> None:
        """Calls `done` on the event loop, once it is durable or has failed. Appends are written in
        the order given."""

    def append(self, append: Append) -> asyncio.Future[None]:
        """The same as a future, which costs more."""

    async def entries(self, table: str, since: int = 0) -> list[bytes]:
        """From number `since` on; empty if there is no such table. NotRead with `journal_damaged`
        if some are missing: a table is never silently truncated."""

    async def listing(self, table: str) -> Listing | None: ...

    async def untouched(
        self,
        most: int,
        *,
        before: int | None = None,
        begun: bool | None = None,
        among: Collection[str] | None = None,
        but: Collection[str] = (),
    ) -> list[Listing]:
        """At most so many tables that are not archived, least recently touched first. `before`:
        only those touched before this time; `begun`: only unfinished ones that ever began, or never
        did; `among`, `but`: only these tables, all but these. None does not filter."""

    async def count(self) -> int:
        """How many tables are not finished, in constant time."""

    async def days_ago(self, days: int) -> int | None:
        """The time so many days ago, in seconds since 1970, counting only days on which this
        journal was in use: a wrong clock, or a server that was off, makes no table old. None if
        there were not as many days yet."""

    async def record(self, table: str, number: int) -> KeptRecord | None: ...

    async def recorded(self, table: str) -> set[int]:
        """The numbers of the games that have a record with `about`."""

    async def mend_record(self, table: str, record: KeptRecord) -> None:
        """Replaces a record that is damaged, or has no `about`."""

    async def archive(self, found: Sequence[Listing]) -> int:
        """Deletes the entries of these tables, finished or not, in one transaction. Those that ever
        began keep their listings and records. Tables that were touched since they were listed are
        left out. Returns how many were archived."""

    async def close(self) -> None:
        """Writes all queued appends, then closes the storage."""

    async def probe(self) -> None:
        """Tries to write something, which sets or clears `problem`."""

    @property
    def problem(self) -> JournalProblem | None:
        """Why the last write failed; None once writing works again."""

    @property
    def healthy(self) -> bool:
        """Whether there is no such problem."""
