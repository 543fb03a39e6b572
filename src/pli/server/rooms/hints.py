"""Hints: what a strong bot would do, for somebody who plays against bots alone."""

import asyncio
from typing import TYPE_CHECKING

from pli.bots.workers import DecisionRequest
from pli.errors import PliError, Say
from pli.server.protocol import messages as m

if TYPE_CHECKING:
    from pli.server.rooms.room import Room
    from pli.server.rooms.viewer import Viewer

DEADLINE = 5.0
"""Seconds after which there is no hint."""


class Hints:
    """The hints of one table: one is thought about at a time, and the last one is remembered."""

    def __init__(self, room: "Room") -> None:
        self._room = room
        self._asked = -1
        """The entry after which a hint is being thought about."""
        self._thought: asyncio.Task[None] | None = None
        self._last: m.Hints | None = None

    def ask(self, viewer: "Viewer") -> None:
        """To be called from submitted work."""
        table = self._room.table
        if viewer.seat is None:
            raise PliError("only_watching")
        if table.game.insight is None:
            raise PliError("no_hints", game=Say("name"))
        if len(table.people) > 1:
            raise PliError("hints_alone")
        if table.state != "playing" or table.match is None:
            raise PliError("not_now")
        if self._last is not None and self._last.n == table.n:
            self._room.tell(viewer, self._last)
        elif self._thought is None or self._asked != table.n:
            self.rest()
            self._asked = table.n
            self._thought = self._room.loop.create_task(self._think(viewer, viewer.seat))

    def rest(self) -> None:
        if self._thought is not None:
            self._thought.cancel()
            self._thought = None

    async def _think(self, viewer: "Viewer", seat: int) -> None:
        room, table, n = self._room, self._room.table, self._asked
        assert table.match is not None
        view, actions = table.match.view(seat), table.match.legal(seat)
        seed = table.seed(f"hint {seat}")
        found: list[tuple[str, float]] = []
        try:
            if seat in view.awaited and actions:
                events = await room.history.seen(table, n, seat, viewer.address)
                request = DecisionRequest(
                    table.game.name, "hard", seat, seed, n, view, events, actions
                )
                whose = (viewer.address, table.name)
                found = await room.thinkers.rank(request, DEADLINE, whose)
        except PliError as error:
            room.tell(viewer, m.Problem(code=error.code, text=error.text(viewer.language)))
            return
        finally:
            if self._asked == n:
                self._thought = None
        ranked = [m.Ranked(action=action, chance=chance) for action, chance in found]
        hints = m.Hints(n=n, actions=ranked)
        if ranked:
            self._last = hints
        room.tell(viewer, hints)
