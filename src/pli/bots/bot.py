"""What a bot is asked and what it answers; and the one that answers anything."""

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pli.game import Event, Eyes


@dataclass(frozen=True, slots=True)
class Moment:
    """All that a bot is told when it is asked: what its seat may know, never the state."""

    view: Any
    actions: Sequence[str]
    """What it may do now, in the game's notation."""
    now: int = 0
    """The time of play, in milliseconds."""
    events: Sequence[Event] = ()
    """What its seat saw since it was last asked."""
    eyes: Eyes | None = None
    did: str | None = None
    """Its own action, if that is what just happened."""
    refused: Collection[str] = ()
    """What it tried since anything last happened, and was refused."""


@dataclass(frozen=True, slots=True)
class Plan:
    """An action at a time to come, unless something happens before: then the bot is asked again."""

    action: str
    at: int


class Bot(Protocol):
    """One seat's player for one game."""

    @property
    def watches(self) -> bool:
        """Whether it wants to be asked when it has nothing to do, too. If not, what it sees until
        then comes all at once."""
        ...

    def choose(self, moment: Moment) -> str | Plan | None:
        """A text: that, now. A plan: that, then. None: nothing until something happens."""
        ...


class RandomBot:
    """Any legal action, each as likely as the next."""

    watches = False

    def __init__(self, seed: object = None) -> None:
        self._random = random.Random(str(seed) if seed is not None else None)

    def choose(self, moment: Moment) -> str | None:
        open_to_it = [each for each in moment.actions if each not in moment.refused]
        return self._random.choice(open_to_it) if open_to_it else None
