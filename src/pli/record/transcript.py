"""A record of any version of the rules as text, to be shown without being replayed."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from pli import games
from pli.errors import BadRecord, UnknownGame
from pli.game import AnyGame
from pli.record.format import HOUSE, UNFINISHED, checked
from pli.slices import Slices, finish

ABOVE = (HOUSE, "id", "commitment", "random")
"""What may stand between the options and the first input."""

_MOVE = re.compile(r"(\S+)  (?:([0-9])  )?(.*)")


@dataclass(frozen=True)
class TranscriptLine:
    """One input, as text."""

    text: str
    time: str = ""
    seat: int | None = None


@dataclass(frozen=True)
class Transcript:
    """The lines of a record. Their checksums hold; whether the moves were legal is not checked."""

    game: AnyGame
    version: int
    header: list[str]
    """All that stands above the first input, but for the game."""
    lines: list[TranscriptLine]
    winners: list[int] | None
    """None: the game was not finished."""


def read_transcript(text: str, find: Callable[[str], AnyGame] = games.load) -> Transcript:
    """Reads a record of any version; BadRecord if it was changed."""
    return finish(read_transcript_slices(text, find))


def read_transcript_slices(
    text: str, find: Callable[[str], AnyGame] = games.load
) -> Slices[Transcript]:
    """The same in slices."""
    contents = []
    for _, content in checked(text):
        contents.append(content)
        yield
    if len(contents) < 4:
        raise BadRecord("record_truncated", line=len(contents) + 1)
    try:
        word, name, version = contents[1].split()
        game = find(name)
        if word != "game":
            raise ValueError(word)
        number = int(version)
    except (ValueError, UnknownGame):
        raise BadRecord("record_line", line=2, text=contents[1]) from None
    first = 3
    while contents[first].partition(" ")[0] in ABOVE:
        first += 1
    last = len(contents) - 1
    header, inputs = contents[2:first], contents[first:last]
    if inputs and inputs[-1].startswith("secret "):
        header.append(inputs.pop())
    result = contents[last].removeprefix("result ")
    try:
        winners = None if result == UNFINISHED else [int(seat) for seat in result.split()[1:]]
    except ValueError:
        raise BadRecord("record_line", line=last + 1, text=contents[last]) from None
    lines = []
    for content in inputs:
        lines.append(_line(content))
        yield
    return Transcript(game, number, header, lines, winners)


def _line(content: str) -> TranscriptLine:
    """A move with its time and seat; anything else stands as it is."""
    found = _MOVE.fullmatch(content)
    if found is None:
        return TranscriptLine(content)
    time, seat, text = found.groups()
    return TranscriptLine(text, time, None if seat is None else int(seat))
