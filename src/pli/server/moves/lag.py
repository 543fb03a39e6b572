"""Lag compensation: the round-trip time that is allowed for on each connection.

A player on a slow connection sees late and is heard late, so a move is dated back by the whole
round trip: to its arrival minus the allowance of its connection (see `queue`). docs/fairness.md
says what that guarantees and what it does not.
"""

from collections import deque
from collections.abc import Mapping
from statistics import fmean, median

MAX_ALLOWANCE = 250
"""ms. The bound on lag compensation: what a client can gain at most by delaying its pongs, and
what a move waits at most for a rival's."""

SAMPLES = 9
"""Round trips in the window: about half a minute with a ping every few seconds."""

MAX_DEVIATION = 75
"""ms from the median at which a sample is clipped. Jitter has to count in full, or the connection
with more of it loses races; a spike counts only as much as it takes to lose a race."""

Allowances = Mapping[int, int]
"""The allowance in ms of each seat whose player is connected and may act. Bots have no lag."""


class Lag:
    """The measured round trips of one connection. A lost ping is no sample."""

    def __init__(self) -> None:
        self.allowance = 0
        """ms. 0 until the first pong."""
        self._samples: deque[float] = deque(maxlen=SAMPLES)

    @property
    def samples(self) -> list[float]:
        """The round trips that count now, in ms."""
        return [*self._samples]

    def add_sample(self, round_trip: float) -> None:
        """In ms. The allowance becomes the mean of the samples, clipped around their median."""
        self._samples.append(round_trip)
        middle = median(self._samples)
        least, most = middle - MAX_DEVIATION, middle + MAX_DEVIATION
        mean = fmean(min(max(n, least), most) for n in self._samples)
        self.allowance = min(MAX_ALLOWANCE, round(mean))
