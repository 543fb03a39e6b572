"""How moves reach the game. Where one seat is awaited they are carried out as they arrive; in live
games, where any seat may act at any moment, each counts at the time at which it was made, however
long its connection takes (`pli.server.moves`)."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pli.errors import PliError, Refused
from pli.kernel.contract import NEVER
from pli.match import AnyMatch
from pli.server.moves.queue import MoveQueue, PendingMove, RaceDetector
from pli.server.moves.stale import RecentUpdates
from pli.server.protocol import messages as m
from pli.server.rooms.idle import Idle
from pli.server.rooms.start import Start
from pli.server.rooms.transaction import Author, Commit, Listener, RoomAccess, Tx
from pli.server.rooms.viewer import Viewer, encode
from pli.server.tables import entries as e

SLACK = 0.0005
"""Seconds added to a timer: the loop's timers may fire a moment early."""


@dataclass(frozen=True, slots=True)
class Move:
    """An action, and the page or the bot that it comes from."""

    text: str
    id: int = 0
    viewer: Viewer | None = None
    """None: a bot's."""
    seen: int | None = None
    """The entry up to which its page had shown the game."""
    arrived: float | None = None
    """When it came from its page, by the monotonic clock."""
    refused: Callable[[str], None] = lambda _: None
    """A bot is told by this that its move was refused."""


