"""A journal with a long past, to be attacked with: a table with long finished games and a long one
that is being played."""

import asyncio
import random
import secrets
from pathlib import Path
from typing import Any

from pli.server.history.api import History
from pli.server.journal.api import Append
from pli.server.journal.open import open_journal
from pli.server.limits import Limits
from pli.server.protocol.messages import Settings
from pli.server.tables import entries as e
from pli.server.tables.listing import listing
from pli.server.tables.table import Table, hashed

LONG = "longpast22"
"""The name of the table."""

FINISHED = 3
ACTIONS = 20_000
"""Of each game."""

TOKEN = "a-token-that-is-not-secret"
SEATS = 5


def long_past() -> tuple[Table, list[bytes]]:
    """The table and its entries."""
    options: dict[str, Any] = {"seats": SEATS, "target": 1000}
    made = e.Made(game="marshmallow", options=options, settings=Settings(), public=False, at=0)
    table, bodies = Table(LONG, made), [e.encode(made)]
    rng = random.Random(LONG)

    def enter(entry: e.AnyEntry) -> None:
        table.apply(entry)
        bodies.append(e.encode(entry))

    enter(e.Committed(number=1, secret=secrets.token_hex(32)))
    enter(e.Sat(seat=0, name="Zoe", token=hashed(TOKEN)))
    for seat in range(1, SEATS):
        enter(e.Filled(seat=seat, level="easy"))
    for number in range(1, FINISHED + 2):
        enter(e.Begun(version=table.game.version))
        for step in range(ACTIONS):
            match = table.match
            assert match is not None
            if match.over:
                break
            seat = match.actors[0]
            action = match.parse(seat, rng.choice(match.legal(seat)))
            enter(e.Acted(seat=seat, action=action, time=100 * step))
        if number <= FINISHED:
            enter(e.Ended(winners=[0], abandoned=True))
            enter(e.Rematch(options=table.options))
            enter(e.Committed(number=number + 1, secret=secrets.token_hex(32)))
    return table, bodies


def prepare(file: Path) -> None:
    """Writes it into a new file."""
    table, bodies = long_past()

    async def write() -> None:
        journal = await open_journal(str(file))
        await journal.append(Append(LONG, 0, bodies, listing(table)))
        history = History(journal, Limits())
        await history.save_records(listing(table))  # as a server does when a game ends
        history.close()
        await journal.close()

    asyncio.run(write())
