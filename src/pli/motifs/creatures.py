"""Families that look back at you: mushrooms, fish, birds, out of arcs and points."""

from collections.abc import Sequence

from pli.motifs.drawing import Canvas, Outline, Point, arc, grid, mirrored, placed, polygon


def mushrooms(
    c: Canvas,
    *,
    pitch: float,
    caps: Sequence[int],
    stem: int,
    gills: int,
    spots: int,
    ground: int,
    dome: float = 1.0,
    pattern: str = "dots",
    offset: bool = True,
    blades: int | None = None,
) -> None:
    """Toadstools; `dome` is how high a cap is, `pattern` dots, bands or rays upon it."""
    c.ground(ground)
    r = pitch * 0.42
    places = grid(pitch, pitch * (0.95 if offset else 1), offset=offset)
    every = [at for _, _, at in places]
    foot: Outline = [
        ((-r * 0.24, 0),),
        ((-r * 0.2, r * 0.5), (-r * 0.4, r * 0.95)),
        ((0, r * 1.15), (r * 0.4, r * 0.95)),
        ((r * 0.2, r * 0.5), (r * 0.24, 0)),
    ]
    if blades is not None:
        blade = polygon([(-r, r * 1.02), (-r * 0.84, r * 0.3), (-r * 0.6, r * 1.02)])
        both = [blade, mirrored(blade)]
        c.fill(blades, [placed(shape, at) for at in every for shape in both])
    c.fill(stem, [placed(foot, at) for at in every])

    def cap(radius: float, height: float) -> Outline:
        top = arc((0, 0), radius, 180, 360)
        return [tuple((x, y * height) for x, y in step) for step in top]

    for n, colour in enumerate(caps):
        chosen = [at for i, j, at in places if (i + j) % len(caps) == n]
        c.fill(colour, [placed(cap(r, dome), (x, y + r * 0.12)) for x, y in chosen])
        if pattern == "bands":
            c.fill(spots, [placed(cap(r * 0.72, dome), (x, y + r * 0.12)) for x, y in chosen])
            c.fill(colour, [placed(cap(r * 0.44, dome), (x, y + r * 0.12)) for x, y in chosen])
    rim: Outline = [((-r * 0.98, r * 0.12),), ((r * 0.98, r * 0.12),)]
    c.line(gills, r * 0.16, [placed(rim, at) for at in every])
    if pattern == "dots":
        spread: list[Point] = [(-0.55, -0.22), (0.0, -0.52), (0.52, -0.26)]
        here = [(x + r * a, y + r * b * dome) for x, y in every for a, b in spread]
        c.dots(spots, r * 0.15, here)
    elif pattern == "rays":
        spokes: list[Outline] = [
            [((r * a, -r * 0.16),), ((r * a * 0.45, -r * 0.68 * dome),)] for a in (-0.62, 0, 0.62)
        ]
        c.line(spots, r * 0.17, [placed(spoke, at) for at in every for spoke in spokes])
    elif pattern == "one":
        c.dots(spots, r * 0.26, [(x, y - r * 0.36 * dome) for x, y in every])


def fish(
    c: Canvas,
    *,
    pitch: float,
    bodies: Sequence[int],
    tail: int,
    mark: int,
    eye: tuple[int, int],
    ground: int,
    fat: float = 0.5,
    pattern: str = "bars",
    shoal: str = "both",
    bubbles: tuple[int, float] | None = None,
) -> None:
    """A shoal in offset rows; `shoal` is both (rows swim against each other) or one."""
    c.ground(ground)
    r = pitch * 0.42
    places = grid(pitch, pitch * (fat + 0.14), offset=True)
    body: Outline = [
        ((-r, 0),),
        ((-r * 0.45, -r * fat * 2.1), (r * 0.62, 0)),
        ((-r * 0.45, r * fat * 2.1), (-r, 0)),
    ]
    fin = [
        ((r * 0.36, 0),),
        ((r * 0.8, -r * 0.12), (r * 1.12, -r * fat * 0.95)),
        ((r * 0.92, 0), (r * 1.12, r * fat * 0.95)),
        ((r * 0.8, r * 0.12), (r * 0.36, 0)),
    ]

    def put(shape: Outline, row: int, at: Point) -> Outline:
        return placed(mirrored(shape) if shoal == "both" and row % 2 else shape, at)

    if bubbles:
        c.dots(bubbles[0], bubbles[1], [(x + pitch / 2, y) for _, _, (x, y) in places])
    c.fill(tail, [put(fin, j, at) for _, j, at in places])
    for n, colour in enumerate(bodies):
        chosen = [(j, at) for i, j, at in places if (i + j) % len(bodies) == n]
        c.fill(colour, [put(body, j, at) for j, at in chosen])
    if pattern == "bars":
        bars: list[Outline] = [
            [((r * x, -r * fat * h),), ((r * (x - 0.08), 0), (r * x, r * fat * h))]
            for x, h in ((-0.28, 0.72), (0.04, 0.6), (0.32, 0.26))
        ]
        c.line(mark, r * 0.13, [put(bar, j, at) for _, j, at in places for bar in bars])
    elif pattern == "scales":
        dabs: list[Outline] = [
            [((r * x, r * y * fat),)]
            for x, y in ((-0.2, 0), (0.02, 0.42), (0.02, -0.42), (0.24, 0))
        ]
        c.line(mark, r * 0.21, [put(dab, j, at) for _, j, at in places for dab in dabs])
    elif pattern == "belly":
        belly: Outline = [((-r, 0),), ((-r * 0.45, r * fat * 2.1), (r * 0.62, 0))]
        c.fill(mark, [put(belly, j, at) for _, j, at in places])
    elif pattern == "face":
        face: Outline = [
            ((-r, 0),),
            ((-r * 0.72, -r * fat * 0.98), (-r * 0.3, -r * fat * 1.02)),
            ((-r * 0.02, 0), (-r * 0.3, r * fat * 1.02)),
            ((-r * 0.72, r * fat * 0.98), (-r, 0)),
        ]
        c.fill(mark, [put(face, j, at) for _, j, at in places])
    look: Outline = [((-r * 0.55, -r * 0.1),)]
    for colour, size in ((eye[0], 0.3), (eye[1], 0.15)):
        c.line(colour, r * size, [put(look, j, at) for _, j, at in places])


