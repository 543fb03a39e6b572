"""Long answers, packed as browsers take them (gzip): a replay says nearly the same at every step,
so that it is kept, and waits for slow lines, in a small part of its length."""

import zlib
from collections.abc import Iterator

GZIP = 31
"""What tells zlib to write and read it."""

QUICK = 1
"""How hard to try: better takes much longer, and gains little here."""

PIECE = 1 << 16
"""Bytes that are unpacked at a time."""


class Packer:
    """Packs an answer while it is worked out."""

    def __init__(self) -> None:
        self._zipping = zlib.compressobj(QUICK, wbits=GZIP)
        self._packed: list[bytes] = []

    def add(self, data: bytes) -> None:
        if packed := self._zipping.compress(data):
            self._packed.append(packed)

    def finish(self) -> bytes:
        return b"".join((*self._packed, self._zipping.flush()))


def unpacked(data: bytes) -> Iterator[bytes]:
    """An answer piece by piece, for who can't unpack it."""
    unzipping = zlib.decompressobj(GZIP)
    while not unzipping.eof:
        yield unzipping.decompress(data, PIECE)
        data = unzipping.unconsumed_tail
