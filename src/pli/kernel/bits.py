"""Bit sets: cards or seats as the bits of one integer, up to 62 members.

Rules use sets only through these functions and `& | ~`. Here they are plain Python; in compiled
code `native` replaces some of them by CPU instructions.
"""

from collections.abc import Iterable, MutableSequence

from pli.kernel.rule import rule


@rule
def bit(member: int) -> int:
    return 1 << member


@rule
def has(members: int, member: int) -> bool:
    return (members >> member) & 1 == 1


@rule
def without(members: int, member: int) -> int:
    return members & ~(1 << member)


@rule
def full(count: int) -> int:
    """The set of 0 .. count-1."""
    return (1 << count) - 1


def size(members: int) -> int:
    return members.bit_count()


def lowest(members: int) -> int:
    """The lowest member of a set that is not empty."""
    return (members & -members).bit_length() - 1


def highest(members: int) -> int:
    """The highest member of a set that is not empty."""
    return members.bit_length() - 1


def nth(members: int, k: int) -> int:
    """The k-th member, counted from 0, of a set that has more than k."""
    for _ in range(k):
        members &= members - 1
    return lowest(members)


def select(condition: bool, yes: int, no: int) -> int:
    """`yes if condition else no`, compiled without a branch: where the condition is random, a
    mispredicted branch costs more than computing both values."""
    return yes if condition else no


@rule
def clockwise(seats: int, start: int) -> int:
    """The first seat of the set at `start` or clockwise from it; the set is not empty."""
    later = seats >> start
    if later:
        return start + lowest(later)
    return lowest(seats)


@rule
def listed(members: int, first: int, buffer: MutableSequence[int]) -> int:
    """Writes `first` plus each member into the buffer, in order; returns how many."""
    n = 0
    while members:
        member = lowest(members)
        members = without(members, member)
        buffer[n] = first + member
        n += 1
    return n


def to_list(of: int) -> list[int]:
    """The members in order, for views and texts; never compiled."""
    members = []
    while of:
        lowest_bit = of & -of
        members.append(lowest_bit.bit_length() - 1)
        of ^= lowest_bit
    return members


def from_list(these: Iterable[int]) -> int:
    """The set of these members; never compiled."""
    together = 0
    for member in these:
        together |= bit(member)
    return together
