"""What a bot is: the protocols `Bot` and `Policy`, what a bot is shown, and how it is asked."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pli.game import Event, MotifLookup
from pli.match import AnyMatch

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Moment(Generic[V]):
    """The observation that a bot decides from: what its seat may know, never the state. Its view is
    of the game's own type: a bot for one game takes a `Moment[PlingoView]`, say."""

    view: V
    actions: Sequence[str]
    """The legal actions, in the game's notation."""
    now: int = 0
    """The time of play, in milliseconds."""
    events: Sequence[Event] = ()
    """What its seat saw since the bot was last asked."""
    motif_of: MotifLookup | None = None
    did: str | None = None
    """The bot's own action, if that is what just happened."""
    refused: Collection[str] = ()
    """The bot's actions that were refused since the last event."""


@dataclass(frozen=True, slots=True)
class Plan:
    """An action scheduled for a time to come. If anything happens before, the bot is asked
    again."""

    action: str
    at: int


class Bot(Protocol):
    """The player of one seat in one game."""

    @property
    def watches(self) -> bool:
        """Whether it is asked after every event. If not, it is asked only when it has a legal
        action, and gets the events since the last time at once."""
        ...

    def choose(self, moment: Moment[Any]) -> str | Plan | None:
        """A text: that action, now. A plan: that action, then. None: nothing until the next
        event."""
        ...


class Policy(Protocol):
    """Chooses actions for one seat, from what that seat may know; takes no time of play."""

    def see(self, events: Sequence[Event], view: Any) -> None:
        """Receives all events of the seat, in order."""
        ...

    def decide(self, view: Any, actions: Sequence[str]) -> str:
        """One of the actions."""
        ...


class PolicyBot:
    """A bot that acts by its policy as soon as it has a legal action."""

    watches = False

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def choose(self, moment: Moment[Any]) -> str | None:
        self.policy.see(moment.events, moment.view)
        actions = [each for each in moment.actions if each not in moment.refused]
        if len(actions) < 2:
            return actions[0] if actions else None
        return self.policy.decide(moment.view, actions)


def ask(bot: Bot, moment: Moment[Any]) -> Plan | None:
    """What the bot answers, always as a plan."""
    answer = bot.choose(moment)
    return Plan(answer, moment.now) if isinstance(answer, str) else answer


def ask_seat(
    bot: Bot,
    match: AnyMatch,
    seat: int,
    events: Sequence[Event],
    *,
    actions: Sequence[str],
    motif_of: MotifLookup | None,
    now: int | None = None,
    did: str | None = None,
    refused: Collection[str] = (),
) -> Plan | None:
    """What the bot of a seat does next in a match. Only a policy that declares itself to cheat is
    given the state."""
    policy: Any = getattr(bot, "policy", None)
    if getattr(policy, "cheats", False):
        policy.truth = match.state
    time = match.now if now is None else now
    return ask(bot, Moment(match.view(seat), actions, time, events, motif_of, did, refused))
