"""Which motif is which: the members of all families, and how each is drawn."""

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from pli.motifs import angles, creatures, curves, nature
from pli.motifs.drawing import Canvas, Layer
from pli.motifs.palettes import PALETTES

Draw = Callable[..., None]

DRAW: dict[str, Draw] = {
    "scales": curves.scales,
    "waves": curves.waves,
    "herringbone": angles.herringbone,
    "terrazzo": nature.terrazzo,
    "leaves": nature.leaves,
    "sprigs": nature.sprigs,
    "suns": nature.suns,
    "weave": curves.weave,
    "chain": curves.chain,
    "hexes": angles.hexes,
    "triangles": angles.triangles,
    "arcs": curves.arcs,
    "plaids": angles.plaid,
    "peacock": curves.peacock,
    "chevrons": angles.chevrons,
    "blossoms": nature.blossoms,
    "mushrooms": creatures.mushrooms,
    "fish": creatures.fish,
    "birds": creatures.birds,
    "quilts": angles.quilt,
}
"""How to draw: by the family's name, or by a member's `kind` where a family has two."""


@cache
def members() -> list[tuple[str, dict[str, Any]]]:
    """Family and settings of every motif, by number."""
    text = files("pli.motifs").joinpath("members.yaml").read_text(encoding="utf-8")
    return [(name, member) for name, group in yaml.safe_load(text).items() for member in group]


def drawn(motif: int) -> list[Layer]:
    name, settings = members()[motif]
    rest = dict(settings)
    palette = PALETTES[rest.pop("palette")]
    canvas = Canvas(palette, rest.pop("order", "012345"), rest.pop("turn", 0.0))
    DRAW[rest.pop("kind", name)](canvas, **rest)
    return canvas.layers
