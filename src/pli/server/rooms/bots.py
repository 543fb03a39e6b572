"""The bots of one table. A bot gets the view and the events of its seat, like a page, acts in the
time that a person takes, and posts its moves like one. Search runs in worker processes."""

import asyncio
import logging
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Any

from pli.bots import (
    ADULT,
    LEVELS,
    HumanlikeBot,
    Moment,
    Plan,
    Reflexes,
    ask_seat,
    make_policy,
)
from pli.bots.factory import decide_once
from pli.bots.workers import BotPool, DecisionRequest, QueueKey
from pli.errors import PliError
from pli.game import AnyGame, Event, Seat
from pli.server.history.api import History
from pli.server.protocol.messages import Pace
from pli.server.rooms.fast_forward import FastForward
from pli.server.rooms.idle import Idle
from pli.server.rooms.move_handler import Move, MoveHandler
from pli.server.rooms.round_pause import RoundPause
from pli.server.rooms.transaction import Commit, Listener, RoomAccess

PAUSES = {"calm": (0.8, 1.6), "brisk": (0.3, 0.6), "instant": (0.0, 0.0)}
"""Seconds, from and to, that a bot takes over a move of a turn-based game."""

HURRY = {"calm": 1.0, "brisk": 0.6, "instant": 0.01}
"""In live games: the share of a person's reaction time that a bot takes."""

DEADLINE = 3.0
"""Seconds in which a worker must have an answer; a `hard` bot searches for one of them."""

INSTANT = ("random", "easy", "medium")
"""Bots that need no search: they decide at once, in this process."""

RETRY = 1.0
"""Seconds after which it is tried again to read what a bot has to know of the game so far."""

_log = logging.getLogger(__name__)


def remembers(live: bool, level: str) -> bool:
    """Whether a bot uses the events of the game so far."""
    return live or level not in INSTANT


def hurried(reflexes: Reflexes, pace: Pace) -> Reflexes:
    """A bot's reaction times at a table's pace."""
    share = HURRY[pace]
    return reflexes if share == 1 else replace(reflexes.slower(share), floor=reflexes.floor * share)


