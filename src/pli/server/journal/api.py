"""The journal: the durable state of all tables, as an interface to whatever stores it.

A table is its entries, numbered from 0 without gaps. Entry N can be written once: a second writer
gets a Conflict, rereads the table and steps down. An append is acknowledged when it is flushed to
the disk (durable). The same transaction can store a listing, which is what has to be known of a
table without opening it, and records of finished games, which outlive the entries.

Several servers may share a journal. Then each table has one owner, the only server that appends to
it: a server claims a table before it reads its entries, and the journal refuses the appends of all
others. A server that is not heard of for the time of its lease loses its tables to those who claim
them. A journal that belongs to one server grants every claim.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
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


class NotOwner(Conflict):
    """Another server has claimed the table, or this one never did."""

    code = "not_owner"


class OwnedElsewhere(JournalProblem):
    """A claim that is refused: the table has a living owner."""

    code = "owned_elsewhere"

    def __init__(self, server: str = "", address: str = "") -> None:
        super().__init__()
        self.server = server
        """The owner's id; empty if it is not known which server that is."""
        self.address = address
        """Where other servers reach it; may be empty."""


class NotSaved(JournalProblem):
    """Nothing was written; the code says why. With `journal_unknown` it may have been written: the
    table has to be read again."""


class NotRead(JournalProblem):
    """The journal can't be read; the code says why."""


class NotOpened(JournalProblem):
    """The journal can't be opened. The file, if there is one, was not changed."""

    code = "journal_unopened"


Done = Callable[[JournalProblem | None], None]
"""The callback of an append: None, once it is durable."""

Flushed = Callable[[int, float], None]
"""The callback of a flush: how many appends it wrote, and the seconds that it took."""


class Peer(msgspec.Struct, frozen=True):
    """Another server of the same journal that is alive."""

    id: str
    address: str
    """Where other servers reach it; may be empty."""
    version: str
    listed: bytes
    """What its `Registry.listed` gave at its last heartbeat."""


class Registry(Protocol):
    """The servers that share a journal."""

    @property
    def id(self) -> str:
        """Of this server: random, another one after each start."""

    @property
    def address(self) -> str: ...

    @property
    def secret(self) -> bytes:
        """32 bytes that only the servers of this journal know."""

    @property
    def peers(self) -> Mapping[str, Peer]:
        """By id, all but this one."""

    @property
    def valid(self) -> bool:
        """Whether this server surely still owns its tables. If not it must not act on them: others
        may soon claim them."""

    changed: list[Callable[[], None]]
    """Called on the event loop after `peers` or `valid` changed."""

    listed: Callable[[], bytes]
    """Called at each heartbeat: what all servers are told of this one."""


class Alone:
    """The registry of a journal that belongs to one server, which needs neither id nor secret. See
    `Registry`."""

    def __init__(self, address: str = "") -> None:
        self.id = ""
        self.address = address
        self.secret = b""
        self.peers: Mapping[str, Peer] = {}
        self.valid = True
        self.changed: list[Callable[[], None]] = []
        self.listed: Callable[[], bytes] = bytes


class Journal(Protocol):
    """Used on the event loop on which it was opened; nothing here blocks."""

    lost: Callable[[str], None]
    """Called on the event loop with the name of a table of this server that another one has
    claimed. A hint: it may come late or twice, and what is appended meanwhile is refused."""

    @property
    def registry(self) -> Registry: ...

    async def claim(self, table: str, *, force: bool = False) -> bool:
        """Makes this server the owner of a table. OwnedElsewhere: another one is, and alive;
        `force` takes it from that one. No error if there is no such table. A table whose first
        entries this server appends is its own already. Says whether it was taken from another
        server."""

    def epoch(self, table: str) -> int:
        """The number of the claim by which this server owns a table, as far as it knows; 0: it does
        not."""

    def release(self, tables: Collection[str]) -> asyncio.Future[None]:
        """Gives tables up, so that any server may claim them: from this call on they are not this
        server's any more, after the future any may claim them. Only those of this server count."""

    def append_soon(self, append: Append, done: Done) -> None:
        """Calls `done` on the event loop, once it is durable or has failed. Appends of a table are
        written in the order given."""

    def append(self, append: Append) -> asyncio.Future[None]:
        """The same as a future, which costs more."""

    def on_flush(self, flushed: Flushed) -> None:
        """Has `flushed` called on the event loop after each flush of appends."""

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

    async def expired(self, most: int, *, before: int, but: Collection[str] = ()) -> list[Listing]:
        """At most so many finished or archived tables that were touched before this time, all but
        these, least recently touched first."""

    async def delete(self, found: Sequence[Listing]) -> int:
        """Deletes these tables with their entries, listings and records, in one transaction.
        Tables that were touched since they were listed are left out. Returns how many were
        deleted."""

    async def purge(self, quiet: bool = True) -> bool:
        """Removes what deleted tables have left behind in the storage, if it is one of ours:
        whether nothing is left. `quiet` allows that all appends wait meanwhile."""

    async def close(self) -> None:
        """Writes all queued appends, releases all tables, then closes the storage."""

    async def probe(self) -> None:
        """Tries to write something, which sets or clears `problem`."""

    @property
    def problem(self) -> JournalProblem | None:
        """Why the last write failed; None once writing works again."""

    @property
    def healthy(self) -> bool:
        """Whether there is no such problem."""


def append_with_future(journal: Journal, append: Append) -> asyncio.Future[None]:
    """For `Journal.append`."""
    future: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def done(problem: JournalProblem | None) -> None:
        if future.done():
            return  # the caller was cancelled
        if problem is None:
            future.set_result(None)
        else:
            future.set_exception(problem)

    journal.append_soon(append, done)
    return future
