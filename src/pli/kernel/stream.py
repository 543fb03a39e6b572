"""A stream of random numbers for simulations: one 64-bit number, a step and a draw.

Rules never use it. A game's stream follows from the run's seed and the game's number alone, so a
result does not depend on threads or on the order in which games are played. (SplitMix64: a counter
whose values are scrambled when drawn, so one draw need not wait for the one before it.)
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
    """A number in 0 .. n-1 from the stream where it stands (bias under n / 2**32)."""
    return ((mix(x) >> 32) * n) >> 32


def below_low(x: int, n: int) -> int:
    """A second one from the same place, from the other half of its bits."""
    return ((mix(x) & 0xFFFFFFFF) * n) >> 32
