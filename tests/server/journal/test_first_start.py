"""Servers that start at the same time on an empty database: one of them makes the journal."""

import asyncio

from pli.server.journal.open import open_journal
from tests.postgres import Postgres


async def test_all_servers_that_start_at_once_find_the_journal_that_one_of_them_makes(
    postgres: Postgres,
) -> None:
    for _ in range(3):
        url = await asyncio.to_thread(postgres.new_database)
        journals = await asyncio.gather(*(open_journal(url) for _ in range(6)))
        assert [await journal.count() for journal in journals] == [0] * 6
        for journal in journals:
            await journal.close()
