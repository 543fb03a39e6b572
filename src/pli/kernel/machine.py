"""One set of rules, two ways to run it: interpreted by Python, or compiled by Numba.

Both give the same results and save to the same bytes. A plain state is the game's dataclass; a
compiled one is a NumPy record. `opened` returns either as the dataclass, for views; `copied`
returns a copy that later actions do not change.
"""

from functools import cache
from typing import Any, Generic, Literal, Protocol, TypeVar

import numpy as np

from pli.kernel.compiler import CompiledFunction
from pli.kernel.contract import Order, Rules

S = TypeVar("S")
H = TypeVar("H")


class Machine(Protocol[S, H]):
    """The contract's functions over this machine's own representation of a state."""

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
    """The rules as Python functions."""

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
    """The rules as machine code; each function is compiled, or read from the cache, at first
    use."""

    def __init__(self, rules: Rules[S]) -> None:
        self.rules = rules
        self.needs = CompiledFunction(rules, rules.needs, "record")
        self._give = CompiledFunction(rules, rules.give, "record", "int16[::1]")
        self.actors = CompiledFunction(rules, rules.actors, "record")
        self.check = CompiledFunction(rules, rules.check, "record", "int64", "int64", "int64")
        self.act = CompiledFunction(rules, rules.act, "record", "int64", "int64", "int64")
        self._legal = CompiledFunction(rules, rules.legal, "record", "int64", "int32[::1]")
        self._over = CompiledFunction(rules, rules.over, "record")
        self.winners = CompiledFunction(rules, rules.winners, "record")
        self.due = CompiledFunction(rules, rules.due, "record")
        self.tick = CompiledFunction(rules, rules.tick, "record")

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
    """The machine of these rules; it holds no state, so all matches share it."""
    return Plain(rules) if engine == "plain" else Compiled(rules)
