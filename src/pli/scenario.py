"""Scenarios: a position, some actions, what must follow, as a small YAML file.

A scenario goes the way of a real table: the same match, rules, notation and views.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from pli import games
from pli.errors import BadScenario, PliError, Refused, Say, WrongSyntax
from pli.game import Game, read_options
from pli.match import Match
from pli.position import Malformed
from pli.shuffling import seeded

KEYS = ("game", "about", "options", "seed", "position", "steps")
STEP_KEYS = ("at", "error", "wait", "expect")
DEFAULT_SEED = 0


@dataclass(frozen=True)
class Difference:
    """Where a scenario and the rules part ways."""

    step: int
    line: int
    key: str
    wanted: str
    got: str


class Located(dict[Any, Any]):
    """A mapping of the file that remembers the line of each of its keys."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[Any, int] = {}


class Scenario:
    """A file that reads well: its game, options and steps are known to make sense."""

    def __init__(self, text: str) -> None:
        root = _parsed(text)
        if not isinstance(root, Located):
            raise BadScenario("scenario_mapping", line=1, key="game")
        self._only(root, KEYS)
        for key in ("game", "steps"):
            if key not in root:
                raise BadScenario("scenario_missing", line=1, key=key)
        self._root = root
        self.about = root.get("about", [])
        self.game: Game[Any] = self._at(root, "game", lambda: games.load(str(root["game"])))
        given = self._mapping(root, "options")
        self.options = self._at(root, "options", lambda: read_options(self.game, given), given)
        self.position = self._values(self._mapping(root, "position"), self.game.placed)
        self.seed = root.get("seed", DEFAULT_SEED)
        if not isinstance(root["steps"], list):
            raise BadScenario("scenario_steps", line=root.lines["steps"], key="steps")
        self.steps = [self._step(each, root.lines["steps"]) for each in root["steps"]]

    # Reading

    @staticmethod
    def _only(mapping: Located, known: tuple[str, ...]) -> None:
        for key in mapping:
            if key not in known:
                line = mapping.lines[key]
                raise BadScenario("scenario_key", line=line, key=key, known=", ".join(known))

    @staticmethod
    def _at(mapping: Located, key: str, read: Any, inside: Located | None = None) -> Any:
        """Reads a part of the file; what is wrong with it is told with its line and key, or with
        those `inside` it."""
        try:
            return read()
        except PliError as error:
            place, line = key, mapping.lines[key]
            if inside is not None and error.key is not None and error.key in inside.lines:
                place, line = error.key, inside.lines[error.key]
            why = Say(f"errors.{error.code}", **error.details)
            raise BadScenario("scenario_value", line=line, key=place, why=why) from None

    def _mapping(self, mapping: Located, key: str) -> Located:
        value = mapping.get(key)
        if value is None:
            return Located()
        if not isinstance(value, Located):
            raise BadScenario("scenario_mapping", line=mapping.lines[key], key=key)
        return value

    def _values(self, given: Located, readers: Any) -> Located:
        self._only(given, tuple(readers))
        values = Located()
        values.lines = given.lines
        for key, value in given.items():
            values[key] = self._at(
                given, key, lambda key=key, value=value: readers[key](value, self.options.seats)
            )
        return values

    def _step(self, step: Any, line: int) -> Located:
        if not isinstance(step, Located):
            raise BadScenario("scenario_step", line=line, key="steps")
        line = min(step.lines.values(), default=line)
        what = [key for key in step if key not in ("at", "error")]
        if len(what) != 1:
            raise BadScenario("scenario_step", line=line, key="steps")
        kind = what[0]
        for key in ("at", "wait"):
            value = step.get(key, 0)
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise BadScenario("scenario_time", line=step.lines[key], key=key)
        if kind == "expect":
            expected = self._mapping(step, "expect")
            readers = dict(self.game.expected)
            readers["legal"] = _actions
            for seat in range(self.options.seats):
                readers[f"legal of {seat}"] = _actions
            step["expect"] = self._values(expected, readers)
        elif kind != "wait" and (isinstance(kind, bool) or not isinstance(kind, int)):
            line = step.lines[kind]
            raise BadScenario("scenario_key", line=line, key=kind, known="SEAT, wait, expect")
        elif kind != "wait" and not 0 <= kind < self.options.seats:
            why = Say("wanted.seat", last=self.options.seats - 1)
            raise BadScenario("scenario_value", line=step.lines[kind], key=kind, why=why)
        return step

    # Running

    def run(self) -> Difference | None:
        """The first difference, or None if all is as the scenario says."""
        match = Match(self.game, self.options, seeded(self.seed))
        if self.position:
            place = self.position
            self._at(self._root, "position", lambda: match.place(place), place)
        for number, step in enumerate(self.steps, 1):
            found = next(self._differences(match, number, step), None)
            if found is not None:
                return found
        return None

    def _differences(self, match: Match, number: int, step: Located) -> Iterator[Difference]:
        line = min(step.lines.values())
        if "expect" in step:
            for key, wanted in step["expect"].items():
                got = self._fact(match, key)
                if got != wanted:
                    line = step["expect"].lines[key]
                    yield Difference(number, line, str(key), shown(wanted), shown(got))
            return
        if "wait" in step:
            match.wait(match.now + step["wait"])
            return
        seat, text = next((k, v) for k, v in step.items() if k not in STEP_KEYS)
        if step.get("at", match.now) < match.now:
            raise BadScenario("scenario_backwards", line=step.lines["at"], key="at", now=match.now)
        wanted = step.get("error", "ok")
        got = refusal(match, seat, str(text), step.get("at"))
        if got != wanted:
            yield Difference(number, line, str(seat), f"{text}: {wanted}", f"{text}: {got}")

    def _fact(self, match: Match, key: str) -> Any:
        facts = self.game.facts(match.state)
        if key in facts:
            return facts[key]
        if key == "legal":
            seat = facts["turn"]
        else:
            seat = int(key.removeprefix("legal of "))
        return frozenset() if seat is None else frozenset(match.legal(seat))


