"""Compression of long responses, as gzip: a replay says nearly the same at every step, so that it
is kept in memory, and waits for slow connections, at a small part of its length."""

import zlib
from collections.abc import Iterator

GZIP = 31
"""zlib's `wbits` for the gzip format."""

LEVEL = 1
"""The fastest: better levels take much longer, and gain little here."""

CHUNK = 1 << 16
"""Bytes that are decompressed at a time."""


class GzipWriter:
    """Compresses a response while it is computed."""

    def __init__(self) -> None:
        self._compressor = zlib.compressobj(LEVEL, wbits=GZIP)
        self._chunks: list[bytes] = []

    def write(self, data: bytes) -> None:
        if chunk := self._compressor.compress(data):
            self._chunks.append(chunk)

    def finish(self) -> bytes:
        return b"".join((*self._chunks, self._compressor.flush()))


def decompressed(data: bytes) -> Iterator[bytes]:
    """A response in chunks, for a client that does not accept gzip."""
    decompressor = zlib.decompressobj(GZIP)
    while not decompressor.eof:
        yield decompressor.decompress(data, CHUNK)
        data = decompressor.unconsumed_tail
