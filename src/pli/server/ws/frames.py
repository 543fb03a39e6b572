"""WebSocket frames, below aiohttp: a client must mask its frames (RFC 6455, 5.1), so that no proxy
on the way takes their content for HTTP. aiohttp's reader accepts unmasked ones too; this rejects
them."""

_FORBIDDEN = b"\x70\x80"
"""A frame header with reserved bits: aiohttp's reader closes the connection with 1002."""


class MaskCheck:
    """Checks the header of every frame before aiohttp's reader gets it."""

    __slots__ = ("_header", "_rest")

    def __init__(self) -> None:
        self._header = b""
        """An incomplete header, which the reader does not have yet."""
        self._rest = 0
        """Bytes of the current frame that are still to come."""

    def checked(self, data: bytes) -> bytes:
        """What the reader may have: an unmasked frame, and all that follows, is replaced by a
        forbidden one."""
        # Fast path: one complete short frame.
        if (
            len(data) >= 6
            and data[1] == 0x80 | (len(data) - 6)
            and not (self._rest or self._header)
        ):
            return data
        data, at = self._header + data, self._rest
        self._header, self._rest = b"", 0
        while at + 2 <= len(data):
            second = data[at + 1]
            if not second & 0x80:
                return data[:at] + _FORBIDDEN
            length = second & 0x7F
            payload = at + 2 + {126: 2, 127: 8}.get(length, 0)
            if payload > len(data):
                break
            if length > 125:
                length = int.from_bytes(data[at + 2 : payload])
            at = payload + 4 + length
        if at > len(data):
            self._rest = at - len(data)
            return data
        self._header = data[at:]
        return data[:at]
