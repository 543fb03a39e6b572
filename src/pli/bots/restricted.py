"""Bots that never do something, to measure what it is worth: `medium~malpoli` plays as medium does,
but never denounces."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pli.bots.api import Bot, Moment, Plan
from pli.game import AnyGame, Attention, Cue, Event, MotifLookup

MARK = "~"
"""Stands before the first words of the actions that are never done, with `+` between them."""


def split(spec: str) -> tuple[str, frozenset[str]]:
    """A bot's name without its restriction, and the restriction: none, if it has none."""
    name, mark, rest = spec.partition(MARK)
    return name, frozenset(rest.split("+")) if mark else frozenset()


def verbs(game: AnyGame) -> set[str]:
    """The first words of a game's actions."""
    notation = game.notation
    numbers = [
        *range(notation.single),
        *([notation.single] if len(notation) > notation.single else []),
    ]
    return {notation.show(number).partition(" ")[0] for number in numbers}


def is_one(action: str, words: frozenset[str]) -> bool:
    return action.partition(" ")[0] in words


@dataclass
class RestrictedAttention:
    """What is never done is not even noticed as a chance."""

    attention: Attention[Any]
    words: frozenset[str]

    def look(
        self,
        view: Any,
        actions: Sequence[str],
        events: Sequence[Event],
        motif_of: MotifLookup | None,
    ) -> Sequence[Cue]:
        cues = self.attention.look(view, actions, events, motif_of)
        return [
            cue for cue in cues if not any(is_one(action, self.words) for action in cue.actions)
        ]


class RestrictedBot:
    """Another bot, from which some actions are hidden as long as there are others."""

    def __init__(self, bot: Bot, words: frozenset[str]) -> None:
        self._bot = bot
        self._words = words

    @property
    def watches(self) -> bool:
        return self._bot.watches

    def choose(self, moment: Moment[Any]) -> str | Plan | None:
        allowed = [action for action in moment.actions if not is_one(action, self._words)]
        return self._bot.choose(replace(moment, actions=allowed) if allowed else moment)

    def __getattr__(self, name: str) -> Any:
        """All other attributes are the bot's, such as its policy."""
        return getattr(self._bot, name)