def birds(
    c: Canvas,
    *,
    pitch: float,
    bodies: Sequence[int],
    wing: int,
    beak: int,
    eye: tuple[int, int],
    ground: int,
    tail: int,
    pose: str = "both",
    plume: str = "fan",
    belly: int | None = None,
    perch: tuple[int, float] | None = None,
) -> None:
    """Plump birds in rows: half a disc, a wing, a tail; `plume` is the wing's pattern."""
    c.ground(ground)
    r = pitch * 0.40
    places = [(i, j, at) for i, j, at in grid(pitch, pitch * 0.86, offset=True)]

    def put(shape: Outline, row: int, at: Point) -> Outline:
        return placed(mirrored(shape) if pose == "both" and row % 2 else shape, at)

    body: Outline = [
        ((-r * 0.78, -r * 0.42),),
        ((-r * 0.78, -r * 0.9), (-r * 0.1, -r * 0.98), (-r * 0.02, -r * 0.3)),
        ((r * 0.3, -r * 0.14), (r * 0.85, -r * 0.2)),
        ((r * 0.8, r * 0.72), (-r * 0.05, r * 0.72)),
        ((-r * 0.78, r * 0.72), (-r * 0.78, -r * 0.42)),
    ]
    feathers = polygon([(r * 0.5, -r * 0.1), (r * 1.18, -r * 0.62), (r * 1.12, r * 0.12)])
    bill = polygon([(-r * 0.7, -r * 0.62), (-r * 1.12, -r * 0.4), (-r * 0.74, -r * 0.26)])
    pinion = arc((r * 0.08, -r * 0.06), r * 0.46, 0, 180)
    if perch:
        lines: list[Outline] = [
            [((-9, at[1] + r * 0.98),), ((109, at[1] + r * 0.98),)] for i, _, at in places if i == 0
        ]
        legs: list[Outline] = [[((r * x, r * 0.6),), ((r * x, r * 0.95),)] for x in (-0.16, 0.12)]
        c.line(perch[0], perch[1], lines)
        c.line(perch[0], 1.0, [put(leg, j, at) for _, j, at in places for leg in legs])
    c.fill(tail, [put(feathers, j, at) for _, j, at in places])
    c.fill(beak, [put(bill, j, at) for _, j, at in places])
    for n, colour in enumerate(bodies):
        chosen = [(j, at) for i, j, at in places if (i + j) % len(bodies) == n]
        c.fill(colour, [put(body, j, at) for j, at in chosen])
    if belly is not None:
        bib = arc((-r * 0.2, r * 0.3), r * 0.38, 60, 240)
        c.fill(belly, [put(bib, j, at) for _, j, at in places])
    c.fill(wing, [put(pinion, j, at) for _, j, at in places])
    if plume == "fan":
        inner = arc((r * 0.08, -r * 0.06), r * 0.24, 0, 180)
        c.fill(tail, [put(inner, j, at) for _, j, at in places])
    elif plume == "dots":
        marks: list[Outline] = [
            [((r * x, r * y),)] for x, y in ((-0.16, 0.06), (0.3, 0.06), (0.07, 0.2))
        ]
        c.line(tail, r * 0.16, [put(mark, j, at) for _, j, at in places for mark in marks])
    elif plume == "lines":
        cuts: list[Outline] = [
            [((r * x, 0),), ((r * (x + 0.04), r * y),)]
            for x, y in ((-0.14, 0.16), (0.08, 0.28), (0.3, 0.16))
        ]
        c.line(tail, r * 0.09, [put(cut, j, at) for _, j, at in places for cut in cuts])
    look: Outline = [((-r * 0.45, -r * 0.5),)]
    for colour, size in ((eye[0], 0.27), (eye[1], 0.13)):
        c.line(colour, r * size, [put(look, j, at) for _, j, at in places])
