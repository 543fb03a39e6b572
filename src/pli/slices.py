"""Long work in small steps, so that whoever runs it can pause it, put something else first, or stop
it: a generator that yields often, and at its end returns its result."""

from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")

Slices = Generator[None, None, T]


def finish(slices: Slices[T]) -> T:
    """All of it at once."""
    while True:
        try:
            next(slices)
        except StopIteration as end:
            result: T = end.value
            return result
