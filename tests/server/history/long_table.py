"""A table with many finished games, written straight into a journal: more than a test can play."""

import random
from pathlib import Path

from pli.server.journal.api import Append
from pli.server.journal.open import open_journal
from pli.server.protocol.messages import Settings
from pli.server.tables import entries as e
from pli.server.tables.listing import listing
from pli.server.tables.table import Table

NAME = "longlonglo"


async def put_long_table(folder: Path, count: int) -> int:
    """So many finished games of bots alone, none with a record. Says how many entries there are."""
    draw = random.Random(count)
    options = {"seats": 3, "target": 10}
    made = e.Made(game="marshmallow", options=options, settings=Settings(), public=False, at=1)
    table = Table(NAME, made)
    entries: list[e.AnyEntry] = [made]

    def enter(entry: e.AnyEntry) -> None:
        table.apply(entry)
        entries.append(entry)

    for number in range(1, count + 1):
        if number > 1:
            enter(e.Rematch(options=table.options))
        enter(e.Committed(number=number, secret=draw.randbytes(32).hex()))
        for seat in range(table.seats):
            enter(e.Filled(seat=seat, level="medium"))
        enter(e.Begun(version=table.game.version))
        match = table.match
        assert match is not None
        while not match.over:
            seat = draw.choice(match.actors)
            action = match.parse(seat, draw.choice(match.legal(seat)))
            enter(e.Acted(seat=seat, action=action, time=match.now + 10))
        enter(e.Ended(winners=match.winners))
    journal = await open_journal(str(folder / "tables.db"))
    bodies = [e.encode(entry) for entry in entries]
    await journal.append(Append(NAME, 0, bodies, listing(table)))
    await journal.close()
    return len(entries)
