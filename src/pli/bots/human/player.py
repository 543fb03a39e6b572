"""A bot with a person's reaction times: it has to notice its cues, and its hands take time.

The game's attention lists the cues there are, a policy chooses where there is a choice, reflexes
say how long all that takes and what goes wrong. The time at which a chance is noticed is drawn
once, when it appears; a chance that is gone is forgotten.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf
from typing import Any

from pli.bots.api import Moment, Plan, Policy
from pli.bots.human.reflexes import ADULT, Reflexes
from pli.game import Attention, Cue

PATIENCE = 3
"""After so many refusals a chance is given up; a false charge after the first."""


@dataclass(slots=True)
class Reaction:
    """The bot's reaction to a chance, as long as the chance is there."""

    at: float
    """When the chance is noticed, or a decision made; infinity: never."""
    forgot: bool
    """Whether the word that goes with the action is forgotten."""
    moving: float
    """How long the hand takes for the next action."""
    patience: int
    """How many more refusals make the bot give up."""
    caught_after: int = 0
    """After so many steps there are cards to gather; 0: never."""
    step: int = 0
    chosen: str | None = None
    """The policy's choice, where there was one."""


class HumanlikeBot:
    """A bot made of a game's attention, a policy and reflexes."""

    watches = True

    def __init__(
        self,
        attention: Attention[Any],
        policy: Policy,
        reflexes: Reflexes = ADULT,
        seed: object = None,
    ) -> None:
        self._attention = attention
        self.policy = policy
        self.reflexes = reflexes
        self._random = random.Random(str(seed) if seed is not None else None)
        self._reactions: dict[str, Reaction] = {}
        self._plan: Plan | None = None
        self._planned = ""  # the key of the chance that the plan is for
        self._free = 0  # the time from which on the hands are free

    def choose(self, moment: Moment[Any]) -> Plan | None:
        self.policy.see(moment.events, moment.view)
        if moment.did is not None:
            self._done(moment.now)
        elif self._plan is not None and self._plan.action in moment.refused:
            self._refused(moment.now)
        chances = self._attention.look(moment.view, moment.actions, moment.events, moment.motif_of)
        known = self._reactions
        self._reactions = {
            chance.key: known.get(chance.key) or self._react(chance, moment) for chance in chances
        }
        plan, key = self._earliest(chances, moment)
        last = self._plan
        vanished = self._planned not in self._reactions
        if last is not None and vanished and last.at - moment.now < self.reflexes.stopping:
            return last  # too late to stop the hand
        self._plan, self._planned = plan, key
        return plan

    def reconsider(self, first: str, better: str) -> bool:
        """Replaces a choice by a better one, which a search found later. Returns whether it was in
        time."""
        found = [each for each in self._reactions.values() if each.chosen == first]
        for reaction in found:
            reaction.chosen = better
        return bool(found)

    def _earliest(self, chances: Sequence[Cue], moment: Moment[Any]) -> tuple[Plan | None, str]:
        best: Plan | None = None
        key = ""
        for chance in chances:
            reaction = self._reactions[chance.key]
            if reaction.at == inf:
                continue
            action = self._next(chance, reaction, moment)
            if action is None:
                continue
            at = ceil(max(reaction.at, self._free) + reaction.moving)
            if best is None or at < best.at:
                best, key = Plan(action, at), chance.key
        return best, key

    def _react(self, chance: Cue, moment: Moment[Any]) -> Reaction:
        """To a new chance. Everything random is drawn now, whether or not it will matter."""
        reflexes, rng = self.reflexes, self._random
        if chance.kind == "judge":
            taken = reflexes.spotting if chance.real else reflexes.false_charge
        else:
            taken = 1.0 if chance.real else reflexes.false_alarm
        at = moment.now + self._time(chance) if rng.random() < taken else inf
        return Reaction(
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

    def _next(self, chance: Cue, reaction: Reaction, moment: Moment[Any]) -> str | None:
        """The next action for a chance, or None."""
        if chance.actions:
            steps = chance.forgetful if reaction.forgot and chance.forgetful else chance.actions
            return steps[reaction.step] if reaction.step < len(steps) else None
        if reaction.chosen not in moment.actions or reaction.chosen in moment.refused:
            self._choose(reaction, moment)
        chosen = reaction.chosen
        if chosen is None or not reaction.forgot:
            return chosen
        _, _, deed = chosen.partition(" ")
        return next((each for each in chance.forgetful if each.partition(" ")[2] == deed), chosen)

    def _choose(self, reaction: Reaction, moment: Moment[Any]) -> None:
        """Asks the policy. A choice that became impossible costs another reaction time."""
        if reaction.chosen is not None:
            again = moment.now + self.reflexes.seen(self._random)
            reaction.at = max(reaction.at, again)
        choices = [each for each in moment.actions if each not in moment.refused]
        reaction.chosen = self.policy.decide(moment.view, choices) if choices else None

    def _done(self, now: int) -> None:
        """An action was carried out: the next hand follows, or the chance is used up."""
        reaction = self._reactions.get(self._planned)
        self._free = now
        self._plan = None
        if reaction is None:
            return
        if reaction.chosen is not None:
            del self._reactions[self._planned]  # the next decision takes a time of its own
            return
        reaction.step += 1
        if reaction.step == reaction.caught_after:
            self._free += ceil(self.reflexes.gathered(self._random))
        reaction.moving = self.reflexes.moved(self._random, next_hand=True)

    def _refused(self, now: int) -> None:
        """Another seat was faster, or the action was wrong: tried again, up to a number of
        times."""
        reaction = self._reactions.get(self._planned)
        self._free = now
        self._plan = None
        if reaction is None:
            return
        reaction.at = now + self.reflexes.seen(self._random)
        reaction.moving = self.reflexes.moved(self._random, next_hand=False)
        reaction.forgot = False
        reaction.patience -= 1
        if reaction.patience == 0 and reaction.chosen is None:
            reaction.at = inf
