"""Hints: what search thinks of a seat's actions, from no more than the seat may know."""

from collections.abc import Callable, Sequence
from typing import Any

from pli.bots.searching import Ranked, Searcher
from pli.game import AnyGame, Event
from pli.match import Match

ITERATIONS = 20_000

__all__ = ["ITERATIONS", "Ranked", "hint", "rank"]


def hint(
    match: Match,
    seat: int,
    iterations: int = ITERATIONS,
    seconds: float | None = None,
    seed: object = 0,
) -> list[Ranked]:
    """The seat's actions, best first; of its view and of what it saw happen, not of the state."""
    view, events = match.view(seat), list(match.events(seat))
    return rank(match.game, view, events, iterations, seconds, seed)


def rank(
    game: AnyGame,
    view: Any,
    events: Sequence[Event],
    iterations: int = ITERATIONS,
    seconds: float | None = None,
    seed: object = 0,
    stop: Callable[[], bool] | None = None,
) -> list[Ranked]:
    """The same for who has only the view, and all that its seat has seen in this game. Thinks for
    so many seconds, if they are given, and never longer than until it is told to stop. Empty where
    there is nothing to decide, and for games that are not searched."""
    if game.rollout is None or view.seat not in view.awaited:
        return []
    searcher = Searcher(game, f"{seed} hint", None if seconds else iterations, seconds, stop=stop)
    searcher.see(events, view)
    return searcher.rank(view)
