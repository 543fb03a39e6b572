"""The pause between two rounds: bots wait with the first move of a round while pages show how the
last one ended. It ends when its time is over, when all players who are there have gone on, or when
one of them has acted: nobody can hold the others up."""

import asyncio
from collections.abc import Callable

from pli.events import Dealt
from pli.server.protocol.messages import Pace
from pli.server.rooms.transaction import Commit, RoomAccess

SECONDS: dict[Pace, float] = {"calm": 6.0, "brisk": 3.0, "instant": 0.0}
"""At a table's pace."""


class RoundPause:
    """Of one table."""

    def __init__(self, access: RoomAccess, ended: Callable[[], None]) -> None:
        """`ended` is called when the pause ends."""
        self._audience = access.audience
        self._scheduler = access.scheduler
        self._ended = ended
        self._timer: asyncio.TimerHandle | None = None
        self._gone_on: set[int] = set()
        self._over = asyncio.Event()
        self._over.set()

    @property
    def seconds_left(self) -> float:
        if self._timer is None:
            return 0.0
        return max(0.0, self._timer.when() - self._scheduler.time())

    def recorded(self, commit: Commit, pace: Pace) -> None:
        """The game changed: a new round begins, or somebody has acted in it."""
        seen = next(iter(commit.events.values()), [])
        new_round = any(isinstance(event, Dealt) and event.round > 1 for event in seen)
        self.stop()
        if new_round and SECONDS[pace] > 0:
            self._gone_on.clear()
            self._over.clear()
            self._timer = self._scheduler.later(SECONDS[pace], self._end)

    def go_on(self, seat: int) -> None:
        """The player of this seat has seen how the round ended."""
        if self._timer is None:
            return
        self._gone_on.add(seat)
        if self._audience.people <= self._gone_on:
            self._end()

    async def wait(self) -> None:
        await self._over.wait()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._over.set()

    def _end(self) -> None:
        self.stop()
        self._ended()
