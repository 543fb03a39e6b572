"""A bot with a person's reactions: it has to notice its chances, and its hands take their time.

Attention says what there is to notice, a decider chooses where there is a choice, reflexes say how
long it all takes and what goes wrong. When a chance is noticed is drawn once, when it appears; one
that vanishes is forgotten.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf
from typing import Any

from pli.bots.bot import Moment, Plan
from pli.bots.deciding import Decider
from pli.bots.reflexes import ADULT, Reflexes
from pli.game import Attention, Cue

PATIENCE = 3
"""So many refusals, and a chance is left alone; a charge that was false is so at once."""


@dataclass(slots=True)
class Noticed:
    """What the bot keeps of a chance, as long as it is there."""

    at: float
    """When it is noticed, or what was decided; infinity: never."""
    forgot: bool
    """Whether the word that goes with it is forgotten."""
    moving: float
    """How long the hand takes for the next step."""
    patience: int
    """How many refusals it still takes to leave it alone."""
    caught_after: int = 0
    """After so many steps there is something to gather; 0: never."""
    step: int = 0
    chosen: str | None = None
    """What was decided on, where there was a choice."""


class Reflexive:
    """A player with instincts, a decider and reflexes."""

    watches = True

    def __init__(
        self,
        instincts: Attention[Any],
        decider: Decider,
        reflexes: Reflexes = ADULT,
        seed: object = None,
    ) -> None:
        self._instincts = instincts
        self.decider = decider
        self.reflexes = reflexes
        self._random = random.Random(str(seed) if seed is not None else None)
        self._noticed: dict[str, Noticed] = {}
        self._plan: Plan | None = None
        self._planned = ""  # the key of the chance that the plan is for
        self._free = 0  # since when no hand is moving

    def choose(self, moment: Moment) -> Plan | None:
        self.decider.see(moment.events, moment.view)
        if moment.did is not None:
            self._done(moment.now)
        elif self._plan is not None and self._plan.action in moment.refused:
            self._refused(moment.now)
        chances = self._instincts.look(moment.view, moment.actions, moment.events, moment.eyes)
        known = self._noticed
        self._noticed = {
            chance.key: known.get(chance.key) or self._first_sight(chance, moment)
            for chance in chances
        }
        plan, key = self._earliest(chances, moment)
        last = self._plan
        vanished = self._planned not in self._noticed
        if last is not None and vanished and last.at - moment.now < self.reflexes.stopping:
            return last  # too late to hold it back
        self._plan, self._planned = plan, key
        return plan

    def reconsider(self, first: str, better: str) -> bool:
        """A better thought instead of what was decided on, if that is not done yet."""
        found = [noticed for noticed in self._noticed.values() if noticed.chosen == first]
        for noticed in found:
            noticed.chosen = better
        return bool(found)

    def _earliest(self, chances: Sequence[Cue], moment: Moment) -> tuple[Plan | None, str]:
        best: Plan | None = None
        key = ""
        for chance in chances:
            noticed = self._noticed[chance.key]
            if noticed.at == inf:
                continue
            action = self._next(chance, noticed, moment)
            if action is None:
                continue
            at = ceil(max(noticed.at, self._free) + noticed.moving)
            if best is None or at < best.at:
                best, key = Plan(action, at), chance.key
        return best, key

    def _first_sight(self, chance: Cue, moment: Moment) -> Noticed:
        """Everything that chance decides is drawn now, whether or not it will matter."""
        reflexes, rng = self.reflexes, self._random
        if chance.kind == "judge":
            taken = reflexes.spotting if chance.real else reflexes.false_charge
        else:
            taken = 1.0 if chance.real else reflexes.false_alarm
        at = moment.now + self._time(chance) if rng.random() < taken else inf
        return Noticed(
            at=at,
            forgot=rng.random() < reflexes.forgetting,
            moving=reflexes.moved(rng, next_hand=False),
            patience=1 if chance.kind == "judge" else PATIENCE,
            caught_after=len(chance.actions) if chance.kind == "search" and chance.real else 0,
        )

    def _time(self, chance: Cue) -> float:
        reflexes, rng = self.reflexes, self._random
        if chance.kind == "turn":
            if chance.actions:
                return reflexes.went_on(rng, chance.items)
            return reflexes.decided(rng, chance.items)
        if chance.kind == "reply":
            return reflexes.seen(rng) + reflexes.chosen(len(chance.actions))
        if chance.kind == "judge":
            return reflexes.judged(rng)
        return reflexes.found(rng, chance.items, chance.similar, chance.kind == "search")

    def _next(self, chance: Cue, noticed: Noticed, moment: Moment) -> str | None:
        """The next thing to do about a chance, or None."""
        if chance.actions:
            steps = chance.forgetful if noticed.forgot and chance.forgetful else chance.actions
            return steps[noticed.step] if noticed.step < len(steps) else None
        if noticed.chosen not in moment.actions or noticed.chosen in moment.refused:
            self._make_up_mind(noticed, moment)
        chosen = noticed.chosen
        if chosen is None or not noticed.forgot:
            return chosen
        _, _, deed = chosen.partition(" ")
        return next((each for each in chance.forgetful if each.partition(" ")[2] == deed), chosen)

    def _make_up_mind(self, noticed: Noticed, moment: Moment) -> None:
        """What can't be done any more has to be thought over, which takes at least a reaction."""
        if noticed.chosen is not None:
            again = moment.now + self.reflexes.seen(self._random)
            noticed.at = max(noticed.at, again)
        choices = [each for each in moment.actions if each not in moment.refused]
        noticed.chosen = self.decider.decide(moment.view, choices) if choices else None

    def _done(self, now: int) -> None:
        """A step was carried out: the next hand follows, or it is over with this chance."""
        noticed = self._noticed.get(self._planned)
        self._free = now
        self._plan = None
        if noticed is None:
            return
        if noticed.chosen is not None:
            del self._noticed[self._planned]  # a next decision takes its own time
            return
        noticed.step += 1
        if noticed.step == noticed.caught_after:
            self._free += ceil(self.reflexes.gathered(self._random))
        noticed.moving = self.reflexes.moved(self._random, next_hand=True)

    def _refused(self, now: int) -> None:
        """Overtaken, or wrong: it is thought over, and after some times left alone."""
        noticed = self._noticed.get(self._planned)
        self._free = now
        self._plan = None
        if noticed is None:
            return
        noticed.at = now + self.reflexes.seen(self._random)
        noticed.moving = self.reflexes.moved(self._random, next_hand=False)
        noticed.forgot = False
        noticed.patience -= 1
        if noticed.patience == 0 and noticed.chosen is None:
            noticed.at = inf