class TableBots(Listener):
    """All bots of one table."""

    def __init__(
        self,
        access: RoomAccess,
        moves: MoveHandler,
        idle: Idle,
        history: History,
        pool: BotPool,
        changed: Callable[[], None],
        resume: Callable[[], None],
    ) -> None:
        """`changed` is called when other seats' bots have to be told events than before; `resume`
        has the room resume its listeners, if it may."""
        super().__init__(access)
        self.table = access.table
        self.clock = access.clock
        self.scheduler = access.scheduler
        self.moves = moves
        self.idle = idle
        self.pool = pool
        self.metrics = access.metrics
        self.round_pause = RoundPause(access, resume)
        self.fast_forward = FastForward(access)
        self._history = history
        self._changed = changed
        self._resume = resume
        self._live = access.table.game.live
        self._bots: dict[int, TurnBot | LiveBot] = {}
        self._loading: dict[int, list[Event]] = {}
        """Bots for which the game so far is being read, and the events since."""
        self._check_seats = True
        """Bots may have come or gone."""

    @property
    def queue_key(self) -> QueueKey:
        """On whose account bots search: an address that plays here, and the table."""
        return self._audience.address or self.table.name, self.table.name

    @property
    def watched(self) -> set[Seat]:
        """The seats whose events bots need."""
        loading: set[Seat] = {*self._loading}
        return loading | {seat for seat, bot in self._bots.items() if bot.remembers}

    # Commits

    def reset(self) -> None:
        self.pause()

    def recorded(self, commit: Commit) -> None:
        if not commit.quiet:
            self._check_seats = True
        author = commit.author
        if author is not None and not author.id and author.seat in self._bots:
            self._bots[author.seat].acted = author.text
            self._bots[author.seat].handed = False
        self.fast_forward.changed()
        if commit.moves:
            self.round_pause.recorded(commit, self.idle.pace)
            self._tell(commit.events)

    def _tell(self, events: Mapping[Seat, list[Event]]) -> None:
        for seat, bot in self._bots.items():
            bot.refusals.clear()
            if bot.remembers:
                bot.events += events.get(seat, ())
        for seat, meanwhile in self._loading.items():
            meanwhile += events.get(seat, ())

    def pause(self) -> None:
        """Bots stop; they are made anew from the journal on `resume`."""
        self.round_pause.stop()
        self.fast_forward.stop()
        for bot in self._bots.values():
            bot.stop()
        self._bots.clear()
        self._loading.clear()
        self._check_seats = True
        self._changed()

    def resume(self) -> None:
        """Something happened: every bot decides again; bots come and go with their seats."""
        if not self._check_seats and not self._bots:
            return
        chairs = self.table.chairs
        self._check_seats = False
        playing = {seat: chair.bot for seat, chair in enumerate(chairs) if chair.bot}
        for seat in [seat for seat, bot in self._bots.items() if playing.get(seat) != bot.level]:
            self._bots.pop(seat).stop()
            self._changed()
        for seat, level in playing.items():
            if seat in self._bots:
                self._decide(self._bots[seat])
            elif seat not in self._loading:
                self._loading[seat] = []
                self._changed()
                coming = self._load(seat, level, self.table.n, self._loading[seat])
                self.scheduler.spawn(coming)

    async def _load(self, seat: int, level: str, n: int, meanwhile: list[Event]) -> None:
        """A bot starts with all that its seat has seen in this game: up to entry n, and since."""
        before: list[Event] = []
        if remembers(self._live, level):
            try:
                before = await self._history.seen(self.table, n, seat, self.queue_key[0])
            except PliError as error:
                _log.warning("bot not started", extra={"code": error.code})
                if self._loading.get(seat) is meanwhile:
                    del self._loading[seat]
                    self._check_seats = True
                    self._changed()
                    self.scheduler.later(RETRY, self._resume)
                return
        if self._loading.get(seat) is not meanwhile:
            return  # the room was paused, or a new game began
        del self._loading[seat]
        kind = LiveBot if self._live else TurnBot
        self._bots[seat] = kind(self, seat, level, before + meanwhile)
        self._changed()
        if not self._bus.busy:
            self._decide(self._bots[seat])

    def refused(self, seat: int, text: str) -> None:
        """A bot's move was refused: it decides again, without that move."""
        if seat in self._bots:
            self._bots[seat].refusals.append(text)
            self._bots[seat].handed = False
            self._decide(self._bots[seat])

    def _decide(self, bot: "TurnBot | LiveBot") -> None:
        try:
            bot.decide()
        except Exception:
            _log.exception("bot failed", extra={"table": self.table.name})


class TableBot:
    """What both kinds of bots keep."""

    def __init__(self, bots: TableBots, seat: int, level: str, events: list[Event]) -> None:
        self.level = level
        self.remembers = remembers(bots.table.game.live, level)
        self.events = events
        """What it has yet to be told; of a bot that starts from nothing each time, all."""
        self.refusals: list[str] = []
        self.acted: str | None = None
        self.handed = False
        """Its move is posted and not carried out yet: it does not decide twice."""
        self._bots = bots
        self._seat = seat
        self._seed = bots.table.seed(f"bot {seat}")
        self._random = random.Random(self._seed)
        self._search: asyncio.Task[None] | None = None

    def stop(self) -> None:
        if self._search is not None:
            self._search.cancel()
            self._search = None

    def _move(self, text: str) -> Move:
        return Move(text, refused=partial(self._bots.refused, self._seat))

    def _request(self, events: Sequence[Event], actions: Sequence[str]) -> DecisionRequest:
        table = self._bots.table
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


class TurnBot(TableBot):
    """A bot of a game in which one seat is awaited."""

    def decide(self) -> None:
        match = self._bots.table.played
        if match is None or self._search is not None or self.handed:
            return
        actions = [each for each in match.legal(self._seat) if each not in self.refusals]
        if actions:
            self._search = self._bots.scheduler.spawn(self._act(actions))

    async def _act(self, actions: Sequence[str]) -> None:
        bots = self._bots
        least, most = PAUSES[bots.idle.pace]
        pause = self._random.uniform(least, most) if len(actions) > 1 else least
        ends = bots.scheduler.time() + pause
        began = monotonic()
        request = self._request(self.events, actions)
        if len(actions) == 1:
            text = actions[0]
        elif self.level in INSTANT:
            try:
                text = instant(bots.table.game, request)
            except Exception:
                _log.exception("bot failed", extra={"table": bots.table.name})
                text = actions[0]
        else:
            text = await bots.pool.answer(request, DEADLINE, bots.queue_key)
        if len(actions) > 1:
            bots.metrics.thought(self.level, monotonic() - began)
        await bots.round_pause.wait()
        await bots.fast_forward.pause(ends - bots.scheduler.time())
        self._search = None
        self.handed = True
        bots.moves.submit(self._seat, self._move(text))


