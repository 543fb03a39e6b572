"""How a live bot decides at a table: by a rule of thumb at once, and better if a worker has an
answer before its hand moves."""

from collections.abc import Sequence
from typing import Any

from pli.bots import make_policy
from pli.game import Event, Game


class Delegating:
    """A decider that leaves behind what it was asked, for somebody else to think about."""

    def __init__(self, game: Game[Any], level: str, seed: str, think: bool) -> None:
        quick = "medium" if think else level
        self._first = make_policy(quick, game, f"{seed} first")
        self._think = think and game.insight is not None
        self.seen: list[Event] = []
        """All that the seat has seen in this game."""
        self.asked: tuple[str, Sequence[str]] | None = None
        """The first thought, and the actions it was chosen from."""

    def see(self, events: Sequence[Event], view: Any) -> None:
        self._first.see(events, view)

    def decide(self, view: Any, actions: Sequence[str]) -> str:
        chosen = self._first.decide(view, actions)
        if self._think and len(actions) > 1:
            self.asked = (chosen, list(actions))
        return chosen

    def take_asked(self) -> tuple[str, Sequence[str]]:
        assert self.asked is not None
        asked, self.asked = self.asked, None
        return asked
