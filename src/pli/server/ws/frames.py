"""The frames of WebSockets, below aiohttp: a client must mask its own (RFC 6455, 5.1), since a
proxy on the way could take others for requests. aiohttp's reader takes both kinds."""

_FORBIDDEN = b"\x70\x80"
"""The head of a frame with reserved bits: the reader ends the connection with 1002."""


class Masks:
    """Looks at the head of every frame before aiohttp's reader gets it."""

    __slots__ = ("_head", "_rest")

    def __init__(self) -> None:
        self._head = b""
        """What came of a head that is not whole: the reader does not have it yet."""
        self._rest = 0
        """Bytes of the last frame that are still to come."""

    def checked(self, data: bytes) -> bytes:
        """What the reader may have: up to a frame that is not masked, which becomes a forbidden
        one."""
        # Mostly one short frame comes, whole.
        if len(data) >= 6 and data[1] == 0x80 | (len(data) - 6) and not (self._rest or self._head):
            return data
        data, at = self._head + data, self._rest
        self._head, self._rest = b"", 0
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
        self._head = data[at:]
        return data[:at]
