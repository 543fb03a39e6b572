"""Hints: what a strong bot would play, for a player among bots alone."""

import asyncio

from pli.bots.workers import BotPool, DecisionRequest
from pli.errors import PliError, Say
from pli.server.history.api import History
from pli.server.protocol import messages as m
from pli.server.rooms.transaction import Listener, RoomAccess, Tx
from pli.server.rooms.viewer import Viewer, encode, explain

DEADLINE = 5.0
"""Seconds after which there is no hint."""


class Hints(Listener):
    """Of one table: one search at a time, and the last answer is kept."""

    def __init__(self, access: RoomAccess, history: History, pool: BotPool) -> None:
        super().__init__(access)
        self._history = history
        self._pool = pool
        self._asked = -1
        """The entry after which a hint is being searched for."""
        self._search: asyncio.Task[None] | None = None
        self._last: m.Hints | None = None

    def ask(self, tx: Tx, viewer: Viewer) -> None:
        table = self._table
        if viewer.seat is None:
            raise PliError("only_watching")
        if table.game.rollout is None:
            raise PliError("no_hints", game=Say("name"))
        if len(table.people) > 1:
            raise PliError("hints_alone")
        if table.state != "playing" or table.match is None:
            raise PliError("not_now")
        if self._last is not None and self._last.n == table.n:
            tx.reply(viewer, self._last)
        elif self._search is None or self._asked != table.n:
            self.pause()
            self._asked = table.n
            self._search = self._scheduler.spawn(self._find(viewer, viewer.seat))

    def pause(self) -> None:
        if self._search is not None:
            self._search.cancel()
            self._search = None

    async def _find(self, viewer: Viewer, seat: int) -> None:
        table, n = self._table, self._asked
        assert table.match is not None
        view, actions = table.match.view(seat), table.match.legal(seat)
        seed = table.seed(f"hint {seat}")
        found: list[tuple[str, float]] = []
        try:
            if seat in view.awaited and actions:
                events = await self._history.seen(table, n, seat, viewer.address)
                request = DecisionRequest(
                    table.game.name, "hard", seat, seed, n, view, events, actions
                )
                key = (viewer.address, table.name)
                found = await self._pool.rank(request, DEADLINE, key)
        except PliError as error:
            explain(viewer, error)
            return
        finally:
            if self._asked == n:
                self._search = None
        ranked = [m.Ranked(action=action, chance=chance) for action, chance in found]
        hints = m.Hints(n=n, actions=ranked)
        if ranked:
            self._last = hints
        viewer.tell(encode(hints))
