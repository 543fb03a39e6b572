"""Which charts a report has, and what is in them: for each metric one of all cells of a game."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pli.errors import BadOption
from pli.study.report.charts import Axis, Chart, Group, Point, along, bounds, in_rows, nice_ticks
from pli.study.report.results import Row, Section, Value
from pli.study.report.words import POINTS, Teller
from pli.study.shares import SHARES

TOPICS: dict[str, tuple[str, ...]] = {
    "seats": ("advantage", "evenness"),
    "length": ("minutes", "minutes_estimated", "rounds", "actions"),
    "tension": ("lead_changes", "steady", "comebacks", "deficit", "drama", "decided"),
    "decisions": ("choices", "forced", "stakes"),
    "end": ("margin", "shared", "unfinished"),
    "waiting": ("waiting", "longest_wait"),
    "skill": ("elo", "gain"),
}
"""What can be charted, by what it is about."""

CHARTED = [metric for metrics in TOPICS.values() for metric in metrics]

UNASKED = {"evenness", "actions", "steady", "deficit", "drama", "forced", "waiting", "unfinished"}
UNASKED |= {"gain"}
"""What is charted only where a study asks for it."""

FROM_ZERO = {"minutes", "minutes_estimated", "rounds", "elo"}
"""Charts whose axis begins with nothing, as sizes are compared."""

FEWEST_STEPS = 3
"""Values of a numeric option that make an axis of it."""

MOST_LINES = 6
LONGEST_NAME = 13
"""What fits at the end of a line on a phone."""


@dataclass(frozen=True)
class Figure:
    name: str
    metric: str
    topic: str
    title: str
    about: str
    """How to read it."""
    description: str
    """The same for those who don't see it."""
    chart: Chart
    header: Sequence[str]
    table: Sequence[Sequence[str]]
    """The same numbers: the facts, value, interval and number of games of each."""
    facts: int
    """How many columns of the table are no numbers."""


def figures(section: Section, teller: Teller, chosen: Sequence[str] = ()) -> list[Figure]:
    """Those that a study asks for, or all that say something."""
    check(chosen)
    found = []
    for metric in chosen or CHARTED:
        part = section.having(metric)
        if part.rows and (chosen or _telling(metric, part.rows)):
            found.append(_figure(section, part, metric, teller))
    return found


def title(section: Section, teller: Teller) -> str:
    """The game, and what is varied where there are several sections of it."""
    own = [name for name in section.varied if name not in ("seats", "bots")]
    names = [teller.option_name(section.game, name) for name in own]
    return ", ".join([teller.game(section.game), *(names if section.name != section.game else ())])


def check(chosen: Sequence[str]) -> None:
    """Raises if one can't be charted."""
    for unknown in set(chosen) - {*CHARTED}:
        raise BadOption(name="figures", value=unknown, allowed=", ".join(CHARTED))


def _telling(metric: str, rows: Sequence[Row]) -> bool:
    return metric not in UNASKED and any(row.values[metric].value for row in rows)


def _figure(whole: Section, section: Section, metric: str, teller: Teller) -> Figure:
    """Of the part of a section that has the metric."""
    rows = section.rows
    points = [
        _point(metric, row.values[metric], _inner_label(section, row, teller), teller)
        for row in rows
    ]
    told = sorted(zip(points, rows, strict=True), key=lambda each: each[0].value)
    low, high = (
        f"{row_label(section, row, teller)}: {point.told}" if section.varied else point.told
        for point, row in (told[0], told[-1])
    )
    description = teller("report.describes", n=len(rows), low=low, high=high)
    names = [*section.varied]
    header = [teller.option_name(section.game, name) for name in names]
    header += [teller("report.value"), "95" + ("%" if teller.language == "en" else "\u202f%")]
    return Figure(
        name=f"{section.name}-{metric}",
        topic=next(topic for topic, metrics in TOPICS.items() if metric in metrics),
        title=teller.metric(metric),
        metric=metric,
        about=" ".join([teller(f"report.metrics.{metric}.read"), *_apart(whole, section, teller)]),
        description=description,
        chart=_chart(section, metric, rows, teller),
        header=[*header, teller("report.games")],
        table=[_table_row(section, metric, row, names, teller) for row in rows],
        facts=len(names),
    )


def _table_row(
    section: Section, metric: str, row: Row, names: Sequence[str], teller: Teller
) -> list[str]:
    value = row.values[metric]
    facts = [
        teller.option(section.game, name, row.facts[name]) if name in row.facts else ""
        for name in names
    ]
    numbers = [teller.number(metric, value.value), _interval(metric, value, teller)]
    return [*facts, *numbers, teller.count(value.games)]


def row_label(section: Section, row: Row, teller: Teller) -> str:
    """By what a row differs from the others."""
    return teller.facts(section.game, row.facts, section.varied)


