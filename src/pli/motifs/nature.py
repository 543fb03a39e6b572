"""Families that grow or shine: leaves, suns, blossoms, terrazzo."""

import math
from collections.abc import Sequence
from random import Random

from pli.motifs.drawing import Canvas, Outline, Point, arc, grid, lens, placed, polar, polygon


def leaves(
    c: Canvas,
    *,
    pitch: float,
    length: float,
    width: float,
    turns: Sequence[float],
    colours: Sequence[int],
    half: int | None,
    vein: tuple[int, float] | None,
    ground: int,
    berry: tuple[int, float] | None = None,
    offset: bool = False,
) -> None:
    """Leaves on a grid, each turned by the next of `turns`; `half` darkens one side of a leaf."""
    c.ground(ground)
    whole, side = lens(length, width), lens(length, width)[:2]
    spots: dict[int, list[tuple[Point, float]]] = {}
    for i, j, at in grid(pitch, pitch * (0.87 if offset else 1), offset=offset):
        turn = turns[(i + j * (len(turns) // 2)) % len(turns)]
        foot = polar(at, length / 2, math.radians(turn + 90))
        spots.setdefault(colours[(i + j) % len(colours)], []).append((foot, turn))
    every = [spot for group in spots.values() for spot in group]
    for colour, group in spots.items():
        c.fill(colour, [placed(whole, at, turn) for at, turn in group])
    if half is not None:
        c.fill(half, [placed(side, at, turn) for at, turn in every])
    if vein:
        rib: Outline = [((0, 0),), ((0, -length * 0.78),)]
        c.line(vein[0], vein[1], [placed(rib, at, turn) for at, turn in every])
    if berry:
        between = [
            (x + pitch / 2, y + (0 if offset else pitch / 2))
            for _, _, (x, y) in grid(pitch, pitch * (0.87 if offset else 1), offset=offset)
        ]
        c.dots(berry[0], berry[1], between)


def sprigs(
    c: Canvas,
    *,
    pitch: float,
    step: float,
    length: float,
    width: float,
    lean: float,
    colours: Sequence[int],
    stem: tuple[int, float],
    ground: int,
    bands: int | None = None,
) -> None:
    """Upright stems with pairs of leaves."""
    c.ground(ground)
    reach = math.ceil(60 / pitch)
    columns = [(k, 50 + k * pitch) for k in range(-reach, reach + 1)]
    if bands is not None:
        strips: list[Outline] = [[((x, -9),), ((x, 109),)] for k, x in columns if k % 2]
        c.line(bands, pitch, strips)
    shape = lens(length, width)
    for n, colour in enumerate(colours):
        group: list[Outline] = []
        for k, x in columns:
            y, index = -10 + (step / 2 if k % 2 else 0), 0
            while y < 112 + length:
                if (index + k) % len(colours) == n:
                    group += [placed(shape, (x, y), lean), placed(shape, (x, y), -lean)]
                y, index = y + step, index + 1
        c.fill(colour, group)
    c.line(stem[0], stem[1], [[((x, -9),), ((x, 109),)] for _, x in columns])


def to_square(centre: Point, point: Point, half: float) -> Point:
    """The point moved along its ray to the edge of the square around the centre."""
    x, y = point[0] - centre[0], point[1] - centre[1]
    part = half / max(abs(x), abs(y))
    return centre[0] + x * part, centre[1] + y * part


def suns(
    c: Canvas,
    *,
    cells: int,
    rays: int,
    ray: str,
    reach: float,
    discs: Sequence[tuple[float, int]],
    colours: Sequence[int],
    ground: int,
    corner: Sequence[tuple[float, int]] = (),
    offset: bool = False,
) -> None:
    """Discs with rays: `ray` is wedge, spike, petal, bead or flame. Radii are parts of a cell."""
    c.ground(ground)
    size = 100 / cells
    if offset:
        centres = [at for _, _, at in grid(size, size * 0.87, offset=True)]
    else:
        middles = [(k + 0.5) * size for k in range(cells)]
        centres = [(x, y) for x in middles for y in middles]
    if corner:
        edges = [k * size for k in range(cells + 1)]
        for part, colour in corner:
            c.dots(colour, part * size, [(x, y) for x in edges for y in edges])
    far = reach * size
    near = discs[0][0] * size * 0.9 if discs else 0.0
    for n, colour in enumerate(colours):
        shapes: list[Outline] = []
        beads: list[Point] = []
        for at in centres:
            for k in range(n, rays, len(colours)):
                angle = math.tau * k / rays - math.pi / 2
                wide = math.pi / rays
                tip = polar(at, far, angle)
                if ray == "wedge":
                    ends = [polar(at, far * 1.02, angle + s * wide) for s in (-1, 1)]
                    if cells > 1:
                        ends = [to_square(at, end, size / 2) for end in ends]
                    shapes.append(polygon([at, *ends]))
                elif ray == "spike":
                    ends = [polar(at, near, angle + s * wide) for s in (-1, 1)]
                    shapes.append(polygon([tip, *ends]))
                elif ray == "flame":
                    base = [polar(at, near, angle + s * wide) for s in (-1, 1)]
                    side = polar(at, (near + far) * 0.55, angle + wide * 1.1)
                    back = polar(at, (near + far) * 0.55, angle + wide * 0.1)
                    shapes.append([(base[0],), (back, tip), (side, base[1])])
                elif ray == "petal":
                    shapes.append(placed(lens(far, far * 3.0 / rays), at, math.degrees(angle) + 90))
                else:
                    beads.append(tip)
        if shapes:
            c.fill(colour, shapes)
        if beads:
            c.dots(colour, far * 2.3 / rays, beads)
    for part, colour in discs:
        c.dots(colour, part * size, centres)


def blossoms(
    c: Canvas,
    *,
    pitch: float,
    petals: int,
    petal: float,
    colours: Sequence[int],
    heart: Sequence[tuple[float, int]],
    ground: int,
    pointed: float = 0.0,
    inner: tuple[float, int] | None = None,
    leaf: int | None = None,
    spare: tuple[int, float] | None = None,
) -> None:
    """Flowers in offset rows, with round petals, or with `pointed` ones of that width."""
    c.ground(ground)
    rows = pitch * 0.87
    places = grid(pitch, rows, offset=True)
    if leaf is not None:
        shape = lens(pitch * 0.56, pitch * 0.26)
        at = [spot for _, _, spot in places]
        c.fill(leaf, [placed(shape, spot, turn) for spot in at for turn in (90, 210, 330)])
    if spare:
        c.dots(spare[0], spare[1], [(x + pitch / 2, y + rows / 3) for _, _, (x, y) in places])
    for n, colour in enumerate(colours):
        spots = [at for i, j, at in places if (i + j) % len(colours) == n]
        turns = [360 * k / petals for k in range(petals)]
        if pointed:
            shape = lens(pitch * petal, pitch * pointed)
            c.fill(colour, [placed(shape, at, turn) for at in spots for turn in turns])
        else:
            radius = pitch * petal * 0.5
            ring = [
                polar(at, pitch * petal * 0.56, math.radians(t - 90)) for at in spots for t in turns
            ]
            c.dots(colour, radius, ring)
        if inner:
            part, shade = inner
            ring = [
                polar(at, pitch * petal * 0.56, math.radians(t - 90)) for at in spots for t in turns
            ]
            c.dots(shade, pitch * petal * part, ring)
    for part, colour in heart:
        c.dots(colour, pitch * part, [at for _, _, at in places])


def chip(random: Random, kind: str, size: float) -> Outline:
    """One stone around the origin."""
    turn = random.uniform(0, 360)
    if kind == "moon":
        return placed(arc((0, 0), size, 0, 180), (0, 0), turn)
    if kind == "bar":
        w, h = size * 1.15, size * 0.42
        return placed(polygon([(-w, -h), (w, -h), (w, h), (-w, h)]), (0, 0), turn)
    if kind == "wedge":
        return placed(polygon([(-size, size * 0.7), (size, size * 0.7), (0, -size)]), (0, 0), turn)
    count = random.choice((4, 5, 5, 6))
    corners = []
    for k in range(count):
        angle = math.tau * (k + random.uniform(-0.3, 0.3)) / count
        corners.append(polar((0, 0), size * random.uniform(0.7, 1.15), angle))
    if kind == "shard":
        return placed(polygon(corners), (0, 0), turn)
    middles = [
        ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        for a, b in zip(corners, corners[1:] + corners[:1], strict=True)
    ]
    pebble: Outline = [(middles[-1],)]
    pebble += [(corner, middle) for corner, middle in zip(corners, middles, strict=True)]
    return placed(pebble, (0, 0), turn)


def terrazzo(
    c: Canvas,
    *,
    seed: int,
    pitch: float,
    kinds: Sequence[str],
    colours: Sequence[int],
    ground: int,
    crumbs: tuple[int, float] | None = None,
    core: float = 0.0,
    size: float = 0.5,
) -> None:
    """Stones strewn evenly; `core` draws each again, smaller, in the next colour."""
    random = Random(seed)
    c.ground(ground)
    places = [at for _, _, at in grid(pitch, pitch * 0.9, offset=True)]
    if crumbs:
        loose = [(x + pitch * 0.5, y + random.uniform(-2, 2)) for x, y in places]
        c.dots(crumbs[0], crumbs[1], loose)
    random.shuffle(places)
    cores: dict[int, list[Outline]] = {}
    groups: dict[int, list[Outline]] = {}
    for n, (x, y) in enumerate(places):
        at = (x + random.uniform(-0.12, 0.12) * pitch, y + random.uniform(-0.12, 0.12) * pitch)
        shape = chip(random, kinds[n % len(kinds)], pitch * size * random.uniform(0.62, 1.0))
        groups.setdefault(colours[n % len(colours)], []).append(placed(shape, at))
        if core:
            shade = colours[(n + 1) % len(colours)]
            cores.setdefault(shade, []).append(placed(shape, at, 0, core))
    for colour, outlines in groups.items():
        c.fill(colour, outlines)
    for colour, outlines in cores.items():
        c.fill(colour, outlines)
