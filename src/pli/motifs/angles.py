"""Families of straight lines: herringbone, hexes, triangles, plaids, chevrons, quilts."""

import math
from collections.abc import Sequence

from pli.motifs.drawing import Canvas, Outline, Point, box, grid, polygon, regular


def herringbone(
    c: Canvas,
    *,
    width: float,
    ratio: int,
    colours: Sequence[int],
    joint: tuple[int, float],
    inlay: tuple[int, float] | None = None,
    split: bool = True,
) -> None:
    """Bricks, each against the next one's side. `split`: the two directions differ in colour."""
    c.ground(joint[0])
    gap, reach = joint[1] / 2, math.ceil(85 / width)
    bricks: dict[int, list[Outline]] = {}
    inlays: list[Outline] = []
    for k in range(-reach, reach + 1):
        for m in range(-reach, reach + 1):
            flat = ((k + 2 * ratio * m) * width, k * width, ratio, 1)
            tall = (k * width, (k + 1 + 2 * ratio * m) * width, 1, ratio)
            for upright, (x, y, across, down) in ((0, flat), (1, tall)):
                left, top = 50 + x, 50 + y
                right, low = left + across * width, top + down * width
                if max(abs(left - 50), abs(right - 50), abs(top - 50), abs(low - 50)) > 92:
                    continue
                pick = k * 2 + upright if split else k
                colour = colours[pick % len(colours)]
                brick = box(left + gap, top + gap, right - gap, low - gap)
                bricks.setdefault(colour, []).append(brick)
                inset = width / 2
                inlays.append([((left + inset, top + inset),), ((right - inset, low - inset),)])
    for colour, outlines in bricks.items():
        c.fill(colour, outlines)
    if inlay:
        c.line(inlay[0], inlay[1], inlays)


