"""HTTP connections: limits on sockets, timeouts of slow requests and slow readers, keep-alive, and
malformed HTTP. Any client can send that, so it is answered briefly, and logged at debug level
only."""

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
from pli.server.addresses import client_prefix
from pli.server.context import CONTEXT, Context
from pli.server.http.responses import HEADERS, error_response
from pli.server.logs import REQUESTS
from pli.server.ws.frames import MaskCheck

KEEP_ALIVE = 30.0
"""Seconds for which an idle connection is kept open."""

LINGER = 2.0
"""Seconds to read the rest of a request that is refused already, so that the client reads the
error; and to send the rest of a response when a connection is closed."""

_log = logging.getLogger(__name__)


class HttpConnection(web.RequestHandler):
    """One connection of aiohttp, with limits and timeouts."""

    __slots__ = ("_body", "_context", "_header_timeout", "_headers", "_masks", "_peer", "began")

    def __init__(self, manager: "Server", **more: Any) -> None:
        super().__init__(manager, **more)
        self.began = 0.0
        """When the first byte of the last request came, in event loop time."""
        self._context = manager.context
        self._peer: str | None = None
        """The peer's address, while the connection is counted."""
        self._header_timeout: asyncio.TimerHandle | None = None
        """The timeout that runs while the header of a request is incomplete."""
        self._headers = 0
        """How many complete headers have come."""
        self._body: StreamReader = EMPTY_PAYLOAD
        """Of the last request."""
        self._masks = MaskCheck()

    # Connections

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        peer = transport.get_extra_info("peername")
        text = str(peer[0]) if peer else ""
        limit = self._context.sockets.open_socket(text)
        if limit is None:
            self._peer = text
            super().connection_made(transport)
        else:
            self._context.log_limit(limit, client_prefix(text))
            self._force_close = True  # ignores all that it sends
            cast(asyncio.Transport, transport).abort()

    def connection_lost(self, exc: BaseException | None) -> None:
        if self._peer is not None:
            self._context.sockets.close_socket(self._peer)
            self._peer = None
        self._stop_timeout()
        super().connection_lost(exc)

    async def start(self) -> None:
        transport = self.transport
        try:
            await super().start()
        finally:
            # A closed transport waits without a timeout for its buffer to be sent.
            if transport is not None and transport.get_write_buffer_size():
                self._loop.call_later(LINGER, transport.abort)

    # Slow requests

    def data_received(self, data: bytes) -> None:
        parser = self._payload_parser
        if parser is not None:
            # A WebSocket: as in aiohttp, but without its heartbeat (we send our own pings).
            data = self._masks.checked(data)
            if data and not (self._force_close or self._close) and parser.feed_data(data)[0]:
                self.close()
            return
        in_body = not self._body.is_eof()
        super().data_received(data)
        if self._request_count != self._headers:
            self._headers = self._request_count
            self._body = self._messages[-1][1] if self._messages else EMPTY_PAYLOAD
            if self._header_timeout is None:
                self.began = self._loop.time()
            self._stop_timeout()
        elif data and not (in_body or self._upgraded or self._close or self._header_timeout):
            self.began = self._loop.time()
            seconds = self._context.limits.request_seconds
            self._header_timeout = self._loop.call_later(seconds, self._time_out)

    def _stop_timeout(self) -> None:
        if self._header_timeout is not None:
            self._header_timeout.cancel()
            self._header_timeout = None

    def _time_out(self) -> None:
        """The header of a request did not come in time: that is answered after the requests before
        it, and nothing more is read."""
        self._context.log_limit("request_seconds", client_prefix(self._peer or ""))
        late = PliError("request_late")
        self._messages.append((_ErrInfo(408, late, str(late)), EMPTY_PAYLOAD))
        self._close = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    # Slow readers

    async def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        try:
            async with asyncio.timeout(self._context.limits.answer_seconds):
                return await super().finish_response(request, resp, start_time)
        except TimeoutError:
            self._context.log_limit("answer_seconds", self._context.address(request))
            if self.transport is not None:
                self.transport.abort()
            return resp, True
        except OSError as error:
            if error.errno not in (EMFILE, ENFILE) or request.writer.output_size:
                raise
            # No file descriptor is left for a static file.
            self._context.log_limit("descriptors", self._context.address(request))
            busy = error_response(request, PliError("too_busy"), 503)
            return await super().finish_response(request, busy, start_time)

    # Malformed HTTP

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        response: web.StreamResponse
        if status < 500 and request.writer.output_size == 0:
            _log.debug("malformed HTTP", extra={"why": type(exc).__name__})
            if isinstance(exc, PliError):
                response = error_response(request, exc, status)
            else:
                response = web.Response(status=status)
            response.force_close()
        else:
            response = super().handle_error(request, status, exc, message)
        response.headers.update(HEADERS)
        return response

    def log_exception(self, *args: Any, **kw: Any) -> None:
        # The rest of a body that no handler reads any more may be malformed too.
        if not isinstance(kw.get("exc_info"), web.RequestPayloadError):
            super().log_exception(*args, **kw)

    # Logs

    def log_access(
        self, request: web.BaseRequest, response: web.StreamResponse, time: float | None
    ) -> None:
        """Without the query string, which may hold anything. A WebSocket logs its own opening and
        closing."""
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
    """aiohttp's, with our connections."""

    context: Context

    def __call__(self) -> web.RequestHandler:
        return HttpConnection(self, loop=self._loop, **self._kwargs)


class Runner(web.AppRunner):
    """aiohttp's, with our server."""

    def __init__(self, app: web.Application, shutdown_timeout: float) -> None:
        # Our pages send no compressed bodies, and a small one could decompress to a huge one.
        super().__init__(
            app,
            access_log=REQUESTS,
            shutdown_timeout=shutdown_timeout,
            keepalive_timeout=KEEP_ALIVE,
            lingering_time=LINGER,
            auto_decompress=False,
        )

    async def _make_server(self) -> web.Server:
        server = await super()._make_server()
        server.__class__ = Server  # aiohttp has no factory for it
        assert isinstance(server, Server)
        server.context = self.app[CONTEXT]
        return server
