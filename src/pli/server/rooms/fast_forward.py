"""Fast forward: once only bots are left in a round, they play it to its end without pauses, if all
players who are there wish so. One player's wish changes nothing for the others."""

import asyncio
from contextlib import suppress

from pli.server.rooms.transaction import RoomAccess


class FastForward:
    """Of one table."""

    def __init__(self, access: RoomAccess) -> None:
        self._table = access.table
        self._audience = access.audience
        self._wishes: set[int] = set()
        self._on = asyncio.Event()

    def changed(self) -> None:
        """The table changed: the next round, and one to which a player has come back, are played at
        the table's pace."""
        if self._wishes and not self._only_bots_play():
            self.stop()

    def wish(self, seat: int) -> None:
        """The player of this seat need not see each move of the bots."""
        if not self._only_bots_play():
            return
        self._wishes.add(seat)
        if self._audience.people <= self._wishes:
            self._on.set()

    async def pause(self, seconds: float) -> None:
        """A bot's pause before its move, which a wish cuts short."""
        if seconds <= 0 or self._on.is_set():
            await asyncio.sleep(0)
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._on.wait()

    def stop(self) -> None:
        self._wishes.clear()
        self._on.clear()

    def _only_bots_play(self) -> bool:
        """Whether all players are out of the round, in a game in which one can be."""
        match = self._table.played
        out = getattr(match.view(None), "out", []) if match is not None else []
        return bool(out) and all(
            chair.bot is not None or seat in out for seat, chair in enumerate(self._table.chairs)
        )
