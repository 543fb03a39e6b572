"""The bots at one table. They see what their seats may see, take the time that people take, and
what needs thinking is thought in worker processes."""

import asyncio
import logging
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pli.bots import ADULT, LEVELS, HumanlikeBot, Moment, Plan, Reflexes, ask_seat
from pli.bots.factory import decide_once
from pli.bots.workers import DecisionRequest, QueueKey
from pli.errors import PliError
from pli.game import Event, Seat
from pli.games import load
from pli.server.protocol.messages import Pace
from pli.server.rooms.delegating import Delegating
from pli.server.rooms.moves import Move

if TYPE_CHECKING:
    from pli.server.rooms.room import Room

PAUSES = {"calm": (0.8, 1.6), "brisk": (0.3, 0.6), "instant": (0.0, 0.0)}
"""Seconds, from and to, that a bot takes over an action where time does not matter."""

HURRY = {"calm": 1.0, "brisk": 0.6, "instant": 0.01}
"""Where time matters: how much of a person's time a bot takes."""

DEADLINE = 3.0
"""Seconds in which a worker must have an answer; a hard bot thinks for one of them."""

INSTANT = ("random", "easy", "medium")
"""Bots that need no thinking."""

RETRY = 1.0
"""Seconds after which a bot comes that could not be told what happened before."""

_log = logging.getLogger(__name__)


def remembers(live: bool, level: str) -> bool:
    """Whether a bot makes use of what happened before."""
    return live or level not in INSTANT


def hurried(reflexes: Reflexes, pace: Pace) -> Reflexes:
    """A bot's reactions at a table's pace; at once means without even a person's shortest."""
    share = HURRY[pace]
    return reflexes if share == 1 else replace(reflexes.slower(share), floor=reflexes.floor * share)


class TableBots:
    """All bots of one table."""

    def __init__(self, room: "Room") -> None:
        self._room = room
        self._live = room.table.game.live
        self._bots: dict[int, TurnBot | LiveBot] = {}
        self._coming: dict[int, list[Event]] = {}
        """Bots that are being told what happened before, and what happens meanwhile."""

    def start_anew(self) -> None:
        self.rest()

    def rest(self) -> None:
        """They stop, and are made anew from the journal when the table wakes."""
        for bot in self._bots.values():
            bot.stop()
        self._bots.clear()
        self._coming.clear()

    def watching(self) -> set[Seat]:
        """The seats whose bots are to be told what happens."""
        coming: set[Seat] = {*self._coming}
        return coming | {seat for seat, bot in self._bots.items() if bot.remembers}

    def saw(self, told: Mapping[Seat, list[Event]]) -> None:
        for seat, bot in self._bots.items():
            bot.refusals.clear()
            if bot.remembers:
                bot.events += told.get(seat, ())
        for seat, events in self._coming.items():
            events += told.get(seat, ())

    def did(self, seat: int, text: str) -> None:
        if seat in self._bots:
            self._bots[seat].acted = text
            self._bots[seat].handed = False

    def refused(self, seat: int, text: str) -> None:
        if seat in self._bots:
            self._bots[seat].refusals.append(text)
            self._bots[seat].handed = False
            self._think(self._bots[seat])

    def go_on(self) -> None:
        """Something happened, and is safe: every bot thinks again."""
        table = self._room.table
        playing = {seat: chair.bot for seat, chair in enumerate(table.chairs) if chair.bot}
        for seat in [seat for seat, bot in self._bots.items() if playing.get(seat) != bot.level]:
            self._bots.pop(seat).stop()
        for seat, level in playing.items():
            if level is None:
                continue
            if seat in self._bots:
                self._think(self._bots[seat])
            elif seat not in self._coming:
                self._coming[seat] = []
                self._room.spawn(self._come(seat, level, table.n, self._coming[seat]))

    async def _come(self, seat: int, level: str, n: int, meanwhile: list[Event]) -> None:
        """A bot begins with all that its seat has seen in this game: up to entry n, and since."""
        room = self._room
        before: list[Event] = []
        if remembers(self._live, level):
            try:
                before = await room.history.seen(room.table, n, seat, room.address)
            except PliError as error:
                _log.warning("a bot can't come", extra={"code": error.code})
                if self._coming.get(seat) is meanwhile:
                    del self._coming[seat]
                    room.loop.call_later(RETRY, room.submit, room.go_on)
                return
        if self._coming.get(seat) is not meanwhile:
            return  # the table fell asleep, or a new game began
        del self._coming[seat]
        kind = LiveBot if self._live else TurnBot
        self._bots[seat] = kind(room, seat, level, before + meanwhile)
        if not room.busy:
            self._think(self._bots[seat])

    def _think(self, bot: "TurnBot | LiveBot") -> None:
        try:
            bot.go_on()
        except Exception:
            _log.exception("a bot failed", extra={"table": self._room.table.name})


