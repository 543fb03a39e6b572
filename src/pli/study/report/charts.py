"""Charts as SVG, drawn once and for all: estimates with their intervals, in rows or along an axis.

Positions across are in per cent and sizes in pixels, so that a chart is as wide as its place while
its letters keep their size, on a phone as on paper. Nothing in them needs a script. Marks and
dashes say what colours say.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from math import ceil, floor, log10

MARKS = (
    '<circle r="5"/>',
    '<path d="M0-6.5 6.5 0 0 6.5-6.5 0Z"/>',
    '<path d="M-5.5 4.8 0-5.8 5.5 4.8Z"/>',
    '<path d="M-4.7-4.7H4.7V4.7H-4.7Z"/>',
    '<path d="M-5.5-4.8H5.5L0 5.8Z"/>',
    '<path d="M-2-6H2V-2H6V2H2V6H-2V2H-6V-2H-2Z"/>',
)
DASHES = ("", "7 4", "2 4", "10 3 2 3", "5 2", "1 3")

LEFT, RIGHT = 2.0, 98.0
"""Where the smallest and the largest value of rows lie, in per cent of the width."""

HEADING, ROW, AXIS, LINE = 42, 40, 26, 19
"""Heights, in pixels; the last of a further line of text."""

LONGEST_HEADING, LONGEST_LABEL = 33, 20
"""In letters: what is on one line of a phone, alone and before a value."""

LINES_HEIGHT, TOP, FOOT = 250, 22, 46
LINES_LEFT, LINES_RIGHT = 11.0, 62.0
ASIDE = 7
"""From one line to the next, in pixels."""

BESIDE = 11
"""From the last mark to its label."""

APART = 18
"""Between the labels at the ends of lines."""

TICKS = 4


Place = Callable[[float], float]
"""Where a value lies."""


@dataclass(frozen=True)
class Point:
    label: str
    value: float
    low: float | None
    high: float | None
    told: str
    """The value as text."""
    told_interval: str
    mark: int = 0
    """Which of the marks, colours and dashes."""


@dataclass(frozen=True)
class Group:
    label: str
    points: Sequence[Point]


@dataclass(frozen=True)
class Axis:
    low: float
    high: float
    ticks: Sequence[tuple[float, str]]


@dataclass(frozen=True)
class Chart:
    svg: str
    """What is inside of the `svg` element."""
    height: int
    kind: str
    """`rows`, which tell their values, or `lines`, which don't."""


def nice_ticks(low: float, high: float, count: int = TICKS) -> list[float]:
    """Round numbers that hold both."""
    spread = (high - low) or abs(high) or 1.0
    raw = spread / count
    size = 10.0 ** floor(log10(raw))
    step = next(size * each for each in (1, 2, 2.5, 5, 10) if size * each >= raw * 0.999)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [float(f"{number * step:.10g}") for number in range(first, max(last, first + 1) + 1)]


def bounds(points: Sequence[Point], *more: float) -> tuple[float, float]:
    """From the lowest to the highest end of an interval."""
    ends = [end for each in points for end in (each.value, each.low, each.high)]
    known = [end for end in ends if end is not None] + [*more]
    return min(known), max(known)


def _short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _mark(kind: int, x: float, y: float) -> str:
    shape = MARKS[kind % len(MARKS)]
    place = f'x="{_short(x)}%" y="{_short(y)}" width="1" height="1" overflow="visible"'
    return f'<svg {place} class="mark s{kind % len(MARKS)}">{shape}</svg>'


def _line(kind: str, x1: float, y1: float, x2: float, y2: float, more: str = "") -> str:
    ends = f'x1="{_short(x1)}%" y1="{_short(y1)}" x2="{_short(x2)}%" y2="{_short(y2)}"'
    return f'<line class="{kind}" {ends}{more}/>'


def _text(kind: str, x: float, y: float, text: str, anchor: str = "start", aside: float = 0) -> str:
    where = f'x="{_short(x)}%" y="{_short(y)}"' + (f' dx="{_short(aside)}"' if aside else "")
    where += f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text class="{kind}" {where}>{escape(text)}</text>'


def in_rows(groups: Sequence[Group], axis: Axis, reference: float | None) -> Chart:
    """A row for each estimate: its name, its value, and beneath them where it lies."""

    def x(value: float) -> float:
        part = (value - axis.low) / (axis.high - axis.low)
        return LEFT + (RIGHT - LEFT) * min(1.0, max(0.0, part))

    drawn: list[str] = []
    y = 0
    for group in groups:
        if group.label:
            for part in _broken(group.label):
                drawn.append(_text("group", 0, y + 32, part))
                y += LINE
            y += HEADING - LINE
        grid = [value for value, _ in axis.ticks if value != reference]
        bottom = y + sum(map(_row_height, group.points))
        drawn += [_line("grid", x(value), y + 4, x(value), bottom) for value in grid]
        if reference is not None:
            drawn.append(_line("reference", x(reference), y + 4, x(reference), bottom))
        for point in group.points:
            drawn += _row(point, y, x)
            y += _row_height(point)
    for number, (value, told) in enumerate(axis.ticks):
        anchor = {0: "start", len(axis.ticks) - 1: "end"}.get(number, "middle")
        place = {"start": 0.0, "end": 100.0}.get(anchor, x(value))
        drawn.append(_text("tick", place, y + 17, told, anchor))
    return Chart("".join(drawn), y + AXIS, "rows")