def hexes(
    c: Canvas,
    *,
    size: float,
    rings: Sequence[tuple[float, tuple[int, ...]]],
    turn: float = 0.0,
    cube: tuple[int, int, float] | None = None,
    star: tuple[int, float] | None = None,
    dot: tuple[int, float] | None = None,
) -> None:
    """A honeycomb. Each ring is (part of the size, colours of the cells in turn)."""
    places = grid(size * math.sqrt(3), size * 1.5, offset=True)
    c.ground(rings[0][1][0])
    for part, colours in rings:
        for n, colour in enumerate(colours):
            chosen = [
                regular(at, size * part, 6, turn)
                for i, j, at in places
                if (i + (2 if j % 2 else 0) + j // 2 * 2 - j // 2) % len(colours) == n
            ]
            c.fill(colour, chosen)
    centres = [at for _, _, at in places]
    if cube:
        left, right, part = cube
        for colour, first in ((left, 2), (right, 1)):
            sides: list[Outline] = []
            for x, y in centres:
                r = size * part
                corner = [
                    (x + r * math.sin(math.tau * k / 6), y - r * math.cos(math.tau * k / 6))
                    for k in range(6)
                ]
                a, b, d = (5, 4, 3) if first == 2 else (1, 2, 3)
                sides.append(polygon([(x, y), corner[a], corner[b], corner[d]]))
            c.fill(colour, sides)
    if star:
        colour, part = star
        for flip in (0, 180):
            c.fill(colour, [regular(at, size * part, 3, flip + turn) for at in centres])
    if dot:
        c.dots(dot[0], size * dot[1], centres)


def triangles(
    c: Canvas,
    *,
    side: float,
    up: Sequence[int],
    down: Sequence[int],
    inner: Sequence[tuple[float, int, int]] = (),
    skew: int = 1,
) -> None:
    """Rows of triangles; colours run along the rows, `skew` shifts them from row to row."""
    high = side * math.sqrt(3) / 2
    c.ground(down[0])
    reach = math.ceil(65 / high)
    cells: dict[int, list[Outline]] = {}
    middles: tuple[list[Point], list[Point]] = ([], [])
    for j in range(-reach, reach):
        for i in range(-reach - 1, reach + 2):
            x, y = 50 + (i + (0.5 if j % 2 else 0)) * side, 50 + j * high
            if not -side < x < 100 + side:
                continue
            pick = i + j * skew
            upright = polygon([(x, y), (x - side / 2, y + high), (x + side / 2, y + high)])
            hanging = polygon([(x, y), (x + side, y), (x + side / 2, y + high)])
            cells.setdefault(up[pick % len(up)], []).append(upright)
            cells.setdefault(down[pick % len(down)], []).append(hanging)
            middles[0].append((x, y + high * 2 / 3))
            middles[1].append((x + side / 2, y + high / 3))
    for colour, outlines in cells.items():
        c.fill(colour, outlines)
    for part, for_up, for_down in inner:
        for colour, turn, spots in ((for_up, 0, middles[0]), (for_down, 180, middles[1])):
            if colour >= 0:
                radius = side / math.sqrt(3) * part
                c.fill(colour, [regular(at, radius, 3, turn) for at in spots])


def plaid(
    c: Canvas,
    *,
    pitch: float,
    stripes: Sequence[tuple[float, float, int]],
    ground: int,
    knots: Sequence[tuple[float, float, int]] = (),
    checks: int | None = None,
) -> None:
    """Stripes across and along: (middle, width, colour) in parts of the pitch.

    `knots` are squares where stripes cross; with `checks`, every other field is of that colour.
    """
    c.ground(ground)
    reach = math.ceil(75 / pitch)
    places = range(-reach, reach + 1)
    if checks is not None:
        fields = [
            box(50 + i * pitch, 50 + j * pitch, 50 + (i + 1) * pitch, 50 + (j + 1) * pitch)
            for i in places
            for j in places
            if (i + j) % 2
        ]
        c.fill(checks, fields)
    for middle, width, colour in stripes:
        at = [50 + (i + middle) * pitch for i in places]
        along: list[Outline] = [[((x, -30),), ((x, 130),)] for x in at]
        across: list[Outline] = [[((-30, y),), ((130, y),)] for y in at]
        c.line(colour, width * pitch, along + across)
    for middle, width, colour in knots:
        at = [50 + (i + middle) * pitch for i in places]
        r = width * pitch / 2
        c.fill(colour, [box(x - r, y - r, x + r, y + r) for x in at for y in at])


def chevrons(
    c: Canvas,
    *,
    period: float,
    height: float,
    bands: Sequence[tuple[float, int]],
    flame: float = 1.0,
    beads: tuple[int, float] | None = None,
    mirror: bool = False,
) -> None:
    """Zigzag bands (thickness, colour), repeated; `flame` makes every other peak lower.

    With `mirror` the lower half points the other way.
    """
    c.ground(bands[-1][1])

    def zigzag(y: float, side: int) -> list[Point]:
        count = math.ceil(130 / period)
        points = []
        for k in range(-count, count + 1):
            lift = height if k % 2 else 0
            if k % 4 == 1:
                lift *= flame
            points.append((50 + k * period / 2, y + side * (lift if mirror else -lift)))
        return points

    for side in (1, -1) if mirror else (1,):
        y, index = (50.0 if mirror else -8.0), 0
        while -20 - height < y < 108 + height:
            thick, colour = bands[index % len(bands)]
            line = zigzag(y, side)
            end = 130.0 if side > 0 else -30.0
            c.fill(colour, [polygon([*line, (line[-1][0], end), (line[0][0], end)])])
            if beads and index % len(bands) == 0:
                c.dots(beads[0], beads[1], [(x, py + side * thick / 2) for x, py in line])
            y, index = y + side * thick, index + 1


def quilt(c: Canvas, *, blocks: int, rows: Sequence[str], ground: int) -> None:
    """Blocks of squares, each whole or cut in two: `rows` spells a block.

    A cell is two colours and a cut: `/` or `\\`, first colour above; a single colour has `.`.
    """
    c.ground(ground)
    spelled = [row.split() for row in rows]
    count = len(spelled)
    size = 100 / blocks
    cell = size / count
    pieces: dict[int, list[Outline]] = {}
    for by in range(blocks):
        for bx in range(blocks):
            left, top = bx * size, by * size
            for j, row in enumerate(spelled):
                for i, text in enumerate(row):
                    x, y = left + i * cell, top + j * cell
                    a, b, d, e = (x, y), (x + cell, y), (x + cell, y + cell), (x, y + cell)
                    first, cut, last = int(text[0]), text[1], int(text[-1].replace(".", text[0]))
                    halves: tuple[list[Point], list[Point]]
                    if cut == "/":
                        halves = ([a, b, e], [b, d, e])
                    elif cut == "\\":
                        halves = ([a, b, d], [a, d, e])
                    else:
                        halves = ([a, b, d, e], [])
                    pieces.setdefault(first, []).append(polygon(halves[0]))
                    if halves[1]:
                        pieces.setdefault(last, []).append(polygon(halves[1]))
    for colour, outlines in pieces.items():
        if colour != ground:
            c.fill(colour, outlines)
