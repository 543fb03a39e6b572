"""What one seat of a match observes."""

from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from pli.batch.driver import declared
from pli.game import Act
from pli.match import AnyMatch, Step

Array = np.ndarray[Any, Any]


def observe(match: AnyMatch, seat: int, history: bool = False) -> Array:
    """The observation of a seat, as batches have it. With `history` all that it has had since the
    match began, one after each input: for algorithms that need perfect recall."""
    if not 0 <= seat < match.seats:
        raise ValueError(f"seats are 0-{match.seats - 1}")
    declaration = declared(match.game)
    row = [0] * declaration.size(match.seats)
    if not history:
        declaration.look(match.state, _follower(match).memory(match), seat, row, 0)
        return np.array(row).astype(declaration.numbers)
    rows = []
    for state, memory in followed(match):
        declaration.look(state, memory, seat, row, 0)
        rows.append([*row])
    return np.array(rows).astype(declaration.numbers)


class Follower:
    """What the seats of a match remember by now. It goes on from where it was asked last, so that a
    match is followed once and not anew for each observation."""

    def __init__(self) -> None:
        self.remembered: Any = None
        self._known = 0
        self._last: Step | None = None

    def memory(self, match: AnyMatch) -> Any:
        steps = match.steps
        last = steps[self._known - 1] if 0 < self._known <= len(steps) else None
        if self.remembered is None or last is None or last is not self._last:
            self.begin(match)  # a position was set up meanwhile, or nothing was seen yet
        for step in steps[self._known :]:
            self.see(match, step)
        self._known, self._last = len(steps), steps[-1] if steps else None
        return self.remembered

    def begin(self, match: AnyMatch) -> Any:
        """Returns the first state."""
        self.remembered = declared(match.game).memory.blank()
        self._known = 0
        load = match.game.rules.layout.load
        first = load(match.steps[0].before) if match.steps else match.state
        declared(match.game).after(first, self.remembered)
        return first

    def see(self, match: AnyMatch, step: Step) -> Any:
        """Returns the state after the step."""
        declaration, load = declared(match.game), match.game.rules.layout.load
        if isinstance(step.given, Act):
            declaration.before(
                load(step.before), self.remembered, step.given.seat, step.given.action
            )
        after = load(step.after)
        declaration.after(after, self.remembered)
        return after


_followers: WeakKeyDictionary[AnyMatch, Follower] = WeakKeyDictionary()


def _follower(match: AnyMatch) -> Follower:
    if match not in _followers:
        _followers[match] = Follower()
    return _followers[match]


def followed(match: AnyMatch) -> Iterator[tuple[Any, Any]]:
    """The states of a match with what its seats remember in each; the memory is the same record
    throughout. A set-up position is a beginning."""
    follower = Follower()
    yield follower.begin(match), follower.remembered
    for step in match.steps:
        yield follower.see(match, step), follower.remembered
