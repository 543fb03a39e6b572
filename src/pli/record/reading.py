"""Reads a record by replaying it under the rules."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pli import games
from pli.errors import BadRecord, PliError, Say, UnknownGame, WrongSyntax
from pli.game import Act, AnyGame, Input, Shuffle, Tick, read_options
from pli.match import AnyMatch, Match, Watch
from pli.record.format import (
    HEADER,
    HOUSE,
    checked,
    house_lines,
    proof_lines,
    result_of,
    unclock,
)
from pli.record.proof import Proof, valid_contribution, valid_digest, valid_id
from pli.slices import Slices, finish


@dataclass(frozen=True)
class Record:
    """A game as all its inputs."""

    game: AnyGame
    options: Any
    inputs: list[Input]
    result: str
    proof: Proof | None = None

    @property
    def first_line(self) -> int:
        """The line of the first input; the others follow one by one."""
        return HEADER + 1 + len(house_lines(self.options)) + len(proof_lines(self.proof))


def read_record(text: str, find: Callable[[str], AnyGame] = games.load) -> Record:
    """Reads a record by replaying it, so that a record that reads is a legal game."""
    return finish(read_record_slices(text, find))


def read_record_slices(
    text: str,
    find: Callable[[str], AnyGame] = games.load,
    watch: Watch[Any] = lambda before, given, after: None,
) -> Slices[Record]:
    """The same in slices; `watch` is called with each input as it is read."""
    lines = []
    for each in checked(text):
        lines.append(each)
        yield
    game, options = _header(lines, find)
    match = Match(game, options, None, watch=watch)
    proof, rest = _proof(_after_house(lines[HEADER:], options)[:-1], match.seats)
    inputs: list[Input] = []
    for line, content in rest:
        yield
        try:
            given = _input(match, content)
            match.feed(given)
        except WrongSyntax:
            raise BadRecord("record_line", line=line, text=content) from None
        except PliError as error:
            why = Say(f"errors.{error.code}", **error.details)
            raise BadRecord("record_illegal", line=line, why=why) from None
        inputs.append(given)
    last, content = lines[-1]
    if content != f"result {result_of(match)}":
        raise BadRecord("record_result", line=last, wanted=f"result {result_of(match)}")
    return Record(game, options, inputs, result_of(match), proof)


def replay(record: Record, upto: int | None = None) -> AnyMatch:
    """The match after its first `upto` inputs, or all of them."""
    return Match(record.game, record.options, None, inputs=record.inputs[:upto])


def _header(lines: list[tuple[int, str]], find: Callable[[str], AnyGame]) -> tuple[AnyGame, Any]:
    if len(lines) <= HEADER:
        raise BadRecord("record_truncated", line=len(lines) + 1)
    number, content = lines[1]
    try:
        word, name, version = content.split()
        game = find(name)
    except (ValueError, UnknownGame):
        raise BadRecord("record_line", line=number, text=content) from None
    if word != "game" or not (version.isascii() and version.isdecimal()):
        raise BadRecord("record_line", line=number, text=content)
    if version != str(game.version):
        raise BadRecord("record_version", line=number, version=version, ours=game.version)
    number, content = lines[2]
    try:
        word, *chosen = content.split()
        if word != "options":
            raise ValueError(word)
        options = read_options(game, dict(each.split("=", 1) for each in chosen))
    except ValueError:
        raise BadRecord("record_line", line=number, text=content) from None
    except PliError as error:
        why = Say(f"errors.{error.code}", **error.details)
        raise BadRecord("record_illegal", line=number, why=why) from None
    return game, options


def _after_house(lines: list[tuple[int, str]], options: Any) -> list[tuple[int, str]]:
    """The lines below the header, without the one that names house rules, which is checked."""
    number, content = lines[0]
    found, wanted = content.startswith(f"{HOUSE} "), house_lines(options)
    if found and not wanted:
        raise BadRecord("record_by_the_book", line=number)
    if wanted and content != wanted[0]:
        raise BadRecord("record_house", line=number, wanted=wanted[0])
    return lines[1:] if found else lines


def _proof(lines: list[tuple[int, str]], seats: int) -> tuple[Proof | None, list[tuple[int, str]]]:
    """The proof among the lines between header and result, if there is one, and the other lines."""
    if not lines or not lines[0][1].startswith("id "):
        return None, lines
    game_id = _word(lines[0], "id", valid_id)
    if len(lines) < 2 or not lines[1][1].startswith("commitment "):
        raise BadRecord("record_wanted", line=lines[0][0] + 1, wanted="commitment")
    commitment = _word(lines[1], "commitment", valid_digest)
    contributions: dict[int, str] = {}
    at = 2
    while at < len(lines) and lines[at][1].startswith("random "):
        # In the order of the seats, each once: there is one way to write a record.
        later = [str(seat) for seat in range(max(contributions, default=-1) + 1, seats)]
        line, content = lines[at]
        seat, _, added = content.removeprefix("random ").partition(" ")
        if seat not in later or not valid_contribution(added):
            raise BadRecord("record_line", line=line, text=content)
        contributions[int(seat)] = added
        at += 1
    secret = None
    rest = lines[at:]
    if rest and rest[-1][1].startswith("secret "):
        secret = _word(rest.pop(), "secret", valid_digest)
    return Proof(game_id, commitment, contributions, secret), rest


def _word(numbered: tuple[int, str], key: str, valid: Callable[[str], bool]) -> str:
    line, content = numbered
    word = content.removeprefix(f"{key} ")
    if not valid(word):
        raise BadRecord("record_line", line=line, text=content)
    return word


def _input(match: AnyMatch, content: str) -> Input:
    word, _, rest = content.partition(" ")
    if word == "shuffle":
        places = {name: i for i, name in enumerate(match.game.shuffled(match.state))}
        if any(name not in places for name in rest.split()):
            raise WrongSyntax(text=content)
        return Shuffle(tuple(places[name] for name in rest.split()))
    time = unclock(word)
    if rest.strip() == "timer":
        return Tick(time)
    seat, _, action = rest.strip().partition("  ")
    if not (seat.isascii() and seat.isdecimal() and len(seat) == 1):
        raise WrongSyntax(text=content)
    return Act(int(seat), match.game.notation.parse(action), time)
