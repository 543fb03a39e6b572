"""Rate limits: token buckets, one for each client address or connection. The rates are in `limits`.

A bucket fills at a steady rate up to a burst; each request takes tokens from it, and is refused if
there are too few.
"""

from collections import OrderedDict
from dataclasses import dataclass

from pli.server.limits import Rate


class TokenBucket:
    """Times are seconds of a monotonic clock."""

    __slots__ = ("_burst", "_level", "_rate", "_then")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate, self._burst = rate
        self._level = self._burst
        self._then = now

    def take(self, now: float, amount: float = 1) -> bool:
        """Takes so many tokens, if there are as many."""
        level = self._level + (now - self._then) * self._rate  # `_fill`, inlined
        if level > self._burst:
            level = self._burst
        self._then = now
        if level < amount:
            self._level = level
            return False
        self._level = level - amount
        return True

    def spend(self, now: float, amount: float) -> None:
        """Takes tokens for what is used already; the level may become negative."""
        self._fill(now)
        self._level -= amount

    def empty(self, now: float, reserve: float = 0) -> bool:
        """Whether no more than a reserve is left."""
        if self._level > reserve:
            return False  # it can only have become more
        self._fill(now)
        return self._level <= reserve

    def _fill(self, now: float) -> None:
        self._level = min(self._burst, self._level + (now - self._then) * self._rate)
        self._then = now


class AddressBuckets:
    """A bucket for each client address. Beyond `most` addresses the least recently used is dropped,
    which gives it a full bucket again."""

    def __init__(self, rate: Rate, most: int) -> None:
        self._rate = rate
        self._most = most
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def of(self, address: str, now: float) -> TokenBucket:
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = TokenBucket(self._rate, now)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(address)
        return bucket

    def take(self, address: str, now: float) -> bool:
        return self.of(address, now).take(now)


@dataclass(frozen=True, slots=True)
class MessageLimits:
    """The rate limits of one WebSocket: its own, and those it shares with its address."""

    own: TokenBucket
    messages: TokenBucket
    logs: TokenBucket
