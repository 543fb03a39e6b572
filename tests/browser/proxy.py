"""A TCP proxy between browser and server, with a delay and a bandwidth, which can break all
connections, or lose what is sent over them. The browser's own emulation of network conditions does
not reach WebSockets that are open."""

import socket
import threading
import time
from contextlib import suppress
from queue import Queue

from tests.browser.server import ServerProcess

Chunks = Queue[tuple[float, bytes]]
"""Data in transit, each with the time at which it is to arrive."""


class Proxy:
    """Forwards to a server; `round_trip` is the delay in both directions together, in seconds,
    `bandwidth` how many bytes a second all connections carry together from the server (0: any)."""

    def __init__(
        self, server: ServerProcess, round_trip: float = 0.0, bandwidth: float = 0.0
    ) -> None:
        self._port = int(server.url.rstrip("/").rpartition(":")[2])
        self._delay = round_trip / 2
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.bandwidth = bandwidth
        self._line = threading.Lock()
        self._line_free = 0.0
        """When all that was sent so far has gone through the line."""
        self._sockets: list[socket.socket] = []
        self._down = False
        self._silent: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def disconnect(self) -> None:
        """Breaks all connections and refuses new ones."""
        self._down = True
        for each in self._sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._sockets.clear()

    def silence(self) -> None:
        """Connections stay open, but from now on all that is sent over them is lost."""
        self._silent.update(self._sockets)

    def restore(self) -> None:
        """Accepts connections again."""
        self._down = False

    def close(self) -> None:
        self.disconnect()
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if self._down:
                    client.close()
                    continue
                upstream = socket.create_connection(("127.0.0.1", self._port))
                self._sockets += [client, upstream]
                for source, target in ((client, upstream), (upstream, client)):
                    source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    chunks = Chunks()
                    receive = threading.Thread(
                        target=self._receive,
                        args=(source, chunks, source is upstream),
                        daemon=True,
                    )
                    send = threading.Thread(
                        target=self._send, args=(source, target, chunks), daemon=True
                    )
                    receive.start()
                    send.start()

    def _receive(self, source: socket.socket, chunks: Chunks, limited: bool) -> None:
        data = b"."
        while data:
            try:
                data = source.recv(4096 if limited and self.bandwidth else 65536)
            except OSError:
                data = b""
            arrives = time.monotonic()
            if limited and self.bandwidth:
                with self._line:
                    arrives = max(arrives, self._line_free) + len(data) / self.bandwidth
                    self._line_free = arrives
                # No further ahead than a line's buffer: otherwise small messages would wait behind
                # whole files.
                time.sleep(max(0.0, arrives - time.monotonic() - 0.1))
            if not data or source not in self._silent:
                chunks.put((arrives + self._delay, data))

    @staticmethod
    def _send(source: socket.socket, target: socket.socket, chunks: Chunks) -> None:
        with suppress(OSError):
            while True:
                due, data = chunks.get()
                time.sleep(max(0.0, due - time.monotonic()))
                if not data:
                    break
                target.sendall(data)
        for each in (source, target):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
