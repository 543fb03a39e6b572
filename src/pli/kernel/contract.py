"""The contract that every game's rules fulfil: a pure machine over one record.

Rules never draw a random number and never read a clock. Shuffled cards come in when the state asks
for them, the time comes with every action, and the state names the next moment at which something
happens by itself. Any seat may act at any moment; the rules say what that means.
"""

from collections.abc import Callable, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pli.kernel.layout import Layout
from pli.kernel.rule import rule

S = TypeVar("S")

NEVER = (1 << 62) - 1
"""The moment of a timer that does not run. Time is whole milliseconds of play."""

Order = Sequence[int]
"""A shuffle of n things: the numbers 0 .. n-1 in their new order."""

Buffer = MutableSequence[int]
"""The caller's room for a list of actions."""


@rule
def never(s: Any) -> int:
    """`due` of a game without timers."""
    return NEVER


@rule
def nothing(s: Any) -> None:
    """`tick` of a game without timers."""


@rule
def no_set(s: Any, seat: int) -> int:
    """`choices` of a game that lists its actions."""
    return 0


@rule
def no_base(s: Any) -> int:
    """`base` of a game that lists its actions."""
    return 0


@dataclass(frozen=True)
class Rules(Generic[S]):
    """A game's rules. All functions take the state first; only `give`, `act`, `tick` change it."""

    name: str
    layout: Layout[S]
    deck: int
    """The most things that are ever shuffled at once."""
    room: int
    """The most actions that a seat ever has."""

    needs: Callable[[S], int]
    """How many things must be shuffled before anything else can happen (0: none)."""
    give: Callable[[S, Order], None]
    """Supplies that shuffle."""
    actors: Callable[[S], int]
    """The set of seats that may act now."""
    check: Callable[[S, int, int, int], int]
    """(s, seat, action, time): 0, or why that is refused."""
    act: Callable[[S, int, int, int], None]
    """(s, seat, action, time): carries out an action that `check` lets through."""
    legal: Callable[[S, int, Buffer], int]
    """(s, seat, buffer): fills the buffer with the seat's actions and says how many they are."""
    over: Callable[[S], bool]
    winners: Callable[[S], int]
    """The set of seats that have won; empty while the game goes on."""

    due: Callable[[S], int] = never
    """When something happens by itself. A timer due at T goes before an action at T."""
    tick: Callable[[S], None] = nothing
    """Makes it happen."""

    hunches: bool = False
    """Whether `legal` lists actions that `check` may refuse, because leaving them out would tell
    what is hidden: denouncing somebody who did nothing wrong."""

    # What follows is for speed alone, in simulations; each has a default that is always right.
    dealt: Callable[[S], int] | None = None
    """How many of the shuffled things `give` looks at; the rest need not be shuffled."""
    choices: Callable[[S, int], int] = no_set
    base: Callable[[S], int] = no_base
    """Of a game whose seats never choose among more than 62 actions in a row: these as a set, and
    the action that its member 0 stands for. `legal` lists the same."""

    @property
    def by_set(self) -> bool:
        return self.choices is not no_set
