"""`@rule` marks a plain Python function that the compiler may use as well.

It changes nothing: the function stays what a debugger steps through. The compiler reads the list.
`@hot` is a rule on the way of every action: it is compiled into each of its callers, which makes
playouts a third faster and, used for everything, compiling many times slower.
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
