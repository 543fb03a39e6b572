"""A game among bots alone is no game: where no person does anything, bots slow down, then the table
rests. It also rests when nobody at it has anything left to write with.

What counts is the entries that bots and timers wrote since a person last acted in a game, in this
one or an earlier one; the journal tells. While a person is awaited nothing is written, and however
long that takes, nothing changes. A table that rests goes on when a person at it acts, comes back to
a seat that a bot has, or asks it to (`go_on`), for a while and at a calm pace. A person who arrives
wakes it as well, but only once until somebody acts: a page that comes and goes is nobody who plays.
"""

import logging
from typing import TYPE_CHECKING

from pli.errors import PliError
from pli.server.protocol.messages import Pace
from pli.server.rooms.budgets import BEYOND
from pli.server.rooms.viewer import Viewer, problem_of

if TYPE_CHECKING:
    from pli.server.rooms.room import Room

CALM: Pace = "calm"

_log = logging.getLogger(__name__)


class Resting:
    """Of one table."""

    def __init__(self, room: "Room") -> None:
        self._room = room
        self._limits = room.budget.budgets.limits
        self.on = False
        self._code: str | None = None
        """What is used up; None: it rests because nobody did anything."""
        self._since = 0
        """How many such entries there were when somebody asked the table to go on."""
        self._arrived = False
        """Somebody's arrival has woken the table since a person last acted."""

    @property
    def pace(self) -> Pace:
        """At which bots play."""
        table = self._room.table
        slow = table.unattended >= self._limits.slow_entries
        return CALM if slow else table.settings.pace

    def begins(self) -> bool:
        """Whether the table rests, from now on if there is a reason. To be called when all is
        safe."""
        if not self.on:
            room, enough = self._room, self._since + self._limits.rest_entries
            if room.table.unattended < enough and room.budget.covers(room.table.n + 1):
                self._code = None
                return False
            self._code = self._used_up()
            if self._code is None and not self._left_alone():
                return False
            self.on = True
            self._room.rest()
            self._room.clock.stop()
            self._room.tell_table()
            for viewer in self._room.viewers:
                self.explain(viewer)
            if self._code is not None:
                table = self._room.table.name
                _log.info("table rests", extra={"table": table, "code": self._code})
            self._room.hands.judge()
        return True

    def explain(self, viewer: Viewer) -> None:
        """A page is told if something is used up."""
        if self.on and self._code is not None:
            self._room.tell(viewer, problem_of(PliError(self._code), viewer.language))

    def over(self) -> None:
        """There is no game any more in which bots could rest."""
        self.on = False
        if self._room.viewers:
            self._room.clock.go()

    def acted(self) -> None:
        """A person's action was entered."""
        self._since = 0
        self._arrived = False

    def arrives(self, viewer: Viewer) -> None:
        """Before a page is welcomed."""
        budget = self._room.budget
        if budget.payer is None:
            budget.change_payer(viewer.address)
        if viewer.seat is None:
            return
        if self._code is not None and budget.budgets.used_up(viewer.address, resumes=True) is None:
            budget.change_payer(viewer.address)
            self._code = self._used_up(resumes=True)
        if self._left_alone() and not self._arrived:
            self._arrived = True
            self._allow(min(self._limits.slow_entries, self._limits.rest_entries))
        self.on = self.on and (self._code is not None or self._left_alone())

    def wake(self, viewer: Viewer) -> None:
        """A person at the table goes on; PliError: it can't. To be called from submitted work,
        before anything is entered."""
        if not self.on:
            return
        self._room.budget.change_payer(viewer.address)
        code = self._used_up(resumes=self._code is not None)
        if code is not None:
            raise PliError(code)
        self._allow(self._limits.rest_entries)
        self.on = False
        self._room.clock.go()
        self._room.tell_table()
        self._room.loop.call_soon(self._room.go_on)  # not before what it is called from is done

    def _allow(self, entries: int) -> None:
        """That bots and timers write so many more."""
        enough = self._limits.rest_entries - entries
        self._since = max(self._since, self._room.table.unattended - enough)

    def _left_alone(self) -> bool:
        table = self._room.table
        if table.unattended - self._since < self._limits.rest_entries:
            return False
        return table.game.live or not self._room.presence.awaits_people()

    def _used_up(self, resumes: bool = False) -> str | None:
        """Why bots can't go on. Who last did something pays for them, or else anyone else who sits
        here: nobody's table stands still because of what a guest did elsewhere."""
        room = self._room
        budget = room.budget
        if budget.full(room.table.n + 1, BEYOND):
            return "table_used_up"
        code = budget.used_up(resumes)
        if code == "address_used_up":
            for viewer in room.viewers:
                if viewer.seat is not None and not budget.budgets.used_up(viewer.address, resumes):
                    budget.change_payer(viewer.address)
                    return None
        return code
