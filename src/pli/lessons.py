"""Lessons: a game taught at its table, by doing. A lesson is a file of scenes; each is a scenario
whose steps may also say something to the learner, or ask the learner for an action.

A scene runs on the same match as every scenario, so all that is said beside an `expect` is so. What
a page needs to show a lesson without a server is made from these runs (`pli.server.http.lessons`).
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

from pli import games, motifs
from pli.errors import BadScenario, PliError, WrongSyntax
from pli.folders import BUILT_IN
from pli.game import AnyGame, Event, View
from pli.located import Located
from pli.match import AnyMatch
from pli.position import is_number
from pli.scenario import KEYS, Difference, Scenario, refusal
from pli.texts import LANGUAGES
from pli.yaml_file import parsed

LESSON_KEYS = ("game", "seat", "names", "scenes")
MORE_KEYS = ("pictures",)
SAY_KEYS = ("say", "light")
ASK_KEYS = ("ask", "say", "light", "else", "accept")
RACE_KEYS = ("within", "rivals", "late")
"""Of an ask that is a race: milliseconds, what rivals do then, and the bubble after that."""
START_KEYS = ("start",)
LEGAL = "legal"
"""Among the answers to mistakes: to every action that is allowed, and not the one asked for."""
MOST_ASKED = 3
"""Actions asked for at once: every order of them is played."""


class BadLesson(Exception):
    """A lesson that is malformed, or that the rules contradict; names file and line."""

    def __init__(self, file: Path, line: int, why: str) -> None:
        super().__init__(f"{file}:{line}: {why}")
        self.line = line


@dataclass(frozen=True)
class Shown:
    """What the learner's seat is told after something happened."""

    time: int
    events: list[Event]
    view: View
    legal: list[str]


@dataclass(frozen=True)
class Said:
    """A bubble, until the learner goes on."""

    line: int
    text: str
    light: list[str]
    view: View


@dataclass(frozen=True)
class Played:
    """What others did, or a timer; `after`: milliseconds since what was shown before."""

    after: int
    shown: Shown


@dataclass(frozen=True)
class Start:
    """A count to a common start."""

    counts: int


@dataclass(frozen=True)
class Way:
    """What follows an action that is asked for, and what is then still asked for."""

    shown: Shown
    then: "dict[str, Way]"


@dataclass(frozen=True)
class Race:
    """What happens to a learner who is slower. Then it is asked for again, without haste."""

    within: int
    shown: Shown
    text: str


@dataclass(frozen=True)
class Asked:
    """A bubble, until the learner did what it asks for."""

    line: int
    text: str
    light: list[str]
    view: View
    asked: list[str]
    legal: list[str]
    ways: dict[str, Way]
    codes: dict[str, str]
    """Other actions that a page can try: why each is refused, or `legal`."""
    answers: dict[str, str]
    """By action or by code: the text that answers it."""
    race: Race | None


Moment = Said | Played | Asked | Start


