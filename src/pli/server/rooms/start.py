"""The common start of a game whose faces are compared by eye. After the deal the table's clock
stands still and no face is tied to its picture until the pages of all players have decoded the
pictures, or took too long; then all pages count down to one moment, at which everybody is shown
the faces.

Whether a game has started follows from its journal: a game without a move has not, and starts after
a restart like a new one."""

import asyncio
from collections.abc import Callable
from functools import partial
from math import inf

from pli.server.protocol import messages as m
from pli.server.rooms.transaction import Commit, Listener, RoomAccess, Tx
from pli.server.rooms.viewer import Viewer, encode

COUNTDOWN = 3.0
"""Seconds that are counted down."""

OTHERS_WAIT = 20.0
"""Seconds for which a page whose pictures are there waits for those of others."""

LONGEST = 60.0
"""Seconds after which a game starts though no page has its pictures."""

RETURN = 5.0
"""Seconds for which a start waits for players who are not connected: after a restart, all come back
within moments."""


class Start(Listener):
    """Of one table. Pages that don't know of it are not waited for, and a game that only such pages
    play starts with the deal; so does one at the instant pace."""

    def __init__(self, access: RoomAccess, begin: Callable[[], None]) -> None:
        """`begin` is called when the time of play begins."""
        super().__init__(access)
        self._begin = begin
        self._ready: set[Viewer] = set()
        self._waiting_since: float | None = None
        self._ready_since: float | None = None
        """When the first page had its pictures."""
        self._starts_at: float | None = None
        """While it is counted down."""
        self._told: list[int] | None = None
        """The seats that pages were told are waited for."""
        self._timer: asyncio.TimerHandle | None = None
        self.holds = self._is_unstarted()
        """The time of play has not begun: nothing counts."""

    def _is_unstarted(self) -> bool:
        table = self._table
        if table.sheets is None or table.settings.pace == "instant":
            return False
        return table.played is not None and not table.moved

    # What happens at the table

    def reset(self) -> None:
        self.pause()
        self._ready.clear()
        self.holds = self._is_unstarted() and self._is_known()

    def recorded(self, commit: Commit) -> None:
        if self.holds and self._table.state != "playing":
            self.holds = False  # all players left
            self.pause()

    def committed(self, commit: Commit) -> None:
        if commit.begins_game:
            self.proceed()  # pages hear of it before they are shown the table

    def pause(self) -> None:
        """Nobody is there: whoever comes next is counted down for anew."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._starts_at = self._told = None
        self._waiting_since = self._ready_since = None

    def arrived(self, viewer: Viewer) -> None:
        """A page is about to be welcomed."""
        if self.holds and viewer.seat is not None and not self._is_known():
            self.holds = False
            self.pause()

    def ready(self, viewer: Viewer, number: int) -> None:
        """The page has decoded all pictures of a game."""
        if self.holds and number == self._table.number:
            self._ready.add(viewer)
            self.proceed()

    def proceed(self) -> None:
        """Pages may have come, gone or become ready: counts down if nobody is waited for."""
        if not self.holds or self._starts_at is not None:
            return
        now = self._scheduler.time()
        self._waiting_since = self._waiting_since or now
        if self._ready_since is None and not self._ready.isdisjoint(self._audience):
            self._ready_since = now
        loading, away = self._loading(), self._away()
        latest = max(
            min(
                self._waiting_since + LONGEST,
                inf if self._ready_since is None else self._ready_since + OTHERS_WAIT,
            )
            if loading
            else now,
            self._waiting_since + RETURN if away else now,
        )
        if self._timer is not None:
            self._timer.cancel()
        if latest <= now:
            self._count_down(now)
            return
        self._timer = self._scheduler.later(latest - now, partial(self._bus.post, self._again))
        waited = sorted(loading | away)
        if waited != self._told:
            self._told = waited
            self._tell()

    def _again(self, tx: Tx) -> None:
        self.proceed()

    def _count_down(self, now: float) -> None:
        seconds = COUNTDOWN if self._is_known() else 0.0
        self._starts_at = now + seconds
        self._timer = self._scheduler.later(seconds, partial(self._bus.post, self._go))
        self._tell()

    def _go(self, tx: Tx) -> None:
        if self.holds and self._starts_at is not None:
            self.holds = False
            self.pause()
            self._begin()
            self._tell()

    # Whom it concerns

    def _is_known(self) -> bool:
        return any(viewer.starts for viewer in self._audience if viewer.seat is not None)

    def _loading(self) -> set[int]:
        """Seats whose page has not said that its pictures are there."""
        return {
            viewer.seat
            for viewer in self._audience
            if viewer.seat is not None and viewer.starts and viewer not in self._ready
        }

    def _away(self) -> set[int]:
        """Seats whose player is not connected, though no bot stands in."""
        chairs = self._table.chairs
        people = {seat for seat in self._table.people if not chairs[seat].absent}
        return people - self._audience.people

    # What pages are told

    def message(self) -> m.Start | None:
        """How far the start is; None: this game has none."""
        table = self._table
        if table.sheets is None or table.played is None:
            return None
        count: int | None = 0
        if self.holds:
            count = None
            if self._starts_at is not None:
                left = self._starts_at - self._scheduler.time()
                count = max(1, round(1000 * left))
        waited = sorted(self._loading() | self._away()) if count is None else []
        return m.Start(number=table.number, time=self._clock.now(), waits_for=waited, count=count)

    def _tell(self) -> None:
        message = self.message()
        if message is not None:
            data = encode(message)
            for viewer in self._audience:
                if viewer.starts:
                    viewer.tell(data)
