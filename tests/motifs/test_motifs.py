"""The motifs: all there, all different for all eyes, each with lookalikes."""

import re
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

from pli import motifs
from pli.motifs import COUNT, distances, families, family, lookalikes, measure, svg
from pli.motifs.contact_sheet import contact_sheet
from pli.motifs.palettes import PALETTES

ALL = range(COUNT)
FLOOR = {
    "normal": 0.18,
    "protanopia": 0.15,
    "deuteranopia": 0.17,
    "tritanopia": 0.18,
    "grey": 0.15,
}
"""No two motifs are nearer than this."""
CEILING = 0.68
"""Every motif has two others at most this far away; the mean distance is 0.8."""


@cache
def images() -> list[measure.Image]:
    pytest.importorskip("resvg_py", reason="rendering needs resvg-py")
    return [measure.rendered(svg(motif)) for motif in ALL]


@pytest.fixture(scope="module")
def plain() -> list[measure.Image]:
    return images()


def test_there_are_130_in_18_families() -> None:
    assert len(families.members()) == COUNT == 130
    names = [family(motif) for motif in ALL]
    assert len(set(names)) == 18
    assert all(names.count(name) >= 7 for name in names)
    assert sum(a != b for a, b in pairwise(names)) == 17, "a family's numbers follow one another"


def test_a_number_that_is_none_is_refused() -> None:
    for motif in (-1, COUNT):
        with pytest.raises(IndexError):
            svg(motif)
        with pytest.raises(IndexError):
            family(motif)


def test_each_is_a_small_square_well_formed_file_of_paths_only() -> None:
    for motif in ALL:
        text = svg(motif)
        root = ElementTree.fromstring(text)
        assert root.get("viewBox") == "0 0 100 100"
        assert {child.tag for child in root} == {"{http://www.w3.org/2000/svg}path"}
        assert len(text.encode()) < 6 * 1024, motif
        assert not re.search(r"\bid=|href|url\(|<text|<image|style", text)


def test_an_svg_is_the_same_every_time() -> None:
    first = [svg(motif) for motif in ALL]
    svg.cache_clear()
    assert [svg(motif) for motif in ALL] == first


def test_palettes_climb_from_ink_to_paper() -> None:
    for name, palette in PALETTES.items():
        channels = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in palette]) / 255
        light = measure.seen(channels[None] ** 2.2, "normal")[0, :, 0]
        assert light[0] < light[1] < light[4] < light[5], name
        assert light[1] < min(light[2], light[3]) + 0.02, name
        assert max(light[2], light[3]) < light[4] + 0.02, name


def test_distances_are_a_symmetric_table() -> None:
    table = np.array(distances())
    assert table.shape == (COUNT, COUNT)
    assert (table == table.T).all()
    assert (table.diagonal() == 0).all()
    assert measure.STORE.stat().st_size < 40_000


def test_lookalikes_are_the_nearest_others() -> None:
    for motif in ALL:
        found = lookalikes(motif)
        assert len(set(found)) == 5
        assert motif not in found
        row = distances()[motif]
        assert [row[other] for other in found] == sorted(row)[1:6]


def test_every_motif_has_two_lookalikes() -> None:
    for motif in ALL:
        second = lookalikes(motif, 2)[1]
        assert distances()[motif][second] <= CEILING, motif


def test_in_every_family_somebody_is_nearest_to_a_relative() -> None:
    for name in {family(motif) for motif in ALL}:
        group = [motif for motif in ALL if family(motif) == name]
        assert any(family(lookalikes(motif, 1)[0]) == name for motif in group), name


def test_stored_distances_are_what_is_measured(plain: list[measure.Image]) -> None:
    found = measure.matrix(plain)
    assert np.abs(found - np.array(distances())).max() < 0.004


@pytest.mark.parametrize("eyes", measure.EYES)
def test_no_two_are_too_near_for_any_eyes(plain: list[measure.Image], eyes: str) -> None:
    found = measure.matrix(plain, eyes) + np.eye(COUNT)
    a, b = divmod(int(found.argmin()), COUNT)
    assert found.min() >= FLOOR[eyes], (a, b)


def test_none_is_another_one_turned_or_mirrored(plain: list[measure.Image]) -> None:
    straight = measure.compared(plain)
    for flip in (1, -1):
        for turns in range(4):
            turned = [np.rot90(image[:, ::flip], turns) for image in plain]
            found = measure.between(straight, measure.compared(turned)) + np.eye(COUNT)
            assert found.min() >= FLOOR["normal"], divmod(int(found.argmin()), COUNT)


def test_the_sheet_shows_all_with_their_numbers() -> None:
    root = ElementTree.fromstring(contact_sheet())
    inner = root.findall("{http://www.w3.org/2000/svg}svg")
    texts = root.findall("{http://www.w3.org/2000/svg}text")
    assert len(inner) == motifs.COUNT
    assert [text.text for text in texts] == [str(motif) for motif in ALL]
