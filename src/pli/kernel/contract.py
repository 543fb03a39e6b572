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


@rule
def no_guesses(s: Any, seat: int) -> int:
    """`guesses` of a game that lists its actions."""
    return 0


@rule
def no_guess(s: Any, seat: int, k: int) -> int:
    """`guess` of a game that lists its actions."""
    return -1


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

    unlisted: int = 1 << 31
    """Actions from this one on `legal` does not list: there are too many, and who sees the table
    sees which of them are open. `check` judges them like all others; guesses may hold some."""

    patience: int = 0
    """After so many actions a random playout is given up, unfinished (0: never). Random play need
    not come to an end where mistakes undo what was won."""

    # What follows is for speed alone, in simulations; each has a default that is always right.
    dealt: Callable[[S], int] | None = None
    """How many of the shuffled things `give` looks at; the rest need not be shuffled."""
    choices: Callable[[S, int], int] = no_set
    base: Callable[[S], int] = no_base
    """Of a game whose seats never choose among more than 62 actions in a row: these as a set, and
    the action that its member 0 stands for. `legal` lists the same."""
    guesses: Callable[[S, int], int] = no_guesses
    """(s, seat): from how many guesses a random action of the seat can be drawn without listing
    them; 0 if nothing is open to it."""
    guess: Callable[[S, int, int], int] = no_guess
    """(s, seat, k): the k-th guess, an action or -1 for none. Every action of the list that `check`
    lets through is exactly one of the guesses, an unlisted one at most one; and it refuses all
    others: so guessing until it says OK draws from them all alike."""

    @property
    def by_set(self) -> bool:
        return self.choices is not no_set

    @property
    def by_guess(self) -> bool:
        return self.guesses is not no_guesses
