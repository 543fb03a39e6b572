"""Idle tables: where no player acts, bots slow down, and then the table rests. It also rests when
no address at the table has anything left of its write budget.

What counts is the number of entries that bots and timers wrote since a player last acted, in this
game or an earlier one; it follows from the journal. While a player is awaited nothing is written,
so a table may wait for a player as long as it likes. A table that rests goes on when a player acts,
comes back to a seat that a bot has, or asks for it (`go_on`), for a while and at a calm pace. A
page that arrives wakes it too, but only once until somebody acts: otherwise a script that connects
again and again would keep bots playing for ever.
"""

import logging
from collections.abc import Callable

from pli.errors import PliError
from pli.server.protocol.messages import Pace
from pli.server.rooms.budgets import BEYOND
from pli.server.rooms.transaction import RoomAccess
from pli.server.rooms.viewer import Viewer, explain

CALM: Pace = "calm"

_log = logging.getLogger(__name__)


class Idle:
    """Of one table."""

    def __init__(
        self,
        access: RoomAccess,
        awaits_people: Callable[[], bool],
        woken: Callable[[], None],
    ) -> None:
        """`woken` is called when a player has the table go on."""
        self._table = access.table
        self._audience = access.audience
        self._budget = access.budget
        self._limits = access.budget.budgets.limits
        self._awaits_people = awaits_people
        self._woken = woken
        self.on = False
        """The table rests."""
        self._code: str | None = None
        """The budget that is used up; None: the table rests because no player acts."""
        self._since = 0
        """How many unattended entries there were when the table was last allowed to go on."""
        self._arrived = False
        """A page's arrival has woken the table since a player last acted."""

    @property
    def pace(self) -> Pace:
        """At which bots play."""
        slow = self._table.unattended >= self._limits.slow_entries
        return CALM if slow else self._table.settings.pace

    def starts(self) -> bool:
        """Whether the table, which is awake, has to rest from now on. Only between commits."""
        table, enough = self._table, self._since + self._limits.rest_entries
        if table.unattended < enough and self._budget.covers(table.n + 1):
            self._code = None
            return False
        self._code = self._used_up()
        self.on = self._code is not None or self._unattended()
        if self._code is not None:
            _log.info("table rests", extra={"table": table.name, "code": self._code})
        return self.on

    def explain(self, viewer: Viewer) -> None:
        """Tells a page which budget is used up, if one is."""
        if self.on and self._code is not None:
            explain(viewer, PliError(self._code))

    def acted(self) -> None:
        """A player's move was recorded."""
        self._since = 0
        self._arrived = False

    def arrives(self, viewer: Viewer) -> None:
        """Before a page is welcomed."""
        budget = self._budget
        if budget.payer is None:
            budget.change_payer(viewer.address)
        if viewer.seat is None:
            return
        if self._code is not None and budget.budgets.used_up(viewer.address, resumes=True) is None:
            budget.change_payer(viewer.address)
            self._code = self._used_up(resumes=True)
        if self._unattended() and not self._arrived:
            self._arrived = True
            self._allow(min(self._limits.slow_entries, self._limits.rest_entries))
        self.on = self.on and (self._code is not None or self._unattended())

    def wake(self, viewer: Viewer) -> None:
        """A player has the table go on. PliError: a budget is used up. Called before the command
        records anything."""
        if not self.on:
            return
        self._budget.change_payer(viewer.address)
        code = self._used_up(resumes=self._code is not None)
        if code is not None:
            raise PliError(code)
        self._allow(self._limits.rest_entries)
        self.on = False
        self._woken()

    def _allow(self, entries: int) -> None:
        """Bots and timers may write so many more."""
        enough = self._limits.rest_entries - entries
        self._since = max(self._since, self._table.unattended - enough)

    def _unattended(self) -> bool:
        if self._table.unattended - self._since < self._limits.rest_entries:
            return False
        return self._table.game.live or not self._awaits_people()

    def _used_up(self, resumes: bool = False) -> str | None:
        """The code of a budget that is used up. The address that last acted pays for bots, or else
        any other that sits here, so that no table stops because of what a guest wrote elsewhere."""
        budget = self._budget
        if budget.full(self._table.n + 1, BEYOND):
            return "table_used_up"
        code = budget.used_up(resumes)
        if code == "address_used_up":
            for viewer in self._audience:
                if viewer.seat is not None and not budget.budgets.used_up(viewer.address, resumes):
                    budget.change_payer(viewer.address)
                    return None
        return code
