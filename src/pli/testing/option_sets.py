"""Sets of options in which every value of every option is found: what a game is tried with."""

from collections.abc import Sequence
from typing import Any

import msgspec

from pli.game import AnyGame, Described, read_options, seat_counts


def option_sets(game: AnyGame) -> list[Any]:
    """The game as it comes, and then with other options, as few times as it takes: every number of
    seats, every word, and the least and the most of every number."""
    sets = [read_options(game, {})]
    left = [(o.name, value) for o in game.described for value in values_of(game, o)]
    left = [each for each in left if not _has(sets[0], *each)]
    while left:
        chosen = _with_many(game, left)
        if chosen is None:
            return sets  # the property `options` tells of what is left
        sets.append(chosen)
        left = [each for each in left if not _has(chosen, *each)]
    return sets


def values_of(game: AnyGame, option: Described) -> list[Any]:
    """All words, and of numbers the bounds."""
    if option.name == "seats":
        return [*seat_counts(game)]
    values: list[Any] = []
    for kind in option.kinds:
        if isinstance(kind, msgspec.inspect.LiteralType):
            values += kind.values
        elif isinstance(kind, msgspec.inspect.IntType):
            values += [each for each in (kind.ge, kind.le) if each is not None]
    return values


def shown(options: Any) -> str:
    """Options as they are written."""
    return ", ".join(f"{k}={v}" for k, v in msgspec.structs.asdict(options).items())


def _has(options: Any, name: str, value: object) -> bool:
    return bool(getattr(options, name) == value)


def _with_many(game: AnyGame, left: Sequence[tuple[str, Any]]) -> Any:
    """Options with as many of these values as go together, beginning with the first for which there
    is a way; None: there is none for any."""
    for first in left:
        chosen = _with_one(game, *first)
        if chosen is None:
            continue
        given = {first[0]}
        for name, value in left:
            if name not in given:
                more = _read(game, {**msgspec.structs.asdict(chosen), name: value})
                if more is not None:
                    chosen = more
                    given.add(name)
        return chosen
    return None


def _with_one(game: AnyGame, name: str, value: object) -> Any:
    """Options with this value, and with one more of another option or two if it needs them."""
    found = _read(game, {name: value})
    if found is not None:
        return found
    others = [(o.name, v) for o in game.described for v in values_of(game, o) if o.name != name]
    for one in others:
        found = _read(game, {name: value, one[0]: one[1]})
        if found is not None:
            return found
    for one in others:
        for two in others:
            found = _read(game, {name: value, one[0]: one[1], two[0]: two[1]})
            if found is not None:
                return found
    return None


def _read(game: AnyGame, given: dict[str, object]) -> Any:
    try:
        return read_options(game, given)
    except Exception:  # what is no BadOption is told of by the property `options`
        return None
