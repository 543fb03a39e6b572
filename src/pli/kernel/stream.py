"""The pseudo-random stream of simulations: SplitMix64, whose state is one 64-bit counter.

Rules never use it. A game's stream follows from the run's seed and the game's number alone, so a
result does not depend on threads or on the order of games. A draw hashes the counter, so the CPU
can compute several draws at once.
"""

MASK = 0xFFFFFFFFFFFFFFFF
GOLDEN = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB


def mix(x: int) -> int:
    x = ((x ^ (x >> 30)) * MIX_1) & MASK
    x = ((x ^ (x >> 27)) * MIX_2) & MASK
    return x ^ (x >> 31)


def start(seed: int, game: int) -> int:
    """The stream of game number `game` in the run `seed`."""
    return mix((mix(seed & MASK) + game * GOLDEN) & MASK)


def advance(x: int) -> int:
    return (x + GOLDEN) & MASK


def below(x: int, n: int) -> int:
    """A number in 0 .. n-1 from the current counter (bias under n / 2**32)."""
    return ((mix(x) >> 32) * n) >> 32


def below_low(x: int, n: int) -> int:
    """A second number from the same counter, from the other half of its bits."""
    return ((mix(x) & 0xFFFFFFFF) * n) >> 32
