"""A game in play: its state, and all the inputs that led there.

The terminal, scenarios, records and the server all play through a match. It parses notation, checks
actions against the rules, supplies shuffles when the state needs one, and fires timers.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, Self

import msgspec
import numpy as np

from pli.errors import BadPosition, PliError, Refused, Say, WrongSyntax
from pli.game import Act, Event, Game, Input, MotifLookup, S, Seat, Shuffle, Tick, V
from pli.kernel.bits import to_list
from pli.kernel.machine import Engine, Machine, machine
from pli.kernel.observation import WAIT, Observation
from pli.kernel.refusals import OK
from pli.shuffling import Shuffler

NO_ACTION = -1
"""Stands for text that is no action, so that the rules name the first reason to refuse it."""


LONGEST = 10**12
"""The latest time of a game, in milliseconds: some thirty years."""


@dataclass(frozen=True)
class Step:
    """One input, and the state before and after it as bytes."""

    before: bytes
    given: Input
    after: bytes


Watch = Callable[[S, Input, S], None]
"""(before, input, after): called after every input; the states are reused and must not be kept."""


class Match(Generic[S, V]):
    """A game from its first shuffle on, or from the inputs of a record, typed by the game's state
    and view.

    Without a shuffler, shuffles are fed like all other inputs. With a `watch` callback no steps are
    kept, which saves memory where many games are played.
    """

    def __init__(
        self,
        game: Game[S, V],
        options: Any,
        shuffler: Shuffler | None,
        engine: Engine = "plain",
        inputs: Sequence[Input] = (),
        watch: Watch[S] | None = None,
    ) -> None:
        self.game = game
        self.options = options
        self.engine = engine
        self.steps: list[Step] = []
        self.now = 0
        self.placed = False
        """Whether it goes on from a set-up position: then it is no whole game, and has no
        record."""
        self._shuffler = shuffler
        self._shuffles = 0
        self._placed_at = 0
        self.watch = watch
        self._machine: Machine[S, Any] = machine(game.rules, engine)
        self._state = self._machine.load(game.rules.layout.save(game.setup(options)))
        for given in inputs:
            self._take(given)
        self._deal()

    # Queries

    @property
    def seats(self) -> int:
        """How many there are."""
        return int(self.options.seats)

    @property
    def state(self) -> S:
        """The whole state: for tests and tools, never for a seat."""
        return self._machine.opened(self._state)

    def save(self) -> bytes:
        """The state as bytes: two matches whose bytes are equal are in the same state."""
        return bytes(self._machine.save(self._state))

    @property
    def due(self) -> int:
        """When the next timer fires."""
        return int(self._machine.due(self._state))

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self._machine.over(self._state))

    @property
    def winners(self) -> list[int]:
        """The seats that have won; none while the game goes on."""
        return to_list(self._machine.winners(self._state))

    @property
    def actors(self) -> list[int]:
        """The seats that may act now."""
        return to_list(self._machine.actors(self._state))

    def view(self, seat: Seat) -> V:
        """What a seat may know; None: a spectator."""
        return self.game.view(self.state, seat)

    def views(self, seats: Sequence[Seat]) -> list[V]:
        """The same for several seats: the common part is computed once."""
        state = self.state
        shown, own = self.game.view(state, None), self.game.own
        return [
            shown if seat is None else msgspec.structs.replace(shown, **own(state, seat))
            for seat in seats
        ]

    def legal(self, seat: int) -> list[str]:
        """The seat's actions in the game's notation."""
        if not 0 <= seat < self.seats:
            return []
        return [self.game.notation.show(each) for each in self._machine.legal(self._state, seat)]

    def events(self, seat: Seat, since: int = 0, until: int | None = None) -> Iterator[Event]:
        """What the seat saw happen from step number `since` on."""
        load = self.game.rules.layout.load
        for step in self.steps[since:until]:
            yield from self.game.events(load(step.before), step.given, load(step.after), seat)

    def seen(self, seats: Sequence[Seat], since: int = 0) -> list[list[Event]]:
        """`events` for several seats: each state is loaded once."""
        told: list[list[Event]] = [[] for _ in seats]
        load = self.game.rules.layout.load
        last: bytes | None = None
        after: Any = None
        for step in self.steps[since:]:
            before = after if step.before == last else load(step.before)
            last, after = step.after, load(step.after)
            for seat, events in zip(seats, told, strict=True):
                events += self.game.events(before, step.given, after, seat)
        return told

    def mask(self, seat: int) -> "np.ndarray[Any, np.dtype[np.bool_]]":
        """The seat's actions by number, as learning agents have them (docs/agents.md)."""
        declared = self._declared()
        row = [0] * declared.actions
        if 0 <= seat < self.seats and not self.over:
            declared.mask(self.state, seat, row, 0)
        return np.array(row, np.bool_)

    def action(self, seat: int, number: int) -> str | None:
        """The action with that number for a seat, in the game's notation; None: it is to do
        nothing, or there is none."""
        declared = self._declared()
        if not 0 <= number < declared.actions:
            raise ValueError(f"actions are 0-{declared.actions - 1}")
        if self.game.live and number == WAIT:
            return None
        found = declared.action(self.state, seat, number)
        return None if found < 0 else self.game.notation.show(found)

    def returns(self) -> list[float]:
        """What the game was worth to each seat: nothing before its end (docs/agents.md)."""
        if not self.over:
            return [0.0] * self.seats
        worth, winners = self._declared().worth, self._machine.winners(self._state)
        return [worth(self.state, winners, self.seats, seat) for seat in range(self.seats)]

    def _declared(self) -> Observation[S]:
        if self.game.observation is None:
            raise ValueError(f"{self.game.name} has no observation")
        return self.game.observation

    @property
    def motif_of(self) -> MotifLookup | None:
        """The motifs of the faces that are visible now, for bots, in games that have such."""
        return None if self.game.motif_lookup is None else self.game.motif_lookup(self.state)

    def __repr__(self) -> str:
        known = [f"{self.game.name!r}", f"seats={self.seats}"]
        if self.watch is None:
            known.append(f"actions={sum(isinstance(step.given, Act) for step in self.steps)}")
        known.append(f"now={self.now}")
        known.append(f"winners={self.winners}" if self.over else f"actors={self.actors}")
        return f"<{type(self).__name__} {', '.join(known)}>"

    # Copies

    def copy(self) -> Self:
        """A match that goes on by itself, with the same shuffles to come."""
        twin = type(self).__new__(type(self))
        twin.__dict__ |= self.__dict__
        twin.steps = [*self.steps]
        twin._state = self._machine.load(self.save())
        return twin

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        """All of it, the shuffles to come as well; of the game the name and the version, of its
        states how they are laid out."""
        kept = {name: value for name, value in self.__dict__.items() if name != "_machine"}
        layout = self.game.rules.layout.fingerprint
        return kept | {"_state": self.save(), "version": self.game.version, "layout": layout}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        version, layout = kept.pop("version"), kept.pop("layout", None)
        self.__dict__ |= kept
        if version != self.game.version:
            raise PliError("other_version", version=version, ours=self.game.version)
        if layout != self.game.rules.layout.fingerprint:
            raise PliError("other_layout")
        self._machine = machine(self.game.rules, self.engine)
        self._state = self._machine.load(kept["_state"])

    # Inputs

    def act(self, seat: int, text: str, at: int | None = None) -> None:
        """Carries out an action; WrongSyntax and Refused change nothing but the time."""
        self.wait(self.now if at is None else at)
        self.feed(Act(seat, self.parse(seat, text), self.now))

    def parse(self, seat: int, text: str) -> int:
        """The action that a text stands for; WrongSyntax also tells why it would be refused."""
        try:
            return self.game.notation.parse(text)
        except WrongSyntax as error:
            code = self._code(self._machine.check(self._state, seat, NO_ACTION, self.now))
            raise WrongSyntax(text=text, refusal=code) from error

    def refusal(self, seat: int, text: str) -> str | None:
        """Why the action would be refused now, if it would be. Changes nothing."""
        code = self._machine.check(self._state, seat, self.parse(seat, text), self.now)
        return None if code == OK else self._code(code)

    def wait(self, until: int) -> None:
        """Advances the time; timers that are due fire on the way."""
        if until < self.now:
            raise PliError("time_runs_back", time=until, now=self.now)
        if until > LONGEST:
            raise PliError("too_late", time=until, latest=LONGEST)
        while not self.over and self.due <= until:
            self.feed(Tick(max(self.now, self.due)))
        self.now = until

    def feed(self, given: Input) -> None:
        """Applies one input, then supplies the shuffles that it asks for."""
        self._take(given)
        self._deal()

    def undo(self) -> Act:
        """Takes back the last action, with all that followed from it: shuffles and timers. The time
        is that of the input before it. If play goes on in the same way, the same shuffles come
        again."""
        for number in reversed(range(len(self.steps))):
            step = self.steps[number]
            if isinstance(step.given, Act):
                break
        else:
            raise PliError("nothing_to_undo")
        self._shuffles -= sum(isinstance(each.given, Shuffle) for each in self.steps[number:])
        del self.steps[number:]
        self._state = self._machine.load(step.before)
        timed = (each.given for each in reversed(self.steps))
        times = (given.time for given in timed if not isinstance(given, Shuffle))
        self.now = next(times, self._placed_at)
        return step.given

    def place(self, values: Mapping[str, Any]) -> None:
        """Replaces the state by a position, written as in a scenario; earlier steps are dropped.
        BadPosition names the key that is wrong, and then nothing has changed."""
        readers, read = self.game.placed, {}
        for key, value in values.items():
            if key not in readers:
                raise BadPosition("unknown_key", key=key, known=", ".join(readers))
            with _naming(key):
                read[key] = readers[key](value, self.seats)
        state = self.game.rules.layout.load(self.save())
        with _naming(None):
            self.game.place(state, read)
        self._state = self._machine.load(self.game.rules.layout.save(state))
        self.steps.clear()
        self.placed = True
        self._placed_at = self.now

    def _deal(self) -> None:
        if self._shuffler is None:
            return
        while size := self._machine.needs(self._state):
            self._take(Shuffle(tuple(self._shuffler(self._shuffles, size))))

    def _take(self, given: Input) -> None:
        self._judge(given)
        before: Any = self.save() if self.watch is None else self._machine.copied(self._state)
        if isinstance(given, Act):
            self._machine.act(self._state, given.seat, given.action, given.time)
            self.now = given.time
        elif isinstance(given, Tick):
            self._machine.tick(self._state)
            self.now = given.time
        else:
            self._machine.give(self._state, given.order)
            self._shuffles += 1
        if self.watch is None:
            self.steps.append(Step(before, given, self.save()))
        else:
            self.watch(before, given, self.state)

    def _code(self, number: int) -> str:
        return self.game.rules.codes[number]

    def _judge(self, given: Input) -> None:
        """Raises if the rules don't allow this input now."""
        if isinstance(given, Shuffle):
            wanted = self._machine.needs(self._state)
            if wanted == 0 or sorted(given.order) != list(range(wanted)):
                raise PliError("bad_shuffle", n=wanted)
            return
        if given.time < self.now:
            raise PliError("time_runs_back", time=given.time, now=self.now)
        if given.time > LONGEST:
            raise PliError("too_late", time=given.time, latest=LONGEST)
        due = self._machine.due(self._state)
        if isinstance(given, Tick):
            if given.time != max(due, self.now):
                raise PliError("no_timer", time=given.time)
            return
        if due <= given.time and not self.over:
            raise PliError("timer_first", time=given.time)
        code = self._machine.check(self._state, given.seat, given.action, given.time)
        if code != OK:
            raise Refused(self._code(code), game=self.game.name)


@contextmanager
def _naming(key: str | None) -> Iterator[None]:
    """What is wrong with a position is told with the key at which it is wrong."""
    try:
        yield
    except PliError as error:
        named = error.key or key
        if named is None:
            raise
        raise BadPosition(key=named, why=Say(f"errors.{error.code}", **error.details)) from None


AnyMatch = Match[Any, Any]
"""Where code handles all games alike."""
