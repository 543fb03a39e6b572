"""One page's WebSocket connection: messages are decoded, checked and rate limited here, what the
page is told is sent at once and in order, and ping frames, which the page's scripts can't forge,
measure the round trip and keep the connection alive."""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import msgspec
from aiohttp import WebSocketError, WSCloseCode, WSMsgType, web

from pli.errors import PliError
from pli.game import Seat
from pli.server.limits import Limits, limit_met
from pli.server.metrics import Metrics
from pli.server.moves.lag import Lag
from pli.server.protocol import messages as m
from pli.server.rate_limits import MessageLimits
from pli.server.rooms.service import Session, Tables
from pli.server.rooms.viewer import add_sample, problem_of
from pli.texts import words

PINGS, PINGS_LIVE = 5.0, 2.0
"""Seconds between keep-alive pings, in turn-based and in live games."""

FIRST_PINGS, FIRST_PING = 3, 0.3
"""The first pings come sooner, so that the round trip is known before it matters."""

SLOW_GREETING = 0.1
"""Seconds after which a page that is being attached has round trips that were not measured."""

AWAY = ("unreachable", "owned_elsewhere", "journal_unreachable", "journal_slow", "journal_unknown")
"""Problems with which a table can't be opened now, but perhaps soon, here or on another server."""

TURNED_AWAY = 1.0
"""Seconds after which a page that met one of them is told to reconnect."""

SEND_BUFFER = 1 << 20
"""Bytes that may wait to be sent to a slow client before it is disconnected: when it reconnects it
gets a full view."""

HELD = 50
"""Messages of a page that are held while it is being attached to another server's room."""

COUNTED_TOGETHER = 8
"""Messages that are taken at once from the rate limit of the whole address, to save time."""

CLOSE_TIMEOUT = 5.0
"""Seconds for the close handshake, after which the connection is aborted."""

CLOSE_CODES = {
    "restart": WSCloseCode.SERVICE_RESTART,
    "too_slow": WSCloseCode.TRY_AGAIN_LATER,
    "not_saved": WSCloseCode.TRY_AGAIN_LATER,
    "replaced": 4001,
    "too_fast": 4002,
    "silent": 4003,
    "no_spectators": 4004,
}

_FRAMES = (WSMsgType.TEXT, WSMsgType.BINARY, WSMsgType.PING, WSMsgType.PONG)
_encode = msgspec.json.Encoder().encode
_PONG = _encode(m.Pong())
_decode = msgspec.json.Decoder(m.FromPage).decode
_log = logging.getLogger(__name__)


