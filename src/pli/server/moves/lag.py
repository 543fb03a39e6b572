"""Fair hands over uneven lines: when an action counts, and how long it waits for a rival's.

Who has a long line sees late and is heard late. So an action counts at its arrival minus the whole
round trip of its line, and is settled when nobody else's earlier one can still arrive. Nothing here
reads a clock: times are whole milliseconds of one clock of the caller's that never runs back.
docs/fairness.md tells what that guarantees and what it does not.
"""

from bisect import insort
from collections import deque
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b
from statistics import fmean, median
from typing import Any, Generic, TypeVar

from pli.kernel.contract import NEVER

T = TypeVar("T")

BOUND = 250
"""ms: nobody is allowed for more, so nobody gains more by a lie or waits longer for a rival."""

KEPT = 9
"""Round trips that are remembered: with a ping every few seconds some half a minute."""

SPREAD = 75
"""ms: how far from the middle one a round trip counts. Jitter must count in full, or the line that
has more of it loses; of a spike only as much as it takes to lose a race between people."""

Lines = Mapping[int, int]
"""The allowance of each person who is connected and may act. Bots have no line."""


class Line:
    """One connection, as the answers to its pings tell. A lost ping is simply not heard of."""

    def __init__(self) -> None:
        self.allowance = 0
        """ms: the round trip that is allowed for; nothing before anything was measured."""
        self._heard: deque[float] = deque(maxlen=KEPT)

    def heard(self, round_trip: float) -> None:
        self._heard.append(round_trip)
        middle = median(self._heard)
        least, most = middle - SPREAD, middle + SPREAD
        self.allowance = min(BOUND, round(fmean(min(max(n, least), most) for n in self._heard)))


@dataclass(frozen=True, slots=True)
class Claim(Generic[T]):
    """An action that arrived, or that a bot plans to do."""

    seat: int
    what: T
    arrival: int
    done: int
    """When it was done as far as its line tells, counted from what its player was shown: this
    decides who was first."""
    time: int
    """When it counts in the game: as done, but not before what was settled already."""


class Claims(Generic[T]):
    """Actions that wait until no rival's earlier one can still arrive. The caller settles one thing
    at a time, since that changes the game:

        if claims.timer_ripe(now, lines, match.due): let the timer go off, claims.applied(its time)
        elif claim := claims.ripe(now, lines, match.due): do it, or refuse it, at claim.time
        else: come back at claims.wakes(lines, match.due), or when something arrives

    What several seats did in the same millisecond is settled by lot. The lot follows from the salt,
    which players should not know.
    """

    def __init__(self, salt: str = "") -> None:
        self._salt = salt
        self._held: list[tuple[int, bytes, int, Claim[T]]] = []
        self._number = 0
        self._floor = 0

    def __bool__(self) -> bool:
        """Whether anything waits."""
        return bool(self._held)

    def add(self, seat: int, what: T, arrival: int, allowance: int = 0) -> Claim[T]:
        """A bot's arrival may be still to come: then it is a plan, to be withdrawn if something
        else happens first."""
        # A seat's own order stands, even if its line was measured anew meanwhile. What is only
        # planned for it stands in nobody's way.
        own = [each for _, _, _, each in self._held if each.seat == seat]
        before = max((each.done for each in own if each.arrival <= arrival), default=0)
        done = max(arrival - allowance, before)
        claim = Claim(seat, what, arrival, done, max(done, self._floor))
        self._number += 1
        insort(self._held, (done, self._lot(seat, done), self._number, claim))
        return claim

    def withdraw(self, seat: int, which: Callable[[T], bool] = lambda _: True) -> None:
        """For a bot that thinks again, or a seat that was left."""
        self._held = [
            each for each in self._held if each[-1].seat != seat or not which(each[-1].what)
        ]

    def applied(self, time: int) -> None:
        """Something else entered the game at this time: nothing counts before it any more."""
        self._floor = max(self._floor, time)

    def ripe(self, now: int, lines: Lines, due: int = NEVER) -> Claim[T] | None:
        """The first claim, taken out, if it can be settled and no timer goes before it."""
        if not self._held or self._timer_first(due) or now < self._settles(lines):
            return None
        claim = self._held.pop(0)[-1]
        self.applied(claim.done)
        return replace(claim, time=self._floor)

    def timer_ripe(self, now: int, lines: Lines, due: int) -> bool:
        """Whether a timer due then can go off: it goes before actions at its time, after all that
        were done earlier."""
        return self._timer_first(due) and now >= self._goes_off(lines, due)

    def wakes(self, lines: Lines, due: int = NEVER) -> int | None:
        """When a claim or the timer is ripe next if nothing arrives until then."""
        if self._timer_first(due):
            return self._goes_off(lines, due)
        return self._settles(lines) if self._held else None

    def _timer_first(self, due: int) -> bool:
        if due >= NEVER:
            return False
        return not self._held or due <= max(self._held[0][0], self._floor)

    def _goes_off(self, lines: Lines, due: int) -> int:
        # What counts no earlier than the floor can't go before a timer that is due by then.
        return due if due <= self._floor else due + max(lines.values(), default=0)

    def _settles(self, lines: Lines) -> int:
        """When the first claim can be settled: what a rival did before it has arrived by then."""
        claim = self._held[0][-1]
        rivals = (allowance for seat, allowance in lines.items() if seat != claim.seat)
        return max(claim.arrival, claim.done + max(rivals, default=0))

    def _lot(self, seat: int, done: int) -> bytes:
        return blake2b(f"{self._salt} {done} {seat}".encode(), digest_size=8).digest()


@dataclass(frozen=True, slots=True)
class Race:
    """Two seats went for the same thing, the second not knowing of the first."""

    winner: int
    loser: int
    margin: int
    """ms between them."""


class Races:
    """By how much somebody came second. What is the same thing the caller says: the action's text,
    or the card that it goes for."""

    def __init__(self) -> None:
        self._won: dict[Hashable, tuple[Claim[Any], int]] = {}

    def won(self, claim: Claim[Any], thing: Hashable, shown: int) -> None:
        """A claim was carried out, and sent to everybody at that time."""
        recent = {k: v for k, v in self._won.items() if v[1] > claim.done - BOUND}
        self._won = recent | {thing: (claim, shown)}

    def lost(self, claim: Claim[Any], thing: Hashable) -> Race | None:
        """A claim was refused: to whom it lost, if that was a race. Who had been shown that the
        thing was gone was not racing."""
        winner, shown = self._won.get(thing, (claim, 0))
        if winner.seat == claim.seat or claim.done >= shown:
            return None
        return Race(winner.seat, claim.seat, max(0, claim.done - winner.done))
