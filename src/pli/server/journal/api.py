"""The journal: what is durable of all tables, whatever it is stored in.

A table is its entries, numbered from 0 without holes. Entry N can be written once: whoever comes
second is told of the conflict, rereads and steps down. Nothing is acknowledged before it is flushed
to the disk. Beside the entries, in the same transaction, is kept what has to be known of a table
without opening it, and the records of its finished games, which outlive its entries.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Literal, Protocol

import msgspec

from pli.errors import PliError

State = Literal["waiting", "playing", "over", "archived"]
"""Of an archived table the entries are gone, and it takes no new ones."""


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
    """The same of its last change. The journal knows better if entries came without a listing."""
    summary: bytes
    """Whatever lists show, as the server wrote it."""
    finished: int = 0
    """How many games were finished at it, or abandoned."""

    @property
    def begun(self) -> bool:
        """Whether cards were ever dealt: a table that never began is nothing but its settings."""
        return self.state != "waiting" or self.finished > 0


class KeptRecord(msgspec.Struct, frozen=True):
    """A finished game of a table as record text."""

    number: int
    text: str
    about: bytes | None = None
    """The table at the game's end, as the server wrote it; older servers wrote none."""


class Append(msgspec.Struct, frozen=True):
    """What is written at once or not at all: entries, a listing, a record, or some of these."""

    table: str
    first: int
    """The number of the first entry."""
    entries: Sequence[bytes]
    listing: Listing | None = None
    record: KeptRecord | None = None


class JournalProblem(PliError):
    """Anything that goes wrong with the journal."""

    code = "journal_failed"


class Conflict(JournalProblem):
    """Somebody else wrote that entry; or the one before it is not there, or not any more."""

    code = "journal_conflict"


class NotSaved(JournalProblem):
    """The storage refused, and nothing was written; the code says why."""


class NotRead(JournalProblem):
    """The storage can't be read; the code says why."""


class NotOpened(JournalProblem):
    """There is no journal to work with, and whatever is there was left as it was."""

    code = "journal_unopened"


Done = Callable[[JournalProblem | None], None]


class Journal(Protocol):
    """All of it belongs to the event loop on which it was opened, and none of it holds that up."""

    def append_soon(self, append: Append, done: Done) -> None:
        """Calls `done` on the event loop: with nothing once it is durable, or with what prevented
        it. Appends are written in the order given."""

    def append(self, append: Append) -> asyncio.Future[None]:
        """The same to be awaited, for those who can afford a future."""

    async def entries(self, table: str, since: int = 0) -> list[bytes]:
        """From number `since` on; none if there is no such table. NotRead with `journal_damaged`
        if some of them are missing: a table is never silently shorter than it was."""

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
        """Up to so many tables that are not archived, those first that were untouched for longest.
        With `begun` only unfinished ones, that ever began or that never did; `among` and `but` name
        those that alone matter and that don't. What is None does not matter."""

    async def count(self) -> int:
        """How many tables are not finished. Takes as long for many as for few."""

    async def days_ago(self, days: int) -> int | None:
        """The moment before which a table is unused that nobody touched for so many days, in
        seconds since 1970; None if there is no telling yet. Only days count on which this journal
        was in use: a clock that is wrong, or a server that was off, makes no table old."""

    async def record(self, table: str, number: int) -> KeptRecord | None: ...

    async def recorded(self, table: str) -> set[int]:
        """The numbers of the games of which there are records that say what they are about."""

    async def mend_record(self, table: str, record: KeptRecord) -> None:
        """Replaces a record that was damaged, or that did not say what it is about."""

    async def archive(self, found: Sequence[Listing]) -> int:
        """Removes the entries of these tables, finished or not, at once. Of those that ever began,
        listings and records stay; of the others, nothing. Leaves out what was touched since it was
        found. Tells how many there were."""

    async def close(self) -> None:
        """Writes what is still waiting, and lets go of the storage."""

    async def probe(self) -> None:
        """Tries to write something: `problem` tells what came of it."""

    @property
    def problem(self) -> JournalProblem | None:
        """Why the last thing could not be saved; nothing again as soon as that is over."""

    @property
    def healthy(self) -> bool:
        """Whether there is no such problem."""


async def open_journal(url: str, trust_clock: bool = False) -> Journal:
    """Opens `sqlite:///FILE`, or simply FILE; makes it and its folders if they are not there. With
    `trust_clock` the machine's clock is right, however far from when the journal was last used."""
    from pli.server.journal.sqlite.journal import SqliteJournal

    return await SqliteJournal.open(journal_file(url), trust_clock=trust_clock)


def journal_file(url: str) -> Path:
    """The file of a journal that is embedded."""
    scheme, found, rest = url.partition("://")
    if not found:
        return Path(url).expanduser()
    if scheme != "sqlite" or len(rest) < 2 or rest[0] != "/":
        # The rest is not told: it may hold a password.
        raise NotOpened("journal_scheme", scheme=scheme)
    return Path(rest[1:]).expanduser()
