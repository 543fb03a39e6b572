"""One set of rules, two ways to run it: by Python itself, or compiled.

Both machines answer alike and their states save to the same bytes. A plain state is the game's
dataclass; a compiled one is a NumPy record. `opened` shows either as the dataclass, for views;
`copied` does so for keeping.
"""

from functools import cache
from typing import Any, Generic, Literal, Protocol, TypeVar

import numpy as np

from pli.kernel.compiler import Entry
from pli.kernel.contract import Order, Rules

S = TypeVar("S")
H = TypeVar("H")


class Machine(Protocol[S, H]):
    """The contract's functions over a state that this machine holds in its own way."""

    rules: Rules[S]

    def load(self, data: bytes) -> H: ...
    def save(self, state: H) -> bytes: ...
    def opened(self, state: H) -> S: ...
    def copied(self, state: H) -> S: ...
    def needs(self, state: H) -> int: ...
    def give(self, state: H, order: Order) -> None: ...
    def actors(self, state: H) -> int: ...
    def check(self, state: H, seat: int, action: int, time: int) -> int: ...
    def act(self, state: H, seat: int, action: int, time: int) -> None: ...
    def legal(self, state: H, seat: int) -> list[int]: ...
    def over(self, state: H) -> bool: ...
    def winners(self, state: H) -> int: ...
    def due(self, state: H) -> int: ...
    def tick(self, state: H) -> None: ...


class Plain(Generic[S]):
    """The rules as Python runs them."""

    def __init__(self, rules: Rules[S]) -> None:
        self.rules = rules
        self.load = rules.layout.load
        self.save = rules.layout.save
        self.needs = rules.needs
        self.give = rules.give
        self.actors = rules.actors
        self.check = rules.check
        self.act = rules.act
        self.over = rules.over
        self.winners = rules.winners
        self.due = rules.due
        self.tick = rules.tick
        self.copied = rules.layout.copy

    def opened(self, state: S) -> S:
        return state

    def legal(self, state: S, seat: int) -> list[int]:
        buffer = [0] * self.rules.room
        return buffer[: self.rules.legal(state, seat, buffer)]


class Compiled(Generic[S]):
    """The rules as machine code; a function is compiled, or read from the cache, at first use."""

    def __init__(self, rules: Rules[S]) -> None:
        self.rules = rules
        self.needs = Entry(rules, rules.needs, "record")
        self._give = Entry(rules, rules.give, "record", "int16[::1]")
        self.actors = Entry(rules, rules.actors, "record")
        self.check = Entry(rules, rules.check, "record", "int64", "int64", "int64")
        self.act = Entry(rules, rules.act, "record", "int64", "int64", "int64")
        self._legal = Entry(rules, rules.legal, "record", "int64", "int32[::1]")
        self._over = Entry(rules, rules.over, "record")
        self.winners = Entry(rules, rules.winners, "record")
        self.due = Entry(rules, rules.due, "record")
        self.tick = Entry(rules, rules.tick, "record")

    def load(self, data: bytes) -> Any:
        return np.frombuffer(bytearray(data), dtype=self.rules.layout.dtype)[0]

    def save(self, state: Any) -> bytes:
        return bytes(state.tobytes())

    def opened(self, state: Any) -> S:
        return self.rules.layout.load(self.save(state))

    def copied(self, state: Any) -> S:
        return self.opened(state)

    def give(self, state: Any, order: Order) -> None:
        self._give(state, np.asarray(order, np.int16))

    def legal(self, state: Any, seat: int) -> list[int]:
        buffer = np.zeros(self.rules.room, np.int32)
        listed: list[int] = buffer[: self._legal(state, seat, buffer)].tolist()
        return listed

    def over(self, state: Any) -> bool:
        return bool(self._over(state))


Engine = Literal["plain", "compiled"]


@cache
def machine(rules: Rules[Any], engine: Engine) -> Machine[Any, Any]:
    """The machine of these rules; it holds no state, so one serves everybody."""
    return Plain(rules) if engine == "plain" else Compiled(rules)
