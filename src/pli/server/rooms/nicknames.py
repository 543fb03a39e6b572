"""The names that people give themselves: how they are shown, how two alike are told apart, and
which of them a host does not want. The same of the portraits that they choose."""

import unicodedata
from collections.abc import Collection, Iterable, Iterator
from itertools import count
from pathlib import Path

from pli.errors import PliError, reason
from pli.server.protocol.messages import FACES, LONGEST_NAME

MARKS = 2
"""Above or below a letter of a name: what is written somewhere has no more."""

BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that nobody can see."""

LOOKALIKES = str.maketrans(
    "АВЕКМНОРСТХУІЈЅаеорсхуіјѕ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο" + "|",  # noqa: RUF001  alike on purpose
    "ABEKMHOPCTXYIJSaeopcxyijs" + "ABEZHIKMNOPTYXo" + "I",
)
"""Cyrillic and Greek letters, and a sign, as the Latin letters that they look like."""

DIGITS = str.maketrans("034578@$", "oeastbas")
"""Digits and signs that stand for letters. A one stands for two: see `_readings`."""


def nickname(text: str) -> str:
    """A name that can be shown anywhere: on one line and no higher, with something to be seen, and
    nothing that is not or that turns the text around it."""
    shown = ""
    marks = 0
    for c in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(c)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind != "Cf" and c not in BLANK and marks <= MARKS:
            shown += c if c.isprintable() else " "
    shown = " ".join(shown.split())[:LONGEST_NAME].rstrip()
    if not any(unicodedata.category(c)[0] in "LNPS" for c in shown):
        raise PliError("bad_name")
    return shown


def told_apart(name: str, others: Iterable[str]) -> str:
    """The name, with a number behind it if one of the others could be mistaken for it."""
    taken = set[str]().union(*map(_alike, others))
    if taken.isdisjoint(_alike(name)):
        return name
    suffixes = (f" {number}" for number in count(2))
    numbered = (name[: LONGEST_NAME - len(each)].rstrip() + each for each in suffixes)
    return next(each for each in numbered if taken.isdisjoint(_alike(each)))


def free_face(face: int | None, others: Collection[int | None]) -> int | None:
    """The portrait, or the next one that none of the others has; None: one made from the name."""
    if face is None:
        return None
    following = ((face + step) % FACES for step in range(FACES))
    return next((each for each in following if each not in others), face)


def _alike(name: str) -> set[str]:
    """What the name has in common with those that could be mistaken for it: its letters, without
    regard to case, width and what stands between them; and the same as they look."""
    seen = _normal(name).translate(LOOKALIKES)
    texts = (name, seen, seen.translate({ord("I"): "l", ord("1"): "l"}))
    return {"".join(_words(text)) or text for text in texts}


class Unwanted:
    """Names that the host of a server does not want, from the lines of a file.

    A line is compared without regard to case, width and what stands between letters. It means
    whole words of a name, or all of it; after a `*` also parts of words.
    """

    def __init__(self, lines: Iterable[str] = ()) -> None:
        """ValueError: the line of that number, from 1, has nothing to compare."""
        self._words: set[tuple[str, ...]] = set()
        self._parts: list[str] = []
        for number, line in enumerate(lines, 1):
            text = line.partition("#")[0].strip()
            words = _words(text)
            if words and text.startswith("*"):
                self._parts.append("".join(words))
            elif words:
                self._words.add(words)
            elif text:
                raise ValueError(number)
        self._whole = {"".join(words) for words in self._words}

    def check(self, name: str) -> None:
        """PliError if the name is not wanted."""
        if any(map(self._names, _readings(name))):
            raise PliError("unwanted_name")

    def _names(self, words: tuple[str, ...]) -> bool:
        whole = "".join(words)
        if whole in self._whole or any(part in whole for part in self._parts):
            return True
        return any(run in self._words or _spelt(run) in self._whole for run in _runs(words))


def read_names(file: Path) -> Unwanted:
    """The names that are not wanted, one a line; after a `#` comes a comment."""
    try:
        lines = file.read_text("utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        raise PliError("bad_names", file=file, why=reason(error)) from None
    try:
        return Unwanted(lines)
    except ValueError as error:
        (line,) = error.args
        raise PliError("bad_names_line", file=file, line=line) from None


def _runs(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """All words that follow each other, from one to all of them: a name has few."""
    for first in range(len(words)):
        for last in range(first, len(words)):
            yield words[first : last + 1]


def _spelt(words: tuple[str, ...]) -> str | None:
    """The word that single letters spell, if that is what these are."""
    return "".join(words) if all(len(word) == 1 for word in words) else None


def _readings(name: str) -> Iterator[tuple[str, ...]]:
    """The words of a name: as they are, and with digits and signs as the letters for which they
    stand, a one for an i or an l."""
    yield _words(name)
    seen = _normal(name).translate(LOOKALIKES).translate(DIGITS)
    yield _words(seen.replace("1", "i"))
    yield _words(seen.replace("1", "l").replace("I", "l"))


def _normal(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def _words(text: str) -> tuple[str, ...]:
    """Letters and digits that stand together, and each symbol such as an emoji, without regard to
    case and width."""
    words: list[str] = []
    inside = False
    for c in _normal(_normal(text).casefold()):
        kind = unicodedata.category(c)
        if kind[0] in "LN" or (inside and kind[0] == "M"):
            if inside:
                words[-1] += c
            else:
                words.append(c)
            inside = True
        elif kind == "So":
            words.append(c)
            inside = False
        elif kind[0] != "M":
            inside = False
    return tuple(words)
