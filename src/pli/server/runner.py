"""How the application meets the network: headers under which everything leaves, and what becomes of
what is no HTTP at all. Anybody can send that, so it is refused in few words, and as it is no error
of ours the log is not filled with it."""

import logging
from typing import Any

from aiohttp import web

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), screen-wake-lock=(self)",
    "Server": "Pli",
}

KEPT = 30.0
"""Seconds for which a connection is kept that asks nothing, or never comes to an end of asking."""

_log = logging.getLogger(__name__)


class Handler(web.RequestHandler):
    """One connection."""

    __slots__ = ()

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


class Server(web.Server):
    def __call__(self) -> web.RequestHandler:
        return Handler(self, loop=self._loop, **self._kwargs)


class Runner(web.AppRunner):
    """aiohttp's, with connections of our own kind."""

    def __init__(self, app: web.Application, farewell: float) -> None:
        # No page of ours compresses what it sends, and a small body could unfold to a huge one.
        super().__init__(
            app,
            access_log=None,
            shutdown_timeout=farewell,
            keepalive_timeout=KEPT,
            auto_decompress=False,
        )

    async def _make_server(self) -> web.Server:
        server = await super()._make_server()
        server.__class__ = Server  # aiohttp offers no other way to choose it
        return server
