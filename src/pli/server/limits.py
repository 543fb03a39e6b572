"""How much one connection, one address and one server will take."""

from collections import OrderedDict
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Rates are a second and the burst that is let through at once."""

    messages: tuple[float, float] = (20, 60)
    """Of one connection: nobody taps faster for long."""
    requests: tuple[float, float] = (10, 60)
    """Of one address."""
    tables: tuple[float, float] = (0.2, 20)
    """Made by one address."""
    replays: tuple[float, float] = (1, 20)
    """Asked for by one address: to work one out takes a while."""
    pictures: tuple[float, float] = (60, 1000)
    """Asked for by one address: some thirty sheets a game, for everybody behind a router."""
    connections: int = 60
    """Of one address at a time: a school behind one router plays too."""
    all_connections: int = 20_000
    all_tables: int = 100_000
    """Unfinished ones."""
    spectators: int = 50
    """At one table."""
    addresses: int = 50_000
    """That are remembered."""


UNLIMITED = Limits(
    messages=(1e9, 1e9),
    requests=(1e9, 1e9),
    tables=(1e9, 1e9),
    replays=(1e9, 1e9),
    pictures=(1e9, 1e9),
    connections=1 << 30,
    all_connections=1 << 30,
    all_tables=1 << 30,
)
"""For measuring."""


class Bucket:
    """Fills at a rate and is drawn from: what comes faster in the long run is refused."""

    __slots__ = ("_burst", "_level", "_rate", "_then")

    def __init__(self, rate: tuple[float, float], now: float) -> None:
        self._rate, self._burst = rate
        self._level = self._burst
        self._then = now

    def takes(self, now: float) -> bool:
        self._level = min(self._burst, self._level + (now - self._then) * self._rate)
        self._then = now
        if self._level < 1:
            return False
        self._level -= 1
        return True


class Buckets:
    """One for each address; of too many, those are forgotten that were not seen for longest."""

    def __init__(self, rate: tuple[float, float], most: int) -> None:
        self._rate = rate
        self._most = most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def takes(self, address: str, now: float) -> bool:
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = Bucket(self._rate, now)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(address)
        return bucket.takes(now)
