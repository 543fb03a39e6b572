"""Appends as rows of SQLite: many rows in a statement, since each call into SQLite releases the
interpreter lock."""

import sqlite3
from collections.abc import Iterable
from functools import cache
from typing import Any

from msgspec.structs import astuple, replace

from pli.server.journal.api import Append, Listing
from pli.server.journal.sqlite.schema import LISTING_COLUMNS

MAX_ROWS = 1024
"""In one statement."""

_INSERT_ENTRIES = """INSERT INTO entries (table_id, number, entry)
    SELECT * FROM (VALUES {rows}) WHERE column1 IS NOT NULL"""
_INSERT_LISTINGS = f"""INSERT INTO listings ({LISTING_COLUMNS}, entries)
    SELECT * FROM (VALUES {{rows}}) WHERE column1 IS NOT NULL
    ON CONFLICT (table_id) DO UPDATE SET game = excluded.game, version = excluded.version,
    state = excluded.state, public = excluded.public, created = excluded.created,
    touched = excluded.touched, summary = excluded.summary, finished = excluded.finished,
    entries = max(entries, excluded.entries)"""
_INSERT_RECORDS = """INSERT INTO records (table_id, number, text, about)
    SELECT * FROM (VALUES {rows}) WHERE column1 IS NOT NULL"""
_LISTING_WIDTH = LISTING_COLUMNS.count(",") + 2


class Rows:
    """The values of a batch of appends, flat, as the statements take them."""

    def __init__(self, appends: Iterable[Append], since: int) -> None:
        """`since` is the lower bound of `touched`."""
        self.entries: list[Any] = []
        self.records: list[Any] = []
        self.touched: dict[str, int] = {}
        """Tables that have new entries without a new listing, and how many entries they have
        now."""
        listings: dict[str, tuple[Listing, int]] = {}
        entries = self.entries
        for append in appends:
            table, number = append.table, append.first
            for entry in append.entries:
                entries += (table, number, entry)
                number += 1
            if append.listing is not None:
                listings[table] = (append.listing, number if append.entries else 0)
                self.touched.pop(table, None)
            elif append.entries:
                self.touched[table] = number
            if append.record is not None:
                self.records += (table, *astuple(append.record))
        self.listings: list[Any] = []
        for listing, count in listings.values():
            known = replace(listing, touched=since) if listing.touched < since else listing
            self.listings += (*astuple(known), count)

    def size(self) -> int:
        """Bytes of the entries and records, which may be larger than a page."""
        return sum(map(len, self.entries[2::3])) + sum(map(len, self.records[2::4]))

    def insert(self, connection: sqlite3.Connection) -> None:
        for statement, width, values in (
            (_INSERT_ENTRIES, 3, self.entries),
            (_INSERT_LISTINGS, _LISTING_WIDTH, self.listings),
            (_INSERT_RECORDS, 4, self.records),
        ):
            for at in range(0, len(values), width * MAX_ROWS):
                some = values[at : at + width * MAX_ROWS]
                # Padded to a power of two, so that few statements have to be prepared.
                places = 1 << (len(some) // width - 1).bit_length()
                some += [None] * (places * width - len(some))
                connection.execute(_statement(statement, width, places), some)


@cache
def _statement(statement: str, width: int, places: int) -> str:
    row = f"({', '.join('?' * width)})"
    return statement.format(rows=", ".join([row] * places))
