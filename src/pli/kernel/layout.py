"""A game's state, declared once, as a dataclass of small integers and lists of them.

For mypy and the debugger it is a plain Python object with int and list[int] fields; for NumPy and
Numba one flat record of the same fields; a saved game is its bytes. Plain rules compute with
Python's own integers: no NumPy scalar wraps around in them, and a value that does not fit its field
is refused when the state is saved. All fields are signed, because Numba keeps signed arithmetic
signed, as Python does.
"""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from hashlib import sha256
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


def _getter(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """The values of these fields."""
    if len(names) == 1:  # attrgetter makes no tuple of it
        return lambda state: (getattr(state, names[0]),)
    return attrgetter(*names)


class Layout(Generic[S]):
    """The record of a state class: lists are `Annotated[list[int], "i8", length]`. A length may be
    a name, so that a class can be shared by games of other sizes: `Layout(State, seats=5)`."""

    def __init__(self, state_class: type[S], **lengths: int) -> None:
        if not is_dataclass(state_class):
            raise TypeError(f"{state_class.__name__} must be a dataclass")
        self.state_class = state_class
        hints = get_type_hints(state_class, include_extras=True)
        declared = fields(state_class)
        kinds: dict[str, tuple[str, int | None]] = {}
        for field in declared:
            if hasattr(np.ndarray, field.name):
                raise TypeError(f"field {field.name} is named like an ndarray method")
            kind, *length = hints[field.name].__metadata__
            number = length[0] if length else None
            kinds[field.name] = kind, lengths[number] if isinstance(number, str) else number
        # Wide fields come first, so that only the end is padded. The padding is a field too,
        # because NumPy copies field by field and would leave other bytes undefined.
        names = sorted(kinds, key=lambda name: -np.dtype(kinds[name][0]).itemsize)
        columns: list[tuple[str, str, tuple[int, ...]]] = []
        self._lengths = [kinds[name][1] for name in names]
        codes = ""
        for name in names:
            kind, number = kinds[name]
            columns.append((name, kind, () if number is None else (number,)))
            codes += f"{'' if number is None else number}{_STRUCT_CODES[kind]}"
        padding = -np.dtype(columns).itemsize % 8
        if padding:
            columns.append(("padding", "i1", (padding,)))
        self.dtype = np.dtype(columns, align=True)
        self._values = _getter(names)
        self._declared = _getter([field.name for field in declared])
        self._struct = Struct(f"<{codes}{padding}x")
        ends = accumulate(1 if length is None else length for length in self._lengths)
        places = dict(zip(names, ends, strict=True))
        # In the order in which the class declares its fields: where each ends in the record.
        self._places: list[int] = []
        self._slices: list[slice | None] = []
        for field in declared:
            number, end = kinds[field.name][1], places[field.name]
            self._places.append(end - 1)
            self._slices.append(None if number is None else slice(end - number, end))

    @property
    def size(self) -> int:
        return self.dtype.itemsize

    @property
    def fingerprint(self) -> str:
        """States that were saved under another one can't be loaded."""
        return sha256(repr(self.dtype.descr).encode()).hexdigest()[:16]

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
            *[value[:] if type(value) is list else value for value in self._declared(state)]
        )

    def array(self, state: S, length: int = 1) -> "np.ndarray[Any, np.dtype[np.void]]":
        """That many copies of a state, as the array of records that compiled rules work on."""
        rows = np.empty((length, self.size), np.uint8)
        rows[:] = np.frombuffer(self.save(state), np.uint8)
        return rows.reshape(-1).view(self.dtype)
