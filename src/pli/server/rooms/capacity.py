"""How many unfinished tables there may be, in all and by one address, and which of them are
archived to make room for new ones.

Tables whose game never began go first, since nothing is lost with them; then those that were begun
and abandoned for long. Tables in memory stay: a page is connected, or was a moment ago. An address
that has too many makes room among its own. The address that made a table is kept in memory only.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Sequence

from pli.errors import PliError
from pli.server.journal.api import Journal, Listing
from pli.server.limits import Limits

BATCH = 64
"""Tables that are archived at once, at most; and at most a hundredth of the limit."""

BEGUN = 4
"""The same for tables that were begun, which take longer."""

Archive = Callable[[Sequence[Listing]], Awaitable[int]]


class Capacity:
    def __init__(
        self,
        journal: Journal,
        limits: Limits,
        present: Callable[[], Collection[str]],
        archive: Archive,
    ) -> None:
        """`present` gives the tables that must stay."""
        self._journal = journal
        self._limits = limits
        self._present = present
        self._archive = archive
        self._one_at_a_time = asyncio.Lock()
        self._making = 0
        """Tables that are reserved and not in the journal yet."""
        self._makers: OrderedDict[str, str] = OrderedDict()
        """The address that made a table, oldest table first."""
        self._made: dict[str, set[str]] = {}
        """The same the other way round."""

    async def reserve(self, address: str) -> None:
        """Reserves one more table, until `release`. PliError: there is no room."""
        async with self._one_at_a_time:
            await self._reserve_own(address)
            full = await self._journal.count() + self._making >= self._limits.all_tables
            if full and not await self._make_room(self._limits.all_tables):
                raise PliError("server_full")
            self._making += 1

    def release(self) -> None:
        self._making -= 1

    def made(self, table: str, address: str) -> None:
        self._makers[table] = address
        self._made.setdefault(address, set()).add(table)
        if len(self._makers) > self._limits.all_tables:
            self._forget(next(iter(self._makers)))

    async def _reserve_own(self, address: str) -> None:
        most = self._limits.tables_each
        if len(self._made.get(address, ())) < most:
            return
        unfinished = [
            each.table
            for begun in (False, True)
            for each in await self._journal.untouched(
                most + 1, begun=begun, among=self._made[address]
            )
        ]
        for table in self._made[address].difference(unfinished):
            self._forget(table)
        if len(unfinished) >= most and not await self._make_room(most, self._made[address]):
            raise PliError("too_many_tables")

    async def _make_room(self, most: int, among: Collection[str] | None = None) -> int:
        """Archives some tables: how many."""
        several = max(1, min(BATCH, most // 100))
        gone = await self._clear(several, None, False, among)
        if not gone:
            before = await self._journal.days_ago(self._limits.abandoned_days)
            if before is not None:
                gone = await self._clear(min(BEGUN, several), before, True, among)
        return gone

    async def _clear(
        self, several: int, before: int | None, begun: bool, among: Collection[str] | None
    ) -> int:
        found = await self._journal.untouched(
            several, before=before, begun=begun, among=among, but=self._present()
        )
        gone = await self._archive(found) if found else 0
        for each in found:
            self._forget(each.table)
        return gone

    def _forget(self, table: str) -> None:
        address = self._makers.pop(table, None)
        if address is not None:
            self._made[address].discard(table)
            if not self._made[address]:
                del self._made[address]
