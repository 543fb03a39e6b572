"""One game in which one seat is awaited, step by step with compiled rules, for tools that go
through a game tree: actions, copies, observations and saving cost some microseconds each.

Whoever drives it supplies the shuffles, or has them drawn from a random stream.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pli import games
from pli.batch.driver import declared
from pli.game import Act, AnyGame, Input, Shuffle
from pli.kernel.bits import lowest, to_list
from pli.kernel.compiler import CompiledFunction
from pli.kernel.dealing import DealArrays, count_ways
from pli.kernel.observation import raw
from pli.kernel.playout import shuffle
from pli.match import Match

Array = np.ndarray[Any, Any]

NO_SEAT = -1


class Facts(NamedTuple):
    """What one asks of a state after every input."""

    needs: int
    """How many things must be shuffled."""
    dealt: int
    """How many of them will be looked at."""
    seat: int
    """Whose turn it is, or NO_SEAT."""
    members: int
    """The actions of that seat as a set, counted from `base`."""
    base: int
    over: bool


class Kit(NamedTuple):
    """The compiled functions of a game."""

    facts: CompiledFunction
    """(states): the facts."""
    act: CompiledFunction
    """(states, memories, seat, action)"""
    give: CompiledFunction
    """(states, memories, deck)"""
    draw: CompiledFunction
    """(states, memories, deck, stream): draws a shuffle and gives it; the stream after it."""
    look: CompiledFunction
    """(states, memories, seat, out)"""
    recall: CompiledFunction
    """(states, memories, inputs, orders, seat, out, width): plays on, and writes what a seat
    observes before the first input and after each."""


@cache
def kit(game: AnyGame) -> Kit:
    rules, observation = game.rules, declared(game)
    if not rules.by_set:
        raise ValueError(f"{game.name}: more than one seat may act at once")
    needs, give, dealt, over = rules.needs, rules.give, rules.dealt or rules.needs, rules.over
    actors, act, choices, base = rules.actors, rules.act, rules.choices, rules.base
    before, after = observation.before, observation.after
    look = observation.look

    def facts(states: Any) -> tuple[int, int, int, int, int, bool]:
        s = states[0]
        if over(s):
            return 0, 0, NO_SEAT, 0, 0, True
        size = needs(s)
        if size != 0:
            return size, dealt(s), NO_SEAT, 0, 0, False
        seat = lowest(actors(s))
        return 0, 0, seat, choices(s, seat), base(s), False

    def do_act(states: Any, memories: Any, seat: int, action: int) -> None:
        before(states[0], memories[0], seat, action)
        act(states[0], seat, action, 0)
        after(states[0], memories[0])

    def do_give(states: Any, memories: Any, deck: Any) -> None:
        give(states[0], deck)
        after(states[0], memories[0])

    def do_draw(states: Any, memories: Any, deck: Any, x: int) -> int:
        x = shuffle(deck, needs(states[0]), dealt(states[0]), x)
        give(states[0], deck)
        after(states[0], memories[0])
        return x

    def do_look(states: Any, memories: Any, seat: int, out: Any) -> None:
        look(states[0], memories[0], seat, raw(out), 0)

    def do_recall(
        states: Any, memories: Any, inputs: Any, orders: Any, seat: int, rows: Any, width: int
    ) -> None:
        out = raw(rows)
        look(states[0], memories[0], seat, out, 0)
        for k in range(len(inputs)):
            if inputs[k] >= 0:
                turn = lowest(actors(states[0]))
                before(states[0], memories[0], turn, inputs[k])
                act(states[0], turn, inputs[k], 0)
            else:
                give(states[0], orders[-1 - inputs[k]])
            after(states[0], memories[0])
            look(states[0], memories[0], seat, out, (k + 1) * width)

    records = "record[::1]", "memory[::1]"

    def compiled(function: Callable[..., Any], *kinds: str) -> CompiledFunction:
        return CompiledFunction(rules, function, *kinds, memory=observation.memory)

    return Kit(
        compiled(facts, "record[::1]"),
        compiled(do_act, *records, "int64", "int64"),
        compiled(do_give, *records, "int16[::1]"),
        compiled(do_draw, *records, "int16[::1]", "uint64"),
        compiled(do_look, *records, "int64", "int8[::1]"),
        compiled(do_recall, *records, "int32[::1]", "int16[:,::1]", "int64", "int8[::1]", "int64"),
    )


@cache
def guessing(game: AnyGame) -> tuple[CompiledFunction, CompiledFunction]:
    """(states, unseen, stream) deals the unseen cards to a state; (unseen) makes ready for that."""
    assert game.rollout is not None
    deal, fill = game.rollout.deal, game.rollout.fill

    def guess(states: Any, unseen: DealArrays, x: int) -> None:
        deal(unseen, x)
        fill(states[0], unseen.dealt)

    return (
        CompiledFunction(game.rules, guess, "record[::1]", DealArrays, "uint64"),
        CompiledFunction(game.rules, count_ways, DealArrays),
    )


class Table:
    """A game in play. Everything happens through `act`, `give` and `draw`; the attributes are facts
    to be read."""

    __slots__ = (
        *Facts._fields,
        *("_deals", "_inputs", "_kit", "_known", "_memories", "_start", "_states"),
        *("game", "seats", "width"),
    )

    needs: int
    dealt: int
    seat: int
    members: int
    base: int
    over: bool

    def __init__(self, game: AnyGame, state: bytes, memory: bytes) -> None:
        """Begins with a state, and what its seats remember by then."""
        self.game = game
        self._kit = kit(game)
        self._start = (state, memory)
        self._inputs: list[int] = []
        """Actions; -1 - k is deal number k."""
        self._deals: list[bytes] = []
        self._known: tuple[tuple[int, int], bytes, DealArrays] | None = None
        """What a seat knows at a moment: many guesses are asked for at the same one."""
        self._load(state, memory)
        self.seats = int(self._states["seats"][0])
        self.width = declared(game).size(self.seats)
        """The size of an observation."""

    @classmethod
    def new(cls, game: AnyGame, options: Any) -> "Table":
        memory = declared(game).memory
        return cls(game, game.rules.layout.save(game.setup(options)), memory.save(memory.blank()))

    # Inputs

    def act(self, action: int) -> None:
        """Carries out an action of the seat whose turn it is."""
        place = action - self.base
        if place < 0 or not self.members >> place & 1:
            raise ValueError(f"{self.game.name}, seat {self.seat}: action {action} is not legal")
        self._kit.act(self._states, self._memories, self.seat, action)
        self._inputs.append(action)
        self._read()

    def give(self, order: Sequence[int]) -> None:
        """Supplies the shuffle that is asked for."""
        if sorted(order) != list(range(self.needs)) or not self.needs:
            raise ValueError(f"no shuffle of {self.needs} things")
        deck = np.array(order, np.int16)
        self._kit.give(self._states, self._memories, deck)
        self._dealt(deck)

    def draw(self, stream: int) -> int:
        """The same, drawn from a random stream; returns the stream after it."""
        if not self.needs:
            raise ValueError("no shuffle is asked for")
        deck = np.empty(self.needs, np.int16)
        after = self._kit.draw(self._states, self._memories, deck, np.uint64(stream))
        self._dealt(deck)
        return int(after)

    def _dealt(self, deck: Array) -> None:
        self._inputs.append(-1 - len(self._deals))
        self._deals.append(deck.tobytes())
        self._read()

    # Queries

    def legal(self) -> list[int]:
        """The actions of the seat whose turn it is."""
        base = self.base
        return [base + each for each in to_list(self.members)]

    def look(self, seat: int) -> Array:
        """What the seat observes."""
        out = np.empty(self.width, np.int8)
        self._kit.look(self._states, self._memories, seat, out)
        return out.view(declared(self.game).numbers)

    def recall(self, seat: int) -> Array:
        """All that the seat has observed: a row at the beginning and one after each input."""
        states, memories = self._arrays(*self._start)
        rows = np.empty((len(self._inputs) + 1, self.width), np.int8)
        orders = np.zeros((len(self._deals), self.game.rules.deck), np.int16)
        for row, deal in zip(orders, self._deals, strict=True):
            row[: len(deal) // 2] = np.frombuffer(deal, np.int16)
        inputs, width = np.array(self._inputs, np.int32), self.width
        self._kit.recall(states, memories, inputs, orders, seat, rows.reshape(-1), width)
        return rows.view(declared(self.game).numbers)

    @property
    def inputs(self) -> list[int | tuple[int, ...]]:
        """Actions, and shuffles as a tuple each."""
        deals = [tuple(np.frombuffer(each, np.int16).tolist()) for each in self._deals]
        return [each if each >= 0 else deals[-1 - each] for each in self._inputs]

    def save(self) -> bytes:
        return bytes(self._states.tobytes())

    def returns(self) -> list[float]:
        """What the game was worth to each seat: nothing before its end."""
        if not self.over:
            return [0.0] * self.seats
        s = self.game.rules.layout.load(self.save())
        worth, won = declared(self.game).worth, self.game.rules.winners(s)
        return [worth(s, won, self.seats, seat) for seat in range(self.seats)]

    # Copies

    def copy(self) -> "Table":
        """A table that goes on by itself."""
        twin = object.__new__(Table)
        twin.game, twin._kit, twin._start = self.game, self._kit, self._start
        twin._inputs, twin._deals, twin._known = self._inputs[:], self._deals[:], None
        twin.seats, twin.width, twin.needs, twin.dealt = (
            self.seats,
            self.width,
            self.needs,
            self.dealt,
        )
        twin.seat, twin.members, twin.base, twin.over = (
            self.seat,
            self.members,
            self.base,
            self.over,
        )
        saved = self._states.tobytes(), self._memories.tobytes()
        twin._states, twin._memories = self._arrays(*saved)
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> "Table":
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        now = self._states.tobytes(), self._memories.tobytes()
        return _restored, (self.game.name, self._start, now, self._inputs, self._deals)

    def guessed(self, options: Any, seat: int, stream: int) -> "Table":
        """A table that this seat can't tell from this one, with what it can't see dealt anew: as
        likely as all others that are possible. Its inputs begin there."""
        model, belief = self.game.rollout, self.game.belief
        if model is None or belief is None:
            raise ValueError(f"{self.game.name} has no belief")
        guess, count_ways = guessing(self.game)
        if self._known is None or self._known[0] != (seat, len(self._inputs)):
            match = Match(self.game, options, None, inputs=self._as_inputs())
            if match.save() != self.save():
                raise ValueError("a table that was guessed is not guessed from again")
            known = belief()
            known.see(list(match.events(seat)), match.view(seat))
            state, unseen = known.infer(match.view(seat))
            arrays = unseen.arrays()
            count_ways(arrays)
            self._known = (seat, len(self._inputs)), self.game.rules.layout.save(state), arrays
        _, saved, arrays = self._known
        states, _ = self._arrays(saved, b"")
        guess(states, arrays, np.uint64(stream))
        return Table(self.game, states.tobytes(), self._memories.tobytes())

    def _as_inputs(self) -> list[Input]:
        """The same as a match takes them: whose turn it was is found by playing on."""
        rules = self.game.rules
        s = rules.layout.load(self._start[0])
        found: list[Input] = []
        for each in self.inputs:
            if isinstance(each, tuple):
                rules.give(s, each)
                found.append(Shuffle(each))
            else:
                seat = lowest(rules.actors(s))
                rules.act(s, seat, each, 0)
                found.append(Act(seat, each, 0))
        return found

    def _load(self, state: bytes, memory: bytes) -> None:
        self._states, self._memories = self._arrays(state, memory)
        self._read()

    def _arrays(self, state: bytes, memory: bytes) -> tuple[Array, Array]:
        """NumPy copies records field by field, at ten times the cost of their bytes."""
        layout, remembered = self.game.rules.layout.dtype, declared(self.game).memory.dtype
        return (
            np.frombuffer(bytearray(state), layout),
            np.frombuffer(bytearray(memory), remembered),
        )

    def _read(self) -> None:
        (self.needs, self.dealt, self.seat, self.members, self.base, self.over) = self._kit.facts(
            self._states
        )


def _restored(
    name: str,
    start: tuple[bytes, bytes],
    now: tuple[bytes, bytes],
    inputs: list[int],
    deals: list[bytes],
) -> Table:
    table = Table(games.load(name), *start)
    table._inputs, table._deals = inputs, deals
    table._load(*now)
    return table
