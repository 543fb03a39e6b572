"""What a study asks: a game, the options to vary, the bots, how many games. Each combination is a
cell."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import yaml

from pli import games as library
from pli.bots import known_bot
from pli.errors import BadOption, BadScenario, PliError
from pli.game import AnyGame, read_options
from pli.yaml_file import parsed

GAMES = 1000
DETAILED = 1000
"""Of so many games of each cell rounds and decisions are kept one by one."""

RANDOM = "random"

NOT_AGAIN = ("hard",)
"""Bots that think for a time, so that their games come out differently the next time."""


class BadStudy(PliError):
    """A plan that can't be carried out, or a file that is none."""

    code = "bad_study"


class Plan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sweep, as it stands in a YAML file."""

    game: str
    over: dict[str, list[int | str]] = {}
    """The options to vary, with their values."""
    options: dict[str, int | str] = {}
    """Other options that are not the game's defaults."""
    bots: list[str] = msgspec.field(default_factory=lambda: [RANDOM])
    """Each plays all seats of a cell."""
    games: int = GAMES
    """In each cell."""
    seed: int = 0
    detailed: int = DETAILED
    search: int = 0
    """Iterations with which search judges the decisions that are kept (0: not at all)."""
    question: str = ""


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """One combination: a job of its own."""

    number: int
    varied: dict[str, int | str]
    """The varied options, `bots` last."""
    options: Any
    bots: str

    @property
    def name(self) -> str:
        return f"{self.number:04}"


def make_plan(
    game: str,
    over: Mapping[str, object] | None = None,
    bots: str | Sequence[str] = RANDOM,
    options: Mapping[str, object] | None = None,
    games: int = GAMES,
    seed: int = 0,
    detailed: int = DETAILED,
    search: int = 0,
    question: str = "",
) -> Plan:
    """A plan from values as typed: `seats="2..5"`, `target="15,20,30"`, or lists of them."""
    chosen = library.load(game)
    named = bots.split(",") if isinstance(bots, str) else list(bots)
    plan = Plan(
        game=chosen.name,
        over={name: read_values(name, values) for name, values in (over or {}).items()},
        options={name: _value(value) for name, value in (options or {}).items()},
        bots=[each.strip() for each in named],
        games=games,
        seed=seed,
        detailed=detailed,
        search=search,
        question=question,
    )
    check(plan)
    return plan


def read_values(name: str, values: object) -> list[int | str]:
    """`2..5`, `15,20,30`, a single value, or a list of such."""
    given = list(values) if isinstance(values, (list, tuple, range)) else [values]
    found: list[int | str] = []
    for each in given:
        for part in each.split(",") if isinstance(each, str) else [each]:
            found += _spread(name, part)
    if not found or "" in found or len(set(found)) < len(found):
        raise BadOption(name=name, value=values, allowed="A..B, A,B,C")
    return found


def _spread(name: str, part: object) -> list[int | str]:
    if not isinstance(part, str):
        return [_value(part)]
    low, dots, high = part.strip().partition("..")
    if not dots:
        return [_value(low)]
    if not (low.isdecimal() and high.isdecimal() and int(low) <= int(high)):
        raise BadOption(name=name, value=part, allowed="A..B, A,B,C")
    return list(range(int(low), int(high) + 1))


def _value(value: object) -> int | str:
    """As options have it: a number or a word. YAML's `on` and `off` are words again."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int):
        return value
    text = str(value).strip()
    return int(text) if text.lstrip("-").isdecimal() else text


def check(plan: Plan) -> None:
    """Raises if a cell can't be played, or a value of an option never can."""
    game = library.load(plan.game)
    for name, least in (("games", 1), ("seed", 0), ("detailed", 0), ("search", 0)):
        if getattr(plan, name) < least:
            raise BadOption(name=name, value=getattr(plan, name), allowed=f"≥ {least}")
    if not plan.bots or len(set(plan.bots)) < len(plan.bots):
        raise BadOption(name="bots", value=",".join(plan.bots), allowed="A,B,C")
    for bot in plan.bots:
        known_bot(bot, game)
        if bot in NOT_AGAIN and game.rollout is not None:
            raise BadStudy("unrepeatable_bot", bot=bot)
    if plan.search and game.rollout is None:
        raise BadStudy("no_search", game=plan.game)
    read_options(game, {**plan.options, **_middle(plan, game)})
    found = cells(plan)
    for name, values in plan.over.items():
        met = {cell.varied[name] for cell in found}
        for value in values:
            if value not in met:
                read_options(game, {**plan.options, name: value})  # says best what is wrong
                raise BadOption(name=name, value=value, allowed=", ".join(map(str, met)))


def _middle(plan: Plan, game: AnyGame) -> dict[str, object]:
    """Nothing, if every varied option is one of the game's; else the first that is not."""
    known = {each.name for each in game.described}
    return {name: values[0] for name, values in plan.over.items() if name not in known}


def cells(plan: Plan) -> list[Cell]:
    """All combinations that the game's options allow: teams of two need an even table."""
    return [*_combinations(plan)]


def _combinations(plan: Plan) -> Iterator[Cell]:
    game = library.load(plan.game)
    number = 0
    for values in product(*plan.over.values(), plan.bots):
        varied = dict(zip([*plan.over, "bots"], values, strict=True))
        chosen = {name: value for name, value in varied.items() if name != "bots"}
        try:
            options = read_options(game, {**plan.options, **chosen})
        except BadOption:
            continue
        yield Cell(number=number, varied=varied, options=options, bots=str(varied["bots"]))
        number += 1


def write(plan: Plan) -> str:
    """As a YAML file, from which it can be run again."""
    values = msgspec.to_builtins(plan)
    empty = {name: default for name, default in _defaults().items() if values[name] == default}
    kept = {name: value for name, value in values.items() if name not in empty}
    return yaml.safe_dump(kept, sort_keys=False, allow_unicode=True)


def _defaults() -> dict[str, object]:
    return {"over": {}, "options": {}, "search": 0, "question": ""}


def read(text: str) -> Plan:
    """The plan of a YAML file."""
    return from_values(values_of(text))


def values_of(text: str) -> Any:
    """What stands in a YAML file."""
    try:
        return parsed(text)
    except BadScenario as error:
        raise BadStudy("bad_study_file", why=error.text("en")) from None


def from_values(values: Any) -> Plan:
    """A plan from what stands in a YAML file."""
    if not isinstance(values, dict) or "game" not in values:
        raise BadStudy("bad_study_file", why="game: ?")
    known = {each.name for each in msgspec.structs.fields(Plan)}
    unknown = [str(name) for name in values if name not in known]
    if unknown:
        raise BadOption("unknown_option", name=unknown[0], known=", ".join(sorted(known)))
    for name in ("over", "options"):
        if not isinstance(values.get(name, {}), dict):
            raise BadStudy("bad_study_file", why=f"{name}: {{NAME: ...}}")
    for name in ("games", "seed", "detailed", "search"):
        if not isinstance(values.get(name, 1), int) or isinstance(values.get(name), bool):
            raise BadOption(name=name, value=values[name], allowed="0-")
    bots = values.get("bots", RANDOM)
    if not isinstance(bots, (str, list)):
        raise BadOption(name="bots", value=bots, allowed="A,B,C")
    given = {**values, "bots": bots if isinstance(bots, str) else [str(each) for each in bots]}
    return make_plan(str(given.pop("game")), **given)


def read_file(file: Path) -> Plan:
    return read(read_text(file))


def read_text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError):
        raise PliError("unreadable_file", file=file) from None