class Connection:
    """A viewer of a table over a WebSocket."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        transport: asyncio.Transport,
        tables: Tables,
        limits: Limits,
        rate_limits: MessageLimits,
        address: str,
        metrics: Metrics,
        met: Callable[[str], None],
    ) -> None:
        """`transport` is the socket's own, `address` the client's; `met` is called with the name of
        a limit that the client meets."""
        self.seat: Seat = None
        self.token: str | None = None
        self.language: m.Language = "en"
        self.name: str | None = None
        self.lists = True
        self.starts = False
        self.address = address
        self.lag = Lag()
        self.changes = False
        self.told: m.Welcome | m.Update | None = None
        self.messages = 0
        """How many the client sent, of any kind."""
        self.code: int | None = None
        """The close code, if this side closed."""
        self._socket = socket
        self._transport = transport
        self._tables = tables
        self._session: Session | None = None
        self._moving: asyncio.Task[None] | None = None
        """While the page is being attached to another server's room."""
        self._held: list[tuple[m.FromPage, bytes]] = []
        """Messages that came meanwhile."""
        self._hello: tuple[str, m.Hello] | None = None
        """The table and what the page said, once it is attached."""
        self._greeting = False
        """Whether it is being attached for the first time."""
        self._closing: asyncio.Task[None] | None = None
        self._limits = limits
        self._met = met
        self._metrics = metrics
        self._rate_limits = rate_limits
        self._loop = asyncio.get_running_loop()
        self._pings: dict[bytes, float] = {}
        self._pinged = 0
        self._first_pings = FIRST_PINGS
        """Pings before this one come sooner."""
        self._next_ping: asyncio.TimerHandle | None = None
        self._heard = time.monotonic()

    # Viewer

    def tell(self, data: bytes) -> None:
        if self._closing is None:
            if self._transport.get_write_buffer_size() > SEND_BUFFER:
                self.close("too_slow")
            else:
                self._write(self._socket.send_frame(data, WSMsgType.TEXT))

    def close(self, code: m.Farewell) -> None:
        """Tells the page why, then closes."""
        if self._closing is None:
            text = words(self.language)(f"server.closing.{code}")
            self.code = CLOSE_CODES[code]
            closing = _encode(m.Closing(code=code, text=text))
            self._write(self._socket.send_frame(closing, WSMsgType.TEXT))
            self._closing = self._loop.create_task(self._close_handshake(code))
            # A client that does not read would never finish the handshake.
            self._loop.call_later(CLOSE_TIMEOUT, self._transport.abort)

    async def _close_handshake(self, code: m.Farewell) -> None:
        with suppress(ConnectionError, RuntimeError):
            await self._socket.close(code=CLOSE_CODES[code])

    def _write(self, frame: Coroutine[Any, Any, None]) -> None:
        """Sends a frame now, by running its coroutine to the end: aiohttp's send only waits for a
        writer that has a limit, and ours has none. A task for each frame would cost more than all
        else; what a slow client does not take yet is buffered by the transport."""
        try:
            frame.send(None)
        except StopIteration:
            return
        except (ConnectionError, RuntimeError):
            return  # the other end is gone: receive() will tell

    # Messages

    async def run(self, table: str) -> None:
        """Receives messages until the connection ends."""
        self._ping()
        try:
            # A task of its own: otherwise each message would resume all coroutines of the request.
            await self._loop.create_task(self._listen(table))
        finally:
            if self._moving is not None:
                self._moving.cancel()
            if self._session is not None:
                self._session.leave()
            if self._next_ping is not None:
                self._next_ping.cancel()
            if self._closing is not None:
                await self._closing

    async def _listen(self, table: str) -> None:
        greeting = self._loop.call_later(self._limits.hello_seconds, self._expect_hello)
        try:
            while True:
                frame = await self._socket.receive()
                if frame.type not in _FRAMES:
                    if isinstance(frame.data, WebSocketError):
                        self.code = frame.data.code  # a protocol error
                    return  # closed by either side
                self._heard = time.monotonic()
                self.messages += 1
                if not self._rate_limits.own.take(self._heard):
                    self._rate_limited("messages")
                elif self.messages % COUNTED_TOGETHER == 0 and not self._rate_limits.messages.take(
                    self._heard, COUNTED_TOGETHER
                ):
                    self._rate_limited("address_messages")
                elif self._closing is None:
                    if frame.type is WSMsgType.TEXT or frame.type is WSMsgType.BINARY:
                        hello = self._receive(frame.data)
                        if hello is not None:
                            await self._greet(table, hello)
                    elif frame.type is WSMsgType.PONG:
                        self._measure(bytes(frame.data))
                    else:
                        self._write(self._socket.pong(frame.data))
        finally:
            greeting.cancel()

    def _rate_limited(self, limit: str) -> None:
        self._met(limit)
        self.close("too_fast")

    def _expect_hello(self) -> None:
        if self._hello is None and not self._greeting:
            self._met("hello_seconds")
            self.close("silent")

    def _receive(self, data: bytes) -> m.Hello | None:
        """Handles a message. A `hello` is given back, since it alone has to wait for something."""
        try:
            message = _decode(data)
            if isinstance(message, m.Hello):
                return message
            if self._hello is None:
                raise PliError("hello_first")
            if isinstance(message, m.Ping):
                self.tell(_PONG)
                return None
            if isinstance(message, m.Log) and not self._rate_limits.logs.take(self._heard):
                self._met("logs")
                raise PliError("too_many_requests")
            if self._session is not None:
                self._session.receive(message, data)
            elif len(self._held) < HELD:
                self._held.append((message, data))
            else:
                raise PliError("too_busy")
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self._complain(PliError("bad_message", why=str(error)[:200]))
        except PliError as error:
            self._complain(error)
        return None

    async def _greet(self, table: str, message: m.Hello) -> None:
        try:
            if self._hello is not None:
                raise PliError("not_now")
            self.language = message.lang
            self._greeting = True
            self._session = await self._tables.attach(table, self, message)
            self._hello = (table, message)
        except PliError as error:
            self._complain(error)
            if error.code in AWAY:
                self._loop.call_later(TURNED_AWAY, self._turn_away)
        finally:
            self._greeting = False
        if time.monotonic() - self._heard > SLOW_GREETING:
            # Pongs that came meanwhile are read only now: they measure nothing.
            self._pings.clear()
            self._first_pings = self._pinged + FIRST_PINGS

    def _turn_away(self) -> None:
        if self._session is None:
            self.close("restart")

    def move(self) -> None:
        """Another server runs the table now. What the page sends meanwhile is held."""
        if self._moving is None and self._closing is None:
            self._session = None
            self._moving = self._loop.create_task(self._attach_again())

    async def _attach_again(self) -> None:
        assert self._hello is not None
        table, hello = self._hello
        try:
            session = await self._tables.attach(table, self, hello)
        except Exception as error:
            if isinstance(error, PliError):
                self._complain(error)
            else:
                _log.exception("a page could not be moved", extra={"table": table})
            self.close("restart")  # the page reconnects, and is told what is wrong with its table
            return
        self._moving = None
        self._session = session
        held, self._held = self._held, []
        for message, data in held:
            try:
                session.receive(message, data)
            except PliError as error:
                self._complain(error)

    def _complain(self, error: PliError) -> None:
        if limit := limit_met(error):
            self._met(limit)
        self._metrics.problems.inc(error.code)
        game = self._session.game if self._session is not None else None
        self.tell(_encode(problem_of(error, self.language, game)))

    # Round trips

    def _ping(self) -> None:
        """Pings, and again after a while; a connection that is silent for too long is closed."""
        if self._closing is not None:
            return  # nothing is sent after the close frame
        now = time.monotonic()
        if now - self._heard > self._limits.silent_seconds:
            self.close("silent")
            return
        number = self._pinged
        self._pinged += 1
        mark = number.to_bytes(8, "big")
        self._pings = {
            k: v for k, v in self._pings.items() if now - v < self._limits.silent_seconds
        }
        self._pings[mark] = now
        self._write(self._socket.ping(mark))
        live = self._session is not None and self._session.live
        pause = FIRST_PING if number < self._first_pings else PINGS_LIVE if live else PINGS
        self._next_ping = self._loop.call_later(pause, self._ping)

    def _measure(self, mark: bytes) -> None:
        sent = self._pings.pop(mark, None)
        if sent is not None:
            self._measured((self._heard - sent) * 1000)

    def _measured(self, round_trip: float) -> None:
        if self._session is not None:
            self._session.measured(round_trip)
        else:
            add_sample(self, round_trip)
        self._metrics.allowance.observe(self.lag.allowance / 1000)
