"""Sprite sheets of motifs that only eyes can compare: every face is one more copy of a motif.

A copy is turned, shifted, shaded and grained anew, and lies on a sheet among others in random
order; a page shows one field of it. A sheet is packed so that its bytes tell a script little about
its image: all files have the same length and the same few uncompressed bytes, and the rest is
arithmetic code over all fields together. docs/fairness.md says what attacks that holds off.
"""

import io
import math
import os
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pli.motifs import ACROSS, COUNT, DRAWN, SIZE, STRIP, kept_in, svg

FIELDS = ACROSS * ACROSS
"""Of a sheet, row by row."""
LENGTH = 39 * 1024
"""Bytes of every sheet."""
MODES = 7 * 1024
"""Of these, the first partition of the VP8 data: how each macroblock is predicted."""

SCRAP = 16
SHEET = 1024
GRAIN = 1024
QUALITY = (28.0, 38.0)
STEP_DOWN = 0.8
"""Factor on the quality of a sheet that did not fit."""

_HEAD = 20  # bytes of the RIFF and chunk headers
_FRAME = 10  # bytes of the VP8 frame header: its first three say how long its first partition is

Pixels = NDArray[np.uint8]


def sheet(motifs: Sequence[int], seed: str, folder: Path) -> bytes:
    """A WebP file with a copy of each of the motifs, the same for the same seed. The folder is a
    cache of rendered motifs."""
    random = Random(seed)
    shown = _scraps(folder, random)
    for field, motif in enumerate(motifs):
        row, column = divmod(field, ACROSS)
        shown.paste(_bent(_drawn(folder)[motif], random), (SIZE * column, STRIP + SIZE * row))
    grained = Image.fromarray(_grained(np.asarray(shown), random))
    quality = random.uniform(*QUALITY)
    noise = random.randbytes(LENGTH)
    while True:
        file = io.BytesIO()
        grained.save(file, "WEBP", quality=quality, method=4)
        packed = _packed(file.getvalue(), noise)
        if packed is not None:
            return packed
        quality *= STEP_DOWN


def _bent(motif: Pixels, random: Random) -> Image.Image:
    """The motif, turned, shifted, scaled and shaded by less than the eye notices."""
    turn = math.radians(random.uniform(-0.5, 0.5))
    scale = DRAWN / SIZE * (1 + random.uniform(-0.014, 0.0))
    x, y = (DRAWN / 2 + random.uniform(-0.6, 0.6) for _ in range(2))
    cos, sin, half = math.cos(turn) * scale, math.sin(turn) * scale, SIZE / 2
    place = (cos, -sin, x - (cos - sin) * half, sin, cos, y - (sin + cos) * half)
    drawn = Image.fromarray(np.asarray(motif))
    bent = drawn.transform((SIZE, SIZE), Image.Transform.AFFINE, place, Image.Resampling.BILINEAR)
    shades = np.array([random.randint(-3, 3) for _ in range(3)])
    return bent.point(np.clip(np.arange(256) + shades[:, None], 0, 255).ravel().tolist())


def _scraps(folder: Path, random: Random) -> Image.Image:
    wide, high = ACROSS * SIZE, STRIP + ACROSS * SIZE
    x, y = random.randrange(SHEET - wide), random.randrange(SHEET - high)
    return Image.fromarray(_ragbag(folder)[y : y + high, x : x + wide])


def _grained(pixels: Pixels, random: Random) -> Pixels:
    """Adds grain, of a random strength for each field."""
    high, wide = pixels.shape[:2]
    x, y = random.randrange(GRAIN - wide), random.randrange(GRAIN - high)
    grain = _grain()[y : y + high, x : x + wide].copy()
    for field in range(FIELDS):
        row, column = divmod(field, ACROSS)
        top, left = STRIP + SIZE * row, SIZE * column
        grain[top : top + SIZE, left : left + SIZE] *= np.float32(random.uniform(0.2, 3.0))
    changed = pixels + grain[..., None]
    return np.clip(changed, 0, 255, out=changed).astype(np.uint8)


def _packed(file: bytes, noise: bytes) -> bytes | None:
    """The same image padded to `LENGTH` bytes; None if it needs more.

    A decoder reads both partitions no further than the image needs, so noise behind each of them
    changes nothing, and where it begins can't be seen without decoding all.
    """
    frame = file[_HEAD : _HEAD + _FRAME]
    tag = int.from_bytes(frame[:3], "little")
    modes = tag >> 5
    code = file[_HEAD + _FRAME :]
    first, second = code[:modes], code[modes:]
    room = LENGTH - _HEAD - _FRAME - MODES
    if len(first) > MODES or len(second) > room:
        return None
    first += noise[: MODES - len(first)]
    second += noise[MODES : MODES + room - len(second)]
    tag = (tag & 0x1F) | MODES << 5
    body = tag.to_bytes(3, "little") + frame[3:] + first + second
    sizes = (LENGTH - 8).to_bytes(4, "little"), len(body).to_bytes(4, "little")
    return b"RIFF" + sizes[0] + b"WEBPVP8 " + sizes[1] + body


# What sprites are made from


def prepare(folder: Path) -> None:
    """Renders the motifs that sprites are copies of, unless they are cached."""
    _ragbag(folder)
    _grain()


@cache
def _drawn(folder: Path) -> Pixels:
    """All motifs; cached on disk, since rendering them takes seconds."""
    store = kept_in(folder)
    with suppress(OSError, ValueError):
        kept: Pixels = np.load(store, mmap_mode="r")
        if kept.shape == (COUNT, DRAWN, DRAWN, 3):
            return kept
    made = np.stack([_rendered(motif) for motif in range(COUNT)])
    with suppress(OSError):
        store.parent.mkdir(parents=True, exist_ok=True)
        unfinished = store.with_suffix(f".{os.getpid()}.npy")
        np.save(unfinished, made)
        unfinished.replace(store)
    return made


def _rendered(motif: int) -> Pixels:
    from resvg_py import svg_to_bytes

    file = svg_to_bytes(svg_string=svg(motif), width=DRAWN, height=DRAWN, skip_system_fonts=True)
    return np.asarray(Image.open(io.BytesIO(bytes(file))).convert("RGB"))


@cache
def _ragbag(folder: Path) -> Pixels:
    """Scraps of all motifs at all scales, some of them faded."""
    random = Random(0)
    bag = np.empty((SHEET, SHEET, 3), np.uint8)
    for top in range(0, SHEET, SCRAP):
        for left in range(0, SHEET, SCRAP):
            size = random.choice((12, 24, 48, 96, 200))
            x, y = random.randrange(DRAWN - size), random.randrange(DRAWN - size)
            picks = np.arange(SCRAP) * size // SCRAP
            scrap = _drawn(folder)[random.randrange(COUNT)][y + picks][:, x + picks]
            fade = random.random() if random.random() < 0.5 else 1.0
            bag[top : top + SCRAP, left : left + SCRAP] = 128 + (scrap - 128.0) * fade
    return bag


@cache
def _grain() -> NDArray[np.float32]:
    return np.random.default_rng(0).standard_normal((GRAIN, GRAIN), np.float32)
