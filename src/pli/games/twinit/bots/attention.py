"""What a seat can notice in Twin It!: pairs, lookalikes that are none, and when to flip, turn or
lift."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache

from pli.game import Cue, Event, MotifLookup
from pli.games.twinit.events import Turned
from pli.games.twinit.view import TwinitView
from pli.motifs import lookalikes

NEW = 4
"""Faces that turn up together and are looked at one by one; more are a whole new table."""

ALIKE = 5
"""Lookalikes of a motif that distract from it."""

TEMPTING = 2
"""Of these, the ones that may be taken for it."""

STRIDE = 37
"""Step through the cards that a player who sees no pair turns over: here and there."""


@cache
def _alike(motif: int) -> tuple[int, ...]:
    return tuple(lookalikes(motif, ALIKE))


class TwinitAttention:
    """One seat's attention. It remembers the faces that it saw, and how many cards it turned."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._turned = 0

    def look(
        self,
        view: TwinitView,
        actions: Sequence[str],
        events: Sequence[Event],
        motif_of: MotifLookup | None,
    ) -> list[Cue]:
        assert motif_of is not None
        assert view.seat is not None
        if view.phase != "play":
            return []
        faces = open_faces(view)
        names = set(faces)
        new = names - self._seen
        if len(new) > NEW:
            new = set()
        self._seen = names
        motifs: dict[int, list[str]] = defaultdict(list)
        for face in faces:
            motifs[motif_of(face)].append(face)
        self._turned += sum(isinstance(e, Turned) and e.seat == view.seat for e in events)
        twins = {_card(face) for each in motifs.values() if len(each) > 1 for face in each}
        return [
            *self._pairs(view, set(actions), motifs, new, len(faces)),
            *self._deeds(view, actions, twins, len(faces)),
        ]

    def _pairs(
        self,
        view: TwinitView,
        actions: set[str],
        motifs: dict[int, list[str]],
        new: set[str],
        count: int,
    ) -> Iterator[Cue]:
        mine = {hand.card for hand in view.hands[view.seat or 0] if not hand.tied}
        mates = _hands_of_mates(view)
        taboo = set(view.taboo[view.owners[view.seat or 0]])
        for motif, faces in motifs.items():
            around = sum(each in motifs for each in _alike(motif)) / ALIKE
            twins = [(motif, faces)] if len(faces) > 1 else []
            like = [(other, [faces[0], motifs[other][0]]) for other in _alike(motif)[:TEMPTING]
                    if other > motif and other in motifs]  # fmt: skip
            for other, pair in [*twins, *like]:
                if taboo & set(pair):
                    continue
                a, b = sorted(map(_card, pair[:2]))
                steps = _steps(view, a, b, mine, mates)
                if not steps or not set(steps) <= actions | {f"touch {card}" for card in mine}:
                    continue
                is_fresh = bool(new & set(pair)) or bool(mates & {a, b})
                yield Cue(
                    key=f"{a} {b} {len(mates & {a, b})}" if other == motif else f"like {a} {b}",
                    kind="search",
                    actions=steps,
                    # A new face is compared with each of the others; a search for any pair
                    # compares all with all.
                    items=count if is_fresh else count * count // 2,
                    similar=around,
                    real=other == motif,
                )

    def _deeds(
        self, view: TwinitView, actions: Sequence[str], twins: set[int], count: int
    ) -> Iterator[Cue]:
        me = view.seat or 0
        if "flip" in actions:
            key = f"flip {view.piles[me]} {len(view.table)}"
            yield Cue(key=key, kind="turn", actions=("flip",), items=count)
        for hand in view.hands[me]:
            if not hand.tied and hand.card not in twins:
                key = f"lift {hand.card} {hand.since}"
                yield Cue(key=key, kind="turn", actions=(f"lift {hand.card}",))
        free = [each for each in actions if each.startswith("turn ")]
        if free:
            chosen = free[(self._turned + STRIDE * me) * STRIDE % len(free)]
            yield Cue(key=f"turn {self._turned}", kind="turn", actions=(chosen,))


def open_faces(view: TwinitView) -> list[str]:
    """What can be touched, a catch by its first card."""
    faces = [lying.face for lying in view.table]
    faces += [top for top in view.tops if top is not None]
    faces += [face for each in view.taboo for face in each]
    me = view.owners[view.seat or 0]
    for owner, catches in enumerate(view.catches):
        if view.mode != "rush" or owner == me:
            faces += [catch[0] for catch in catches if len(catch) == 2]
    return faces


def _card(face: str) -> int:
    return int(face[:-1])


def _hands_of_mates(view: TwinitView) -> set[int]:
    """Where a hand of one's own would make a catch with a team-mate's."""
    if view.mode != "teams":
        return set()
    me = view.seat or 0
    return {
        hand.card
        for seat, hands in enumerate(view.hands)
        for hand in hands
        if seat != me and view.owners[seat] == view.owners[me] and not hand.tied
    }


def _steps(view: TwinitView, a: int, b: int, mine: set[int], mates: set[int]) -> tuple[str, ...]:
    """How to go for a pair: with both hands, in teams with one."""
    if view.mode != "teams":
        if mine and not mine & {a, b}:
            return ()
        first, second = (b, a) if b in mine else (a, b)
        return (f"touch {first}", f"touch {second}")
    if mine:
        return ()
    if mates:
        if not mates & {a, b}:
            return ()
        return (f"touch {b if a in mates else a}",)
    return (f"touch {a}",)
