"""What this server counts and times, for its operators.

Counting is on the way of every action, so these are plain numbers and lists: a fifth of a
microsecond each, where the library that exports them (`pli.server.internal.exposition`) takes five
times as long. All is counted on the event loop. Labels come from fixed sets: nothing here holds a
table, a name or an address, and no client can add a label.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable
from functools import partial

import msgspec

from pli import games
from pli.bots import LEVELS
from pli.server.limits import Limits
from pli.texts import words

DURATIONS = (
    *(0.0005, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075),
    *(0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1.0, 2.0, 3.0, 5.0, 10.0),
)
"""Upper bounds of buckets, in seconds."""

ALLOWANCES = (0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.249)
"""The same for allowances. What is in none of them is at the bound of lag compensation."""

SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Upper bounds of numbers of appends."""

OTHER = "other"
"""Stands for all labels that are not known."""

PERSON, BOT = 0, 1


class Counter:
    """A number that only grows."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value = 0

    def inc(self, by: int = 1) -> None:
        self.value += by


class Counts:
    """A counter for each of some known labels."""

    __slots__ = ("_known", "values")

    def __init__(self, known: Callable[[str], bool], first: Iterable[str] = ()) -> None:
        """Those in `first` are exported before they are counted."""
        self._known = known
        self.values = dict.fromkeys(first, 0)

    def inc(self, label: str) -> None:
        if label not in self.values and not self._known(label):
            label = OTHER
        self.values[label] = self.values.get(label, 0) + 1


class Histogram:
    """How many values were at most each bound, and their sum."""

    __slots__ = ("bounds", "counts", "sum")

    def __init__(self, bounds: tuple[float, ...] = DURATIONS) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        """By bucket, not cumulated; in the last what is above all bounds."""
        self.sum = 0.0

    def observe(self, value: float) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value

    @property
    def count(self) -> int:
        return sum(self.counts)


class Metrics:
    """Of one server process."""

    def __init__(self) -> None:
        self._actions = {name: [0, 0] for name in games.names()}
        self.durable = Histogram()
        """Seconds from the start of a command to what it recorded being durable."""
        self.told = Histogram()
        """Seconds from the arrival of a player's action to all pages being told of it: in live
        games this includes the time that it waits for those of others."""
        self.thinking = {level: Histogram() for level in (*LEVELS, OTHER)}
        """Seconds that bots took to decide, by level."""
        self.allowance = Histogram(ALLOWANCES)
        """The allowance of a connection in seconds, at each pong."""
        self.refusals = Counts(_error_known)
        """Players' actions that were refused, by code."""
        self.problems = Counts(_error_known)
        """All else that a client was told is wrong, by code."""
        self.unsaved = Counts(_error_known)
        """Commands whose entries could not be saved, by code."""
        self.limits = Counts(partial(_among, LIMITS), LIMITS)
        """Limits that clients met, by name."""
        self.batch = Histogram(SIZES)
        """Appends in one flush of the journal."""
        self.flush = Histogram()
        """Seconds that a flush took."""
        self.loop_delay = Histogram()
        """Seconds by which a timer of the event loop was late."""
        self.relays = Counter()
        """Connections that were relayed to a room on another server."""
        self.takeovers = Counter()
        """Tables that were taken over from a server that had died."""
        self.handovers = Counter()
        """Tables that were handed over to other servers at a planned stop."""

    @property
    def actions(self) -> dict[str, list[int]]:
        """Actions that are durable, by game: those of people (`PERSON`) and of bots (`BOT`)."""
        return self._actions

    def actions_of(self, game: str) -> list[int]:
        """The counters of one game, to be counted up by its tables."""
        return self._actions.setdefault(game, [0, 0])

    def thought(self, level: str, seconds: float) -> None:
        (self.thinking.get(level) or self.thinking[OTHER]).observe(seconds)

    def flushed(self, appends: int, seconds: float) -> None:
        """For `Journal.on_flush`."""
        self.batch.observe(appends)
        self.flush.observe(seconds)


LIMITS = frozenset({*(field.name for field in msgspec.structs.fields(Limits)), "descriptors"})


def _among(labels: frozenset[str], label: str) -> bool:
    return label in labels


def _error_known(code: str) -> bool:
    """Whether the code is that of an error which has a text."""
    places = (words("en", game) for game in (None, *games.names()))
    return any(f"errors.{code}" in texts for texts in places)
