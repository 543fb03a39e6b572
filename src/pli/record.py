"""A game as text that a person can read: header, shuffles, actions with their times, result.

    pli record 1
    game marshmallow 2
    options edition=en first_dealer=random seats=4 target=10 tricks_to_go_out=book
    house target
    id k7f3q2-1                                                       c2c5
    commitment 09d1...                                                38e0
    random 0 5b1f...                                                  f4a7
    shuffle 2 0 1 3                                                   5c2e
    shuffle B7 G12 ...                                                91f0
    0:04.210  2  play B7                                              a3d1
    ...
    secret 41aa...                                                    be11
    result winners 2                                                  07be

The line house names the options by which the game departs from the printed rules, in order of the
alphabet; a game by the book has none. The lines id, commitment and random are there if the shuffles
can be checked (proof.py), the line secret once it is published.

Every line ends with a check of itself and all lines above it, so that a changed, missing or added
line is found where it is.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from pli import games
from pli.errors import BadRecord, PliError, Say, UnknownGame, WrongSyntax
from pli.game import Act, Game, Input, Shuffle, Tick, read_options
from pli.match import Match, Watch
from pli.proof import Proof, valid_contribution, valid_digest, valid_id
from pli.slices import Slices, finish

FORMAT = "pli record 1"
UNFINISHED = "unfinished"
HOUSE = "house"
_CLOCK = re.compile(r"([0-9]{1,9}):([0-5][0-9])\.([0-9]{3})")
_WIDTH = 40
_CHECK = 4
_HEADER = 3


@dataclass(frozen=True)
class Record:
    """A game as all its inputs."""

    game: Game[Any]
    options: Any
    inputs: list[Input]
    result: str
    proof: Proof | None = None

    @property
    def first_line(self) -> int:
        """The line of the first input; the others follow one by one."""
        return _HEADER + 1 + len(_house_lines(self.options)) + len(_proof_lines(self.proof))


def write_record(match: Match, proof: Proof | None = None, abandoned: bool = False) -> str:
    """The record of a match from its start to where it stands."""
    writer = RecordWriter(match.game, match.options, proof)
    load = match.game.rules.layout.load
    for step in match.steps:
        before = load(step.before) if isinstance(step.given, Shuffle) else None
        writer.watch(before, step.given, None)
    return writer.finish(match, abandoned)


class RecordWriter:
    """Writes a record line by line while a match goes on, of which no steps need be kept."""

    def __init__(self, game: Game[Any], options: Any, proof: Proof | None = None) -> None:
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
        for line in (*_house_lines(options), *_proof_lines(proof)):
            self._write(line)

    def watch(self, before: Any, given: Input, after: Any) -> None:
        """The next input: what a match calls its watch with."""
        if isinstance(given, Shuffle):
            names = self._game.shuffled(before)
            self._write("shuffle " + " ".join(names[i] for i in given.order))
        elif isinstance(given, Tick):
            self._write(f"{clock(given.time)}  timer")
        else:
            action = self._game.notation.show(given.action)
            self._write(f"{clock(given.time)}  {given.seat}  {action}")

    def finish(self, match: Match, abandoned: bool = False) -> str:
        """The whole of it. From the secret follow all cards to come: with it there is a record only
        of a game that is over, or that nobody will go on with."""
        if self._proof is not None and self._proof.secret is not None:
            if not (match.over or abandoned):
                raise ValueError("the secret of a game that is still going on")
            self._write(f"secret {self._proof.secret}")
        self._write(f"result {_result(match)}")
        return "".join(self._lines)

    def _write(self, line: str) -> None:
        self._lines.append(f"{line:{_WIDTH}}  {_check(self._digest, line)}\n")


def _house_lines(options: Any) -> list[str]:
    departures = options.departures()
    return [f"{HOUSE} {' '.join(departures)}"] if departures else []


def _proof_lines(proof: Proof | None) -> list[str]:
    """What is published before the first card."""
    if proof is None:
        return []
    added = [f"random {seat} {text}" for seat, text in sorted(proof.contributions.items())]
    return [f"id {proof.game_id}", f"commitment {proof.commitment}", *added]


def _result(match: Match) -> str:
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


def _check(digest: Any, line: str) -> str:
    digest.update(line.encode() + b"\n")
    return str(digest.hexdigest()[:_CHECK])


def read_record(text: str, find: Callable[[str], Game[Any]] = games.load) -> Record:
    """Reads a record by replaying it: one that reads is one that can have happened."""
    return finish(reading(text, find))


def reading(
    text: str,
    find: Callable[[str], Game[Any]] = games.load,
    watch: Watch = lambda before, given, after: None,
) -> Slices[Record]:
    """The same step by step; `watch` sees each input when it is read."""
    lines = []
    for each in checked(text):
        lines.append(each)
        yield
    game, options = _header(lines, find)
    match = Match(game, options, None, watch=watch)
    proof, rest = _proof(_after_house(lines[_HEADER:], options)[:-1], match.seats)
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
    if content != f"result {_result(match)}":
        raise BadRecord("record_result", line=last, wanted=f"result {_result(match)}")
    return Record(game, options, inputs, _result(match), proof)


def replay(record: Record, upto: int | None = None) -> Match:
    """The match after its first `upto` inputs, or all of them."""
    return Match(record.game, record.options, None, inputs=record.inputs[:upto])


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
        if check != _check(digest, content):
            raise BadRecord("record_changed", line=number)
        yield number, content
    if not content.startswith("result "):
        raise BadRecord("record_truncated", line=number + 1)


def _header(
    lines: list[tuple[int, str]], find: Callable[[str], Game[Any]]
) -> tuple[Game[Any], Any]:
    if len(lines) <= _HEADER:
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
    """The lines below the header, without the one that names house rules; it must be right."""
    number, content = lines[0]
    found, wanted = content.startswith(f"{HOUSE} "), _house_lines(options)
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


def _input(match: Match, content: str) -> Input:
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
