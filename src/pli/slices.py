"""Cooperative long computations: a generator that yields often and returns its result, so that a
scheduler can interleave it with others or cancel it."""

from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")

Slices = Generator[None, None, T]


def finish(slices: Slices[T]) -> T:
    """Runs it to its end without interruption."""
    while True:
        try:
            next(slices)
        except StopIteration as end:
            result: T = end.value
            return result
