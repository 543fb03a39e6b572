"""A TCP proxy in this process that can hold bytes back, as a network does that loses packets, or
reset connections, as one does that has lost its state."""

import asyncio
import socket
import struct
from collections import deque
from contextlib import suppress
from typing import cast

LINGER_NONE = struct.pack("ii", 1, 0)
"""A socket that is closed so sends RST."""


class Proxy:
    """Forwards all connections from a port of its own to another one of this machine, or to several
    in turns, of which those where nobody listens are left out."""

    def __init__(self, *targets: int) -> None:
        self.targets = deque(targets)
        """The ports, the next one first."""
        self.port = 0
        self.held = False
        self.dropping = False
        self.sides: set[Side] = set()
        """Both ends of every connection."""
        self._server: asyncio.Server | None = None

    async def start(self, port: int = 0) -> "Proxy":
        """Listens, at a free port if none is given."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: Inner(self), "127.0.0.1", port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def stall(self) -> None:
        """Holds all bytes in both directions; connections stay open, and new ones are accepted."""
        self.held = True
        self._update()

    def drop(self) -> None:
        """Resets all connections, and every new one."""
        self.dropping = True
        self.reset()

    def resume(self) -> None:
        """Forwards again. What was held is delivered, even if its sender is gone since."""
        self.held = self.dropping = False
        self._update()

    def reset(self) -> None:
        """Resets all connections; new ones are forwarded."""
        for side in [*self.sides]:
            side.reset()

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
            self.reset()
            await self._server.wait_closed()

    def _update(self) -> None:
        for side in [*self.sides]:
            side.update()


class Side(asyncio.Protocol):
    """One end of a connection, which reads from its socket for the other end."""

    def __init__(self, proxy: Proxy, other: "Side | None" = None) -> None:
        self.proxy = proxy
        self.other = other
        self.transport: asyncio.Transport | None = None
        self.full = False
        """Its socket takes no more at the moment."""
        self.ended = False
        """Its socket gives no more."""
        self._reads = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.proxy.sides.add(self)
        self.update()
        if self.other is not None:
            self.other.update()

    def update(self) -> None:
        """Reads if somebody takes what is read."""
        other = self.other
        taken = other is not None and other.transport is not None and not other.full
        reads = taken and not self.proxy.held
        if self.transport is not None and reads != self._reads:
            self._reads = reads
            if reads:
                self.transport.resume_reading()
            else:
                self.transport.pause_reading()

    def data_received(self, data: bytes) -> None:
        if self.other is not None and self.other.transport is not None:
            self.other.transport.write(data)

    def eof_received(self) -> bool:
        self.ended = True
        if self.other is not None and self.other.transport is not None:
            self.other.transport.write_eof()
        return self.other is not None and not self.other.ended

    def pause_writing(self) -> None:
        self.full = True
        if self.other is not None:
            self.other.update()

    def resume_writing(self) -> None:
        self.full = False
        if self.other is not None:
            self.other.update()

    def connection_lost(self, exc: Exception | None) -> None:
        self.proxy.sides.discard(self)
        self.transport = None
        if self.other is not None:
            if exc is not None:
                self.other.reset()
            elif self.other.transport is not None:
                self.other.transport.close()

    def reset(self) -> None:
        if self.transport is not None:
            end: socket.socket = self.transport.get_extra_info("socket")
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_NONE)
            self.transport.abort()


class Inner(Side):
    """The end of whoever connected to the proxy, which connects on."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        if self.proxy.dropping:
            self.reset()
        else:
            self._connecting = asyncio.create_task(self._connect())

    async def _connect(self) -> None:
        outer = Side(self.proxy, self)
        targets = self.proxy.targets
        for target in [*targets]:
            targets.rotate(-1)
            with suppress(OSError):
                loop = asyncio.get_running_loop()
                await loop.create_connection(lambda: outer, "127.0.0.1", target)
                break
        else:
            self.reset()
            return
        self.other = outer
        if self.transport is None:
            outer.reset()
        outer.update()
        self.update()
