"""`pli verify`: verifies the shuffles of a recorded game against its proof, or says where that
fails."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from pli.cli.common import DEFAULT_LANGUAGE, Json, Language, game_words, one_line, read_text, say
from pli.cli.table import console
from pli.errors import NotProved, PliError
from pli.record import Record, read_record
from pli.record.format import UNFINISHED
from pli.record.proof import Proof, valid_contribution, valid_digest
from pli.record.verification import verify
from pli.texts import Words

NOT_PROVED = 1

Added = tuple[int, str]


def run(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help=say("cli.file"))],
    commitment: Annotated[
        str | None, typer.Option(metavar="HEX", help=say("cli.commitment"))
    ] = None,
    contribution: Annotated[
        list[str] | None, typer.Option(metavar="SEAT=HEX", help=say("cli.contribution"))
    ] = None,
    json: Json = False,
    lang: Language = DEFAULT_LANGUAGE,
) -> None:
    shown = None if commitment is None else _commitment(commitment)
    yours = [_contribution(text) for text in contribution or []]
    record = read_record(read_text(file))
    words = game_words(record.game.name)
    out = console()
    shuffles, failure = 0, None
    try:
        shuffles = verify(record, shown, yours)
    except NotProved as error:
        failure = error
    if json:
        _print_json(record, shuffles, failure, words)
    elif failure is not None:
        why = failure.text(words.language)
        text = one_line(words("verify.failed", file=file, why=why))
        out.print(text, markup=False, highlight=False, soft_wrap=True)
    elif record.proof is not None:
        for line in _told(record, record.proof, shuffles, shown, yours, words):
            out.print(line, markup=False, highlight=False, soft_wrap=True)
    if failure is not None:
        raise typer.Exit(NOT_PROVED)


def _commitment(text: str) -> str:
    found = text.strip().lower()
    if not valid_digest(found):
        raise PliError("commitment_form", text=text)
    return found


def _contribution(text: str) -> Added:
    seat, _, added = text.strip().lower().partition("=")
    if not (seat.isascii() and seat.isdecimal() and len(seat) == 1 and valid_contribution(added)):
        raise PliError("contribution_form", text=text)
    return int(seat), added


def _told(
    record: Record,
    proof: Proof,
    shuffles: int,
    shown: str | None,
    yours: list[Added],
    words: Words,
) -> Iterator[str]:
    key = "verify.abandoned" if record.result == UNFINISHED else "verify.over"
    yield words(key, id=proof.game_id, game=words("name"), seats=record.options.seats)
    yield words("verify.secret", commitment=proof.commitment)
    yield words("verify.not_shown" if shown is None else "verify.shown")
    yield words("verify.shuffles", n=shuffles)
    if proof.contributions:
        yield words("verify.added", seats=", ".join(map(str, sorted(proof.contributions))))
    else:
        yield words("verify.nobody")
    for seat, _ in yours:
        yield words("verify.yours", seat=seat)


def _print_json(record: Record, shuffles: int, failure: NotProved | None, words: Words) -> None:
    proof = record.proof
    figures: dict[str, object] = {
        "proved": failure is None,
        "game": record.game.name,
        "version": record.game.version,
        "result": record.result,
    }
    if proof is not None:
        figures |= {
            "id": proof.game_id,
            "commitment": proof.commitment,
            "contributions": {str(seat): text for seat, text in proof.contributions.items()},
            "secret": proof.secret,
        }
    if failure is None:
        figures["shuffles"] = shuffles
    else:
        figures |= {"code": failure.code, "why": failure.text(words.language), **failure.details}
    print(msgspec.json.format(msgspec.json.encode(figures)).decode())