def refusal(match: Match, seat: int, text: str, at: int | None = None) -> str:
    """Plays an action: `ok`, or the code with which it was refused."""
    try:
        match.act(seat, text, at)
    except WrongSyntax as error:
        return str(error.details["refusal"])
    except Refused as error:
        return error.code
    return "ok"


def read_scenario(path: Path) -> Scenario:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise BadScenario("unreadable_file", file=path.name) from None
    return Scenario(text)


def shown(value: Any) -> str:
    """A value as a scenario would write it, sets in order."""
    if value is None:
        return "none"
    if isinstance(value, frozenset):
        return "[" + ", ".join(sorted(map(str, value))) + "]"
    if isinstance(value, list):
        return "[" + ", ".join(shown(each) for each in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {shown(v)}" for k, v in value.items()) + "}"
    return str(value)


def _actions(value: Any, seats: int) -> frozenset[str]:
    if not isinstance(value, list):
        raise Malformed("list")
    return frozenset(map(str, value))


def _parsed(text: str) -> Any:
    """The YAML file as plain values, its mappings knowing their lines."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        raise BadScenario("scenario_yaml", line=line, why=getattr(error, "problem", "")) from None
    return _value(node, yaml.SafeLoader("")) if node is not None else None


def _value(node: yaml.Node, loader: yaml.SafeLoader) -> Any:
    if isinstance(node, yaml.MappingNode):
        mapping = Located()
        for key_node, value_node in node.value:
            key, line = _value(key_node, loader), key_node.start_mark.line + 1
            if isinstance(key, (list, dict)):
                raise BadScenario("scenario_key", line=line, key="?", known=", ".join(KEYS))
            if key in mapping:
                raise BadScenario("scenario_twice", line=line, key=key)
            mapping[key] = _value(value_node, loader)
            mapping.lines[key] = line
        return mapping
    if isinstance(node, yaml.SequenceNode):
        return [_value(each, loader) for each in node.value]
    return loader.construct_object(node)
