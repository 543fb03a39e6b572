"""The functions that a game gives: whether each takes the values with which it is going to be
called. A function that does not would fail in the middle of play, far from its author's mistake."""

import inspect
from collections import abc
from collections.abc import Iterator
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from pli.errors import BadGame

SPOKEN = {"S": "state", "V": "view"}
"""What stands for a type of the game's own."""


def check_hooks(declared: object) -> None:
    """Raises BadGame for a function of a declaration that does not take what its type says."""
    for name, types in _declared(type(declared)):
        function = getattr(declared, name)
        if callable(function) and not _takes(function, len(types)):
            file, line = _place(function)
            values = ", ".join(map(_spoken, types))
            raise BadGame(
                "game_hook", file=file, line=line, name=name, wanted=len(types), values=values
            )


def _declared(kind: type) -> Iterator[tuple[str, list[Any]]]:
    """The functions of a dataclass, with the types of what they take."""
    for name, hint in get_type_hints(kind).items():
        kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        for each in kinds:
            if get_origin(each) is abc.Callable and isinstance(get_args(each)[0], list):
                yield name, get_args(each)[0]


def _takes(function: Any, count: int) -> bool:
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        return False
    except ValueError:  # some that are built in do not say
        return True
    return True


def _place(function: Any) -> tuple[str, int]:
    try:
        return inspect.getfile(function), inspect.getsourcelines(function)[1]
    except (OSError, TypeError):
        return "?", 1


def _spoken(kind: Any) -> str:
    if isinstance(kind, TypeVar):
        return SPOKEN.get(kind.__name__.partition("_")[0], kind.__name__)
    return getattr(kind, "__name__", str(kind))
