"""Families of round lines: scales, waves, arcs, knots, peacock eyes."""

import math
from collections.abc import Callable, Sequence

from pli.motifs.drawing import Canvas, Outline, Point, box, grid, placed, polar, sector


def scales(
    c: Canvas, *, pitch: float, rings: Sequence[float], colours: Sequence[int], step: float = 0.5
) -> None:
    """Overlapping discs, row over row; colours go from the outside in, and change by row."""
    c.ground(colours[0])
    rows: dict[int, list[Point]] = {}
    for _, j, (x, y) in grid(pitch, pitch * step, offset=True):
        if -pitch < y < 100 + pitch * 0.6:
            rows.setdefault(j, []).append((x, y))
    for row in rows.values():
        for ring, colour in zip(rings, colours, strict=True):
            c.dots(colour, pitch / 2 * ring, row)


def wave(y: float, period: float, height: float, shift: float) -> Outline:
    """A line of arcs, up and down, across the whole square and beyond."""
    half = period / 2
    x, up = -30 + shift - period, True
    steps: Outline = [((x, y),)]
    while x < 130:
        bow = -height if up else height
        steps.append(((x + half / 2, y + bow * 2), (x + half, y)))
        x, up = x + half, not up
    return steps


def waves(
    c: Canvas,
    *,
    period: float,
    height: float,
    band: float,
    colours: Sequence[int],
    slide: float = 0.0,
    rim: tuple[int, float] | None = None,
    pearl: tuple[int, float] | None = None,
) -> None:
    """Bands of waves, each over the one above; `slide` shifts each against the last."""
    c.ground(colours[0])
    y, index = -height - band * 2, 0
    while y < 104 + height:
        line = wave(y, period, height, (index * slide % 1) * period)
        colour = colours[index % len(colours)]
        c.fill(colour, [[*line, ((134, y + band + height * 2 + 4),), ((-60, y + band * 2 + 4),)]])
        if rim:
            c.line(rim[0], rim[1], [line])
        if pearl:
            start = -30 + (index * slide % 1) * period + period / 4
            tops = [(start + period * k, y - height + band * 0.5 + 1) for k in range(-1, 9)]
            c.dots(pearl[0], pearl[1], tops)
        y, index = y + band, index + 1