class Scene(Scenario):
    """A scenario with bubbles."""

    def __init__(self, root: Located, lesson: "Lesson") -> None:
        self._lesson = lesson
        if "game" in root:
            known = ", ".join(key for key in KEYS if key != "game")
            line = root.lines["game"]
            raise BadScenario("scenario_key", line=line, key="game", known=known)
        line = min(root.lines.values(), default=1)
        root["game"], root.lines["game"] = lesson.game.name, line
        self._read(root)

    def _step(self, step: Any, line: int) -> Located:
        if not isinstance(step, Located) or not {"say", "ask", "start"} & set(step):
            return super()._step(step, line)
        line = min(step.lines.values())
        if "start" in step:
            self._only(step, START_KEYS)
            if not is_number(step["start"]) or step["start"] < 1:
                raise self._lesson.bad(line, "here belongs how far it is counted")
            return step
        self._only(step, ASK_KEYS + RACE_KEYS if "ask" in step else SAY_KEYS)
        for key in ("ask", "light", "accept"):
            if key in step:
                value = step[key] if isinstance(step[key], list) else [step[key]]
                step[key] = [str(each) for each in value]
        if "ask" in step and not 0 < len(step["ask"]) <= MOST_ASKED:
            raise self._lesson.bad(line, f"one to {MOST_ASKED} actions can be asked for at once")
        if "say" not in step:
            raise self._lesson.bad(line, "what is asked has to be said, too")
        if any(key in step for key in RACE_KEYS):
            self._race_step(step, line)
        answers = self._mapping(step, "else")
        texts = [step[key] for key in ("say", "late") if key in step]
        for key in (*texts, *answers.values()):
            if key not in self._lesson.texts["en"]:
                raise self._lesson.bad(line, f"there is no text {key!r}")
        return step

    def _race_step(self, step: Located, line: int) -> None:
        missing = [key for key in RACE_KEYS if key not in step]
        if missing:
            raise self._lesson.bad(line, f"a race needs {missing[0]!r}, too")
        if not is_number(step["within"]) or step["within"] < 1 or not step["rivals"]:
            raise self._lesson.bad(line, "a race is milliseconds, and what rivals do then")
        step["rivals"] = [super(Scene, self)._step(each, line) for each in step["rivals"]]

    def moments(self) -> Iterator[Shown | Moment]:
        """Runs the scene: first what the learner sees of its position, then its steps. Raises where
        the rules contradict it."""
        match, seat = self.begun(), self._lesson.seat
        shown = match.now
        yield _shown(match, seat, len(match.steps))
        for number, step in enumerate(self.steps, 1):
            line, light = min(step.lines.values()), step.get("light", [])
            if "ask" in step:
                legal, view = match.legal(seat), match.view(seat)
                answers = dict(step.get("else") or {})
                yield Asked(
                    line,
                    step["say"],
                    light,
                    view,
                    step["ask"],
                    legal,
                    self._ways(match, number, step),
                    _codes(match, seat, step["ask"], answers),
                    answers,
                    self._race(number, step),
                )
                for action in step["ask"]:
                    self._act(match, action, line)
                shown = match.now
            elif "say" in step:
                yield Said(line, step["say"], light, match.view(seat))
            elif "start" in step:
                yield Start(step["start"])
            else:
                since = len(match.steps)
                self._prove(match, number, step)
                if len(match.steps) > since or "wait" in step:
                    yield Played(match.now - shown, _shown(match, seat, since))
                    shown = match.now
        if match.now > shown:  # time to look at what was shown last
            yield Played(match.now - shown, _shown(match, seat, len(match.steps)))

    def _prove(self, match: AnyMatch, number: int, step: Located) -> None:
        found = self.carry_out(match, number, step)
        if found is not None:
            raise self._lesson.differs(found)

    def faces(self) -> dict[str, str]:
        """What the cards' faces show, where that is for the eyes: names of pictures by face."""
        named = self.game.named_faces
        return {} if named is None else named(self.position)

    def _race(self, number: int, step: Located) -> Race | None:
        if "within" not in step:
            return None
        match = self._again(number)
        since = len(match.steps)
        match.wait(match.now + step["within"])
        for each in step["rivals"]:
            self._prove(match, number, each)
        return Race(step["within"], _shown(match, self._lesson.seat, since), step["late"])

    def _ways(self, match: AnyMatch, number: int, step: Located) -> dict[str, Way]:
        """The actions of an ask in every order, each with what follows it; and those that count as
        the one that is asked for, since they lead to the same bytes."""
        line, asked = min(step.lines.values()), step["ask"]
        ways: dict[str, Way] = {}
        ends = set()
        for order in permutations(asked):
            copy, here = self._again(number), ways
            for action in order:
                since = len(copy.steps)
                self._act(copy, action, line)
                way = Way(_shown(copy, self._lesson.seat, since), {})
                here = here.setdefault(action, way).then
            ends.add(copy.save())
        if len(ends) > 1:
            raise self._lesson.bad(line, f"the order of {', '.join(asked)} matters")
        for action in step.get("accept", []):
            copy = self._again(number)
            self._act(copy, action, line)
            if len(asked) > 1 or {copy.save()} != ends:
                raise self._lesson.bad(line, f"{action} leads elsewhere than {asked[0]}")
            ways[action] = ways[asked[0]]
        return ways

    def _again(self, number: int) -> AnyMatch:
        """The match before a step."""
        match = self.begun()
        for before, step in enumerate(self.steps[: number - 1], 1):
            for action in step.get("ask", []):
                self._act(match, action, min(step.lines.values()))
            if not {"say", "start"} & set(step):
                self.carry_out(match, before, step)
        return match

    def _act(self, match: AnyMatch, action: str, line: int) -> None:
        code = refusal(match, self._lesson.seat, action)
        if code != "ok":
            raise self._lesson.bad(line, f"{action} is asked for, and refused: {code}")