class Player:
    """What both kinds of bots keep."""

    def __init__(self, room: "Room", seat: int, level: str, events: list[Event]) -> None:
        self.level = level
        self.remembers = remembers(room.table.game.live, level)
        self.events = events
        """What it has yet to be told; of a bot that thinks anew each time, all."""
        self.refusals: list[str] = []
        self.acted: str | None = None
        self.handed = False
        """What it decided on is on its way: it does not decide twice."""
        self._room = room
        self._seat = seat
        self._seed = room.table.seed(f"bot {seat}")
        self._random = random.Random(self._seed)
        self._thought: asyncio.Task[None] | None = None

    def stop(self) -> None:
        if self._thought is not None:
            self._thought.cancel()
            self._thought = None

    def _whose(self) -> QueueKey:
        """For whom it thinks: somebody who plays here."""
        return self._room.address, self._room.table.name

    def _question(self, events: Sequence[Event], actions: Sequence[str]) -> DecisionRequest:
        table = self._room.table
        assert table.match is not None
        return DecisionRequest(
            game=table.game.name,
            bot=self.level,
            seat=self._seat,
            seed=self._seed,
            number=table.n,
            view=table.match.view(self._seat),
            events=tuple(events),
            actions=actions,
        )


class TurnBot(Player):
    """A bot of a game in which one seat is awaited."""

    def go_on(self) -> None:
        match = self._room.table.played
        if match is None or self._thought is not None or self.handed:
            return
        actions = [each for each in match.legal(self._seat) if each not in self.refusals]
        if actions:
            self._thought = self._room.loop.create_task(self._act(actions))

    async def _act(self, actions: Sequence[str]) -> None:
        least, most = PAUSES[self._room.resting.pace]
        pause = self._random.uniform(least, most) if len(actions) > 1 else least
        ends = self._room.loop.time() + pause
        question = self._question(self.events, actions)
        if len(actions) == 1:
            text = actions[0]
        elif self.level in INSTANT:
            try:
                text = instant(question)
            except Exception:
                _log.exception("a bot failed", extra={"table": self._room.table.name})
                text = actions[0]
        else:
            text = await self._room.thinkers.answer(question, DEADLINE, self._whose())
        await asyncio.sleep(max(0.0, ends - self._room.loop.time()))
        self._thought = None
        self.handed = True
        self._room.hands.act(self._seat, Move(text))


class LiveBot(Player):
    """A bot of a game in which time matters: what it does lies in the future until it is done, and
    is thought over whenever something happens."""

    def __init__(self, room: "Room", seat: int, level: str, events: list[Event]) -> None:
        super().__init__(room, seat, level, events)
        game = room.table.game
        assert game.instincts is not None
        self._decider = Delegating(game, level, self._seed, think=level not in INSTANT)
        self._pace = room.resting.pace
        self._bot = HumanlikeBot(game.instincts(), self._decider, self._reflexes(), self._seed)

    def _reflexes(self) -> Reflexes:
        return hurried(LEVELS.get(self.level, ADULT), self._pace)

    def stop(self) -> None:
        super().stop()
        self._room.hands.withdraw(self._seat)

    def go_on(self) -> None:
        room, match = self._room, self._room.table.played
        if match is None:
            return
        if self._pace != room.resting.pace:
            self._pace = room.resting.pace
            self._bot.reflexes = self._reflexes()
        events, self.events = self.events, []
        acted, self.acted = self.acted, None
        self._decider.seen += events
        plan = ask_seat(
            self._bot,
            match,
            self._seat,
            events,
            actions=match.legal(self._seat),
            eyes=match.eyes,
            now=room.clock.now(),
            did=acted,
            refused=tuple(self.refusals),
        )
        room.hands.withdraw(self._seat)
        if plan is not None:
            room.hands.act(self._seat, Move(plan.action), max(plan.at, room.clock.now()))
        if self._decider.asked is not None and self._thought is None:
            self._thought = room.loop.create_task(self._think(plan))

    async def _think(self, plan: Plan | None) -> None:
        """Something better than the first thought, if it comes in time."""
        room = self._room
        first, actions = self._decider.take_asked()
        seconds = room.clock.seconds_until(plan.at) if plan is not None else DEADLINE
        question = self._question(self._decider.seen, actions)
        deadline = min(max(seconds, 0.2), DEADLINE)
        better = await room.thinkers.answer(question, deadline, self._whose())
        self._thought = None
        if better != first and self._bot.reconsider(first, better):
            self.go_on()


def instant(request: DecisionRequest) -> str:
    """The answer of a bot that does not search, in this process."""
    seed = f"{request.seed} {request.number}"
    moment = Moment(request.view, request.actions, events=request.events)
    return decide_once(request.bot, load(request.game), request.seat, seed, moment)
