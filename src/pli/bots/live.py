"""A game in play between bots, as time passes: what happens next is the earliest of all plans and
timers. Nothing runs in real time; an hour of play takes a moment."""

import random
from collections.abc import Sequence
from typing import Any

from pli.bots.bot import Bot, Moment, Plan
from pli.errors import PliError, Refused, WrongSyntax
from pli.game import Event, Eyes
from pli.kernel.contract import NEVER
from pli.match import Match

LIMIT = 6 * 60 * 60 * 1000
"""ms: no game of cards takes six hours."""

TRIES = 100_000
"""Actions, taken or refused: for bots that never let time pass."""


class Live:
    """A match and a bot for each seat. The same seeds give the same game."""

    def __init__(
        self, match: Match, bots: Sequence[Bot], seed: object = None, limit: int = LIMIT
    ) -> None:
        self.match = match
        self.accepted: dict[str, int] = {}
        """How many actions of each kind were carried out, by their first word."""
        self.refused: dict[str, int] = {}
        """How many were refused, by the reason."""
        self._bots = bots
        self._limit = limit
        self._random = random.Random(f"{seed} ties")
        seats = range(match.seats)
        self._plans: list[Plan | None] = [None for _ in seats]
        self._unseen: list[list[Event]] = [[] for _ in seats]
        self._refusals: list[list[str]] = [[] for _ in seats]
        self._told = 0
        self._tries = 0
        self._eyes: Eyes | None = None
        self._happened()

    def run(self) -> None:
        """Plays to the end, or raises if there is none within the limit."""
        while not self.match.over:
            self.step()

    def step(self) -> None:
        """Lets the next thing happen. A timer due at a time goes before an action at that time."""
        at = min((plan.at for plan in self._plans if plan is not None), default=NEVER)
        due = max(self.match.due, self.match.now)
        if min(at, due) >= NEVER:
            raise PliError("nobody_acts", time=self.match.now)
        if min(at, due) > self._limit or self._tries >= TRIES:
            raise PliError("unending", minutes=self.match.now // 60_000, actions=self._tries)
        if due <= at:
            self.match.wait(due)
            self._happened()
            return
        first = [(seat, plan) for seat, plan in enumerate(self._plans) if plan and plan.at == at]
        self._try(*(first[0] if len(first) == 1 else self._random.choice(first)))

    def _try(self, seat: int, plan: Plan) -> None:
        self._tries += 1
        try:
            self.match.act(seat, plan.action, plan.at)
        except (Refused, WrongSyntax) as error:
            self.refused[error.code] = self.refused.get(error.code, 0) + 1
            self._refusals[seat].append(plan.action)
            self._ask(seat)
            return
        kind = plan.action.partition(" ")[0]
        self.accepted[kind] = self.accepted.get(kind, 0) + 1
        self._happened(seat, plan.action)

    def _happened(self, actor: int | None = None, did: str | None = None) -> None:
        """Everybody sees it and thinks again."""
        match = self.match
        if match.over:
            return
        seen = match.seen(range(match.seats), self._told)
        for unseen, new in zip(self._unseen, seen, strict=True):
            unseen += new
        self._told = len(match.steps)
        self._eyes = match.eyes
        for seat, refusals in enumerate(self._refusals):
            refusals.clear()
            self._ask(seat, did if seat == actor else None)

    def _ask(self, seat: int, did: str | None = None) -> None:
        match, bot = self.match, self._bots[seat]
        self._plans[seat] = None
        actions = match.legal(seat)
        if not actions and not bot.watches:
            return
        events, self._unseen[seat] = self._unseen[seat], []
        refused = tuple(self._refusals[seat])
        view: Any = match.view(seat)
        cheater: Any = getattr(bot, "decider", None)
        if getattr(cheater, "cheats", False):
            cheater.truth = match.state
        answer = bot.choose(Moment(view, actions, match.now, events, self._eyes, did, refused))
        if isinstance(answer, str):
            answer = Plan(answer, match.now)
        # What was just refused is refused again as long as nothing happens and no time passes.
        if answer is not None and (answer.at > match.now or answer.action not in refused):
            self._plans[seat] = Plan(answer.action, max(answer.at, match.now))
