"""Every value of every option sets up a game that can be played; what is no value is refused."""

from collections.abc import Sequence
from typing import Any

import msgspec

from pli.errors import BadOption, PliError
from pli.game import AnyGame, in_language, read_options, seat_counts
from pli.testing.failure import Broken
from pli.testing.option_sets import shown, values_of
from pli.testing.property import Property
from pli.testing.walks import Walk, blaming
from pli.texts import LANGUAGES

WRONG = ("nonsense", "", -(10**12), 10**12, None, [1], {"a": 1}, 1.5)
"""Values of no option."""


def whole(game: AnyGame, options: Sequence[Any]) -> None:
    with blaming(game, "options"):
        default = read_options(game, {})
    if default.departures():
        raise Broken("default_departs", "options", got=default.departures())
    for option in game.described:
        if option.marks.get("printed") and not option.marks.get("house"):
            raise Broken("printed_not_house", "options", name=option.name)
    _values_are_taken(game, options)
    _what_is_wrong_is_refused(game)
    _by_language(game)
    for chosen in options:
        _sets_up(game, chosen)


def _values_are_taken(game: AnyGame, options: Sequence[Any]) -> None:
    """Each is in one of the sets: there is a game that has it."""
    for option in game.described:
        taken = [getattr(each, option.name) for each in options]
        for value in values_of(game, option):
            if value not in taken:
                _why_never(game, option.name, value)


def _why_never(game: AnyGame, name: str, value: object) -> None:
    try:
        read_options(game, {name: value})
    except BadOption as error:
        raise Broken("option_never", "options", got=str(error), name=name, value=value) from error
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise Broken(
            "option_raises", "options", None, "BadOption", why, name=name, value=value
        ) from error


def _what_is_wrong_is_refused(game: AnyGame) -> None:
    counts = seat_counts(game)
    wrong: list[tuple[str, object]] = [
        *(("seats", seats) for seats in (min(counts) - 1, max(counts) + 1)),
        *((option.name, value) for option in game.described for value in WRONG),
        ("no_such_option", 1),
    ]
    for name, value in wrong:
        try:
            read_options(game, {name: value})
        except BadOption:
            continue
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            raise Broken(
                "option_raises", "options", None, "BadOption", why, name=name, value=repr(value)
            ) from error
        raise Broken("option_taken", "options", name=name, value=repr(value))


def _by_language(game: AnyGame) -> None:
    for name, values in game.by_language.items():
        if set(values) != set(LANGUAGES):
            wanted = sorted(LANGUAGES)
            raise Broken("language_missing", "by_language", None, wanted, sorted(values), name=name)
        for language in LANGUAGES:
            try:
                chosen = getattr(read_options(game, in_language(game, language)), name, None)
            except PliError as error:
                chosen = error
            if chosen != values[language]:
                raise Broken(
                    "language_differs", "by_language", None, values[language], chosen, name=name
                )
        if getattr(read_options(game, {}), name) not in values.values():
            raise Broken("language_default", "by_language", name=name)


def _sets_up(game: AnyGame, chosen: Any) -> None:
    try:
        match = Walk(game, chosen, 0).match
    except Broken as error:
        named = {**error.details, "options": shown(chosen)}
        raise Broken(error.code, error.look, error.seat, **named) from error
    with blaming(game, "view"):
        seats = match.view(None).seats
    if seats != chosen.seats:
        raise Broken("option_seats", "setup", None, chosen.seats, seats, options=shown(chosen))
    if match.over or not match.actors:
        raise Broken("option_over", "setup", got=repr(match), options=shown(chosen))
    if read_options(game, msgspec.structs.asdict(chosen)) != chosen:
        raise Broken("option_unread", "options", options=shown(chosen))


OPTIONS = Property("options", whole=whole)
