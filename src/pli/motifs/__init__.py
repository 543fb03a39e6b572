"""Motifs for games of visual search: 130 patterns in families, drawn by a program.

Many look alike, no two are equal, and none differs from another in hue alone.
"""

import hashlib
from functools import cache
from importlib.resources import files
from pathlib import Path

from pli.motifs import drawing, families

COUNT = 130

# The layout of a sprite sheet: pages cut it up.
ACROSS = 3
"""Sprites side by side, and one below the other."""
SIZE = 156
"""Pixels along a sprite's side."""
STRIP = SIZE // 12
"""Pixels of scraps above the sprites, so that the image data does not begin with one of them."""

DRAWN = 256
"""Pixels along the side of the rendered motifs that sprites are copies of."""

__all__ = [
    "ACROSS",
    "COUNT",
    "DRAWN",
    "SIZE",
    "STRIP",
    "distances",
    "family",
    "kept_in",
    "lookalikes",
    "svg",
]


@cache
def svg(motif: int) -> str:
    """The motif as a complete square SVG."""
    return drawing.written(families.drawn(known(motif)))


def known(motif: int) -> int:
    if not 0 <= motif < COUNT:
        raise IndexError(motif)
    return motif


@cache
def kept_in(folder: Path) -> Path:
    """The cache file of rendered motifs, named by a hash of their sources."""
    sources = hashlib.sha256(str(DRAWN).encode())
    for file in sorted(files("pli.motifs").iterdir(), key=lambda each: each.name):
        if file.name.endswith((".py", ".yaml")):
            sources.update(file.read_bytes())
    return folder / f"motifs-{sources.hexdigest()[:16]}.npy"


def family(motif: int) -> str:
    """The name of the family, such as "scales"."""
    return families.members()[known(motif)][0]


@cache
def distances() -> tuple[tuple[float, ...], ...]:
    """How different every two motifs look: 0 for equal ones, about 1 for the most different.

    Measured by `pli.motifs.measure`.
    """
    text = files("pli.motifs").joinpath("distances.txt").read_text(encoding="ascii")
    rows = [[int(word, 36) / 1000 for word in line.split()] for line in text.splitlines()]
    return tuple(
        tuple(rows[max(a, b)][min(a, b)] if a != b else 0.0 for b in range(COUNT))
        for a in range(COUNT)
    )


def lookalikes(motif: int, count: int = 5) -> list[int]:
    """The motifs that are easiest to take for this one, the nearest first."""
    row = distances()[known(motif)]
    others = [other for other in range(COUNT) if other != motif]
    return sorted(others, key=lambda other: (row[other], other))[:count]
