"""How different motifs look, in numbers: `python -m pli.motifs.measure` rebuilds the stored ones.

Every motif is rendered small and taken to OKLab, where equal steps look equally large. Two images
differ by place (what is where, blurred at two scales, so that a small shift counts for little) and
by stuff (how much there is of which colour and which grain, wherever it is). The distance is the
mean of both. The same is measured for colour-blind eyes (Machado, Oliveira and Fernandes 2009,
at full severity) and in grey.
"""

import io
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Picture

from pli.motifs import COUNT, svg

Image = NDArray[np.float64]
Matrix = NDArray[np.float64]

SIZE = 48
BLURS = (1.0, 3.0)
"""In pixels of the small image."""
STEPS = ((0, 3), (3, 0), (3, 3), (3, -3))
"""How far apart points are compared for the grain of an image: across, along, both diagonals."""
SCALE = 4.0
"""Brings the largest distances near 1."""
STORE = Path(__file__).with_name("distances.txt")

DEFECTS: dict[str, Matrix] = {
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
"""What they make of red, green and blue (linear)."""

LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
EYES = ("normal", *DEFECTS, "grey")


def rendered(text: str, size: int = SIZE) -> Image:
    """An SVG as linear red, green and blue."""
    import resvg_py

    drawn = resvg_py.svg_to_bytes(svg_string=text, width=size, height=size)
    with Picture.open(io.BytesIO(drawn)) as picture:
        shown = np.asarray(picture.convert("RGB")) / 255.0
    linear: Image = np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4)
    return linear


def seen(image: Image, eyes: str) -> Image:
    """The image in OKLab, as these eyes see it."""
    if eyes in DEFECTS:
        image = np.clip(image @ DEFECTS[eyes].T, 0, 1)
    lab: Image = np.cbrt(image @ LMS.T) @ LAB.T
    if eyes == "grey":
        lab[..., 1:] = 0
    return lab


@cache
def softener(width: float, count: int) -> Matrix:
    """Blurs a line of so many points; at its ends it goes on as in a mirror."""
    reach = round(3 * width)
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / width) ** 2)
    weights /= weights.sum()
    wide = np.pad(np.eye(count), [(reach, reach), (0, 0)], mode="reflect")
    shares = [weight * wide[k : k + count] for k, weight in enumerate(weights)]
    soft: Matrix = np.sum(shares, axis=0)
    return soft


def blurred(image: Image, width: float) -> Image:
    down, across = (softener(width, count) for count in image.shape[:2])
    soft: Image = across @ np.tensordot(down, image, axes=1)
    return soft


def traits(image: Image) -> Image:
    """What two images are compared by, as one row: place, then stuff, weighted alike."""
    soft = [blurred(image, width) for width in BLURS]
    count = image.shape[0] * image.shape[1]
    place = np.concatenate([part.ravel() for part in soft]) / np.sqrt(2 * count)
    steps = [abs(image - np.roll(image, step, (0, 1))) for step in STEPS]
    layers = [image, *soft, *steps]
    stuff = np.concatenate([np.sort(part.reshape(-1, 3), axis=0)[::9].ravel() for part in layers])
    stuff /= np.sqrt(len(layers) * count / 9)
    return np.concatenate([place, stuff])


def compared(images: list[Image], eyes: str = "normal") -> Matrix:
    """A row of traits for each."""
    return np.stack([traits(seen(image, eyes)) for image in images])


def between(ones: Matrix, others: Matrix) -> Matrix:
    """The distances from each of the ones to each of the others, from their traits."""
    half = len(BLURS) * SIZE * SIZE * 3
    parts = []
    for part in (slice(half), slice(half, None)):
        a, b = ones[:, part], others[:, part]
        gaps = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1)[None, :] - 2 * a @ b.T
        parts.append(np.sqrt(np.maximum(gaps, 0)))
    found: Matrix = SCALE * (parts[0] + parts[1]) / 2
    return found


def matrix(images: list[Image], eyes: str = "normal") -> Matrix:
    """The distances between all of them."""
    rows = compared(images, eyes)
    found = between(rows, rows)
    np.fill_diagonal(found, 0)
    return found


def measured(picture: Callable[[int], str] = svg, eyes: str = "normal") -> Matrix:
    return matrix([rendered(picture(motif)) for motif in range(COUNT)], eyes)


def packed(found: Matrix) -> str:
    """The lower triangle in thousandths, in base 36, a line a motif."""
    lines = []
    for a in range(COUNT):
        words = [np.base_repr(round(1000 * float(found[a, b])), 36).lower() for b in range(a)]
        lines.append(" ".join(words))
    return "\n".join(lines) + "\n"


def main() -> None:
    images = [rendered(svg(motif)) for motif in range(COUNT)]
    STORE.write_text(packed(matrix(images)), encoding="ascii")
    for eyes in EYES:
        found = matrix(images, eyes)
        far = found + np.eye(COUNT) * 9
        a, b = divmod(int(far.argmin()), COUNT)
        second = np.sort(far, axis=1)[:, 1]
        print(
            f"{eyes:13} nearest {far.min():.3f} ({a}, {b}), mean {found.mean():.3f}, "
            f"largest {found.max():.3f}, loneliest {second.max():.3f} ({second.argmax()})",
            file=sys.stdout,
        )


if __name__ == "__main__":
    main()
