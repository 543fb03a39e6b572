"""How much may be written: at one table in its life, for one address, and by the whole server.

What a table has written is in its journal, and so outlives a restart. What was written for an
address and by the server is counted in memory: after a restart both begin anew.
"""

import time
from collections.abc import Callable

from pli.errors import PliError
from pli.server.journal.api import ROW_OVERHEAD, Append, size_of_entries
from pli.server.limits import Limits, Rate
from pli.server.rate_limits import AddressBuckets, TokenBucket

BEYOND = 1.25
"""How far a game that is being played may go beyond what ends a table."""

OWED, SHARE = 2_000, 1_000
"""Bytes that a table may owe before they are charged; and the share of what there is at once."""

RESERVE = 30.0
"""Seconds of its rate that an address must have saved before bots go on that rested because nothing
was left: each time they do they learn anew what happened before."""


class Budgets:
    """Of one server process."""

    def __init__(self, limits: Limits, seconds: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self._seconds = seconds
        self._server = TokenBucket(limits.server_bytes, seconds())
        self._addresses = AddressBuckets(limits.address_bytes, limits.addresses)
        self._seats = AddressBuckets(limits.seats, limits.addresses)
        self.emptied = 0
        """Changes whenever somebody has nothing left: who had something before has it still, as
        long as this is the same."""
        self.owed = min(OWED, limits.address_bytes[1] / SHARE, limits.server_bytes[1] / SHARE)
        """Bytes that a table may owe."""
        self._server_reserve = _reserve(limits.server_bytes)
        self._address_reserve = _reserve(limits.address_bytes)

    def charge(self, address: str, size: int) -> None:
        """So much is being written for an address, whether or not that was left."""
        now = self._seconds()
        bucket = self._addresses.of(address, now)
        self._server.spend(now, size)
        bucket.spend(now, size)
        if self._server.empty(now) or bucket.empty(now):
            self.emptied += 1

    def used_up(self, address: str, resumes: bool = False) -> str | None:
        """Why nothing can be written for an address now, as a code. What is to be resumed, after
        it stopped for that reason, needs some reserve."""
        now = self._seconds()
        if self._server.empty(now, self._server_reserve if resumes else 0):
            return "server_used_up"
        if self._addresses.of(address, now).empty(now, self._address_reserve if resumes else 0):
            return "address_used_up"
        return None

    def check(self, address: str) -> None:
        """PliError: nothing can be written for an address now."""
        code = self.used_up(address)
        if code is not None:
            raise PliError(code)

    def check_seat(self, address: str, table: str) -> None:
        """Who takes a seat and leaves it, again and again, spends what belongs to others' table."""
        self.check(address)
        if not self._seats.take(f"{address} {table}", self._seconds()):
            raise PliError("too_many_requests")


class TableBudget:
    """What one table has written, and who pays for what happens there by itself.

    Each move is written for somebody, so this is on the way of every move: what is owed is settled
    when it has become enough, and until then who could pay before can still."""

    def __init__(self, budgets: Budgets, size: int, payer: str | None = None) -> None:
        self.budgets = budgets
        self.size = size
        """Bytes of its entries."""
        self.payer = payer
        """The address of who last did something there: bots and timers go on because of that. None:
        nobody has come since the table was read from its journal."""
        self._most_entries = budgets.limits.table_entries
        self._most_bytes = budgets.limits.table_bytes
        self._owed = 0
        self._solvent = -1
        """The payer had something left when `emptied` was this."""

    def change_payer(self, address: str) -> None:
        if address != self.payer:
            self.settle()
            self.payer = address
            self._solvent = -1

    def covers(self, entries: int) -> bool:
        """Whether who pays is known to have something left, and the table, which has so many
        entries, is far from full. If not, it has to be looked at more closely."""
        return (
            self._solvent == self.budgets.emptied
            and entries < self._most_entries
            and self.size < self._most_bytes
        )

    def pays(self, address: str, entries: int) -> None:
        """From now on an address pays for what happens at the table, which has so many entries.
        PliError: nothing can be written for it now, or the table stands still."""
        if address != self.payer or self._solvent != self.budgets.emptied:
            self.budgets.check(address)
            self.change_payer(address)
            self._solvent = self.budgets.emptied
        if self.full(entries, BEYOND):
            raise PliError("table_used_up")

    def used_up(self, resumes: bool = False) -> str | None:
        """Why nothing can be written by itself, as a code."""
        if self.payer is None or (self._solvent == self.budgets.emptied and not resumes):
            return None
        code = self.budgets.used_up(self.payer, resumes)
        self._solvent = self.budgets.emptied if code is None else -1
        return code

    def charge(self, append: Append, asked: str | None) -> None:
        """What is being written because some address asked for it, or by itself."""
        entries = append.entries
        size = len(entries[0]) + ROW_OVERHEAD if len(entries) == 1 else size_of_entries(entries)
        self.size += size
        if append.listing is not None:
            size += len(append.listing.summary) + ROW_OVERHEAD
        if asked is not None and asked != self.payer:
            self.budgets.charge(asked, size)
        else:
            self.charge_payer(size)

    def charge_payer(self, size: int) -> None:
        """For what happens by itself."""
        self._owed += size
        if self._owed >= self.budgets.owed:
            self.settle()

    def settle(self) -> None:
        """Charges what is owed."""
        if self.payer is not None:
            self.budgets.charge(self.payer, self._owed)
        self._owed = 0

    def full(self, entries: int, beyond: float = 1.0) -> bool:
        if entries < self._most_entries and self.size < self._most_bytes:
            return False
        return entries >= self._most_entries * beyond or self.size >= self._most_bytes * beyond


def _reserve(rate: Rate) -> float:
    return min(rate[0] * RESERVE, rate[1] / 2)