class MoveHandler(Listener):
    """All moves of one table, from pages and bots alike."""

    def __init__(self, access: RoomAccess, idle: Idle, start: Start) -> None:
        super().__init__(access)
        self._idle = idle
        self._start = start
        self._live = access.table.game.live
        self._refusals = access.metrics.refusals
        self._timer: asyncio.TimerHandle | None = None
        self.reset()

    # What pages and bots ask

    def submit(self, seat: int, move: Move, at: int | None = None, allowance: int = 0) -> None:
        """A page's move that just arrived, or a bot's that is planned for a time."""
        now, table = self._clock.now(), self._table
        playing = table.state == "playing" and table.match is not None and not self._start.holds
        if not self._live or self._idle.on or not playing:
            self._bus.post(partial(self._carry_out, seat, move, now))
            return
        self._queue.add(seat, move, now if at is None else at, allowance)
        self.resume()

    def withdraw_plan(self, seat: int) -> None:
        """The seat's bot decides again. Moves that its player made meanwhile stand."""
        self._queue.withdraw(seat, lambda move: move.viewer is None)

    def withdraw_all(self, seat: int) -> None:
        """The seat's player gave it up."""
        self._queue.withdraw(seat)

    # Commits

    def recorded(self, commit: Commit) -> None:
        if commit.moves and self._table.match is not None:
            self._recent.add(self._table.n, self._table.match, commit.entries)

    def reset(self) -> None:
        """Moves that were made in an earlier game are void."""
        salt = self._table.seed("hands") if self._table.secret else ""
        self._queue: MoveQueue[Move] = MoveQueue(salt)
        self._races = RaceDetector()
        self._recent = RecentUpdates(self._table.game)

    def pause(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def resume(self) -> None:
        """Carries out every move and timer that is due, one by one, and comes back for the rest."""
        bus, clock, queue = self._bus, self._clock, self._queue
        self.pause()
        while not bus.busy and clock.runs:
            match = self._table.played
            if match is None:
                return
            due = match.due
            if due >= NEVER and not queue:
                return
            now, allowances = clock.now(), self._allowances(match.actors)
            if queue.timer_ready(now, allowances, due):
                bus.execute(self._tick)
            elif (pending := queue.pop_ready(now, allowances, due)) is not None:
                bus.execute(partial(self._settle, pending))
            else:
                at = queue.next_wakeup(allowances, due)
                if at is not None:
                    seconds = clock.seconds_until(at) + SLACK
                    self._timer = self._scheduler.later(seconds, self.resume)
                return

    def settle_now(self) -> None:
        """The table rests and its clock stands still: moves that wait to be timed are judged as
        things are, which may wake the table."""
        while (pending := self._queue.pop_ready(NEVER, {})) is not None:
            self._bus.post(partial(self._settle, pending))

    def _refuse_rest(self, tx: Tx) -> None:
        """The game is over: pages whose moves were still waiting are told."""
        while (pending := self._queue.pop_ready(NEVER, {})) is not None:
            self._settle(pending, tx)

    def _allowances(self, actors: list[int]) -> dict[int, int]:
        """Of the connected players who may act: nobody else is waited for."""
        return {
            viewer.seat: viewer.lag.allowance
            for viewer in self._audience
            if viewer.seat is not None and viewer.seat in actors
        }

    # Commands

    def _tick(self, tx: Tx) -> None:
        match = self._match()
        time = max(match.now, match.due)
        tx.record(e.Ticked(time=time))
        self._queue.advance(time)
        self._end_if_over(tx)

    def _settle(self, pending: PendingMove[Move], tx: Tx) -> None:
        move = pending.move
        try:
            done = self._do(tx, pending.seat, move, pending.time)
        except PliError as error:
            race = self._races.lost(pending, move.text)
            self._refuse(tx, move, error, race.margin if race else None)
            if race is not None:
                raced = m.Raced(first=race.winner, second=race.loser, by=race.margin)
                self._audience.tell(encode(raced))
        else:
            if done:
                self._races.won(pending, move.text, self._clock.now())

    def _carry_out(self, seat: int, move: Move, time: int, tx: Tx) -> None:
        try:
            self._do(tx, seat, move, time)
        except PliError as error:
            self._refuse(tx, move, error, None)

    def _do(self, tx: Tx, seat: int, move: Move, time: int) -> bool:
        """Records a move and the timers that go before it. PliError: it is refused. Says whether
        the move was carried out."""
        table, viewer = self._table, move.viewer
        chair = table.chairs[seat]
        if viewer is None:
            if chair.bot is None or self._idle.on:
                return False  # the player came back before the bot acted, or the table rests
        elif move.id in chair.recent:
            tx.reply(viewer, m.Done(id=move.id))  # a resend of a move that is done: no second move
            return False
        elif move.id < chair.acted:
            # It was refused before a later one was done, and the page did not hear of it.
            raise Refused("bad_action")
        elif viewer.seat != seat:
            raise Refused("only_watching")  # the player left while this was on its way
        if table.state != "playing" or table.match is None:
            raise Refused("game_over" if table.state == "over" else "bad_action")
        if self._start.holds:
            raise Refused("not_started")
        if viewer is not None:
            tx.charge(viewer.address)
            if self._idle.on:
                self._idle.wake(viewer)
        match = table.match
        time = max(time, match.now)
        while not match.over and match.due <= time:
            self._tick(tx)
        action = match.parse(seat, move.text)
        if self._recent.overtaken(match, seat, action, move.seen):
            raise Refused("overtaken")
        tx.record(e.Acted(seat=seat, action=action, time=time, id=move.id))
        tx.author = Author(seat, move.text, move.id)
        tx.arrived = move.arrived
        if viewer is not None:
            self._idle.acted()
            if chair.absent:
                tx.record(e.Returned(seat=seat))
        self._end_if_over(tx)
        return True

    def _refuse(self, tx: Tx, move: Move, error: PliError, late: int | None) -> None:
        if move.viewer is None:
            move.refused(move.text)
            return
        code = str(error.details.get("refusal") or error.code)
        self._refusals.inc(code)
        text = error.text(move.viewer.language, self._table.game.name)
        refused = m.Refused(id=move.id, action=move.text, code=code, text=text, late=late)
        tx.reply(move.viewer, refused)

    def _end_if_over(self, tx: Tx) -> None:
        match = self._match()
        if match.over and self._table.state == "playing":
            tx.record(e.Ended(winners=match.winners))
            tx.after(partial(self._bus.execute, self._refuse_rest))

    def _match(self) -> AnyMatch:
        match = self._table.match
        assert match is not None
        return match
