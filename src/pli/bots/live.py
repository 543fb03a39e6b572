"""A match between bots as a discrete-event simulation: the next event is the earliest of all plans
and timers. Nothing runs in real time; an hour of play takes a fraction of a second."""

import random
from collections.abc import Sequence

from pli.bots.api import Bot, Plan, ask_seat
from pli.errors import PliError, Refused, WrongSyntax
from pli.game import Event, MotifLookup
from pli.kernel.contract import NEVER
from pli.match import AnyMatch

LIMIT = 6 * 60 * 60 * 1000
"""Milliseconds of play after which a match is given up."""

TRIES = 100_000
"""Actions, accepted or refused, after which it is given up: for bots that never let time pass."""


class Live:
    """A match and a bot for each seat. The same seeds give the same game."""

    def __init__(
        self, match: AnyMatch, bots: Sequence[Bot], seed: object = None, limit: int = LIMIT
    ) -> None:
        self.match = match
        self.accepted: dict[str, int] = {}
        """Counts of the actions that were carried out, by their first word."""
        self.refused: dict[str, int] = {}
        """Counts of those that were refused, by the reason."""
        self._bots = bots
        self._limit = limit
        self._random = random.Random(f"{seed} ties")
        seats = range(match.seats)
        self._plans: list[Plan | None] = [None for _ in seats]
        self._unseen: list[list[Event]] = [[] for _ in seats]
        self._refusals: list[list[str]] = [[] for _ in seats]
        self._steps_seen = 0
        self._tries = 0
        self._motif_of: MotifLookup | None = None
        self._ask_all()

    def run(self) -> None:
        """Plays to the end, or raises if there is none within the limits."""
        while not self.match.over:
            self.step()

    def play_until(self, time: int) -> None:
        """Plays all that happens up to a time of play, which it is then, unless the match ends."""
        while not self.match.over and self._next() <= time:
            self.step()
        if not self.match.over:
            self.match.wait(time)

    def ask(self, seat: int) -> None:
        """Asks a seat anew, whose bot has changed its mind without anything having happened."""
        self._ask(seat)

    def _next(self) -> int:
        """When something happens next."""
        at = min((plan.at for plan in self._plans if plan is not None), default=NEVER)
        return min(at, max(self.match.due, self.match.now))

    def step(self) -> None:
        """Carries out the next event. A timer due at a time goes before an action at that time;
        ties between seats are broken at random."""
        at = min((plan.at for plan in self._plans if plan is not None), default=NEVER)
        due = max(self.match.due, self.match.now)
        if min(at, due) >= NEVER:
            raise PliError("nobody_acts", time=self.match.now)
        if min(at, due) > self._limit or self._tries >= TRIES:
            raise PliError("unending", minutes=self.match.now // 60_000, actions=self._tries)
        if due <= at:
            self.match.wait(due)
            self._ask_all()
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
        self._ask_all(seat, plan.action)

    def _ask_all(self, actor: int | None = None, did: str | None = None) -> None:
        """After every event: all bots see it and replace their plans."""
        match = self.match
        if match.over:
            return
        seen = match.seen(range(match.seats), self._steps_seen)
        for unseen, new in zip(self._unseen, seen, strict=True):
            unseen += new
        self._steps_seen = len(match.steps)
        self._motif_of = match.motif_of
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
        plan = ask_seat(
            bot,
            match,
            seat,
            events,
            actions=actions,
            motif_of=self._motif_of,
            did=did,
            refused=refused,
        )
        # An action that was just refused would be refused again at the same time of play.
        if plan is not None and (plan.at > match.now or plan.action not in refused):
            self._plans[seat] = Plan(plan.action, max(plan.at, match.now))
