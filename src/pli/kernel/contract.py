"""The contract that every game's rules fulfil: a pure state machine over one record.

Rules never draw a random number and never read a clock. The caller supplies a shuffle when the
state asks for one, and the time with every action; the state names the time of its next timer. Any
seat may act at any time; the rules decide what that means.
"""

from collections.abc import Callable, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pli.kernel.layout import Layout
from pli.kernel.refusals import SHARED
from pli.kernel.rule import rule

S = TypeVar("S")

NEVER = (1 << 62) - 1
"""The time of a timer that does not run. Times are whole milliseconds of play."""

Order = Sequence[int]
"""A shuffle of n things: the numbers 0 .. n-1 in their new order."""

Buffer = MutableSequence[int]
"""The caller's buffer for a list of actions."""


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


@rule
def no_rounds(s: Any) -> int:
    """`rounds` of a game that is one round."""
    return 0


@rule
def no_points(s: Any, seat: int) -> int:
    """`points` of a game in which one wins or does not."""
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
    """(s, seat, action, time): carries out an action that `check` accepts."""
    legal: Callable[[S, int, Buffer], int]
    """(s, seat, buffer): fills the buffer with the seat's actions; returns how many."""
    over: Callable[[S], bool]
    winners: Callable[[S], int]
    """The set of seats that have won; empty while the game goes on."""

    refusals: tuple[str, ...] = ()
    """The names of the game's own reasons to refuse an action, whose numbers begin with OWN; their
    texts are in the game's language files."""

    due: Callable[[S], int] = never
    """The time of the next timer. A timer due at T goes before an action at T."""
    tick: Callable[[S], None] = nothing
    """Carries out the timer that is due."""

    hunches: bool = False
    """Whether `legal` lists actions that `check` may refuse, because leaving them out would reveal
    hidden information: denouncing a seat that did nothing wrong."""

    unlisted: int = 1 << 31
    """Actions from this one on are not listed by `legal`: there are too many, and the view shows
    which of them are possible. `check` judges them like all others; guesses may contain some."""

    patience: int = 0
    """A random playout is cut off, unfinished, after so many actions (0: never): random play need
    not end in a game whose mistakes undo progress."""

    # For studies only: what they record of a game beside its winners.
    rounds: Callable[[S], int] = no_rounds
    """How many rounds have begun. It changes when a shuffle is given and at no other moment."""
    points: Callable[[S, int], int] = no_points
    """What a seat has gathered towards winning; more are better. Partners have the same."""

    # For the speed of playouts only; each has a default that is always correct.
    dealt: Callable[[S], int] | None = None
    """How many of the shuffled things `give` reads; the rest need not be shuffled."""
    choices: Callable[[S, int], int] = no_set
    base: Callable[[S], int] = no_base
    """For a game whose seats choose among at most 62 consecutive actions: these as a bit set, and
    the action that its member 0 stands for. `legal` lists the same."""
    guesses: Callable[[S, int], int] = no_guesses
    """(s, seat): rejection sampling of a random action without listing all: the number of guesses
    to draw from; 0 if the seat has no action."""
    guess: Callable[[S, int, int], int] = no_guess
    """(s, seat, k): the k-th guess, an action or -1 for none. Every listed action that `check`
    accepts is exactly one of the guesses, an unlisted one at most one, and `check` refuses all
    other guesses: so guessing until it accepts draws uniformly."""

    @property
    def codes(self) -> tuple[str, ...]:
        """The names of all reasons to refuse an action, by number; the first is `ok`."""
        return SHARED + self.refusals

    @property
    def by_set(self) -> bool:
        return self.choices is not no_set

    @property
    def scored(self) -> bool:
        return self.points is not no_points

    @property
    def by_guess(self) -> bool:
        return self.guesses is not no_guesses
