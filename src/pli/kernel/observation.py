"""What a learning agent gets of a game: numbers that tell all that a seat may know, its actions by
number, and what a finished game is worth.

A game declares it once, in its `observation.py`: the fields with their shapes and meanings, and the
rules that fill them in for one seat, plain or compiled. What a seat has seen but the state does not
keep is in a record beside the state, its memory, which follows what happens at the table.
"""

from collections.abc import Callable, MutableSequence, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Generic, TypeVar

from pli.kernel.bits import bit, full, has
from pli.kernel.bits import size as size_of
from pli.kernel.layout import Int8, Layout
from pli.kernel.rule import hot, rule

S = TypeVar("S")

Numbers = MutableSequence[int]
"""Where an observation or a mask is written, from some place on."""

SEATS = "seats"
"""In a shape: as many as the game has seats. All fields count seats from the one that observes, so
that 0 is itself and 1 the next clockwise."""

MOST = 127
"""The highest number of a field: what is more is written as this."""

WAIT = 0
"""In games of any moment: the action of doing nothing."""


@dataclass(frozen=True)
class Field:
    """Some numbers of an observation."""

    name: str
    shape: tuple[int | str, ...]
    about: str
    """What they mean, for the documentation."""

    def sizes(self, seats: int) -> tuple[int, ...]:
        return tuple(seats if each == SEATS else int(each) for each in self.shape)


@dataclass(slots=True)
class NoMemory:
    """The memory of a game whose state has all that its seats remember."""

    nothing: Int8


@rule
def ignore_action(s: Any, m: Any, seat: int, action: int) -> None:
    """`before` of a game whose seats need not remember actions."""


@rule
def ignore_change(s: Any, m: Any) -> None:
    """`after` of a game whose seats need not remember what has changed."""


@hot
def same_number(s: Any, seat: int, number: int) -> int:
    """`action` of a game whose agents have the actions of the rules."""
    return number


@rule
def by_winners(s: Any, winners: int, seats: int, seat: int) -> float:
    """What a finished game is worth to a seat: the winners share one win, the others lose as much
    between them. A single winner has 1, and every other seat -1 / (seats - 1)."""
    if winners == 0 or seats < 2:
        return 0.0
    if not has(winners, seat):
        return -1.0 / (seats - 1)
    return (seats / size_of(winners) - 1.0) / (seats - 1)


def has_number(text: str) -> bool:
    """`numbered` of a game whose agents have all actions."""
    return True


NO_MEMORY = Layout(NoMemory)


@dataclass(frozen=True, eq=False)
class Observation(Generic[S]):
    """A game for learning agents."""

    fields: tuple[Field, ...]
    """In the order in which they are written."""
    names: Sequence[str]
    """The actions by number, in the game's notation as far as that is the same in every state."""
    look: Callable[[S, Any, int, Numbers, int], int]
    """(s, m, seat, out, at): writes the seat's observation from place `at` on; returns the place
    after it."""
    mask: Callable[[S, int, Numbers, int], int]
    """(s, seat, out, at): writes for each action whether the seat has it; returns how many it has.
    The rules may refuse some of them, where leaving them out would tell what is hidden."""
    numbers: str = "i1"
    """NumPy's name of the type of all numbers."""
    action: Callable[[S, int, int], int] = same_number
    """(s, seat, number): the action of the rules, or -1 if there is none; never asked of WAIT."""
    numbered: Callable[[str], bool] = has_number
    """(text): whether a legal action in the game's notation is among those of agents. One that is
    not does what another one does as well."""
    memory: Layout[Any] = NO_MEMORY
    """What all seats remember, all zeros at first."""
    before: Callable[[S, Any, int, int], None] = ignore_action
    """(s, m, seat, action): notes an action that is about to be carried out."""
    after: Callable[[S, Any], None] = ignore_change
    """(s, m): notes what has changed, after every action, timer and shuffle."""
    worth: Callable[[S, int, int, int], float] = by_winners
    """(s, winners, seats, seat): what a finished game is worth to a seat."""
    slice_ms: int = 0
    """Of games of any moment: how long a slice of time is, unless somebody chooses."""

    @property
    def actions(self) -> int:
        """How many actions there are; they are numbered from 0."""
        return len(self.names)

    def size(self, seats: int) -> int:
        """How many numbers an observation has."""
        return sum(prod(each.sizes(seats)) for each in self.fields)

    def split(self, numbers: Any, seats: int) -> dict[str, Any]:
        """The fields of an observation, or of an array of them: views of the same memory."""
        parts, at = {}, 0
        for each in self.fields:
            sizes = each.sizes(seats)
            part = numbers[..., at : at + prod(sizes)]
            parts[each.name] = part.reshape(*numbers.shape[:-1], *sizes)
            at += prod(sizes)
        return parts


