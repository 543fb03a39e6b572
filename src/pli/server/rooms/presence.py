"""Who is there and who is not: when a bot stands in, whose time is up, who wants to play again."""

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from pli.errors import PliError
from pli.game import Seat
from pli.server.protocol import messages as m
from pli.server.rooms.start import play_again
from pli.server.rooms.viewer import Viewer
from pli.server.tables import entries as e

if TYPE_CHECKING:
    from pli.server.rooms.room import Room

AWAY = 5.0
"""Seconds in which a page that is loaded anew is back: so long a rematch waits for it."""


class Presence:
    """The people of one table."""

    def __init__(self, room: "Room") -> None:
        self._room = room
        self.wants: dict[int, str] = {}
        """The kind of rematch that each seat wants."""
        self.deadline: int | None = None
        """The time of play at which a bot decides for who is awaited."""
        self._awaited: list[int] = []
        self._graces: dict[int, asyncio.TimerHandle] = {}
        self._clock: list[asyncio.TimerHandle] = []
        self.moved()

    def came(self, viewer: Viewer) -> None:
        """To be called from submitted work."""
        if viewer.seat is None:
            return
        self._stop(viewer.seat)
        with suppress(PliError):  # then its bot plays on until something can be written again
            self.returned(viewer.seat, viewer.address)

    def went(self, seat: Seat) -> None:
        if seat is None:
            return
        self.wants.pop(seat, None)
        if self.wants:
            self._room.loop.call_later(AWAY, self._room.submit, self._again)
        self._start(seat)

    def can_play(self, seat: int) -> bool:
        """Whether the person of a seat is there, and something can be written for it."""
        used_up = self._room.budget.budgets.used_up
        pages = [each for each in self._room.viewers if each.seat == seat]
        return any(used_up(page.address) is None for page in pages)

    def left(self, seat: int) -> None:
        """Somebody gave the seat up. To be called from submitted work."""
        self._stop(seat)
        self.wants.pop(seat, None)

    def _again(self) -> None:
        """The others play again without who has not come back."""
        if self.wants:
            play_again(self._room)

    def returned(self, seat: int, address: str) -> None:
        """Somebody plays again for whom a bot stood in; PliError: that can't be written."""
        if self._room.table.chairs[seat].absent:
            self._room.pays(address)
            self._room.enter(e.Returned(seat=seat))

    def start_anew(self) -> None:
        """A new game, or a table that was read anew from its journal."""
        self.rest()
        self.wants.clear()
        self.deadline = None
        self.moved()

    def rest(self) -> None:
        for handle in (*self._graces.values(), *self._clock):
            handle.cancel()
        self._graces.clear()
        self._clock.clear()

    def go_on(self) -> None:
        """The table is awake: who is missing has its grace, who is awaited its clock."""
        there = {viewer.seat for viewer in self._room.viewers}
        for seat in self._room.table.people:
            if seat not in there and seat not in self._graces:
                self._start(seat)
        if self._room.table.settings.clock and not self._clock:
            self._run_clock()

    def _start(self, seat: int) -> None:
        room = self._room
        grace = room.table.settings.grace
        if not grace or room.table.state != "playing" or room.table.chairs[seat].absent:
            return
        self._stop(seat)
        self._graces[seat] = room.loop.call_later(
            grace, lambda: room.submit(lambda: self._stand_in(seat))
        )

    def _stop(self, seat: int) -> None:
        handle = self._graces.pop(seat, None)
        if handle is not None:
            handle.cancel()

    def _stand_in(self, seat: int) -> None:
        self._graces.pop(seat, None)
        table = self._room.table
        chair = table.chairs[seat]
        if table.state == "playing" and chair.token is not None and not chair.absent:
            self._room.enter(e.Absent(seat=seat))

    # The clock of a decision

    def moved(self, actors: Collection[int] = ()) -> None:
        """These seats did something, or somebody came or went: whoever is awaited now has its full
        time, unless it was before and did nothing."""
        if not self._room.table.settings.clock:
            return
        awaited = self._awaited_people()
        waiting = set(self._awaited) - set(actors)
        self._awaited = awaited
        if awaited and self.deadline is not None and set(awaited) <= waiting:
            return
        for handle in self._clock:
            handle.cancel()
        self._clock.clear()
        self.deadline = None
        if awaited:
            seconds = self._room.table.settings.clock
            self.deadline = self._room.clock.now() + seconds * 1000

    def awaits_people(self) -> bool:
        """Whether nothing happens before some person does something."""
        match, people = self._room.table.played, self._awaited_people()
        return match is not None and bool(people) and people == list(match.view(None).awaited)

    def _awaited_people(self) -> list[int]:
        table = self._room.table
        if table.played is None:
            return []
        awaited = table.played.view(None).awaited
        return [seat for seat in awaited if table.chairs[seat].bot is None]

    def _run_clock(self) -> None:
        if self.deadline is None:
            return
        left = self._room.clock.seconds_until(self.deadline)
        time_is_up = partial(self._time_is_up, self.deadline)
        self._later(left / 2, lambda: self._nudge(round(left / 2)))
        self._later(left, lambda: self._room.submit(time_is_up))

    def _later(self, seconds: float, work: Callable[[], None]) -> None:
        self._clock.append(self._room.loop.call_later(seconds, work))

    def _nudge(self, seconds: int) -> None:
        for viewer in self._room.viewers:
            if viewer.seat in self._awaited:
                self._room.tell(viewer, m.Nudge(seconds=seconds))

    def _time_is_up(self, deadline: int) -> None:
        if deadline != self.deadline:
            return  # at the last moment something happened
        for seat in self._awaited:
            self._stand_in(seat)
        self.deadline = None