class Lesson:
    """A lesson that was read and validated: game, seat of the learner, names, texts and scenes.

    `pictures`: where faces are for the eyes, the motif for each name that positions give to one.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.texts = lesson_texts(file)
        try:
            root = parsed(file.read_text(encoding="utf-8"))
            if not isinstance(root, Located):
                raise self.bad(1, "a lesson is keys with values")
            for key in LESSON_KEYS:
                if key not in root:
                    raise self.bad(1, f"the key {key!r} is missing")
            for key in root:
                if key not in LESSON_KEYS + MORE_KEYS:
                    raise self.bad(root.lines[key], f"there is no key {key!r} here")
            self.game: AnyGame = games.load(str(root["game"]))
            if not is_number(root["seat"]):
                raise self.bad(root.lines["seat"], "here belongs the seat of the learner")
            self.seat: int = root["seat"]
            names = root["names"]
            if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
                raise self.bad(root.lines["names"], "here belong the names of the other seats")
            self.names: list[str] = names
            self.pictures: Mapping[str, int] = root.get("pictures") or {}
            for name, motif in self.pictures.items():
                if not is_number(motif) or not 0 <= motif < motifs.COUNT:
                    raise self.bad(root.lines["pictures"], f"{name} is no picture")
            scenes = root["scenes"]
            if not isinstance(scenes, list) or not scenes:
                raise self.bad(root.lines["scenes"], "here belongs a list of scenes")
            self.scenes = [self._scene(each, root.lines["scenes"]) for each in scenes]
        except PliError as error:
            where = error.details.get("line")
            raise self.bad(where if isinstance(where, int) else 1, str(error)) from error

    def _scene(self, root: Any, line: int) -> Scene:
        if not isinstance(root, Located):
            raise self.bad(line, "a scene is keys with values")
        scene = Scene(root, self)
        if not 0 <= self.seat < scene.options.seats <= len(self.names) + 1:
            raise self.bad(min(root.lines.values()), "not all seats of the scene have names")
        for picture in scene.faces().values():
            if picture not in self.pictures:
                raise self.bad(min(root.lines.values()), f"there is no picture {picture!r}")
        return scene

    def bad(self, line: int, why: str) -> BadLesson:
        return BadLesson(self.file, line, why)

    def differs(self, found: Difference) -> BadLesson:
        why = f"{found.key}: wanted {found.wanted}, got {found.got}"
        return self.bad(found.line, why)

    def name(self, seat: int) -> str | None:
        """Of a seat of the others; the learner has none: a page says "you"."""
        if seat == self.seat:
            return None
        return self.names[seat - (seat > self.seat)]

    def run(self) -> list[list[Shown | Moment]]:
        """All scenes, one after the other."""
        try:
            return [list(scene.moments()) for scene in self.scenes]
        except PliError as error:
            where = error.details.get("line")
            raise self.bad(where if isinstance(where, int) else 1, str(error)) from error


def lesson_files() -> dict[str, Path]:
    """The lessons that there are, by game."""
    return {file.parent.name: file for file in sorted(BUILT_IN.glob("*/lesson.yaml"))}


def lesson_texts(file: Path) -> Mapping[str, Mapping[str, str]]:
    """The texts of a lesson, by language and key."""
    folder = file.parent / "texts"
    return {
        language: tomllib.loads((folder / f"lesson.{language}.toml").read_text(encoding="utf-8"))
        for language in LANGUAGES
    }


def _shown(match: AnyMatch, seat: int, since: int) -> Shown:
    return Shown(match.now, list(match.events(seat, since)), match.view(seat), match.legal(seat))


def _codes(
    match: AnyMatch, seat: int, asked: list[str], answers: Mapping[str, str]
) -> dict[str, str]:
    """Why the other actions that a page can try are refused, or that they are legal: those that are
    listed, those with a card of the hand or with none, and those that have an answer of their own.
    """
    legal = match.legal(seat)
    hand = {str(card).partition("/")[0] for card in getattr(match.view(seat), "hand", [])}
    codes = {action: LEGAL for action in legal if action not in asked}
    notation = match.game.notation
    possible = [
        action
        for action in map(notation.show, range(notation.single))
        if len(words := action.split()) == 1 or not hand.isdisjoint(words)
    ]
    for action in [*possible, *answers]:
        if action in asked or action in codes:
            continue
        try:
            code = match.refusal(seat, action)
        except WrongSyntax:  # a code
            continue
        if code is not None or action in answers:
            codes[action] = LEGAL if code is None else code
    return codes
