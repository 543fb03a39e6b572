"""One page's WebSocket: what it says is decoded and checked here, what it is told leaves in order,
and ping frames below the page's scripts measure its line."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable

import msgspec
from aiohttp import WSCloseCode, WSMessage, WSMsgType, web

from pli.errors import PliError
from pli.game import Seat
from pli.server import messages as m
from pli.server.hall import Hall
from pli.server.keeper import Keeper
from pli.server.lag import Line
from pli.server.limits import Bucket, Limits
from pli.server.requests import receive
from pli.server.viewer import problem_of
from pli.texts import words

PINGS = 2.0
"""Seconds between pings; the first few come sooner, so that a line is known before it matters."""

FIRST_PINGS = 3
SILENCE = 15.0
"""Seconds without a sign of life after which a line is given up."""

GREETING = 10.0
"""Seconds in which a page must say hello."""

WAITING = 1 << 20
"""Bytes that may wait for a slow line before it is cut: it gets a full view when it returns."""

FAREWELL = 5.0
"""Seconds in which a line takes its last message, or is cut without."""

CODES = {
    "restart": WSCloseCode.SERVICE_RESTART,
    "too_slow": WSCloseCode.TRY_AGAIN_LATER,
    "not_saved": WSCloseCode.TRY_AGAIN_LATER,
    "replaced": 4001,
    "too_fast": 4002,
    "silent": 4003,
}

_SPOKEN = (WSMsgType.TEXT, WSMsgType.BINARY, WSMsgType.PING, WSMsgType.PONG)
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(m.FromPage).decode
_log = logging.getLogger(__name__)


class Connection:
    """A viewer of a table, over a WebSocket."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        hall: Hall,
        limits: Limits,
        cut: Callable[[], None],
    ) -> None:
        """`cut` ends the line at once, whatever is still under way."""
        self.seat: Seat = None
        self.token: str | None = None
        self.language: m.Language = "en"
        self.line = Line()
        self._socket = socket
        self._hall = hall
        self._keeper: Keeper | None = None
        self._outbox: deque[bytes] = deque()
        self._waiting = 0
        """The bytes in there."""
        self._ready = asyncio.Event()
        self._closing: str | None = None
        self._cut = cut
        self._last: asyncio.TimerHandle | None = None
        self._bucket = Bucket(limits.messages, time.monotonic())
        self._pings: dict[bytes, float] = {}
        self._heard = time.monotonic()

    # What the keeper uses

    def tell(self, data: bytes) -> None:
        if self._closing is None:
            if self._waiting + len(data) > WAITING and self._outbox:
                self.close("too_slow")
                return
            self._outbox.append(data)
            self._waiting += len(data)
            self._ready.set()

    def close(self, code: str) -> None:
        """Says why, then ends the connection."""
        if self._closing is not None:
            return
        text = words(self.language)(f"server.closing.{code}")
        if code == "too_slow":
            self._outbox.clear()
        self._outbox.append(_encode(m.Closing(code=code, text=text)))  # type: ignore[arg-type]
        self._closing = code
        self._ready.set()
        # Who takes nothing does not take its leave either.
        self._last = asyncio.get_running_loop().call_later(FAREWELL, self._cut)

    # What happens on the line

    async def run(self, table: str) -> None:
        """From the first message to the last."""
        tasks = [asyncio.create_task(self._send()), asyncio.create_task(self._ping())]
        try:
            await self._listen(table)
        finally:
            if self._keeper is not None:
                self._keeper.went(self)
            if self._last is not None:
                self._last.cancel()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _listen(self, table: str) -> None:
        greeting = asyncio.get_running_loop().call_later(GREETING, self._expect_hello)
        try:
            while True:
                frame = await self._socket.receive()
                if frame.type not in _SPOKEN:
                    return  # closed, by whichever end, or not a WebSocket's language
                self._heard = time.monotonic()
                if not self._bucket.takes(self._heard):
                    self.close("too_fast")
                elif self._closing is None:
                    await self._hear(table, frame)
        finally:
            greeting.cancel()

    def _expect_hello(self) -> None:
        if self._keeper is None:
            self.close("silent")

    async def _hear(self, table: str, frame: WSMessage) -> None:
        if frame.type is WSMsgType.PONG:
            self._measure(bytes(frame.data))
        elif frame.type is WSMsgType.PING:
            await self._socket.pong(frame.data)
        else:
            await self._take(table, frame.data)

    async def _take(self, table: str, data: str | bytes) -> None:
        try:
            message = _decode(data)
            if isinstance(message, m.Hello):
                await self._hello(table, message)
            elif self._keeper is None:
                raise PliError("hello_first")
            else:
                receive(self._keeper, self, message)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self._complain(PliError("bad_message", why=str(error)[:200]))
        except PliError as error:
            self._complain(error)

    def _complain(self, error: PliError) -> None:
        game = self._keeper.table.game.name if self._keeper is not None else None
        self.tell(_encode(problem_of(error, self.language, game)))

    async def _hello(self, table: str, message: m.Hello) -> None:
        if self._keeper is not None:
            raise PliError("not_now")
        self.language = message.lang
        keeper = await self._hall.open(table)
        if self._closing is not None:
            return  # the server was told to stop meanwhile
        if message.token is not None:
            self.seat = keeper.table.seat_of(message.token)
            if self.seat is None:
                raise PliError("not_your_seat")
            self.token = message.token
        elif sum(viewer.seat is None for viewer in keeper.viewers) >= self._hall.limits.spectators:
            raise PliError("too_many_spectators")
        self._keeper = keeper
        keeper.came(self)

    async def _send(self) -> None:
        socket, outbox = self._socket, self._outbox
        try:
            while True:
                await self._ready.wait()
                self._ready.clear()
                while outbox:
                    data = outbox.popleft()
                    self._waiting -= len(data)
                    await socket.send_frame(data, WSMsgType.TEXT)
                if self._closing is not None:
                    await socket.close(code=CODES[self._closing])
                    return
        except (ConnectionError, RuntimeError):
            return  # the other end is gone, which the listener sees as well

    # The line

    async def _ping(self) -> None:
        try:
            for number in range(1 << 62):
                now = time.monotonic()
                if now - self._heard > SILENCE:
                    self.close("silent")
                    return
                mark = number.to_bytes(8, "big")
                self._pings = {k: v for k, v in self._pings.items() if now - v < SILENCE}
                self._pings[mark] = now
                async with asyncio.timeout(SILENCE):
                    await self._socket.ping(mark)
                await asyncio.sleep(PINGS if number >= FIRST_PINGS else 0.3)
        except TimeoutError:
            self.close("silent")
        except (ConnectionError, RuntimeError):
            return

    def _measure(self, mark: bytes) -> None:
        sent = self._pings.pop(mark, None)
        if sent is not None:
            before = self.line.allowance
            self.line.heard((self._heard - sent) * 1000)
            if abs(self.line.allowance - before) >= 10:
                self.tell(_encode(m.Line(round_trip=self.line.allowance)))
