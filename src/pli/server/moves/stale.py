"""What pages had seen when they acted: others may have been quicker while an action was on its way,
and a game can say that it is then void rather than wrong. docs/fairness.md tells why that is no
gain for who lies about it."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from pli.game import AnyGame
from pli.match import Match
from pli.server.tables import entries as e

KEPT = 32
"""Updates that an action may be behind: some seconds of the wildest game."""


@dataclass(frozen=True, slots=True)
class Shown:
    """An update, as everybody was told of it."""

    n: int
    by: frozenset[int | None]
    """Who acted; None: a timer."""
    state: bytes


class Sight:
    """The last updates of one game in play."""

    def __init__(self, game: AnyGame) -> None:
        self._overtaken = game.is_stale
        self._load = game.rules.layout.load
        self._shown: deque[Shown] = deque(maxlen=KEPT)

    def shows(self, n: int, match: Match, entries: Iterable[e.AnyEntry]) -> None:
        """Everybody is about to see the match as it is after these entries."""
        if self._overtaken is not None:
            moves = [each for each in entries if isinstance(each, e.Acted | e.Ticked)]
            by = frozenset(each.seat if isinstance(each, e.Acted) else None for each in moves)
            self._shown.append(Shown(n, by, match.save()))

    def overtook(self, match: Match, seat: int, action: int, seen: int | None) -> bool:
        """Whether an action came too late, by what others did since its page saw entry `seen`. What
        one did oneself overtakes nothing."""
        if self._overtaken is None or seen is None:
            return False
        before = [each.state for each in self._shown if each.n <= seen]
        others = any(each.n > seen and each.by != {seat} for each in self._shown)
        if not before or not others:
            return False
        return self._overtaken(self._load(before[-1]), match.state, seat, action)