def _broken(label: str) -> list[str]:
    """On two lines, if one of a phone is too short."""
    if len(label) <= LONGEST_HEADING:
        return [label]
    middle = len(label) / 2
    breaks = [place for place, letter in enumerate(label) if letter == " "]
    if not breaks:
        return [label]
    at = min(breaks, key=lambda place: (label[place - 1] != ",", abs(place - middle)))
    return [label[:at], label[at + 1 :]]


def _row_height(point: Point) -> int:
    return ROW + (LINE if len(point.label) > LONGEST_LABEL else 0)


def _row(point: Point, top: int, x: Place) -> list[str]:
    """A long label stands above its value."""
    beside = top + _row_height(point) - ROW
    at = beside + 30
    value = f'<tspan class="value">{escape(point.told)}</tspan>'
    interval = f'<tspan dx="7" class="soft">{escape(point.told_interval)}</tspan>'
    kind = f"s{point.mark % len(MARKS)}"
    low = point.value if point.low is None else point.low
    high = point.value if point.high is None else point.high
    return [
        _text("label", 0, top + 17, point.label),
        f'<text class="label" x="100%" y="{beside + 17}" text-anchor="end">'
        f"{value}{interval}</text>",
        _line("track", LEFT, at, RIGHT, at),
        _line(f"interval {kind}", x(low), at, x(high), at),
        _mark(point.mark, x(point.value), at),
    ]


def along(
    lines: Sequence[tuple[str, Sequence[tuple[float, Point]]]],
    axis: Axis,
    steps: Sequence[tuple[float, str]],
    about: str,
    reference: float | None,
) -> Chart:
    """A line for each series along the values of an option, named where it ends. Each is a little
    beside the others, so that no interval covers another one."""
    first, last = steps[0][0], steps[-1][0]
    floor_y = LINES_HEIGHT - FOOT

    def x(value: float) -> float:
        return LINES_LEFT + (LINES_RIGHT - LINES_LEFT) * (value - first) / (last - first)

    def y(value: float) -> float:
        return floor_y - (floor_y - TOP) * (value - axis.low) / (axis.high - axis.low)

    drawn: list[str] = []
    for value, told in axis.ticks:
        kind = "reference" if value == reference else "grid"
        drawn.append(_line(kind, 0, y(value), 100, y(value)))
        drawn.append(_text("tick", 0, y(value) - 4, told))
    for value, told in steps:
        drawn.append(_text("tick", x(value), floor_y + 18, told, "middle"))
    drawn.append(_text("tick", (LINES_LEFT + LINES_RIGHT) / 2, floor_y + 38, about, "middle"))
    for number, (_, points) in enumerate(lines):
        aside = (number - (len(lines) - 1) / 2) * ASIDE
        drawn.append(f'<g transform="translate({aside:.1f} 0)">')
        drawn += [*_series(number, points, x, y), "</g>"]
    ends = [(y(points[-1][1].value), number) for number, (_, points) in enumerate(lines)]
    aside = (len(lines) - 1) / 2 * ASIDE + BESIDE
    for number, at in _apart(ends, TOP, floor_y):
        name, points = lines[number]
        kind = f"end s{number % len(MARKS)}"
        drawn.append(_text(kind, x(points[-1][0]), at + 4.5, name, aside=aside))
    return Chart("".join(drawn), LINES_HEIGHT, "lines")


def _series(number: int, points: Sequence[tuple[float, Point]], x: Place, y: Place) -> list[str]:
    kind = f"s{number % len(MARKS)}"
    dashes = DASHES[number % len(DASHES)]
    more = f' stroke-dasharray="{dashes}"' if dashes else ""
    drawn = []
    for (one, a), (other, b) in pairwise(points):
        drawn.append(_line(f"series {kind}", x(one), y(a.value), x(other), y(b.value), more))
    for at, each in points:
        if each.low is not None and each.high is not None:
            drawn.append(_line(f"whisker {kind}", x(at), y(each.low), x(at), y(each.high)))
        drawn.append(_mark(number, x(at), y(each.value)))
    return drawn


def _apart(ends: Sequence[tuple[float, int]], top: float, bottom: float) -> list[tuple[int, float]]:
    """Where labels stand so that none covers another one."""
    ordered = sorted(ends)
    places = [at for at, _ in ordered]
    for number in range(1, len(places)):
        places[number] = max(places[number], places[number - 1] + APART)
    if places and places[-1] > bottom:
        places[-1] = bottom
        for number in range(len(places) - 2, -1, -1):
            places[number] = min(places[number], places[number + 1] - APART)
    return [(number, at) for (_, number), at in zip(ordered, places, strict=True)]
