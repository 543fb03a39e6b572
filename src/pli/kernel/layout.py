"""A game's state, declared once, as a dataclass of small integers and lists of them.

For mypy and the debugger it is a plain Python object with int and list[int] fields; for NumPy and
Numba one flat record of the same fields; a saved game is its bytes. Plain rules compute with
Python's own integers: no NumPy scalar wraps around in them, and a value that does not fit its field
is refused when the state is saved. All fields are signed, because Numba keeps signed arithmetic
signed, as Python does.
"""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from itertools import accumulate
from operator import attrgetter
from struct import Struct
from typing import Annotated, Any, Generic, TypeVar, get_type_hints

import numpy as np

Int8 = Annotated[int, "i1"]
Int16 = Annotated[int, "i2"]
Int32 = Annotated[int, "i4"]
Int64 = Annotated[int, "i8"]

_STRUCT_CODES = {"i1": "b", "i2": "h", "i4": "i", "i8": "q"}

S = TypeVar("S")


class Layout(Generic[S]):
    """The record of a state class: lists are `Annotated[list[int], "i8", length]`."""

    def __init__(self, state_class: type[S]) -> None:
        if not is_dataclass(state_class):
            raise TypeError(f"{state_class.__name__} must be a dataclass")
        self.state_class = state_class
        hints = get_type_hints(state_class, include_extras=True)
        self._lengths: list[int | None] = []
        columns: list[tuple[str, str, tuple[int, ...]]] = []
        codes = ""
        for field in fields(state_class):
            if hasattr(np.ndarray, field.name):
                raise TypeError(f"field {field.name} is named like an ndarray method")
            kind, *length = hints[field.name].__metadata__
            columns.append((field.name, kind, tuple(length)))
            self._lengths.append(length[0] if length else None)
            codes += f"{length[0] if length else ''}{_STRUCT_CODES[kind]}"
        packed = np.dtype(columns)
        # Wide fields come first, so that only the end is padded. The padding is a field too,
        # because NumPy copies field by field and would leave other bytes undefined.
        if np.dtype(columns, align=True).fields != packed.fields:
            raise TypeError(f"{state_class.__name__}: declare wide fields before narrow ones")
        padding = -packed.itemsize % 8
        if padding:
            columns.append(("padding", "i1", (padding,)))
        self.dtype = np.dtype(columns, align=True)
        names = [field.name for field in fields(state_class)]
        self._values: Callable[[S], tuple[Any, ...]] = attrgetter(*names)
        if len(names) == 1:  # attrgetter makes no tuple of it
            self._values = lambda state: (getattr(state, names[0]),)
        self._struct = Struct(f"<{codes}{padding}x")
        ends = list(accumulate(1 if length is None else length for length in self._lengths))
        self._slices = [
            None if length is None else slice(end - length, end)
            for end, length in zip(ends, self._lengths, strict=True)
        ]
        self._places = [end - 1 for end in ends]

    @property
    def size(self) -> int:
        return self.dtype.itemsize

    def blank(self) -> S:
        """A state of zeros."""
        return self.load(bytes(self.size))

    def load(self, data: bytes) -> S:
        values = self._struct.unpack(data)
        row: list[Any] = [
            values[place] if part is None else list(values[part])
            for part, place in zip(self._slices, self._places, strict=True)
        ]
        return self.state_class(*row)

    def save(self, state: S) -> bytes:
        flat: list[int] = []
        for value, length in zip(self._values(state), self._lengths, strict=True):
            if length is None:
                flat.append(value)
            else:
                flat += value
        return self._struct.pack(*flat)

    def copy(self, state: S) -> S:
        return self.state_class(
            *[value[:] if type(value) is list else value for value in self._values(state)]
        )

    def array(self, state: S, length: int = 1) -> "np.ndarray[Any, np.dtype[np.void]]":
        """That many copies of a state, as the array of records that compiled rules work on."""
        rows = np.empty((length, self.size), np.uint8)
        rows[:] = np.frombuffer(self.save(state), np.uint8)
        return rows.reshape(-1).view(self.dtype)
