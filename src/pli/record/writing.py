"""Writes the record of a game."""

import hashlib
from typing import Any

import msgspec

from pli.errors import PliError
from pli.game import AnyGame, Input, Shuffle, Tick
from pli.match import AnyMatch
from pli.record.format import (
    FORMAT,
    WIDTH,
    clock,
    house_lines,
    line_check,
    proof_lines,
    result_of,
)
from pli.record.proof import Proof


def write_record(match: AnyMatch, proof: Proof | None = None, abandoned: bool = False) -> str:
    """The record of a match from its start to where it stands. A set-up position has none: nobody
    could replay it."""
    if match.placed:
        raise PliError("record_of_position")
    writer = RecordWriter(match.game, match.options, proof)
    load = match.game.rules.layout.load
    for step in match.steps:
        before = load(step.before) if isinstance(step.given, Shuffle) else None
        writer.watch(before, step.given, None)
    return writer.finish(match, abandoned)


class RecordWriter:
    """Writes a record line by line during a match, which then need not keep its steps."""

    def __init__(self, game: AnyGame, options: Any, proof: Proof | None = None) -> None:
        if proof is not None and any(seat >= options.seats for seat in proof.contributions):
            raise ValueError("something was added at a seat that is none")
        self._game = game
        self._proof = proof
        self._digest = hashlib.sha256()
        self._lines: list[str] = []
        chosen = sorted(msgspec.structs.asdict(options).items())
        self._write(FORMAT)
        self._write(f"game {game.name} {game.version}")
        self._write("options " + " ".join(f"{name}={value}" for name, value in chosen))
        for line in (*house_lines(options), *proof_lines(proof)):
            self._write(line)

    def watch(self, before: Any, given: Input, after: Any) -> None:
        """Writes one input: the `watch` callback of a match."""
        if isinstance(given, Shuffle):
            names = self._game.shuffled(before)
            self._write("shuffle " + " ".join(names[i] for i in given.order))
        elif isinstance(given, Tick):
            self._write(f"{clock(given.time)}  timer")
        else:
            action = self._game.notation.show(given.action)
            self._write(f"{clock(given.time)}  {given.seat}  {action}")

    def finish(self, match: AnyMatch, abandoned: bool = False) -> str:
        """The whole record. All cards to come follow from the secret, so it is written only if the
        game is over or abandoned."""
        if self._proof is not None and self._proof.secret is not None:
            if not (match.over or abandoned):
                raise ValueError("the secret of a game that is still going on")
            self._write(f"secret {self._proof.secret}")
        self._write(f"result {result_of(match)}")
        return "".join(self._lines)

    def _write(self, line: str) -> None:
        self._lines.append(f"{line:{WIDTH}}  {line_check(self._digest, line)}\n")
