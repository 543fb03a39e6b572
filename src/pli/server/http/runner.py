"""How the application meets the network: how many connections there may be, how long a request may
take to come and an answer to be taken, and what becomes of what is no HTTP at all. Anybody can send
that, so it is refused in few words, and as it is no error of ours the log is not filled with it."""

import asyncio
import logging
from collections.abc import Callable
from errno import EMFILE, ENFILE
from typing import Any, cast

from aiohttp import web
from aiohttp.http import WebSocketReader
from aiohttp.streams import EMPTY_PAYLOAD, StreamReader
from aiohttp.web_protocol import _ErrInfo

from pli.errors import PliError
from pli.server.context import CONTEXT, Context
from pli.server.http.addresses import household
from pli.server.http.responses import HEADERS, refusal
from pli.server.logs import REQUESTS
from pli.server.ws.frames import Masks

KEPT = 30.0
"""Seconds for which a connection is kept that asks nothing."""

LINGERING = 2.0
"""Seconds for the rest of a request that is refused already, so that the refusal is read; and for
the rest of an answer when a connection is ended."""

_log = logging.getLogger(__name__)


class Handler(web.RequestHandler):
    """One connection."""

    __slots__ = ("_body", "_context", "_heads", "_late", "_masks", "_peer", "began")

    def __init__(self, manager: "Server", **more: Any) -> None:
        super().__init__(manager, **more)
        self.began = 0.0
        """When the first byte of the last request came, by the clock of the event loop."""
        self._context = manager.context
        self._peer: str | None = None
        """Whose connection it is, once it is counted."""
        self._late: asyncio.TimerHandle | None = None
        """Runs while a request's head has come in part."""
        self._heads = 0
        """How many have come in whole."""
        self._body: StreamReader = EMPTY_PAYLOAD
        """Of the last of them."""
        self._masks = Masks()

    # Connections

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        peer = transport.get_extra_info("peername")
        text = str(peer[0]) if peer else ""
        limit = self._context.sockets.opens(text)
        if limit is None:
            self._peer = text
            super().connection_made(transport)
        else:
            self._context.met(limit, household(text))
            self._force_close = True  # nothing that it sends is looked at
            cast(asyncio.Transport, transport).abort()

    def connection_lost(self, exc: BaseException | None) -> None:
        if self._peer is not None:
            self._context.sockets.closes(self._peer)
            self._peer = None
        self._in_time()
        super().connection_lost(exc)

    async def start(self) -> None:
        transport = self.transport
        try:
            await super().start()
        finally:
            # A transport that is closed waits for ever until the rest has been taken.
            if transport is not None and transport.get_write_buffer_size():
                self._loop.call_later(LINGERING, transport.abort)

    # Requests that come slowly

    def data_received(self, data: bytes) -> None:
        parser = self._payload_parser
        if parser is not None:
            # Of a WebSocket: as aiohttp does, without its heartbeat, of which we have our own.
            data = self._masks.checked(data)
            if data and not (self._force_close or self._close) and parser.feed_data(data)[0]:
                self.close()
            return
        in_body = not self._body.is_eof()
        super().data_received(data)
        if self._request_count != self._heads:
            self._heads = self._request_count
            self._body = self._messages[-1][1] if self._messages else EMPTY_PAYLOAD
            if self._late is None:
                self.began = self._loop.time()
            self._in_time()
        elif data and not (in_body or self._upgraded or self._close or self._late):
            self.began = self._loop.time()
            seconds = self._context.limits.request_seconds
            self._late = self._loop.call_later(seconds, self._give_up)

    def _in_time(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _give_up(self) -> None:
        """The head of a request did not come to its end: that is answered after what was asked
        before, and nothing more is read."""
        self._context.met("request_seconds", household(self._peer or ""))
        late = PliError("request_late")
        self._messages.append((_ErrInfo(408, late, str(late)), EMPTY_PAYLOAD))
        self._close = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    # Answers that are taken slowly

    async def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        try:
            async with asyncio.timeout(self._context.limits.answer_seconds):
                return await super().finish_response(request, resp, start_time)
        except TimeoutError:
            self._context.met("answer_seconds", self._context.address(request))
            if self.transport is not None:
                self.transport.abort()
            return resp, True
        except OSError as error:
            if error.errno not in (EMFILE, ENFILE) or request.writer.output_size:
                raise
            # There is no descriptor left for the file that was asked for.
            self._context.met("descriptors", self._context.address(request))
            busy = refusal(request, PliError("too_busy"), 503)
            return await super().finish_response(request, busy, start_time)

    # What is not HTTP

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        response: web.StreamResponse
        if status < 500 and request.writer.output_size == 0:
            _log.debug("not HTTP", extra={"why": type(exc).__name__})
            if isinstance(exc, PliError):
                response = refusal(request, exc, status)
            else:
                response = web.Response(status=status)
            response.force_close()
        else:
            response = super().handle_error(request, status, exc, message)
        response.headers.update(HEADERS)
        return response

    def log_exception(self, *args: Any, **kw: Any) -> None:
        # The rest of a body, which nobody waits for any more, may be broken too.
        if not isinstance(kw.get("exc_info"), web.RequestPayloadError):
            super().log_exception(*args, **kw)

    # Logs

    def log_access(
        self, request: web.BaseRequest, response: web.StreamResponse, time: float | None
    ) -> None:
        """Without the query, in which anything may be. A WebSocket logs its own beginning and
        end."""
        if time is None or response.status == 101:
            return
        details = {
            "method": request.method[:20],
            "path": request.path[:200],
            "status": response.status,
            "ms": round((self._loop.time() - time) * 1000),
            "bytes": response.body_length,
            "address": self._context.address(request),
        }
        REQUESTS.info("request", extra=details)

    # WebSockets

    def set_parser(
        self, parser: WebSocketReader, data_received_cb: Callable[[], None] | None = None
    ) -> None:
        self._message_tail = self._masks.checked(self._message_tail)
        super().set_parser(parser, data_received_cb)


class Server(web.Server):
    context: Context

    def __call__(self) -> web.RequestHandler:
        return Handler(self, loop=self._loop, **self._kwargs)


class Runner(web.AppRunner):
    """aiohttp's, with connections of our own kind."""

    def __init__(self, app: web.Application, farewell: float) -> None:
        # No page of ours compresses what it sends, and a small body could unfold to a huge one.
        super().__init__(
            app,
            access_log=REQUESTS,
            shutdown_timeout=farewell,
            keepalive_timeout=KEPT,
            lingering_time=LINGERING,
            auto_decompress=False,
        )

    async def _make_server(self) -> web.Server:
        server = await super()._make_server()
        server.__class__ = Server  # aiohttp offers no other way to choose it
        assert isinstance(server, Server)
        server.context = self.app[CONTEXT]
        return server
