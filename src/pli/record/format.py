"""The lines of a record: what stands in them, their checks, and how times are written."""

import hashlib
import re
from collections.abc import Iterator
from typing import Any

from pli.errors import BadRecord, WrongSyntax
from pli.match import AnyMatch
from pli.record.proof import Proof

FORMAT = "pli record 1"
UNFINISHED = "unfinished"
HOUSE = "house"
WIDTH = 40
"""Checks stand in one column, behind lines that are no longer than this."""

CHECK = 4
"""Hex digits of a line's check."""

HEADER = 3
"""Lines that every record begins with: format, game, options."""

_CLOCK = re.compile(r"([0-9]{1,9}):([0-5][0-9])\.([0-9]{3})")


def house_lines(options: Any) -> list[str]:
    departures = options.departures()
    return [f"{HOUSE} {' '.join(departures)}"] if departures else []


def proof_lines(proof: Proof | None) -> list[str]:
    """What is published before the first card."""
    if proof is None:
        return []
    added = [f"random {seat} {text}" for seat, text in sorted(proof.contributions.items())]
    return [f"id {proof.game_id}", f"commitment {proof.commitment}", *added]


def result_of(match: AnyMatch) -> str:
    if not match.over:
        return UNFINISHED
    return " ".join(["winners", *map(str, match.winners)])


def clock(time: int) -> str:
    """Milliseconds as minutes, seconds and thousandths: 0:04.210."""
    minutes, rest = divmod(time, 60_000)
    return f"{minutes}:{rest // 1000:02}.{rest % 1000:03}"


def unclock(text: str) -> int:
    """The milliseconds that `clock` wrote; WrongSyntax if it did not."""
    found = _CLOCK.fullmatch(text)
    if found is None:
        raise WrongSyntax(text=text)
    minutes, seconds, thousandths = map(int, found.groups())
    return minutes * 60_000 + seconds * 1000 + thousandths


def line_check(digest: Any, line: str) -> str:
    digest.update(line.encode() + b"\n")
    return str(digest.hexdigest()[:CHECK])


def checked(text: str) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, each held against its check, down to the result."""
    digest = hashlib.sha256()
    content = ""
    number = 0
    for number, raw in enumerate(text.splitlines(), 1):
        if content.startswith("result "):
            raise BadRecord("record_goes_on", line=number)
        content, _, check = raw.rpartition("  ")
        content = content.rstrip()
        if number == 1 and content != FORMAT:
            raise BadRecord("record_format", line=number, wanted=FORMAT)
        if check != line_check(digest, content):
            raise BadRecord("record_changed", line=number)
        yield number, content
    if not content.startswith("result "):
        raise BadRecord("record_truncated", line=number + 1)
