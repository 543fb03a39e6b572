"""`@rule` marks a plain Python function that the compiler may use as well.

It changes nothing: the function stays what a debugger steps through. The compiler reads the list.
"""

from collections.abc import Callable
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., object])

RULES: list[Callable[..., object]] = []


def rule(function: F) -> F:
    RULES.append(function)
    return function
