"""Hints: how search ranks a seat's actions, from no more than the seat may know."""

from collections.abc import Callable, Sequence
from typing import Any

from pli.bots.mcts import IsMcts, RankedAction
from pli.game import AnyGame, Event
from pli.match import AnyMatch

ITERATIONS = 20_000

__all__ = ["ITERATIONS", "RankedAction", "hint", "rank"]


def hint(
    match: AnyMatch,
    seat: int,
    iterations: int = ITERATIONS,
    seconds: float | None = None,
    seed: object = 0,
) -> list[RankedAction]:
    """The seat's actions, best first, from its view and its events."""
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
) -> list[RankedAction]:
    """The same from a view and all events that its seat saw in this game. The budget is `seconds`
    if given, else iterations; `stop` ends it early. Empty if the seat is not awaited, and for games
    without search."""
    if game.rollout is None or view.seat not in view.awaited:
        return []
    search = IsMcts(game, f"{seed} hint", None if seconds else iterations, seconds, stop=stop)
    search.see(events, view)
    return search.rank(view)
