"""What administration needs of a journal, beside what servers do with it: whole tables as rows, of
all states, damaged ones too."""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Protocol

import msgspec

from pli.server.journal.api import KeptRecord, Listing, State

PAGE = 500
"""Tables whose names are read at a time."""

Progress = Callable[[int], None]
"""Called with how many tables were done since the last call."""


class TableRow(msgspec.Struct, frozen=True):
    """What a list of tables tells of one."""

    listing: Listing
    entries: int
    size: int
    """Bytes of its entries."""
    owner: str | None = None
    """The address of the server that has opened it, or the id if it has none; None: no server, or
    a journal that belongs to one."""


class Contents(msgspec.Struct, frozen=True):
    """All rows of one table, at one moment."""

    table: str
    listing: Listing | None
    entries: dict[int, bytes]
    """By number, in order; damage may have left gaps."""
    records: dict[int, KeptRecord]
    known: int = 0
    """A lower bound of the number of entries, kept apart from them."""

    @property
    def missing(self) -> int | None:
        """The number of the first entry that is missing, if one is."""
        gap = next((n for n, number in enumerate(self.entries) if n != number), None)
        if gap is None and len(self.entries) < self.known:
            return len(self.entries)
        return gap


Edit = Callable[[Contents], Contents]
"""Gives the table as it is to be. Entries and records may be changed and added, not removed."""


class Maintenance(Protocol):
    """A journal that is open for administration. Tables are sorted by the bytes of their names."""

    async def rows(self, most: int, state: State | None, game: str | None) -> list[TableRow]:
        """Tables of this state and game, those touched last first."""

    async def row(self, table: str) -> TableRow | None: ...

    async def count(self) -> int:
        """How many tables there are, of all states."""

    async def names(self, after: str, most: int) -> list[str]:
        """The next tables after this one, also such that have no listing any more."""

    async def contents(self, table: str) -> Contents:
        """Without rows if there is no such table."""

    async def mentioning(self, text: bytes, after: str, until: str) -> list[str]:
        """The tables from `after`, exclusive, to `until` that hold these bytes anywhere."""

    async def days(self) -> list[int]:
        """The days on which the journal was in use, counted from 1970."""

    async def faults(self) -> list[str]:
        """What is wrong with the storage itself, in its own words."""

    # Writing

    async def rewrite(self, table: str, edit: Edit) -> bool:
        """Changes a table in one transaction: whether anything was changed. A server that has
        opened it has to read it again."""

    async def delete(self, table: str) -> bool:
        """Deletes a table with all rows: whether there was one."""

    async def load(self, tables: Sequence[Contents]) -> None:
        """Adds tables that are not there, in one transaction."""

    async def set_days(self, days: Sequence[int]) -> None: ...

    async def purge(self) -> None:
        """Removes what deleted and changed rows have left behind in the storage, if it is one of
        ours."""

    async def close(self) -> None: ...


async def pages_of_names(journal: Maintenance) -> AsyncIterator[list[str]]:
    """The names of all tables in their order, a page at a time."""
    after = ""
    while names := await journal.names(after, PAGE):
        yield names
        after = names[-1]
