"""The canvas of a motif: fills, lines and dots in painter's order, written as an SVG."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pli.motifs.palettes import Palette

Point = tuple[float, float]
Step = tuple[Point, ...]
"""One point: a straight line to it. Two: a quadratic curve. Three: a cubic one."""
Outline = list[Step]
"""The first step is the point to start at."""

SEAM = 0.3
"""Fills grow by half of this, so that no light shows between neighbours."""


@dataclass
class Layer:
    colour: str
    width: float
    filled: bool
    outlines: list[Outline]
    flat: bool = False
    """Lines that end where they end, without a round cap."""
    ring: int = 0
    """Not 0: every point is the middle of a circle line with this radius, in tenths."""


@dataclass
class Canvas:
    """What a family draws on. Colours are places in the palette, through `order`."""

    palette: Palette
    order: str = "012345"
    turn: float = 0.0
    """All that is drawn is turned about the middle by so many degrees."""
    layers: list[Layer] = field(default_factory=list)

    def colour(self, place: int) -> str:
        return self.palette[int(self.order[place])]

    def ground(self, place: int) -> None:
        self.fill(place, [box(-60, -60, 160, 160)])

    def fill(self, place: int, outlines: Iterable[Outline], seam: float = SEAM) -> None:
        self._add(Layer(self.colour(place), seam, True, list(outlines)))

    def line(
        self, place: int, width: float, outlines: Iterable[Outline], *, flat: bool = False
    ) -> None:
        self._add(Layer(self.colour(place), width, False, list(outlines), flat))

    def dots(self, place: int, radius: float, centres: Iterable[Point]) -> None:
        """A dot is a line of no length with round ends: the shortest way to write a disc."""
        self.line(place, 2 * radius, [[(centre,)] for centre in centres])

    def rings(self, place: int, width: float, radius: float, centres: Iterable[Point]) -> None:
        """Circle lines."""
        points: list[Outline] = [[(centre,)] for centre in centres]
        self._add(Layer(self.colour(place), width, False, points, ring=round(radius * 10)))

    def _add(self, layer: Layer) -> None:
        around, turn = (50.0, 50.0), math.radians(self.turn)
        turned = [
            [tuple(rotate(point, turn, around) for point in step) for step in outline]
            for outline in layer.outlines
        ]
        layer.outlines = [outline for outline in turned if seen(outline, layer)]
        last = self.layers[-1] if self.layers else None
        if last and key(last) == key(layer):
            last.outlines += layer.outlines
        elif layer.outlines:
            self.layers.append(layer)


def key(layer: Layer) -> tuple[str, float, bool, bool, int]:
    return layer.colour, layer.width, layer.filled, layer.flat, layer.ring


def seen(outline: Outline, layer: Layer) -> bool:
    """Whether any of it can be on the square."""
    xs = [x for step in outline for x, _ in step]
    ys = [y for step in outline for _, y in step]
    edge = layer.width / 2 + layer.ring / 10 + 1
    return min(xs) < 100 + edge and max(xs) > -edge and min(ys) < 100 + edge and max(ys) > -edge


def rotate(point: Point, turn: float, around: Point = (0.0, 0.0)) -> Point:
    x, y = point[0] - around[0], point[1] - around[1]
    sin, cos = math.sin(turn), math.cos(turn)
    return around[0] + x * cos - y * sin, around[1] + x * sin + y * cos


def box(left: float, top: float, right: float, bottom: float) -> Outline:
    return [((left, top),), ((right, top),), ((right, bottom),), ((left, bottom),)]


def polygon(points: Sequence[Point]) -> Outline:
    return [(point,) for point in points]


def regular(centre: Point, radius: float, sides: int, turn: float = 0.0) -> Outline:
    """A polygon of equal sides; at `turn` 0 (degrees) its first corner is at the top."""
    start = math.radians(turn - 90)
    return polygon([polar(centre, radius, start + math.tau * i / sides) for i in range(sides)])


def polar(centre: Point, radius: float, angle: float) -> Point:
    return centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)


def arc(centre: Point, radius: float, start: float, end: float) -> Outline:
    """A part of a circle, in degrees clockwise from the right."""
    count = max(1, math.ceil(abs(end - start) / 91))
    angles = [math.radians(start + (end - start) * i / count) for i in range(count + 1)]
    reach = radius * 4 / 3 * math.tan((angles[1] - angles[0]) / 4)
    outline: Outline = [(polar(centre, radius, angles[0]),)]
    for a, b in pairwise(angles):
        first, last = polar(centre, radius, a), polar(centre, radius, b)
        out = polar(first, reach, a + math.pi / 2)
        back = polar(last, -reach, b + math.pi / 2)
        outline.append((out, back, last))
    return outline


def sector(centre: Point, radius: float, start: float, end: float) -> Outline:
    return [(centre,), *arc(centre, radius, start, end)]


def placed(outline: Outline, at: Point, turn: float = 0.0, scale: float = 1.0) -> Outline:
    """An outline drawn around the origin, put in its place; `turn` in degrees."""
    angle = math.radians(turn)

    def put(point: Point) -> Point:
        x, y = rotate((point[0] * scale, point[1] * scale), angle)
        return x + at[0], y + at[1]

    return [tuple(put(point) for point in step) for step in outline]


def mirrored(outline: Outline) -> Outline:
    return [tuple((-x, y) for x, y in step) for step in outline]


def lens(length: float, width: float) -> Outline:
    """A leaf from the origin upwards."""
    half = length / 2
    return [((0, 0),), ((-width, -half), (0, -length)), ((width, -half), (0, 0))]


def grid(pitch_x: float, pitch_y: float, *, offset: bool = False) -> list[tuple[int, int, Point]]:
    """Column, row and centre of places over the square and a little beyond, the middle's included.

    With `offset` every other row is shifted by half a step.
    """
    reach_x, reach_y = math.ceil(62 / pitch_x), math.ceil(62 / pitch_y)
    return [
        (i, j, (50 + (i + (0.5 if offset and j % 2 else 0)) * pitch_x, 50 + j * pitch_y))
        for j in range(-reach_y, reach_y + 1)
        for i in range(-reach_x, reach_x + 1)
    ]


def tenths(values: Iterable[int]) -> str:
    """Numbers given in tenths, as short as SVG allows."""
    text = ""
    for value in values:
        whole, rest = divmod(abs(value), 10)
        size = f"{whole or ''}.{rest}" if rest else f"{whole}"
        text += ("-" if value < 0 else " " if text else "") + size
    return text


def path(layer: Layer) -> str:
    """One element; all but the first point of an outline are relative to the one before."""
    parts = []
    for outline in layer.outlines:
        at = (0, 0)
        letter = ""
        for i, step in enumerate(outline):
            points = [(round(x * 10), round(y * 10)) for x, y in step]
            text = tenths(v for x, y in points for v in (x - at[0], y - at[1]))
            last, letter = letter, "M" if i == 0 else " lqc"[len(step)]
            again = letter == last
            parts.append((" " if again and text[0] != "-" else "" if again else letter) + text)
            at = points[-1]
        if len(outline) == 1:
            parts.append(f"m{tenths([-layer.ring])} 0" + circle(layer.ring) if layer.ring else "h0")
        elif layer.filled:
            parts.append("z")
    fill = f'fill="{layer.colour}" ' if layer.filled else ""
    flat = 'stroke-linecap="butt" ' if layer.flat else ""
    stroke = f'stroke="{layer.colour}" stroke-width="{layer.width:.2f}"'
    return f'<path {fill}{stroke} {flat}d="{"".join(parts)}"/>'


def circle(radius: int) -> str:
    """The rest of a circle, from its leftmost point."""
    r, across = tenths([radius]), tenths([2 * radius])
    return f"a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0-{across} 0"


def written(layers: list[Layer]) -> str:
    """The layers as a complete SVG."""
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" fill="none"'
    body = "".join(path(layer) for layer in layers)
    return f'{head} stroke-linecap="round">{body}</svg>'
