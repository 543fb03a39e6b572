"""Scenarios: a position, some actions, what must follow, as a small YAML file.

A scenario runs on the same match, rules, notation and views as a real table.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pli import games
from pli.errors import BadPosition, BadScenario, PliError, Refused, Say, WrongSyntax
from pli.game import AnyGame, read_options
from pli.located import Located
from pli.match import LONGEST, AnyMatch, Match
from pli.position import Malformed, is_number, one_of, seat
from pli.shuffling import seeded

KEYS = ("game", "about", "options", "seed", "position", "steps")
STEP_KEYS = ("at", "error", "wait", "expect")
DEFAULT_SEED = 0


@dataclass(frozen=True)
class Difference:
    """The first place where a scenario and the rules differ."""

    step: int
    line: int
    key: str
    wanted: str
    got: str


class Scenario:
    """A scenario file that was parsed and validated: game, options, position and steps."""

    def __init__(self, text: str) -> None:
        from pli.yaml_file import (
            parsed,  # its library takes a tenth of the time that all else takes
        )

        self._read(parsed(text))

    def _read(self, root: Any) -> None:
        if not isinstance(root, Located):
            raise BadScenario("scenario_mapping", line=1, key="game")
        self._only(root, KEYS)
        for key in ("game", "steps"):
            if key not in root:
                raise BadScenario("scenario_missing", line=1, key=key)
        self._root = root
        self.about = root.get("about", [])
        if not isinstance(self.about, list):
            raise BadScenario("scenario_about", line=root.lines["about"], key="about")
        self.game: AnyGame = self._at(root, "game", lambda: games.load(str(root["game"])))
        given = self._mapping(root, "options")
        self.options = self._at(root, "options", lambda: read_options(self.game, given), given)
        self.position = self._values(self._mapping(root, "position"), self.game.placed)
        self.seed = root.get("seed", DEFAULT_SEED)
        if not is_number(self.seed) and not isinstance(self.seed, str):
            why = Say("wanted.seed")
            raise BadScenario("scenario_value", line=root.lines["seed"], key="seed", why=why)
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
            raise BadScenario("scenario_value", line=line, key=place, why=_why(error)) from None

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
        line = step.lines[kind]
        if kind in ("wait", "expect"):
            for key in set(step) - {kind}:  # neither is at a time of its own, or refused
                raise BadScenario("scenario_key", line=step.lines[key], key=key, known=kind)
        for key in ("at", "wait"):
            value = step.get(key, 0)
            if not is_number(value) or not 0 <= value <= LONGEST:
                raise BadScenario("scenario_time", line=step.lines[key], key=key)
        if kind == "expect":
            step["expect"] = self._expected(step)
        elif kind != "wait":
            if not is_number(kind):
                raise BadScenario("scenario_key", line=line, key=kind, known="SEAT, wait, expect")
            seats = self.options.seats
            self._at(step, kind, lambda: seat(kind, seats))
            if step[kind] is None or isinstance(step[kind], (list, dict)):
                raise BadScenario("scenario_step", line=line, key=kind)
            step[kind] = str(step[kind])  # a number is text too: no action, and refused as one
        if "error" in step:
            known = self.game.rules.codes[1:]
            self._at(step, "error", lambda: one_of(*known)(step["error"], 0))
        return step

    def _expected(self, step: Located) -> Located:
        readers = dict(self.game.expected)
        readers["legal"] = _actions
        for each in range(self.options.seats):
            readers[f"legal of {each}"] = _actions
        return self._values(self._mapping(step, "expect"), readers)

    # Running

    def run(self) -> Difference | None:
        """The first difference, or None if all is as the scenario says."""
        match = self.begun()
        for number, step in enumerate(self.steps, 1):
            found = self.carry_out(match, number, step)
            if found is not None:
                return found
        return None

    def begun(self) -> AnyMatch:
        """A match in the scenario's position."""
        match = Match(self.game, self.options, seeded(self.seed))
        if self.position:
            written = self._root["position"]
            self._at(self._root, "position", lambda: match.place(written), written)
        return match

    def carry_out(self, match: AnyMatch, number: int, step: Located) -> Difference | None:
        """Takes a step; returns where the rules differ from it."""
        return next(self._differences(match, number, step), None)

    def _differences(self, match: AnyMatch, number: int, step: Located) -> Iterator[Difference]:
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
        who, text = next((k, v) for k, v in step.items() if k not in STEP_KEYS)
        if step.get("at", match.now) < match.now:
            raise BadScenario("scenario_backwards", line=step.lines["at"], key="at", now=match.now)
        wanted = step.get("error", "ok")
        got = refusal(match, who, text, step.get("at"))
        if got != wanted:
            yield Difference(number, line, str(who), f"{text}: {wanted}", f"{text}: {got}")

    def _fact(self, match: AnyMatch, key: str) -> Any:
        facts = self.game.facts(match.state)
        if key in facts:
            return facts[key]
        who = facts["turn"] if key == "legal" else int(key.removeprefix("legal of "))
        return frozenset() if who is None else frozenset(match.legal(who))


def refusal(match: AnyMatch, seat: int, text: str, at: int | None = None) -> str:
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
    except (OSError, UnicodeDecodeError, ValueError):
        raise BadScenario("unreadable") from None
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


def _why(error: PliError) -> Say:
    """What is wrong, without the name of the option or key: it is named already."""
    why = error.details.get("why")
    if isinstance(error, BadPosition) and isinstance(why, Say):
        return why
    code = "bad_value" if error.code == "bad_option" else error.code
    return Say(f"errors.{code}", **error.details)


def _actions(value: Any, seats: int) -> frozenset[str]:
    if not isinstance(value, list):
        raise Malformed("list")
    return frozenset(map(str, value))
