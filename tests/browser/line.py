"""A line to a house: as long as one likes, and it can be cut. A browser that emulates being offline
keeps the sockets that it has, and one that emulates a slow network does not slow them down."""

import socket
import threading
import time
from contextlib import suppress
from queue import Queue

from tests.browser.house import House

Passing = Queue[tuple[float, bytes]]
"""What is on its way, with when it arrives."""


class Line:
    def __init__(self, house: House, round_trip: float = 0.0) -> None:
        self._there = int(house.url.rstrip("/").rpartition(":")[2])
        self._delay = round_trip / 2
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._open: list[socket.socket] = []
        self._down = False
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self._down = True
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def mend(self) -> None:
        self._down = False

    def close(self) -> None:
        self.cut()
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                here, _ = self._listening.accept()
                if self._down:
                    here.close()
                    continue
                there = socket.create_connection(("127.0.0.1", self._there))
                self._open += [here, there]
                for one, other in ((here, there), (there, here)):
                    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    passing = Passing()
                    hear = threading.Thread(target=self._hear, args=(one, passing), daemon=True)
                    say = threading.Thread(
                        target=self._say, args=(one, other, passing), daemon=True
                    )
                    hear.start()
                    say.start()

    def _hear(self, one: socket.socket, passing: Passing) -> None:
        data = b"."
        while data:
            try:
                data = one.recv(65536)
            except OSError:
                data = b""
            passing.put((time.monotonic() + self._delay, data))

    @staticmethod
    def _say(one: socket.socket, other: socket.socket, passing: Passing) -> None:
        with suppress(OSError):
            while True:
                due, data = passing.get()
                time.sleep(max(0.0, due - time.monotonic()))
                if not data:
                    break
                other.sendall(data)
        for each in (one, other):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
