"""What a report is made of: plans, and the metrics of their cells, without the tables they come
from. As a file it is small, and gives the same report on any machine."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

import msgspec

from pli.errors import PliError
from pli.study.plan import BadStudy, Plan

DIGITS = 6
"""Significant ones that are kept."""

RESULTS = "results.json"

_NUMBERS = re.compile(r"\[\s+(-?[\d.][^\[\]\"]*?)\s+\]")
"""A list of numbers on several lines."""


class Value(msgspec.Struct, frozen=True, array_like=True):
    """A number of a metric with its interval, an end of which may be open."""

    value: float
    low: float | None
    high: float | None
    games: int
    """How many it could be worked out for."""


class CellResult(msgspec.Struct, frozen=True, kw_only=True):
    varied: dict[str, int | str]
    """The varied options, `bots` last."""
    seats: int
    values: dict[str, Value]
    """By metric, or `METRIC/KEY` where it has several."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A plan, or a ladder, and what came of it."""

    plan: Plan
    ladder: bool = False
    """Whether the bots are rungs that play the one before."""
    rules: int
    """The version of the game."""
    cells: list[CellResult]


class Results(msgspec.Struct, frozen=True, kw_only=True):
    version: str
    """Of the package that found them."""
    parts: list[Part]

    @property
    def games(self) -> int:
        """How many were played."""
        return sum(part.plan.games * len(part.cells) for part in self.parts)


def kept(value: float, low: float, high: float, games: int) -> Value | None:
    """As it stands in the file; None if there is no such number."""
    if not isfinite(value):
        return None
    return Value(_short(value), _end(low), _end(high), games)


def _short(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _end(value: float) -> float | None:
    return _short(value) if isfinite(value) else None


def write_results(results: Results, file: Path) -> None:
    """A line for each number, so that two versions can be compared."""
    text = msgspec.json.format(msgspec.json.encode(results), indent=1).decode()
    one_line = _NUMBERS.sub(
        lambda found: f"[{', '.join(found[1].split())}]".replace(",,", ","), text
    )
    file.write_text(one_line + "\n", encoding="utf-8")


def read_results(file: Path) -> Results:
    try:
        return msgspec.json.decode(file.read_bytes(), type=Results)
    except (OSError, ValueError):
        raise PliError("unreadable_file", file=file) from None


# Rows


@dataclass(frozen=True)
class Row:
    """A cell among all of its game: what it is, and its numbers."""

    game: str
    facts: Mapping[str, int | str]
    """Every option that its plan names, `bots` last."""
    seats: int
    values: Mapping[str, Value]


@dataclass(frozen=True)
class Section:
    """All that is known of one game by the same options."""

    name: str
    """Of its own among all sections."""
    game: str
    rows: tuple[Row, ...]
    varied: tuple[str, ...]
    """The facts that are not the same in all rows, the seats first, the bots last."""
    fixed: Mapping[str, int | str]
    """Those that are."""

    def having(self, metric: str) -> "Section":
        """The rows in which a metric has a value, by themselves."""
        return section_of(self.name, self.game, [row for row in self.rows if metric in row.values])


def sections(results: Results) -> list[Section]:
    """In the order of the parts. Those that name the same options of a game are one."""
    groups = dict.fromkeys(_group(part) for part in results.parts)
    games = [game for game, _ in groups]
    found = []
    for game, names in groups:
        rows = list(_rows(part for part in results.parts if _group(part) == (game, names)))
        special = sorted(names - {"seats"}) if games.count(game) > 1 else []
        found.append(section_of("-".join([game, *special]), game, rows))
    return found


def _group(part: Part) -> tuple[str, frozenset[str]]:
    return part.plan.game, frozenset({*part.plan.options, *part.plan.over})


def _rows(parts: Iterable[Part]) -> Iterable[Row]:
    """Cells and rungs of the same facts are one row."""
    found: dict[tuple[tuple[str, int | str], ...], Row] = {}
    for part in parts:
        for cell in part.cells:
            facts = {**part.plan.options, **cell.varied}
            bots = facts.pop("bots")
            facts = {**dict(sorted(facts.items())), "bots": bots}
            key = tuple(facts.items())
            before = found[key].values if key in found else {}
            values = {**before, **cell.values}
            found[key] = Row(part.plan.game, facts, cell.seats, values)
    return found.values()


def section_of(section: str, game: str, rows: list[Row]) -> Section:
    """Rows in order, and what they differ in."""
    names = [*dict.fromkeys(name for row in rows for name in row.facts)]
    names.sort(key=lambda name: {"seats": 0, "bots": 2}.get(name, 1))
    values = {name: {row.facts[name] for row in rows} for name in names}
    varied = [name for name in names if len(values[name]) > 1]
    order = {name: _order(row.facts[name] for row in rows) for name in varied}
    ordered = sorted(rows, key=lambda row: [order[name][row.facts[name]] for name in varied])
    fixed = {name: next(iter(values[name])) for name in names if name not in varied}
    return Section(section, game, tuple(ordered), tuple(varied), fixed)


def _order(values: Iterable[int | str]) -> dict[int | str, int]:
    """Numbers by size, after words as they come."""
    met = [*dict.fromkeys(values)]
    met.sort(key=lambda each: each if isinstance(each, int) else -1)
    return {value: place for place, value in enumerate(met)}


class NoSuchNumber(BadStudy):
    """A text asks for a number that is not there, or for one of several."""

    code = "no_such_number"

    def __init__(self, what: str, found: int) -> None:
        super().__init__(what=what, n=found)
        self.what = what


def find(results: Results, name: str, wanted: Mapping[str, str]) -> tuple[Row, Value]:
    """The one number of a metric in a row with these facts."""
    rows = [row for section in sections(results) for row in section.having(name).rows]
    met = [row for row in rows if all(_is(row, fact, value) for fact, value in wanted.items())]
    if len(met) != 1:
        what = " ".join([name, *(f"{fact}={value}" for fact, value in wanted.items())])
        raise NoSuchNumber(what, len(met))
    return met[0], met[0].values[name]


def _is(row: Row, fact: str, value: str) -> bool:
    if fact == "game":
        return row.game == value
    if fact == "seats":
        return str(row.seats) == value
    return str(row.facts.get(fact)) == value
