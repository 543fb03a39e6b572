"""Deletes a table with all that is known of it."""

from pli.errors import PliError
from pli.server.journal.maintenance import Maintenance


async def delete_table(journal: Maintenance, name: str) -> None:
    """PliError: there is no such table."""
    if not await journal.delete(name):
        raise PliError("no_such_table")
    await journal.purge()
