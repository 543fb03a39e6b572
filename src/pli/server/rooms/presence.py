"""Presence: which players are connected, when a bot stands in for one who is not, and the clock of
a decision."""

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial

from pli.errors import PliError
from pli.game import Seat
from pli.server.protocol import messages as m
from pli.server.rooms.transaction import Command, Commit, Listener, RoomAccess, Tx
from pli.server.rooms.viewer import Viewer, encode
from pli.server.tables import entries as e


class Presence(Listener):
    """The players of one table. A player who disconnects has a grace period before a bot stands in;
    a player who is awaited has the table's decision time."""

    def __init__(self, access: RoomAccess) -> None:
        super().__init__(access)
        self._budgets = access.budget.budgets
        self.deadline: int | None = None
        """The time of play at which a bot decides for the players who are awaited."""
        self._awaited: list[int] = []
        self._graces: dict[int, asyncio.TimerHandle] = {}
        self._timers: list[asyncio.TimerHandle] = []
        """Of the decision time."""
        self._check_absent = True
        """Players may be absent whose grace period has not begun."""
        self._restart_decision()

    # Connecting and disconnecting

    def arrived(self, tx: Tx, viewer: Viewer) -> None:
        if viewer.seat is None:
            return
        self._end_grace(viewer.seat)
        with suppress(PliError):  # then the bot plays on until something can be written again
            self.returned(tx, viewer.seat, viewer.address)

    def went(self, seat: Seat) -> None:
        if seat is not None:
            self._begin_grace(seat)

    def left(self, seat: int) -> None:
        """The player gave the seat up."""
        self._end_grace(seat)

    def can_play(self, seat: int) -> bool:
        """Whether the player is connected, and its address may write."""
        used_up = self._budgets.used_up
        return any(used_up(page.address) is None for page in self._audience.at(seat))

    def returned(self, tx: Tx, seat: int, address: str) -> None:
        """The player takes over from the bot that stood in. PliError: that can't be written."""
        if self._table.chairs[seat].absent:
            tx.charge(address)
            tx.record(e.Returned(seat=seat))

    def _begin_grace(self, seat: int) -> None:
        table, grace = self._table, self._table.settings.grace
        if not grace or table.state != "playing" or table.chairs[seat].absent:
            return
        self._end_grace(seat)
        self._graces[seat] = self._post_later(grace, partial(self._stand_in, seat))

    def _end_grace(self, seat: int) -> None:
        handle = self._graces.pop(seat, None)
        if handle is not None:
            handle.cancel()

    def _stand_in(self, seat: int, tx: Tx) -> None:
        self._graces.pop(seat, None)
        chair = self._table.chairs[seat]
        if self._table.state == "playing" and chair.token is not None and not chair.absent:
            tx.record(e.Absent(seat=seat))

    # Commits

    def recorded(self, commit: Commit) -> None:
        if not commit.quiet:
            self._check_absent = True
        if self._table.settings.clock:
            actors = [each.seat for each in commit.entries if isinstance(each, e.Acted)]
            self._restart_decision(actors)

    def reset(self) -> None:
        self.pause()
        self.deadline = None
        self._restart_decision()

    def pause(self) -> None:
        for handle in (*self._graces.values(), *self._timers):
            handle.cancel()
        self._graces.clear()
        self._timers.clear()
        self._check_absent = True

    def resume(self) -> None:
        if self._check_absent:
            self._check_absent = False
            there = self._audience.seats
            for seat in self._table.people:
                if seat not in there and seat not in self._graces:
                    self._begin_grace(seat)
        if self._table.settings.clock and not self._timers:
            self._run_timers()

    # The time of a decision

    def awaits_people(self) -> bool:
        """Whether nothing happens before a player acts."""
        match, people = self._table.played, self._awaited_people()
        return match is not None and bool(people) and people == list(match.view(None).awaited)

    def _awaited_people(self) -> list[int]:
        match = self._table.played
        if match is None:
            return []
        chairs = self._table.chairs
        return [seat for seat in match.view(None).awaited if chairs[seat].bot is None]

    def _restart_decision(self, actors: Collection[int] = ()) -> None:
        """Something happened, by the action of these seats or otherwise: whoever is awaited now has
        the full time, except players who were awaited before and did not act."""
        if not self._table.settings.clock:
            return
        awaited = self._awaited_people()
        waiting = set(self._awaited) - set(actors)
        self._awaited = awaited
        if awaited and self.deadline is not None and set(awaited) <= waiting:
            return
        for handle in self._timers:
            handle.cancel()
        self._timers.clear()
        self.deadline = None
        if awaited:
            self.deadline = self._clock.now() + self._table.settings.clock * 1000

    def _run_timers(self) -> None:
        if self.deadline is None:
            return
        left = self._clock.seconds_until(self.deadline)
        half = partial(self._nudge, round(left / 2))
        self._timers.append(self._scheduler.later(left / 2, half))
        self._timers.append(self._post_later(left, partial(self._time_is_up, self.deadline)))

    def _nudge(self, seconds: int) -> None:
        for viewer in self._audience:
            if viewer.seat in self._awaited:
                viewer.tell(encode(m.Nudge(seconds=seconds)))

    def _time_is_up(self, deadline: int, tx: Tx) -> None:
        if deadline != self.deadline:
            return  # something happened at the last moment
        for seat in self._awaited:
            self._stand_in(seat, tx)
        self.deadline = None

    def _post_later(self, seconds: float, command: Command) -> asyncio.TimerHandle:
        post: Callable[[], None] = partial(self._bus.post, command)
        return self._scheduler.later(seconds, post)
