"""What a checker found: the property that does not hold, where, and how to see it again."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType
from typing import Any

import msgspec

from pli.errors import PliError
from pli.folders import folder_of
from pli.game import AnyGame, Options
from pli.match import AnyMatch
from pli.texts import Words, words

LONGEST = 300
"""Characters of a value that are shown."""


class Broken(Exception):
    """A property that does not hold; `check_game` adds the game, the seed and the actions."""

    def __init__(
        self,
        code: str,
        /,
        look: str,
        seat: int | None = None,
        expected: object = None,
        got: object = None,
        **details: object,
    ) -> None:
        super().__init__(code, details)
        self.code = code
        """The key of what is wrong among the texts: `check.CODE`."""
        self.look = look
        """What of the `Game` is to be looked at: `view`, `rules.act`."""
        self.seat = seat
        self.expected = expected
        self.got = got
        self.details = details


@dataclass(frozen=True)
class Move:
    """An action as it was tried, refused or not; a number may be no action at all."""

    seat: int
    action: str | int
    at: int

    def __str__(self) -> str:
        time = f" at {self.at}" if self.at else ""
        return f"{self.seat}: {self.action!r}{time}"


@dataclass(frozen=True)
class Failure:
    """A property that does not hold of a game."""

    game: AnyGame
    property: str
    code: str
    """What is wrong, for programs."""
    look: str
    details: dict[str, object]
    options: Options | None = None
    """Of the match; None: it is seen without one."""
    seed: int | None = None
    moves: Sequence[Move] = ()
    """The shortest way to it that was found."""
    seat: int | None = None
    expected: object = None
    got: object = None
    match: AnyMatch | None = field(default=None, compare=False)
    """As it stands after these."""

    def text(self, language: str = "en") -> str:
        return "\n".join(self._lines(words(language)))

    def _lines(self, say: Words) -> Iterator[str]:
        what = say(f"check.{self.code}", **self.details)
        yield f"{self.game.name}, {self.property}: {what}"
        labelled = {
            "with": self._options(),
            "seed": self.seed,
            "seat": self.seat,
            "actions": self._actions(say),
            "expected": shown(self.expected),
            "got": shown(self.got),
            "look": f"{self.look}{place(self.game, self.look)}",
            "again": self._again(),
        }
        for label, value in labelled.items():
            if value is not None:
                yield f"  {say(f'check.label.{label}')}: {value}"

    def _options(self) -> str | None:
        if self.options is None:
            return None
        return ", ".join(f"{k}={v}" for k, v in msgspec.structs.asdict(self.options).items())

    def _actions(self, say: Words) -> str | None:
        if self.options is None or self.seed is None:
            return None
        return "; ".join(map(str, self.moves)) or say("check.at_once")

    def _again(self) -> str | None:
        given = "" if self.options is None else f", options={msgspec.structs.asdict(self.options)}"
        seeded = "" if self.seed is None else f", games=1, seed={self.seed}"
        return f'check_game("{self.game.name}", properties=["{self.property}"]{given}{seeded})'


class CheckFailed(PliError, AssertionError):
    """A game does not hold what every game must. Its text names the property, the seed, the seat,
    the shortest actions that show it, and where to look in the game's code."""

    code = "check_failed"

    def __init__(self, failures: Sequence[Failure]) -> None:
        super().__init__()
        self.failures = tuple(failures)
        """One of each property that does not hold."""

    @property
    def failure(self) -> Failure:
        """The first of them, which is often the cause of the others."""
        return self.failures[0]

    def text(self, language: str = "en", game: str | None = None) -> str:
        return "\n".join(each.text(language) for each in self.failures)


def shown(value: object) -> str | None:
    """A value, as long as can be read."""
    if value is None:
        return None
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def place(game: AnyGame, look: str) -> str:
    """File and line of what is to be looked at, as far as that is known."""
    found: Any = game
    for name in look.split("."):
        found = getattr(found, name, None)
    for function in _functions(found):
        file = Path(function.__code__.co_filename)
        if file.is_relative_to(folder_of(game.name)):
            return f" ({relative(file)}:{function.__code__.co_firstlineno})"
    return ""


def _functions(found: Any, depth: int = 2) -> Iterator[Callable[..., Any]]:
    """A function and, of one that a kit has made, those that it was made of."""
    if isinstance(found, FunctionType):
        yield found
        if depth:
            for cell in found.__closure__ or ():
                yield from _functions(cell.cell_contents, depth - 1)


def relative(file: Path) -> str:
    """As it is named from where one is."""
    shorter = os.path.relpath(file)
    return str(file) if shorter.startswith("..") else shorter