def _inner_label(section: Section, row: Row, teller: Teller) -> str:
    inner = section.varied[-1] if section.varied else "bots"
    return teller.option(section.game, inner, row.facts.get(inner, ""))


def _point(metric: str, value: Value, label: str, teller: Teller, mark: int = 0) -> Point:
    return Point(
        label=label,
        value=value.value,
        low=value.low,
        high=value.high,
        told=teller.number(metric, value.value),
        told_interval=_interval(metric, value, teller),
        mark=mark,
    )


def _apart(whole: Section, section: Section, teller: Teller) -> list[str]:
    """What is the same in a chart and not in all of its section."""
    names = [each for each in whole.varied if each in section.fixed]
    return [teller.setting(whole.game, section.fixed, names)] if names else []


def _interval(metric: str, value: Value, teller: Teller) -> str:
    return teller.interval(metric, value) or teller("report.unknown")


# Shapes


def _chart(section: Section, metric: str, rows: Sequence[Row], teller: Teller) -> Chart:
    option = _numeric(section, rows)
    if option is not None:
        lines = _lines(section, metric, rows, option, teller)
        if lines is not None:
            return lines
    return _rows(section, metric, rows, teller)


def _numeric(section: Section, rows: Sequence[Row]) -> str | None:
    """The option that makes an axis: with numbers, and not the seats, which are few."""
    for name in section.varied:
        values = {row.facts.get(name) for row in rows}
        numeric = all(isinstance(each, int) for each in values)
        if name not in ("seats", "bots") and numeric and len(values) >= FEWEST_STEPS:
            return name
    return None


def _axis(metric: str, points: Sequence[Point], teller: Teller) -> Axis:
    zero = metric in FROM_ZERO or metric in POINTS
    low, high = bounds(points, *([0.0] if zero else []))
    ticks = nice_ticks(low, high)
    if metric in SHARES and metric not in POINTS:
        ticks = [each for each in ticks if -1e-9 <= each <= 1 + 1e-9]
        if len(ticks) < 2:
            ticks = [0.0, 1.0]
    digits = _digits(ticks, 100 if metric in SHARES else 1)
    told = [(value, _tick(metric, value, digits, teller)) for value in ticks]
    return Axis(ticks[0], ticks[-1], told)


def _digits(ticks: Sequence[float], times: int) -> int:
    """As many as tell neighbours apart."""
    for digits in range(4):
        if all(abs(round(each * times, digits) - each * times) < 1e-9 for each in ticks):
            return digits
    return 4


def _tick(metric: str, value: float, digits: int, teller: Teller) -> str:
    if metric in POINTS:
        return teller.decimal(100 * value, digits, signed=True)
    if metric in SHARES:
        return teller.decimal(100 * value, digits) + teller("report.percent")
    return teller.decimal(value, digits)


def _lines(
    section: Section, metric: str, rows: Sequence[Row], option: str, teller: Teller
) -> Chart | None:
    """Along an option, if the names of the lines are short and each has several points."""
    others = [name for name in section.varied if name != option]
    named: dict[str, list[tuple[float, Point]]] = {}
    for row in rows:
        label = ", ".join(
            teller.option(section.game, name, row.facts[name])
            for name in others
            if name in row.facts
        )
        at = row.facts[option]
        assert isinstance(at, int)
        point = _point(metric, row.values[metric], label, teller)
        named.setdefault(label, []).append((float(at), point))
    fits = all(len(label) <= LONGEST_NAME for label in named)
    if not fits or len(named) > MOST_LINES or min(map(len, named.values())) < FEWEST_STEPS:
        return None
    points = [point for line in named.values() for _, point in line]
    steps = sorted({at for line in named.values() for at, _ in line})
    return along(
        [(label, sorted(line, key=lambda each: each[0])) for label, line in named.items()],
        _axis(metric, points, teller),
        [(at, teller.decimal(at, 0)) for at in steps],
        teller.option_name(section.game, option),
        _reference(metric),
    )


def _reference(metric: str) -> float | None:
    return 0.0 if metric in POINTS else None


def _rows(section: Section, metric: str, rows: Sequence[Row], teller: Teller) -> Chart:
    """Grouped by all that varies but the last."""
    outer, inner = section.varied[:-1], section.varied[-1:]
    kinds = _places(row.facts.get(inner[0]) if inner else None for row in rows)
    groups: dict[str, list[Point]] = {}
    for row in rows:
        label = _inner_label(section, row, teller)
        mark = kinds[row.facts.get(inner[0]) if inner else None]
        point = _point(metric, row.values[metric], label, teller, mark)
        groups.setdefault(teller.facts(section.game, row.facts, outer), []).append(point)
    points = [point for group in groups.values() for point in group]
    axis = _axis(metric, points, teller)
    grouped = [Group(name, group) for name, group in groups.items()]
    return in_rows(grouped, axis, _reference(metric))


def _places(values: Iterable[object]) -> dict[object, int]:
    return {value: place for place, value in enumerate(dict.fromkeys(values))}
