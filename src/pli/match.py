"""A game in play: its state, and all the inputs that led there.

The terminal, scenarios, records and the server all play through a match. It parses notation, checks
actions against the rules, supplies shuffles when the state needs one, and fires timers.
"""

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Generic

import msgspec
import numpy as np

from pli.errors import PliError, Refused, WrongSyntax
from pli.game import Act, Event, Game, Input, MotifLookup, S, Seat, Shuffle, Tick, V
from pli.kernel.bits import to_list
from pli.kernel.machine import Engine, Machine, machine
from pli.kernel.observation import WAIT, Observation
from pli.kernel.refusals import CODES, OK
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
        self.steps: list[Step] = []
        self.now = 0
        self._shuffler = shuffler
        self._shuffles = 0
        self.watch = watch
        self._machine: Machine[S, Any] = machine(game.rules, engine)
        self._state = self._machine.load(game.rules.layout.save(game.setup(options)))
        for given in inputs:
            self._take(given)
        self._deal()

    # Queries

    @property
    def seats(self) -> int:
        return int(self.options.seats)

    @property
    def state(self) -> S:
        """The whole state: for tests and tools, never for a seat."""
        return self._machine.opened(self._state)

    def save(self) -> bytes:
        return bytes(self._machine.save(self._state))

    @property
    def due(self) -> int:
        """When the next timer fires."""
        return int(self._machine.due(self._state))

    @property
    def over(self) -> bool:
        return bool(self._machine.over(self._state))

    @property
    def winners(self) -> list[int]:
        return to_list(self._machine.winners(self._state))

    @property
    def actors(self) -> list[int]:
        """The seats that may act now."""
        return to_list(self._machine.actors(self._state))

    def view(self, seat: Seat) -> V:
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

    # Copies

    def __deepcopy__(self, memo: dict[int, Any]) -> "Match[S, V]":
        """A match that goes on by itself, with the same shuffles to come."""
        twin = copy(self)
        twin.steps = [*self.steps]
        twin._state = self._machine.load(self.save())
        return twin

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
            code = CODES[self._machine.check(self._state, seat, NO_ACTION, self.now)]
            raise WrongSyntax(text=text, refusal=code) from error

    def refusal(self, seat: int, text: str) -> str | None:
        """Why the action would be refused now, if it would be. Changes nothing."""
        code = self._machine.check(self._state, seat, self.parse(seat, text), self.now)
        return None if code == OK else CODES[code]

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

    def place(self, values: dict[str, Any]) -> None:
        """Replaces the state by a set-up position; earlier steps are dropped."""
        state = self.state
        self.game.place(state, values)
        self._state = self._machine.load(self.game.rules.layout.save(state))
        self.steps.clear()

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
            raise Refused(CODES[code])


AnyMatch = Match[Any, Any]
"""Where code handles all games alike."""
