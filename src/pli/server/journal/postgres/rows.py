"""Appends as arguments of one statement: arrays, a row of which is one append, entry, listing or
record.

Each statement updates the rows of those tables that this server owns and that have as many entries
as the append expects, and inserts what belongs to these alone. It returns nothing if all were
written, else the tables that were.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import astuple, replace

from pli.server.journal.api import Append, Done

LISTING_COLUMNS = "table_id, game, version, state, public, created, touched, summary, finished"
"""In the order of the fields of `Listing`."""

Pending = tuple[Append, Done]

# The usual batch: one entry of each table, which begins none. So entries need no join.
MOVES = """WITH continued AS (
    UPDATE pli.tables t SET entries = w.first + 1, touched = $2
    FROM unnest($3::text[], $4::bigint[], $5::bigint[], $6::bytea[]) AS w(id, first, epoch, entry)
    WHERE t.id = w.id AND t.owner = $1 AND t.epoch = w.epoch AND t.entries = w.first
    RETURNING t.id, w.first, w.entry
), inserted AS (
    INSERT INTO pli.entries SELECT id, first, entry FROM continued
)
SELECT CASE WHEN count(*) < cardinality($3) THEN coalesce(array_agg(id), '{}') END FROM continued"""

# Anything. `more` are entries after the first one of an append; `alone` are appends without any.
ANYTHING = f"""WITH wanted_listings AS (
    SELECT * FROM unnest($12::text[], $13::text[], $14::bigint[], $15::text[], $16::boolean[],
        $17::bigint[], $18::bigint[], $19::bytea[], $20::bigint[]) AS w({LISTING_COLUMNS})
), wanted_records AS (
    SELECT * FROM unnest($21::text[], $22::bigint[], $23::text[], $24::bytea[])
        AS w(table_id, number, text, about)
), refused AS (
    SELECT table_id FROM wanted_records JOIN pli.records USING (table_id, number)
    UNION ALL
    SELECT table_id FROM wanted_listings w JOIN pli.listings l USING (table_id)
        WHERE l.state = 'archived'
), wanted AS MATERIALIZED (
    SELECT * FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bytea[],
        $7::bigint[]) AS w(id, first, after, epoch, entry, touched)
    WHERE id NOT IN (SELECT table_id FROM refused)
), continued AS (
    UPDATE pli.tables t SET entries = w.after, touched = w.touched FROM wanted w
    WHERE w.first > 0 AND t.id = w.id AND t.owner = $1 AND t.epoch = w.epoch
        AND t.entries = w.first
    RETURNING t.id
), begun AS (
    INSERT INTO pli.tables SELECT id, $1, 1, after, touched FROM wanted w
    WHERE first = 0
        AND NOT EXISTS (SELECT 1 FROM pli.listings WHERE table_id = w.id AND state = 'archived')
    ON CONFLICT (id) DO NOTHING RETURNING id
), written AS MATERIALIZED (
    SELECT id FROM continued UNION ALL SELECT id FROM begun
    UNION ALL SELECT id FROM unnest($8::text[]) AS alone(id)
        WHERE id NOT IN (SELECT table_id FROM refused)
), inserted AS (
    INSERT INTO pli.entries
    SELECT id, first, entry FROM wanted WHERE id IN (SELECT id FROM written)
    UNION ALL
    SELECT id, number, entry FROM unnest($9::text[], $10::bigint[], $11::bytea[])
        AS more(id, number, entry) WHERE id IN (SELECT id FROM written)
), listed AS (
    INSERT INTO pli.listings ({LISTING_COLUMNS})
    SELECT * FROM wanted_listings WHERE table_id IN (SELECT id FROM written)
    ON CONFLICT (table_id) DO UPDATE SET game = excluded.game, version = excluded.version,
        state = excluded.state, public = excluded.public, created = excluded.created,
        touched = excluded.touched, summary = excluded.summary, finished = excluded.finished
        WHERE listings.state <> 'archived'
), recorded AS (
    INSERT INTO pli.records SELECT * FROM wanted_records
    WHERE table_id IN (SELECT id FROM written)
)
SELECT CASE WHEN count(*) < cardinality($2) + cardinality($8)
    THEN coalesce(array_agg(id), '{{}}') END FROM written"""


def arguments(
    batch: Sequence[Pending], owner: str, epochs: Mapping[str, int], now: int, earliest: int
) -> tuple[bool, list[Any]]:
    """Whether `MOVES` does, and its arguments; else those of `ANYTHING`. `now` is for tables
    without a new listing, `earliest` the lower bound of `touched` of the others."""
    ids: list[str] = []
    firsts: list[int] = []
    known: list[int] = []
    entries: list[bytes] = []
    for append, _ in batch:
        if (
            append.listing is not None
            or append.record is not None
            or append.first == 0
            or len(append.entries) != 1
        ):
            return False, _anything(batch, owner, epochs, now, earliest)
        table = append.table
        ids.append(table)
        firsts.append(append.first)
        known.append(epochs.get(table, 0))
        entries.append(append.entries[0])
    return True, [owner, now, ids, firsts, known, entries]


def _anything(
    batch: Sequence[Pending], owner: str, epochs: Mapping[str, int], now: int, earliest: int
) -> list[Any]:
    wanted: list[tuple[Any, ...]] = []
    alone: list[str] = []
    more: list[tuple[Any, ...]] = []
    listings: list[tuple[Any, ...]] = []
    records: list[tuple[Any, ...]] = []
    for append, _ in batch:
        table, first, entries = append.table, append.first, append.entries
        if entries:
            touched = now if append.listing is None else 0
            after = first + len(entries)
            wanted.append((table, first, after, epochs.get(table, 0), entries[0], touched))
            if len(entries) > 1:
                more += [(table, first + at, entries[at]) for at in range(1, len(entries))]
        else:
            alone.append(table)
        if (listing := append.listing) is not None:
            if listing.touched < earliest:
                listing = replace(listing, touched=earliest)
            listings.append((table, *astuple(listing)[1:]))
        if append.record is not None:
            records.append((table, *astuple(append.record)))
    return [
        owner,
        *_columns(wanted, 6),
        alone,
        *_columns(more, 3),
        *_columns(listings, 9),
        *_columns(records, 4),
    ]


def _columns(rows: list[tuple[Any, ...]], width: int) -> list[Sequence[Any]]:
    return [[*column] for column in zip(*rows, strict=True)] if rows else [[]] * width
