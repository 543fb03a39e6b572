"""Write budgets: how many bytes may be appended to the journal in a table's life, for an address,
and by the whole server.

A table's own budget follows from its journal, and so survives a restart. Those of addresses and of
the server are token buckets in memory, which are full again after a restart.
"""

import time
from collections.abc import Callable

from pli.errors import PliError
from pli.server.journal.api import ROW_OVERHEAD, Append, size_of_entries
from pli.server.limits import Limits, Rate
from pli.server.rate_limits import AddressBuckets, TokenBucket

BEYOND = 1.25
"""How far a running game may exceed the budget that keeps a table from beginning another one."""

OWED, SHARE = 2_000, 1_000
"""Bytes that a table may owe before they are charged, at most this share of a bucket's burst."""

RESERVE = 30.0
"""Seconds of its rate that an address must have before bots resume that rested for lack of budget:
each time they resume they read the game so far again."""


class Budgets:
    """Of one server process."""

    def __init__(self, limits: Limits, seconds: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self._seconds = seconds
        self._server = TokenBucket(limits.server_bytes, seconds())
        self._addresses = AddressBuckets(limits.address_bytes, limits.addresses)
        self._seats = AddressBuckets(limits.seats, limits.addresses)
        self.emptied = 0
        """Changes whenever a bucket runs empty. While it is the same, an address that was solvent
        still is: so most moves need no look at the buckets."""
        self.owed = min(OWED, limits.address_bytes[1] / SHARE, limits.server_bytes[1] / SHARE)
        """Bytes that a table may owe."""
        self._server_reserve = _reserve(limits.server_bytes)
        self._address_reserve = _reserve(limits.address_bytes)

    def charge(self, address: str, size: int) -> None:
        """Draws what is being written for an address, even if less is left."""
        now = self._seconds()
        bucket = self._addresses.of(address, now)
        self._server.spend(now, size)
        bucket.spend(now, size)
        if self._server.empty(now) or bucket.empty(now):
            self.emptied += 1

    def used_up(self, address: str, resumes: bool = False) -> str | None:
        """The error code if nothing may be written for an address now. To resume after that, some
        reserve is needed."""
        now = self._seconds()
        if self._server.empty(now, self._server_reserve if resumes else 0):
            return "server_used_up"
        if self._addresses.of(address, now).empty(now, self._address_reserve if resumes else 0):
            return "address_used_up"
        return None

    def check(self, address: str) -> None:
        """PliError: nothing may be written for an address now."""
        code = self.used_up(address)
        if code is not None:
            raise PliError(code)

    def check_seat(self, address: str, table: str) -> None:
        """Rate limit for taking seats: a client that sits down and leaves again and again would use
        up the table's budget."""
        self.check(address)
        if not self._seats.take(f"{address} {table}", self._seconds()):
            raise PliError("too_many_requests")


class TableBudget:
    """What one table has written, and which address pays for what bots and timers write there.

    On the hot path of every move: so small debts are added up and charged together, and an address
    that was solvent is taken to be so until some bucket runs empty."""

    def __init__(self, budgets: Budgets, size: int, payer: str | None = None) -> None:
        self.budgets = budgets
        self.size = size
        """Bytes of its entries."""
        self.payer = payer
        """The address that last acted there, and so pays for bots and timers. None: no page has
        connected since the table was loaded."""
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
        """Whether the payer is known to be solvent, and the table, which has so many entries, is
        within its budget. If not, the slower checks decide."""
        return (
            self._solvent == self.budgets.emptied
            and entries < self._most_entries
            and self.size < self._most_bytes
        )

    def pays(self, address: str, entries: int) -> None:
        """Makes an address the payer of the table, which has so many entries. PliError: its budget
        or the table's is used up."""
        if address != self.payer or self._solvent != self.budgets.emptied:
            self.budgets.check(address)
            self.change_payer(address)
            self._solvent = self.budgets.emptied
        if self.full(entries, BEYOND):
            raise PliError("table_used_up")

    def used_up(self, resumes: bool = False) -> str | None:
        """The error code if bots and timers may not write now."""
        if self.payer is None or (self._solvent == self.budgets.emptied and not resumes):
            return None
        code = self.budgets.used_up(self.payer, resumes)
        self._solvent = self.budgets.emptied if code is None else -1
        return code

    def charge(self, append: Append, asked: str | None) -> None:
        """Charges an append to the address that asked for it, or to the payer."""
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
        """Charges what bots, timers and the server itself write."""
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