LAYOUTS: dict[str, Callable[[int, int], int]] = {
    "stairs": lambda i, j: (i + j) % 4,
    "rounds": lambda i, j: ((0, 1), (3, 2))[j % 2][i % 2],
    "fans": lambda i, j: 0 if j % 2 else 2,
    "snake": lambda i, j: 2 if (i + j) % 2 else 0,
    "hooks": lambda i, j: (i * 2 + j) % 4,
    "flock": lambda i, j: (i + 2 * (j // 2)) % 4,
    "shells": lambda i, j: 0,
    "drift": lambda i, j: (i * i + 3 * j + i * j) % 4,
}
"""Which corner of its cell an arc turns about: 0 lower right, then clockwise."""


def arcs(
    c: Canvas,
    *,
    cells: int,
    layout: str,
    rings: Sequence[float],
    colours: Sequence[int],
    ground: tuple[int, int],
) -> None:
    """Squares with quarter circles around one corner."""
    size = 100 / cells
    c.ground(ground[0])
    odd: list[Outline] = []
    corners: list[tuple[Point, float]] = []
    for j in range(cells):
        for i in range(cells):
            x, y = i * size, j * size
            if (i + j) % 2:
                odd.append(box(x, y, x + size, y + size))
            turn = LAYOUTS[layout](i, j)
            right, low = turn in (0, 3), turn in (0, 1)
            corners.append(((x + size * right, y + size * low), 180 + turn * 90))
    if ground[0] != ground[1]:
        c.fill(ground[1], odd)
    for ring, colour in zip(rings, colours, strict=True):
        c.fill(colour, [sector(at, size * ring, a, a + 90) for at, a in corners], 0.1)


def weave(
    c: Canvas,
    *,
    pitch: float,
    ribbons: Sequence[tuple[float, int, int]],
    ground: int,
    twill: int = 2,
) -> None:
    """Ribbons over and under one another: (width, colour across, colour along) from the edge in.

    `twill` is the number of crossings until the over and under repeats.
    """
    c.ground(ground)
    reach = math.ceil(72 / pitch)
    places = [50 + k * pitch for k in range(-reach, reach + 1)]
    for width, _, along in ribbons:
        c.line(along, width * pitch, [[((x, -30),), ((x, 130),)] for x in places])
    for width, across, _ in ribbons:
        c.line(across, width * pitch, [[((-30, y),), ((130, y),)] for y in places])
    over = [
        (x, y)
        for i, x in enumerate(places)
        for j, y in enumerate(places)
        if (i + j) % twill < twill // 2
    ]
    for n, (width, _, along) in enumerate(ribbons):
        half = pitch * (0.5 + 0.02 * n)
        pieces: list[Outline] = [[((x, y - half),), ((x, y + half),)] for x, y in over]
        c.line(along, width * pitch, pieces, flat=True)


def bow(centre: Point, radius: float, start: float, end: float) -> Outline:
    """A short part of a circle, in fewer numbers than `arc` needs."""
    a, b = math.radians(start), math.radians(end)
    top = polar(centre, radius / math.cos((b - a) / 2), (a + b) / 2)
    return [(polar(centre, radius, a),), (top, polar(centre, radius, b))]


def chain(
    c: Canvas,
    *,
    pitch: float,
    radius: float,
    bands: Sequence[tuple[float, int]],
    ground: int,
    jewels: Sequence[tuple[float, int]] = (),
) -> None:
    """Rings through one another, over at one crossing and under at the next, about jewels."""
    c.ground(ground)
    size = radius * pitch
    centres = [at for _, _, at in grid(pitch, pitch) if all(-size < v < 100 + size for v in at)]
    for width, colour in bands:
        c.rings(colour, width, size, centres)
    theta = math.degrees(math.acos(0.5 / radius))
    for n, (width, colour) in enumerate(bands):
        span = 13 + n * 1.5
        pieces = []
        for at in centres:
            for quarter in (0, 90, 180, 270):
                middle = quarter + theta
                pieces.append(bow(at, size, middle - span, middle + span))
        c.line(colour, width, pieces, flat=True)
    for part, colour in jewels:
        c.dots(colour, part * pitch, centres)


def drop(length: float, width: float) -> Outline:
    """The upper part of a feather's eye, a point over a disc around the origin."""
    return [
        ((-width, 0),),
        ((-width * 0.98, -width * 0.95), (0, -length)),
        ((width * 0.98, -width * 0.95), (width, 0)),
    ]


def peacock(
    c: Canvas,
    *,
    pitch: float,
    rows: float,
    drops: Sequence[tuple[float, int]],
    eyes: Sequence[tuple[float, int]],
    ground: int,
    slim: float = 0.48,
    quill: tuple[int, float] | None = None,
    flip: bool = False,
) -> None:
    """Feathers with eyes, in offset rows: drops within drops, then discs within discs."""
    c.ground(ground)
    places = [(j, at) for _, j, at in grid(pitch, rows, offset=True)]
    if quill:
        lines: list[Outline] = [[((x, y),), ((x, y - rows * 2),)] for _, (x, y) in places]
        c.line(quill[0], quill[1], lines)
    for part, colour in drops:
        shape = drop(rows * 1.12 * part, pitch * slim * part)
        c.fill(colour, [placed(shape, at, 180 * (flip and j % 2)) for j, at in places])
        c.dots(colour, pitch * slim * part, [at for _, at in places])
    for part, colour in eyes:
        c.dots(colour, pitch * slim * part, [(x, y + pitch * 0.02) for _, (x, y) in places])
