"""Stale moves: while a move was on its way, another player's move may have changed what it means.

A game can say that such a move is void (`overtaken`) rather than a fault. docs/fairness.md says why
a client gains nothing by lying about what it had seen."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from pli.game import AnyGame
from pli.match import AnyMatch
from pli.server.tables import entries as e

KEPT = 32
"""Updates that a move may be behind: some seconds of the fastest game."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The game after one update, as it was sent to all pages."""

    n: int
    by: frozenset[int | None]
    """The seats that acted; None: a timer."""
    state: bytes


class RecentUpdates:
    """The last updates of one running game, against which the base of a move is compared."""

    def __init__(self, game: AnyGame) -> None:
        self._overtaken = game.is_stale
        self._load = game.rules.layout.load
        self._snapshots: deque[Snapshot] = deque(maxlen=KEPT)

    def add(self, n: int, match: AnyMatch, entries: Iterable[e.AnyEntry]) -> None:
        """All pages are about to be sent the match as it is after these entries."""
        if self._overtaken is not None:
            moves = [each for each in entries if isinstance(each, e.Acted | e.Ticked)]
            by = frozenset(each.seat if isinstance(each, e.Acted) else None for each in moves)
            self._snapshots.append(Snapshot(n, by, match.save()))

    def overtaken(self, match: AnyMatch, seat: int, action: int, seen: int | None) -> bool:
        """Whether others' moves since entry `seen`, the last that the page had shown, make this
        action void. A seat's own moves never do."""
        if self._overtaken is None or seen is None:
            return False
        before = [each.state for each in self._snapshots if each.n <= seen]
        others = any(each.n > seen and each.by != {seat} for each in self._snapshots)
        if not before or not others:
            return False
        return self._overtaken(self._load(before[-1]), match.state, seat, action)
