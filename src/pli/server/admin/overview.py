"""Tables as an operator may see them: no cards, no moves, no tokens, no secrets."""

from collections import Counter
from typing import Any, Literal

import msgspec

from pli.errors import PliError
from pli.server.journal.api import NotRead, State
from pli.server.journal.maintenance import Contents, Maintenance, TableRow
from pli.server.protocol.bodies import OpenTable
from pli.server.protocol.messages import Settings
from pli.server.tables import entries as e
from pli.server.tables.table import Chair, Table, load_table

_summary = msgspec.json.Decoder(OpenTable).decode


class ListedTable(msgspec.Struct, frozen=True, kw_only=True):
    """A line in a list of tables."""

    id: str
    game: str
    state: State
    names: list[str]
    free: int
    entries: int
    finished: int
    created: int
    """Seconds since 1970."""
    touched: int
    """The same of its last change."""
    owner: str | None


class SeatShown(msgspec.Struct, frozen=True, kw_only=True):
    kind: Literal["empty", "person", "bot"]
    name: str | None = None
    level: str | None = None
    """Of the bot that plays here."""
    absent: bool = False
    """A bot stands in for its player."""
    left: bool = False
    """Its player left during the game."""


class RecordShown(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    size: int
    """Bytes."""


class TableShown(msgspec.Struct, frozen=True, kw_only=True):
    """One table. What only its entries tell is None once it is archived."""

    id: str
    game: str
    version: int
    state: State
    public: bool
    options: dict[str, Any]
    settings: Settings | None
    seats: list[SeatShown] | None
    names: list[str]
    host: int | None
    number: int | None
    """Of the game that is played, or is going to be."""
    finished: int
    results: list[list[int]] | None
    """The winners of each finished game; nobody won one that was abandoned."""
    outdated: bool
    """Its game was begun under another version of the rules, and can't go on."""
    entries: int
    kinds: dict[str, int]
    """Entries by kind."""
    size: int
    """Bytes of the entries."""
    records: list[RecordShown]
    created: int
    touched: int
    owner: str | None


async def listed_tables(
    journal: Maintenance, most: int, state: State | None = None, game: str | None = None
) -> list[ListedTable]:
    return [_listed(row) for row in await journal.rows(most, state, game)]


def _listed(row: TableRow) -> ListedTable:
    known = row.listing
    shown = summary(known.summary)
    return ListedTable(
        id=known.table,
        game=known.game,
        state=known.state,
        names=shown.names if shown is not None else [],
        free=shown.free if shown is not None else 0,
        entries=row.entries,
        finished=known.finished,
        created=known.created,
        touched=known.touched,
        owner=row.owner,
    )


def summary(data: bytes) -> OpenTable | None:
    """What a listing tells; None if it is damaged."""
    try:
        return _summary(data)
    except msgspec.DecodeError:
        return None


async def shown_table(journal: Maintenance, name: str) -> TableShown:
    """PliError: there is none, or it is damaged."""
    row = await journal.row(name)
    if row is None:
        raise PliError("no_such_table")
    contents = await journal.contents(name)
    table = loaded(contents) if contents.entries else None
    known, shown = row.listing, summary(row.listing.summary)
    return TableShown(
        id=name,
        game=known.game,
        version=known.version,
        state=known.state,
        public=table.public if table is not None else False,
        options=table.options if table is not None else shown.options if shown is not None else {},
        settings=table.settings if table is not None else None,
        seats=[_seat(chair) for chair in table.chairs] if table is not None else None,
        names=shown.names if shown is not None else [],
        host=table.host if table is not None else None,
        number=table.number if table is not None else None,
        finished=known.finished,
        results=table.results if table is not None else None,
        outdated=table.outdated if table is not None else False,
        entries=len(contents.entries),
        kinds=_kinds(contents),
        size=sum(map(len, contents.entries.values())),
        records=[
            RecordShown(number=number, size=len(each.text.encode(errors="surrogateescape")))
            for number, each in contents.records.items()
        ],
        created=known.created,
        touched=known.touched,
        owner=row.owner,
    )


def loaded(contents: Contents) -> Table:
    """The table that follows from its entries. NotRead: they are damaged."""
    if contents.missing is not None:
        raise NotRead("journal_damaged")
    try:
        return load_table(contents.table, [*contents.entries.values()])
    except (msgspec.DecodeError, LookupError, ValueError) as error:
        raise NotRead("journal_damaged") from error


def _seat(chair: Chair) -> SeatShown:
    return SeatShown(
        kind="person" if chair.token else "bot" if chair.level else "empty",
        name=chair.name,
        level=chair.bot,
        absent=chair.absent,
        left=chair.left,
    )


def _kinds(contents: Contents) -> dict[str, int]:
    found = Counter(type(e.decode(body)).__name__.lower() for body in contents.entries.values())
    return dict(found.most_common())
