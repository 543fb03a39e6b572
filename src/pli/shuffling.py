"""Deterministic shuffles: the same seed gives the same game on any machine.

Shuffle k of n things is a Fisher-Yates shuffle that draws its numbers from HMAC-SHA-256 over the
seed, k and a counter, with rejection sampling so that no number is favoured.
"""

import hmac
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from struct import Struct

Shuffler = Callable[[int, int], list[int]]
"""(k, n): shuffle number k, of n things."""

_WORDS = Struct(">8I")
"""A digest as numbers of 32 bits."""

_RANGE = 2**32


def seeded(seed: object) -> Shuffler:
    """The shuffles of a seed: a number or a text."""
    return keyed(str(seed).encode("utf-8", "surrogatepass"))


def keyed(key: bytes) -> Shuffler:
    """The shuffles of a key: without the key they can't be told from random ones."""
    return Keyed(key)


@dataclass(frozen=True)
class Keyed:
    """The same as an object, since matches are pickled with their shuffles to come. It does not
    show its key."""

    key: bytes = field(repr=False)

    def __call__(self, k: int, n: int) -> list[int]:
        numbers = _numbers(self.key, k)
        order = list(range(n))
        for i in range(n - 1, 0, -1):
            j = _below(numbers, i + 1)
            order[i], order[j] = order[j], order[i]
        return order


def fresh_seed() -> str:
    """A random seed of 128 bits."""
    return secrets.token_hex(16)


def _numbers(key: bytes, k: int) -> Iterator[int]:
    counter = 0
    while True:
        block = hmac.digest(key, f"shuffle {k} block {counter}".encode(), "sha256")
        yield from _WORDS.unpack(block)
        counter += 1


def _below(numbers: Iterator[int], n: int) -> int:
    fair = _RANGE - _RANGE % n
    number = next(numbers)
    while number >= fair:
        number = next(numbers)
    return number % n
