"""What is told of a table without opening it, kept beside its entries."""

import time

import msgspec

from pli.server.journal.api import Listing
from pli.server.protocol.bodies import OpenTable
from pli.server.tables.table import ReadOnlyTable


def listing(table: ReadOnlyTable) -> Listing:
    shown = open_table(table)
    return Listing(
        table=table.name,
        game=table.game.name,
        version=table.version,
        state=table.state,
        public=table.public and shown.free > 0,
        created=table.made_at,
        touched=int(time.time()),
        summary=msgspec.json.encode(shown),
        finished=len(table.results),
    )


def open_table(table: ReadOnlyTable) -> OpenTable:
    return OpenTable(
        id=table.name,
        game=table.game.name,
        options=table.options,
        names=[chair.name for chair in table.chairs if chair.name is not None],
        free=sum(chair.free for chair in table.chairs),
        departures=table.departures,
    )
