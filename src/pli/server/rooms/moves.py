"""How actions reach the game. Where one seat is awaited they are simply done; where anybody may act
at any moment each counts at the time at which it was done, whatever the line it came over."""

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from pli.errors import PliError, Refused
from pli.kernel.contract import NEVER
from pli.match import Match
from pli.server.moves.queue import MoveQueue, PendingMove, RaceDetector
from pli.server.moves.stale import RecentUpdates
from pli.server.protocol import messages as m
from pli.server.tables import entries as e

if TYPE_CHECKING:
    from pli.server.rooms.room import Room
    from pli.server.rooms.viewer import Viewer


@dataclass(frozen=True, slots=True)
class Move:
    """An action and where it came from: a page, with its id, or a bot."""

    text: str
    id: int = 0
    viewer: "Viewer | None" = None
    seen: int | None = None
    """The entry up to which its page had shown the game."""


class Hands:
    """All actions of one table, from pages and bots alike."""

    def __init__(self, room: "Room") -> None:
        self._room = room
        self._live = room.table.game.live
        self._wake: asyncio.TimerHandle | None = None
        self.start_anew()

    def start_anew(self) -> None:
        """A new game: what was on its way to the last one is void."""
        salt = self._room.table.seed("hands") if self._room.table.secret else ""
        self._claims: MoveQueue[Move] = MoveQueue(salt)
        self._races = RaceDetector()
        self.recent_updates = RecentUpdates(self._room.table.game)

    def rest(self) -> None:
        if self._wake is not None:
            self._wake.cancel()
            self._wake = None

    def act(self, seat: int, move: Move, at: int | None = None, allowance: int = 0) -> None:
        """A page's action that just arrived, or a bot's that is planned for a time."""
        now, table = self._room.clock.now(), self._room.table
        played = table.state == "playing" and table.match is not None
        if not self._live or not played or self._room.resting.on:
            self._room.submit(lambda: self._carry_out(seat, move, now))
            return
        self._claims.add(seat, move, now if at is None else at, allowance)
        self.settle()

    def withdraw(self, seat: int) -> None:
        """A bot thinks again. What the person at its seat does meanwhile stands."""
        self._claims.withdraw(seat, lambda move: move.viewer is None)

    def forget(self, seat: int) -> None:
        """A seat is given up."""
        self._claims.withdraw(seat)

    def settle(self) -> None:
        """Does everything whose time has come, one by one, and comes back for the rest."""
        room, claims = self._room, self._claims
        self.rest()
        while not room.busy and room.clock.runs:
            match = room.table.played
            if match is None:
                return
            due = match.due
            if due >= NEVER and not claims:
                return
            now, lines = room.clock.now(), self._lines(match.actors)
            if claims.timer_ready(now, lines, due):
                room.run(self._tick)
            elif (claim := claims.pop_ready(now, lines, due)) is not None:
                room.run(partial(self._settle, claim))
            else:
                at = claims.next_wakeup(lines, due)
                if at is not None:
                    seconds = room.clock.seconds_until(at) + 0.0005
                    self._wake = room.loop.call_later(seconds, self.settle)
                return

    def judge(self) -> None:
        """The table rests, and no time passes that could settle anything: what people have on its
        way is judged as things are, which may wake the table."""
        while (claim := self._claims.pop_ready(NEVER, {})) is not None:
            self._room.submit(partial(self._settle, claim))

    def _turn_away(self) -> None:
        """Whoever was under way when the game ended hears of it."""
        while (claim := self._claims.pop_ready(NEVER, {})) is not None:
            self._settle(claim)

    def _lines(self, actors: list[int]) -> dict[int, int]:
        """Of the people who are there and may act: nobody waits for anyone else."""
        return {
            viewer.seat: viewer.lag.allowance
            for viewer in self._room.viewers
            if viewer.seat is not None and viewer.seat in actors
        }

    def _tick(self) -> None:
        match = self._match()
        time = max(match.now, match.due)
        self._room.enter(e.Ticked(time=time))
        self._claims.advance(time)
        self._end_if_over()

    def _settle(self, claim: PendingMove[Move]) -> None:
        move = claim.move
        try:
            done = self._do(claim.seat, move, claim.time)
        except PliError as error:
            race = self._races.lost(claim, move.text)
            self._refuse(claim.seat, move, error, race.margin if race else None)
            if race is not None:
                first, second, by = race.winner, race.loser, race.margin
                self._room.tell_all(m.Raced(first=first, second=second, by=by))
        else:
            if done:
                self._races.won(claim, move.text, self._room.clock.now())

    def _carry_out(self, seat: int, move: Move, time: int) -> None:
        try:
            self._do(seat, move, time)
        except PliError as error:
            self._refuse(seat, move, error, None)

    def _do(self, seat: int, move: Move, time: int) -> bool:
        """Enters an action and the timers that go before it; Refused changes nothing. Says whether
        there was still something to do."""
        room, table = self._room, self._room.table
        chair = table.chairs[seat]
        if move.viewer is None and (chair.bot is None or room.resting.on):
            return False  # its person came back before it could act, or the table rests
        if move.viewer is not None and move.id in chair.recent:
            room.tell(move.viewer, m.Done(id=move.id))
            return False
        if move.viewer is not None and move.id < chair.acted:
            # It was refused before a later one was done, and its page did not hear of it.
            raise Refused("bad_action")
        if move.viewer is not None and move.viewer.seat != seat:
            raise Refused("only_watching")  # it left, with this still on its way
        if table.state != "playing" or table.match is None:
            raise Refused("game_over" if table.state == "over" else "bad_action")
        if move.viewer is not None:
            room.allow(move.viewer)
        match = table.match
        time = max(time, match.now)
        while not match.over and match.due <= time:
            self._tick()
        action = match.parse(seat, move.text)
        if self.recent_updates.overtaken(match, seat, action, move.seen):
            raise Refused("overtaken")
        room.enter(e.Acted(seat=seat, action=action, time=time, id=move.id))
        if move.viewer is None:
            room.bots.did(seat, move.text)
        else:
            room.resting.acted()
            room.broadcast.did(seat, move.id)
            if chair.absent:
                room.enter(e.Returned(seat=seat))
        self._end_if_over()
        return True

    def _refuse(self, seat: int, move: Move, error: PliError, late: int | None) -> None:
        room = self._room
        if move.viewer is None:
            room.bots.refused(seat, move.text)
            return
        code = error.details.get("refusal") or error.code
        game = room.table.game.name
        room.tell(
            move.viewer,
            m.Refused(
                id=move.id,
                action=move.text,
                code=str(code),
                text=error.text(move.viewer.language, game),
                late=late,
            ),
        )

    def _end_if_over(self) -> None:
        match = self._match()
        if match.over and self._room.table.state == "playing":
            self._room.enter(e.Ended(winners=match.winners))
            self._room.later(self._turn_away)

    def _match(self) -> Match:
        match = self._room.table.match
        assert match is not None
        return match
