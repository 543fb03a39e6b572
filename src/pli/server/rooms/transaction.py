"""Commands, transactions and commits: how anything happens at a running table.

A command is a function of a transaction. It reads the table, records entries, replies, and says
what is to be done once those entries are durable. The room runs one command at a time, appends what
it recorded to the journal, and then publishes the commit to its listeners. Listeners are given a
read-only table, a way to post commands (`CommandBus`) and a scheduler; none of them knows the room.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import NamedTuple, Protocol

from pli.errors import PliError
from pli.game import Event, Seat
from pli.server.metrics import Metrics
from pli.server.protocol import messages as m
from pli.server.rooms.budgets import TableBudget
from pli.server.rooms.clock import Clock
from pli.server.rooms.scheduler import Scheduler
from pli.server.rooms.viewer import Audience, Viewer, encode
from pli.server.tables import entries as e
from pli.server.tables.table import ReadOnlyTable, Table

QUIET: frozenset[type[e.AnyEntry]] = frozenset((e.Acted, e.Ticked))
"""Entries that change nothing about the table outside the game: the most frequent ones."""

MOVES = QUIET | {e.Begun}
"""Entries that change the game."""


class Author(NamedTuple):
    """Whose move a transaction records."""

    seat: int
    text: str
    id: int
    """Of the page's message; 0: a bot's move."""


class Tx:
    """One command being handled."""

    __slots__ = (
        *("_budget", "_table", "after_commit", "arrived", "author", "began", "charged_to"),
        "entries",
    )

    def __init__(self, table: Table, budget: TableBudget) -> None:
        self._table = table
        self._budget = budget
        self.began = monotonic()
        self.arrived: float | None = None
        """When the player's action that is handled arrived, by the same clock."""
        self.entries: list[e.AnyEntry] = []
        self.author: Author | None = None
        self.charged_to: str | None = None
        """The address whose budget pays for the entries; None: whoever last acted at the table."""
        self.after_commit: list[tuple[Callable[[], None], Callable[[PliError], None]]] = []

    @property
    def table(self) -> ReadOnlyTable:
        """With all that is recorded so far."""
        return self._table

    def record(self, entry: e.AnyEntry) -> None:
        """Applies one more entry, which is appended to the journal when the command is done. Raises
        and changes nothing if the entry is impossible."""
        self._table.apply(entry)
        self.entries.append(entry)

    def charge(self, address: str) -> None:
        """The entries are written for this address. PliError: its budget, or the table's, is used
        up."""
        budget, entries = self._budget, self._table.n + 1
        if address != budget.payer or not budget.covers(entries):
            budget.pays(address, entries)
        self.charged_to = address

    def reply(self, viewer: Viewer, message: m.ToPage) -> None:
        """Sent at once: for answers that do not depend on what the command records."""
        viewer.tell(encode(message))

    def after(
        self, work: Callable[[], None], failed: Callable[[PliError], None] = lambda _: None
    ) -> None:
        """Called once what is recorded so far is durable (at once if that is nothing); `failed` is
        called if it can't be saved."""
        if self.entries:
            self.after_commit.append((work, failed))
        else:
            work()


Command = Callable[[Tx], None]


class CommandBus(Protocol):
    """How listeners ask the room for something."""

    @property
    def busy(self) -> bool:
        """Whether a commit is under way: no command runs until it is durable."""

    def post(self, command: Command) -> None:
        """Runs a command after all that were posted before it."""

    def execute(self, command: Command) -> None:
        """Runs a command now, ahead of those that wait. Only while the bus is not busy."""


class Commit:
    """What one transaction recorded."""

    __slots__ = ("author", "begins_game", "ends_game", "entries", "events", "moves", "quiet")

    def __init__(
        self,
        entries: Sequence[e.AnyEntry],
        events: Mapping[Seat, list[Event]],
        author: Author | None,
    ) -> None:
        self.entries = entries
        self.events = events
        """What each watched seat saw happen; None is a spectator."""
        self.author = author
        kinds = {type(entry) for entry in entries}
        self.quiet = kinds <= QUIET
        """Nothing changed but the game."""
        self.begins_game = not self.quiet and e.Begun in kinds
        self.ends_game = not self.quiet and e.Ended in kinds
        self.moves = self.quiet or not kinds.isdisjoint(MOVES)
        """The game changed."""


@dataclass(frozen=True, slots=True)
class RoomAccess:
    """What a room gives to its parts, instead of itself."""

    table: ReadOnlyTable
    audience: Audience
    clock: Clock
    scheduler: Scheduler
    bus: CommandBus
    budget: TableBudget
    metrics: Metrics


class Listener:
    """Something that follows a room's commits. Each method does nothing unless it is overridden."""

    def __init__(self, access: RoomAccess) -> None:
        self._table = access.table
        self._audience = access.audience
        self._clock = access.clock
        self._scheduler = access.scheduler
        self._bus = access.bus

    def reset(self) -> None:
        """A new game begins; or a commit failed, and the table is again as its journal has it."""

    def recorded(self, commit: Commit) -> None:
        """The entries are applied, and are being written: nobody may be told yet. The table stays
        as it is until they are durable."""

    def committed(self, commit: Commit) -> None:
        """The entries are durable."""

    def resume(self) -> None:
        """Everything is durable and the table is awake: time to do what happens by itself."""

    def pause(self) -> None:
        """Nothing happens by itself until `resume`."""
