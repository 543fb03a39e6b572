"""The 135 cards: which motifs are on the two faces of each, drawn once from a seed (TW-1a)."""

from pli.games.twinit.state import CARDS, COPIES, LOWEST_MOTIF
from pli.kernel.stream import advance, below, start

SEED = 135


def drawn(seed: int) -> list[int]:
    """The motifs of the faces, two by two; drawn again until no card has the same on both."""
    faces: list[int] = []
    motif = 0
    for copies, motifs in COPIES.items():
        for _ in range(motifs):
            faces += [motif] * copies
            motif += 1
    for attempt in range(1 << 20):
        x = start(seed, attempt)
        for last in range(len(faces) - 1, 0, -1):
            x = advance(x)
            other = below(x, last + 1)
            faces[last], faces[other] = faces[other], faces[last]
        if all(faces[2 * card] != faces[2 * card + 1] for card in range(CARDS)):
            return faces
    raise AssertionError("no deck")


DECK = tuple(motif + LOWEST_MOTIF for motif in drawn(SEED))
