"""A state declared once: as a dataclass, a NumPy record and bytes."""

import struct
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pytest

from pli import games
from pli.kernel.layout import Int8, Int64, Layout


@dataclass(slots=True)
class Small:
    wide: Int64
    row: Annotated[list[int], "i2", 3]
    narrow: Int8


LAYOUT = Layout(Small)


def test_a_state_its_bytes_and_its_record_are_the_same() -> None:
    state = Small(-5, [1, -2, 3], 7)
    record = LAYOUT.array(state)[0]
    assert record["wide"] == -5
    assert record["row"].tolist() == [1, -2, 3]
    assert record.tobytes() == LAYOUT.save(state)
    assert LAYOUT.load(LAYOUT.save(state)) == state


def test_copies_by_numpy_keep_every_byte() -> None:
    """Padding is a field: NumPy copies fields only, and would leave anything between them."""
    array = LAYOUT.array(Small(1, [2, 3, 4], 5), 100)
    assert array.dtype.itemsize % 8 == 0
    assert array.copy().tobytes() == array.tobytes()


def test_a_number_too_large_for_its_field_is_refused() -> None:
    with pytest.raises(struct.error):
        LAYOUT.save(Small(0, [0, 0, 0], 128))


def test_a_copy_shares_nothing() -> None:
    state = Small(0, [0, 0, 0], 0)
    LAYOUT.copy(state).row[0] = 9
    assert state.row[0] == 0


def test_fields_may_be_declared_in_any_order_and_lengths_by_name() -> None:
    @dataclass
    class Mixed:
        narrow: Int8
        row: Annotated[list[int], "i2", "seats"]
        wide: Int64

    layout = Layout(Mixed, seats=4)
    state = Mixed(1, [2, 3, 4, 5], -6)
    record = layout.array(state)[0]
    assert layout.dtype.names == ("wide", "row", "narrow", "padding")
    assert (record["narrow"], record["row"].tolist(), record["wide"]) == (1, [2, 3, 4, 5], -6)
    assert layout.load(layout.save(state)) == layout.copy(state) == state
    assert layout.blank() == Mixed(0, [0] * 4, 0)
    with pytest.raises(KeyError):
        Layout(Mixed)


def test_a_field_named_like_an_array_method_is_an_error() -> None:
    @dataclass
    class Bad:
        round: Int8

    with pytest.raises(TypeError, match="ndarray method"):
        Layout(Bad)


@pytest.mark.parametrize("name", games.names())
def test_a_state_fits_in_a_kilobyte(name: str) -> None:
    layout = games.load(name).rules.layout
    assert layout.size <= 1024
    assert layout.dtype.itemsize == layout.size
    assert np.zeros(1, layout.dtype).tobytes() == bytes(layout.size)
