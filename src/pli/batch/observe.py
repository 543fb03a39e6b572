"""What one seat of a match observes."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from pli.batch.driver import declared
from pli.game import Act
from pli.match import AnyMatch

Array = np.ndarray[Any, Any]


def observe(match: AnyMatch, seat: int, history: bool = False) -> Array:
    """The observation of a seat, as batches have it. With `history` all that it has had since the
    match began, one after each input: for algorithms that need perfect recall."""
    if not 0 <= seat < match.seats:
        raise ValueError(f"seats are 0-{match.seats - 1}")
    declaration = declared(match.game)
    row = [0] * declaration.size(match.seats)
    rows = []
    for state, memory in followed(match):
        if history:
            declaration.look(state, memory, seat, row, 0)
            rows.append([*row])
    if not history:
        declaration.look(state, memory, seat, row, 0)
    return np.array(rows if history else row).astype(declaration.numbers)


def followed(match: AnyMatch) -> Iterator[tuple[Any, Any]]:
    """The states of a match with what its seats remember in each; the memory is the same record
    throughout. A set-up position is a beginning."""
    declaration, load = declared(match.game), match.game.rules.layout.load
    memory = declaration.memory.blank()
    for number, step in enumerate(match.steps):
        before = load(step.before)
        if number == 0:
            declaration.after(before, memory)
            yield before, memory
        if isinstance(step.given, Act):
            declaration.before(before, memory, step.given.seat, step.given.action)
        after = load(step.after)
        declaration.after(after, memory)
        yield after, memory
    if not match.steps:
        declaration.after(match.state, memory)
        yield match.state, memory
