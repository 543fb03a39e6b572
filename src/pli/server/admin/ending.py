"""Ends a game that is being played: it is abandoned, as if all players had left it."""

from msgspec.structs import replace

from pli.errors import PliError
from pli.server.admin.overview import loaded
from pli.server.history.replay import finished_game, recording
from pli.server.journal.maintenance import Contents, Maintenance
from pli.server.tables import entries as e
from pli.server.tables.listing import listing
from pli.slices import finish


async def end_game(journal: Maintenance, name: str) -> int:
    """The number of the game. Its secret is public from now on, and so is its record. PliError:
    nothing is played there."""
    number = 0

    def edit(contents: Contents) -> Contents:
        nonlocal number
        if not contents.entries:
            raise PliError("no_such_table" if contents.listing is None else "no_game_to_end")
        table = loaded(contents)
        if table.state != "playing":
            raise PliError("no_game_to_end")
        data = [*contents.entries.values()]
        ended = e.Ended(winners=[], abandoned=True)
        table.apply(ended)
        number = table.number
        records = contents.records
        if table.match is not None:  # else the current rules can't replay it
            game = finished_game(table)
            record = finish(recording(game, data[game.start.begun + 1 :]))
            records = {**records, number: record}
        return replace(
            contents,
            entries={**contents.entries, len(data): e.encode(ended)},
            listing=listing(table),
            records=records,
        )

    await journal.rewrite(name, edit)
    return number