class LiveBot(TableBot):
    """A bot of a live game: its next move is a plan for a time in the future, and is reconsidered
    whenever something happens before."""

    def __init__(self, bots: TableBots, seat: int, level: str, events: list[Event]) -> None:
        super().__init__(bots, seat, level, events)
        game = bots.table.game
        assert game.attention is not None
        self._policy = SearchLater(game, level, self._seed, search=level not in INSTANT)
        self._pace = bots.idle.pace
        self._bot = HumanlikeBot(game.attention(), self._policy, self._reflexes(), self._seed)

    def _reflexes(self) -> Reflexes:
        return hurried(LEVELS.get(self.level, ADULT), self._pace)

    def stop(self) -> None:
        super().stop()
        self._bots.moves.withdraw_plan(self._seat)

    def decide(self) -> None:
        bots, match = self._bots, self._bots.table.played
        if match is None:
            return
        if self._pace != bots.idle.pace:
            self._pace = bots.idle.pace
            self._bot.reflexes = self._reflexes()
        events, self.events = self.events, []
        acted, self.acted = self.acted, None
        self._policy.seen += events
        began = monotonic()
        plan = ask_seat(
            self._bot,
            match,
            self._seat,
            events,
            actions=match.legal(self._seat),
            motif_of=match.motif_of,
            now=bots.clock.now(),
            did=acted,
            refused=tuple(self.refusals),
        )
        bots.metrics.thought(self.level, monotonic() - began)
        bots.moves.withdraw_plan(self._seat)
        if plan is not None:
            pause = int(bots.round_pause.seconds_left * 1000)
            at = max(plan.at, bots.clock.now() + pause)
            bots.moves.submit(self._seat, self._move(plan.action), at)
        if self._policy.question is not None and self._search is None:
            self._search = bots.scheduler.spawn(self._improve(plan))

    async def _improve(self, plan: Plan | None) -> None:
        """Searches for something better than the heuristic's move, if there is time."""
        bots = self._bots
        first, actions = self._policy.take_request()
        seconds = bots.clock.seconds_until(plan.at) if plan is not None else DEADLINE
        request = self._request(self._policy.seen, actions)
        deadline = min(max(seconds, 0.2), DEADLINE)
        began = monotonic()
        better = await bots.pool.answer(request, deadline, bots.queue_key)
        bots.metrics.thought(self.level, monotonic() - began)
        self._search = None
        if better != first and self._bot.reconsider(first, better):
            self.decide()


class SearchLater:
    """A policy for live games: answers at once by a heuristic, and keeps the question for a search
    whose answer may come before the move is due."""

    def __init__(self, game: AnyGame, level: str, seed: str, search: bool) -> None:
        quick = "medium" if search else level
        self._first = make_policy(quick, game, f"{seed} first")
        self._searches = search and game.rollout is not None
        self.seen: list[Event] = []
        """All events that the seat has seen in this game."""
        self.question: tuple[str, Sequence[str]] | None = None
        """The heuristic's move, and the actions that it was chosen from."""

    def see(self, events: Sequence[Event], view: Any) -> None:
        self._first.see(events, view)

    def decide(self, view: Any, actions: Sequence[str]) -> str:
        chosen = self._first.decide(view, actions)
        if self._searches and len(actions) > 1:
            self.question = (chosen, list(actions))
        return chosen

    def take_request(self) -> tuple[str, Sequence[str]]:
        assert self.question is not None
        question, self.question = self.question, None
        return question


def instant(game: AnyGame, request: DecisionRequest) -> str:
    """The move of a bot that needs no search."""
    seed = f"{request.seed} {request.number}"
    moment = Moment(request.view, request.actions, events=request.events)
    return decide_once(request.bot, game, request.seat, seed, moment)
