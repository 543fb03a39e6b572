"""`@rule` marks a plain Python function that compiled code may call.

The decorator only adds the function to a list, which the compiler reads; the function itself stays
what a debugger steps through. `@hot` marks a rule that every action runs: it is inlined into each
of its callers, which makes playouts a third faster; inlining every rule would make compiling many
times slower.
"""

from collections.abc import Callable
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., object])

RULES: dict[Callable[..., object], bool] = {}
"""Every rule, and whether it is hot."""


def rule(function: F) -> F:
    RULES[function] = False
    return function


def hot(function: F) -> F:
    RULES[function] = True
    return function