# Writing an observation. Each returns the place after what it wrote.


def write_set(out: Numbers, at: int, members: int, count: int) -> int:
    """A one for each of 0 .. count-1 that is a member, a zero for each that is not. Compiled eight
    are written at once: most of an observation are sets."""
    for i in range(count):
        out[at + i] = (members >> i) & 1
    return at + count


@hot
def write_number(out: Numbers, at: int, number: int) -> int:
    out[at] = min(number, MOST)
    return at + 1


def write_zeros(out: Numbers, at: int, count: int) -> int:
    for i in range(at, at + count):
        out[i] = 0
    return at + count


def write_row(out: Numbers, at: int, row: Numbers, count: int) -> int:
    """The first numbers of a row of bytes."""
    for i in range(count):
        out[at + i] = row[i]
    return at + count


@hot
def write_one(out: Numbers, at: int, member: int, count: int) -> int:
    """A one for that member of 0 .. count-1, or for none, without a branch."""
    end = write_zeros(out, at, count)
    out[at + max(member, 0)] = int(member >= 0)
    return end


def write_at_least(out: Numbers, at: int, row: Numbers, count: int, least: int) -> int:
    """A one for each of the first numbers of a row of bytes that is at least so high."""
    for i in range(count):
        out[at + i] = int(row[i] >= least)
    return at + count


@hot
def one(member: int) -> int:
    """A set of one, or of none."""
    return 0 if member < 0 else bit(member)


# Rows of bytes


def raw(array: Numbers) -> Numbers:
    """What is written to: compiled its memory alone, of which nobody keeps count."""
    return array


def same_rows(one: Numbers, other: Numbers, count: int) -> bool:
    """Whether the first numbers of two rows are the same."""
    return all(one[i] == other[i] for i in range(count))


def nth_one(row: Numbers, at: int, count: int, k: int) -> int:
    """The k-th one, counted from 0, of so many zeros and ones from a place on, which have more
    than k ones."""
    i = 0
    while True:
        k -= row[at + i]
        if k < 0:
            return i
        i += 1


def count_ones(row: Numbers, at: int, count: int) -> int:
    """How many ones there are among so many zeros and ones from a place on."""
    return sum(row[at + i] for i in range(count))


# Seats as an observer counts them


@hot
def seen_from(seat: int, other: int, seats: int) -> int:
    """Another seat, counted clockwise from this one."""
    return other - seat if other >= seat else other - seat + seats


@hot
def one_seen_from(seat: int, other: int, seats: int) -> int:
    """The same as a set; of no seat the empty one."""
    return 0 if other < 0 else 1 << seen_from(seat, other, seats)


@hot
def all_seen_from(seat: int, others: int, seats: int) -> int:
    """A set of seats, counted clockwise from this one."""
    return (others >> seat | others << (seats - seat)) & full(seats)


@hot
def across(seat: int, k: int, seats: int) -> int:
    """The k-th seat clockwise from this one."""
    return seat + k if seat + k < seats else seat + k - seats
