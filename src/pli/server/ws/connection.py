"""One page's WebSocket: what it says is decoded and checked here, what it is told leaves at once
and in order, and ping frames below the page's scripts measure its line."""

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
from pli.server.moves.lag import Lag
from pli.server.protocol import messages as m
from pli.server.rate_limits import MessageLimits
from pli.server.rooms.commands import receive
from pli.server.rooms.lobby import Lobby
from pli.server.rooms.room import Room
from pli.server.rooms.viewer import problem_of
from pli.texts import words

PINGS, PINGS_LIVE = 5.0, 2.0
"""Seconds between pings, where turns are taken and where every millisecond counts."""

FIRST_PINGS, FIRST_PING = 3, 0.3
"""So many come sooner, so that a line is known before it matters."""

WAITING = 1 << 20
"""Bytes that may wait for a slow line before it is cut: it gets a full view when it returns."""

TOGETHER = 8
"""Messages that are counted at once where those of all WebSockets of an address are."""

FAREWELL = 5.0
"""Seconds in which a line takes its last message, or is cut without."""

CODES = {
    "restart": WSCloseCode.SERVICE_RESTART,
    "too_slow": WSCloseCode.TRY_AGAIN_LATER,
    "not_saved": WSCloseCode.TRY_AGAIN_LATER,
    "replaced": 4001,
    "too_fast": 4002,
    "silent": 4003,
    "no_spectators": 4004,
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
        transport: asyncio.Transport,
        lobby: Lobby,
        limits: Limits,
        rate_limits: MessageLimits,
        address: str,
        met: Callable[[str], None],
    ) -> None:
        """`transport` is what is below the socket, `address` where it comes from; `met` is told of
        limits to which it comes."""
        self.seat: Seat = None
        self.token: str | None = None
        self.language: m.Language = "en"
        self.lists = True
        self.address = address
        self.lag = Lag()
        self.changes = False
        self.told: m.Welcome | m.Update | None = None
        self.messages = 0
        """How many it sent, of any kind."""
        self.code: int | None = None
        """With which it was ended from here."""
        self._socket = socket
        self._transport = transport
        self._lobby = lobby
        self._room: Room | None = None
        self._closing: asyncio.Task[None] | None = None
        self._limits = limits
        self._met = met
        self._rate_limits = rate_limits
        self._loop = asyncio.get_running_loop()
        self._pings: dict[bytes, float] = {}
        self._pinged = 0
        self._next_ping: asyncio.TimerHandle | None = None
        self._heard = time.monotonic()

    # What the room uses

    def tell(self, data: bytes) -> None:
        if self._closing is None:
            if self._transport.get_write_buffer_size() > WAITING:
                self.close("too_slow")
            else:
                self._write(self._socket.send_frame(data, WSMsgType.TEXT))

    def close(self, code: m.Farewell) -> None:
        """Says why, then ends the connection."""
        if self._closing is None:
            text = words(self.language)(f"server.closing.{code}")
            self.code = CODES[code]
            farewell = _encode(m.Closing(code=code, text=text))
            self._write(self._socket.send_frame(farewell, WSMsgType.TEXT))
            self._closing = self._loop.create_task(self._take_leave(code))
            # Who takes nothing does not take its leave either.
            self._loop.call_later(FAREWELL, self._transport.abort)

    async def _take_leave(self, code: m.Farewell) -> None:
        with suppress(ConnectionError, RuntimeError):
            await self._socket.close(code=CODES[code])

    def _write(self, frame: Coroutine[Any, Any, None]) -> None:
        """Sends a frame now. Without a limit a socket never waits, so it needs no task, which would
        cost more than all else; what a slow line does not take yet lies in its transport."""
        try:
            frame.send(None)
        except StopIteration:
            return
        except (ConnectionError, RuntimeError):
            return  # the other end is gone, which the listener sees as well

    # What happens on the line

    async def run(self, table: str) -> None:
        """From the first message to the last."""
        self._ping()
        try:
            # In a task of its own, so that not all that is around a request wakes for a message.
            await self._loop.create_task(self._listen(table))
        finally:
            if self._room is not None:
                self._room.went(self)
            if self._next_ping is not None:
                self._next_ping.cancel()
            if self._closing is not None:
                await self._closing

    async def _listen(self, table: str) -> None:
        greeting = self._loop.call_later(self._limits.hello_seconds, self._expect_hello)
        try:
            while True:
                frame = await self._socket.receive()
                if frame.type not in _SPOKEN:
                    if isinstance(frame.data, WebSocketError):
                        self.code = frame.data.code  # not a WebSocket's language
                    return  # closed, by whichever end
                self._heard = time.monotonic()
                self.messages += 1
                if not self._rate_limits.own.take(self._heard):
                    self._sent_too_much("messages")
                elif self.messages % TOGETHER == 0 and not self._rate_limits.messages.take(
                    self._heard, TOGETHER
                ):
                    self._sent_too_much("address_messages")
                elif self._closing is None:
                    if frame.type is WSMsgType.TEXT or frame.type is WSMsgType.BINARY:
                        hello = self._take(frame.data)
                        if hello is not None:
                            await self._greet(table, hello)
                    elif frame.type is WSMsgType.PONG:
                        self._measure(bytes(frame.data))
                    else:
                        self._write(self._socket.pong(frame.data))
        finally:
            greeting.cancel()

    def _sent_too_much(self, limit: str) -> None:
        self._met(limit)
        self.close("too_fast")

    def _expect_hello(self) -> None:
        if self._room is None:
            self._met("hello_seconds")
            self.close("silent")

    def _take(self, data: bytes) -> m.Hello | None:
        """Gives back a hello, which alone has to wait for something."""
        try:
            message = _decode(data)
            if isinstance(message, m.Hello):
                return message
            if self._room is None:
                raise PliError("hello_first")
            if isinstance(message, m.Log) and not self._rate_limits.logs.take(self._heard):
                self._met("logs")
                raise PliError("too_many_requests")
            receive(self._room, self, message)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self._complain(PliError("bad_message", why=str(error)[:200]))
        except PliError as error:
            self._complain(error)
        return None

    async def _greet(self, table: str, message: m.Hello) -> None:
        try:
            await self._hello(table, message)
        except PliError as error:
            self._complain(error)

    def _complain(self, error: PliError) -> None:
        if limit := limit_met(error):
            self._met(limit)
        game = self._room.table.game.name if self._room is not None else None
        self.tell(_encode(problem_of(error, self.language, game)))

    async def _hello(self, table: str, message: m.Hello) -> None:
        if self._room is not None:
            raise PliError("not_now")
        self.language = message.lang
        self.changes = message.changes
        self.lists = message.legal
        room = await self._lobby.open(table, self.address)
        if self._closing is not None:
            return  # the server was told to stop meanwhile
        if message.token is not None:
            self.seat = room.table.seat_of(message.token)
            if self.seat is None:
                raise PliError("not_your_seat")
            self.token = message.token
        elif not room.table.settings.spectators:
            raise PliError("no_spectators")
        elif sum(viewer.seat is None for viewer in room.viewers) >= self._lobby.limits.spectators:
            raise PliError("too_many_spectators")
        self._room = room
        room.came(self)

    # The line

    def _ping(self) -> None:
        """And again after a while, as long as there are signs of life."""
        if self._closing is not None:
            return  # after its farewell a line must hear nothing more
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
        live = self._room is not None and self._room.table.game.live
        pause = FIRST_PING if number < FIRST_PINGS else PINGS_LIVE if live else PINGS
        self._next_ping = self._loop.call_later(pause, self._ping)

    def _measure(self, mark: bytes) -> None:
        sent = self._pings.pop(mark, None)
        if sent is not None:
            before = self.lag.allowance
            self.lag.add_sample((self._heard - sent) * 1000)
            if abs(self.lag.allowance - before) >= 10:
                self.tell(_encode(m.Line(round_trip=self.lag.allowance)))
