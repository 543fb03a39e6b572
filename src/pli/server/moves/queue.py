"""The queue of moves in real-time games: a move is settled once no earlier move of a rival can
still arrive.

A move is dated to its arrival minus the lag allowance of its connection, and the queue is ordered
by that time. Nothing here reads a clock: times are whole milliseconds of one monotonic clock of the
caller's.
"""

from bisect import insort
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, Generic, TypeVar

from pli.kernel.contract import NEVER
from pli.server.moves.lag import MAX_ALLOWANCE, Allowances

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PendingMove(Generic[T]):
    """A move that arrived, or that a bot has planned."""

    seat: int
    move: T
    arrived: int
    acted: int
    """`arrived` minus the lag allowance: when the player acted, as if nobody had lag. This decides
    who was first."""
    time: int
    """When it counts in the game: `acted`, but not before anything that is already settled."""


class MoveQueue(Generic[T]):
    """Pending moves in the order in which they were made. The caller settles one thing at a time,
    since each changes the game:

        if queue.timer_ready(now, allowances, match.due): fire the timer, queue.advance(its time)
        elif pending := queue.pop_ready(now, allowances, match.due): play or refuse it
        else: come back at queue.next_wakeup(allowances, match.due), or when a move arrives

    Moves of several seats in the same millisecond are ordered by a hash with the salt, which
    players must not know.
    """

    def __init__(self, salt: str = "") -> None:
        self._salt = salt
        self._pending: list[tuple[int, bytes, int, PendingMove[T]]] = []
        self._number = 0
        self._floor = 0
        """The game time of the last thing settled: nothing counts before it any more."""

    def __bool__(self) -> bool:
        """Whether any move is pending."""
        return bool(self._pending)

    def add(self, seat: int, move: T, arrived: int, allowance: int = 0) -> PendingMove[T]:
        """`arrived` may be in the future for a bot: a plan, to be withdrawn if the game changes
        first."""
        # A seat's own moves keep their order, even if its allowance changed between them. Plans
        # for the seat, which are later, don't hold back what its player does.
        own = [each for _, _, _, each in self._pending if each.seat == seat]
        before = max((each.acted for each in own if each.arrived <= arrived), default=0)
        acted = max(arrived - allowance, before)
        pending = PendingMove(seat, move, arrived, acted, max(acted, self._floor))
        self._number += 1
        insort(self._pending, (acted, self._tie_break(seat, acted), self._number, pending))
        return pending

    def withdraw(self, seat: int, which: Callable[[T], bool] = lambda _: True) -> None:
        """Removes moves of a seat: a bot plans again, or the seat was left."""
        self._pending = [
            each for each in self._pending if each[-1].seat != seat or not which(each[-1].move)
        ]

    def advance(self, time: int) -> None:
        """Something else happened in the game at this time: no move counts before it any more."""
        self._floor = max(self._floor, time)

    def pop_ready(
        self, now: int, allowances: Allowances, due: int = NEVER
    ) -> PendingMove[T] | None:
        """The first move, removed, if it can be settled and no timer goes before it."""
        if not self._pending or self._timer_first(due) or now < self._ready_at(allowances):
            return None
        pending = self._pending.pop(0)[-1]
        self.advance(pending.acted)
        return replace(pending, time=self._floor)

    def timer_ready(self, now: int, allowances: Allowances, due: int) -> bool:
        """Whether the game's timer can fire: before moves made at its time, after all moves that
        were made earlier."""
        return self._timer_first(due) and now >= self._timer_ready_at(allowances, due)

    def next_wakeup(self, allowances: Allowances, due: int = NEVER) -> int | None:
        """When the next move or the timer is ready, if nothing arrives until then."""
        if self._timer_first(due):
            return self._timer_ready_at(allowances, due)
        return self._ready_at(allowances) if self._pending else None

    def _timer_first(self, due: int) -> bool:
        if due >= NEVER:
            return False
        return not self._pending or due <= max(self._pending[0][0], self._floor)

    def _timer_ready_at(self, allowances: Allowances, due: int) -> int:
        # No move can count before the floor, so a timer due by then waits for none.
        return due if due <= self._floor else due + max(allowances.values(), default=0)

    def _ready_at(self, allowances: Allowances) -> int:
        """When the first move can be settled: any earlier move of a rival has arrived by then."""
        pending = self._pending[0][-1]
        rivals = (allowance for seat, allowance in allowances.items() if seat != pending.seat)
        return max(pending.arrived, pending.acted + max(rivals, default=0))

    def _tie_break(self, seat: int, acted: int) -> bytes:
        return blake2b(f"{self._salt} {acted} {seat}".encode(), digest_size=8).digest()


@dataclass(frozen=True, slots=True)
class Race:
    """Two seats made the same move, the second before it could know of the first."""

    winner: int
    loser: int
    margin: int
    """ms between them."""


class RaceDetector:
    """Finds races among settled moves. The caller names what was raced for: the text of the
    action, or the card it takes."""

    def __init__(self) -> None:
        self._won: dict[Hashable, tuple[PendingMove[Any], int]] = {}

    def won(self, pending: PendingMove[Any], target: Hashable, shown: int) -> None:
        """A move was played, and sent to all pages at the time `shown`."""
        recent = {k: v for k, v in self._won.items() if v[1] > pending.acted - MAX_ALLOWANCE}
        self._won = recent | {target: (pending, shown)}

    def lost(self, pending: PendingMove[Any], target: Hashable) -> Race | None:
        """A move was refused: the race that it lost, if it was made before the winning move was
        shown."""
        winner, shown = self._won.get(target, (pending, 0))
        if winner.seat == pending.seat or pending.acted >= shown:
            return None
        return Race(winner.seat, pending.seat, max(0, pending.acted - winner.acted))
