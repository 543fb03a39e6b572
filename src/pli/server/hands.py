"""How actions reach the game. Where one seat is awaited they are simply done; where anybody may act
at any moment each counts at the time at which it was done, whatever the line it came over."""

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from pli.errors import PliError, Refused
from pli.kernel.contract import NEVER
from pli.match import Match
from pli.server import entries as e
from pli.server import messages as m
from pli.server.lag import Claim, Claims, Races
from pli.server.sight import Sight

if TYPE_CHECKING:
    from pli.server.keeper import Keeper
    from pli.server.viewer import Viewer


@dataclass(frozen=True, slots=True)
class Deed:
    """An action and where it came from: a page, with its id, or a bot."""

    text: str
    id: int = 0
    viewer: "Viewer | None" = None
    seen: int | None = None
    """The entry up to which its page had shown the game."""


class Hands:
    """All actions of one table, from pages and bots alike."""

    def __init__(self, keeper: "Keeper") -> None:
        self._keeper = keeper
        self._live = keeper.table.game.live
        self._wake: asyncio.TimerHandle | None = None
        self.start_anew()

    def start_anew(self) -> None:
        """A new game: what was on its way to the last one is void."""
        salt = self._keeper.table.seed("hands") if self._keeper.table.secret else ""
        self._claims: Claims[Deed] = Claims(salt)
        self._races = Races()
        self.sight = Sight(self._keeper.table.game)

    def rest(self) -> None:
        if self._wake is not None:
            self._wake.cancel()
            self._wake = None

    def act(self, seat: int, deed: Deed, at: int | None = None, allowance: int = 0) -> None:
        """A page's action that just arrived, or a bot's that is planned for a time."""
        now, table = self._keeper.clock.now(), self._keeper.table
        played = table.state == "playing" and table.match is not None
        if not self._live or not played or self._keeper.resting.on:
            self._keeper.submit(lambda: self._carry_out(seat, deed, now))
            return
        self._claims.add(seat, deed, now if at is None else at, allowance)
        self.settle()

    def withdraw(self, seat: int) -> None:
        """A bot thinks again. What the person at its seat does meanwhile stands."""
        self._claims.withdraw(seat, lambda deed: deed.viewer is None)

    def forget(self, seat: int) -> None:
        """A seat is given up."""
        self._claims.withdraw(seat)

    def settle(self) -> None:
        """Does everything whose time has come, one by one, and comes back for the rest."""
        keeper, claims = self._keeper, self._claims
        self.rest()
        while not keeper.busy and keeper.clock.runs:
            match = keeper.table.played
            if match is None:
                return
            due = match.due
            if due >= NEVER and not claims:
                return
            now, lines = keeper.clock.now(), self._lines(match.actors)
            if claims.timer_ripe(now, lines, due):
                keeper.run(self._tick)
            elif (claim := claims.ripe(now, lines, due)) is not None:
                keeper.run(partial(self._settle, claim))
            else:
                at = claims.wakes(lines, due)
                if at is not None:
                    seconds = keeper.clock.seconds_until(at) + 0.0005
                    self._wake = keeper.loop.call_later(seconds, self.settle)
                return

    def judge(self) -> None:
        """The table rests, and no time passes that could settle anything: what people have on its
        way is judged as things are, which may wake the table."""
        while (claim := self._claims.ripe(NEVER, {})) is not None:
            self._keeper.submit(partial(self._settle, claim))

    def _turn_away(self) -> None:
        """Whoever was under way when the game ended hears of it."""
        while (claim := self._claims.ripe(NEVER, {})) is not None:
            self._settle(claim)

    def _lines(self, actors: list[int]) -> dict[int, int]:
        """Of the people who are there and may act: nobody waits for anyone else."""
        return {
            viewer.seat: viewer.line.allowance
            for viewer in self._keeper.viewers
            if viewer.seat is not None and viewer.seat in actors
        }

    def _tick(self) -> None:
        match = self._match()
        time = max(match.now, match.due)
        self._keeper.enter(e.Ticked(time=time))
        self._claims.applied(time)
        self._end_if_over()

    def _settle(self, claim: Claim[Deed]) -> None:
        deed = claim.what
        try:
            done = self._do(claim.seat, deed, claim.time)
        except PliError as error:
            race = self._races.lost(claim, deed.text)
            self._refuse(claim.seat, deed, error, race.margin if race else None)
            if race is not None:
                first, second, by = race.winner, race.loser, race.margin
                self._keeper.tell_all(m.Raced(first=first, second=second, by=by))
        else:
            if done:
                self._races.won(claim, deed.text, self._keeper.clock.now())

    def _carry_out(self, seat: int, deed: Deed, time: int) -> None:
        try:
            self._do(seat, deed, time)
        except PliError as error:
            self._refuse(seat, deed, error, None)

    def _do(self, seat: int, deed: Deed, time: int) -> bool:
        """Enters an action and the timers that go before it; Refused changes nothing. Says whether
        there was still something to do."""
        keeper, table = self._keeper, self._keeper.table
        chair = table.chairs[seat]
        if deed.viewer is None and (chair.bot is None or keeper.resting.on):
            return False  # its person came back before it could act, or the table rests
        if deed.viewer is not None and deed.id in chair.recent:
            keeper.tell(deed.viewer, m.Done(id=deed.id))
            return False
        if deed.viewer is not None and deed.id < chair.acted:
            # It was refused before a later one was done, and its page did not hear of it.
            raise Refused("bad_action")
        if deed.viewer is not None and deed.viewer.seat != seat:
            raise Refused("only_watching")  # it left, with this still on its way
        if table.state != "playing" or table.match is None:
            raise Refused("game_over" if table.state == "over" else "bad_action")
        if deed.viewer is not None:
            keeper.allow(deed.viewer)
        match = table.match
        time = max(time, match.now)
        while not match.over and match.due <= time:
            self._tick()
        action = match.parse(seat, deed.text)
        if self.sight.overtook(match, seat, action, deed.seen):
            raise Refused("overtaken")
        keeper.enter(e.Acted(seat=seat, action=action, time=time, id=deed.id))
        if deed.viewer is None:
            keeper.company.did(seat, deed.text)
        else:
            keeper.resting.acted()
            keeper.teller.did(seat, deed.id)
            if chair.absent:
                keeper.enter(e.Returned(seat=seat))
        self._end_if_over()
        return True

    def _refuse(self, seat: int, deed: Deed, error: PliError, late: int | None) -> None:
        keeper = self._keeper
        if deed.viewer is None:
            keeper.company.refused(seat, deed.text)
            return
        code = error.details.get("refusal") or error.code
        game = keeper.table.game.name
        keeper.tell(
            deed.viewer,
            m.Refused(
                id=deed.id,
                action=deed.text,
                code=str(code),
                text=error.text(deed.viewer.language, game),
                late=late,
            ),
        )

    def _end_if_over(self) -> None:
        match = self._match()
        if match.over and self._keeper.table.state == "playing":
            self._keeper.enter(e.Ended(winners=match.winners))
            self._keeper.later(self._turn_away)

    def _match(self) -> Match:
        match = self._keeper.table.match
        assert match is not None
        return match
