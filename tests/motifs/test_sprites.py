"""Sprite sheets: eyes see the motifs, and a script that reads bytes finds no pair."""

import io
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from pli import games
from pli.kernel.compiler import cache_home
from pli.motifs import ACROSS, SIZE, STRIP, sprites
from pli.motifs.sprites import FIELDS, LENGTH, MODES
from pli.server.sprites.sheets import Sheets

GAMES = 3
CODE = 30
"""Where the arithmetic code of a file begins."""
BETTER = 0.055
"""Three standard errors of the share of comparisons that chance gets right in so many games."""

Field = tuple[int, str, int, bytes]
"""A face as a script knows it: the motif (for judging it), its sheet's name, field and bytes."""


def sheet(on_it: list[int], seed: str) -> bytes:
    return sprites.sheet(on_it, seed, cache_home())


def motifs() -> list[int]:
    found = games.load("twinit").sprites
    assert found is not None
    return list(found.motifs)


@cache
def faces(game: int) -> list[Field]:
    """All faces of a game."""
    sheets = Sheets(motifs(), f"{game:064x}")
    found = []
    for name in sheets.names:
        on_it, seed = sheets.task(name)
        data = sheet(on_it, seed)
        found += [(motif, name, field, data) for field, motif in enumerate(on_it)]
    return found


def seen(data: bytes) -> NDArray[np.uint8]:
    with Image.open(io.BytesIO(data)) as image:
        return np.asarray(image.convert("RGB"))


def field(pixels: NDArray[np.uint8], number: int) -> NDArray[np.uint8]:
    row, column = divmod(number, ACROSS)
    top, left = STRIP + SIZE * row, SIZE * column
    return pixels[top : top + SIZE, left : left + SIZE]


def blurred(pixels: NDArray[np.uint8]) -> NDArray[np.int64]:
    """A picture of any size at one small size."""
    return np.asarray(Image.fromarray(np.asarray(pixels)).resize((32, 32))).astype(np.int64)


def test_a_field_shows_its_motif() -> None:
    on_it = [0, 17, 34, 51, 68, 85, 102, 119, 129]
    shown = seen(sheet(on_it, "seed"))
    assert shown.shape == (STRIP + ACROSS * SIZE, ACROSS * SIZE, 3)
    small = np.stack([blurred(each) for each in sprites._drawn(cache_home())])
    for number, motif in enumerate(on_it):
        looked = blurred(field(shown, number))
        assert np.abs(small - looked).mean((1, 2, 3)).argmin() == motif


def test_the_same_seed_gives_the_same_bytes_and_another_one_other_bytes() -> None:
    on_it = list(range(FIELDS))
    assert sheet(on_it, "a") == sheet(on_it, "a")
    one, other = sheet(on_it, "a"), sheet(on_it, "b")
    same = sum(x == y for x, y in zip(one[CODE:], other[CODE:], strict=True))
    assert same / LENGTH < 0.02


def test_all_files_are_of_one_length_and_begin_alike() -> None:
    files = {data for game in range(GAMES) for _, _, _, data in faces(game)}
    assert len(files) == GAMES * 30
    assert {len(data) for data in files} == {LENGTH}
    assert len({data[:CODE] for data in files}) == 1


def bits(data: bytes) -> NDArray[np.uint8]:
    return np.unpackbits(np.frombuffer(data, np.uint8))


def counts(data: bytes) -> NDArray[np.int64]:
    return np.bincount(np.frombuffer(data, np.uint8), minlength=256)


def pairs_of_bytes(data: bytes) -> NDArray[np.int64]:
    numbers = np.frombuffer(data, np.uint8).astype(int)
    return np.bincount((numbers[:-1] >> 4) * 16 + (numbers[1:] >> 4), minlength=256)


READABLE: dict[str, Callable[[Field], object]] = {
    "name": lambda face: list(bytes.fromhex(face[1])),
    "field": lambda face: [face[2]],
    "first bytes": lambda face: list(face[3][CODE : CODE + 24]),
    "first bits": lambda face: bits(face[3][CODE : CODE + 24]),
    "more bits": lambda face: bits(face[3][CODE : CODE + 160]),
    "first bits of the second part": lambda face: bits(face[3][CODE + MODES : CODE + MODES + 64]),
    "how often each byte": lambda face: counts(face[3]),
    "how often each byte in the first part": lambda face: counts(face[3][CODE : CODE + MODES]),
    "pairs of bytes": lambda face: pairs_of_bytes(face[3]),
    "where the noise may begin": lambda face: [
        counts(face[3][start : start + 4096]).std() for start in range(CODE, LENGTH - 4096, 4096)
    ],
}


def guessed(known: Callable[[Field], object], game: int) -> float:
    """How often two equal faces are nearer to each other than two others: a half is chance."""
    return nearer([known(face) for face in faces(game)], [face[0] for face in faces(game)], game)


def nearer(known: Sequence[object], motifs: Sequence[int], seed: int) -> float:
    """The same of any faces, by what is known of them and what they show."""
    values = np.asarray(known, np.float64)
    values = (values - values.mean(0)) / (values.std(0) + 1e-9)
    squares = (values**2).sum(1)
    apart = squares[:, None] + squares[None] - 2 * values @ values.T
    motif = np.array(motifs)
    first, second = np.triu_indices(len(motif), 1)
    lots = np.random.default_rng(seed).random(len(first)) * 1e-6
    ranks = (apart[first, second] + lots).argsort().argsort()
    equal = motif[first] == motif[second]
    count, others = int(equal.sum()), int((~equal).sum())
    return float(1 - (ranks[equal].sum() - count * (count - 1) / 2) / (count * others))


@pytest.mark.parametrize("what", READABLE)
def test_what_a_script_can_read_predicts_pairs_no_better_than_chance(what: str) -> None:
    right = np.mean([guessed(READABLE[what], game) for game in range(GAMES)])
    assert abs(right - 0.5) < BETTER


def test_who_looks_finds_them_so_the_test_can_fail() -> None:
    """Pixels, small and blurred, are what eyes have: with them the same guesser is nearly right."""

    def looked(face: Field) -> object:
        shown = Image.fromarray(field(seen(face[3]), face[2]))
        return np.asarray(shown.resize((24, 24))).ravel()

    assert guessed(looked, 0) > 0.95
