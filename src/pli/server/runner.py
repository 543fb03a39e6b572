"""How the application meets the network. What is no HTTP at all is refused in few words and under
our headers: anybody can send it, so it is no error of ours and leaves no trace in the log."""

import logging
from collections.abc import Mapping
from typing import Any

from aiohttp import web

KEPT = 30.0
"""Seconds for which a connection that asks nothing, or never finishes asking, is kept."""

_log = logging.getLogger(__name__)


class Handler(web.RequestHandler):
    """One connection."""

    __slots__ = ("headers",)

    headers: Mapping[str, str]

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        if status < 500 and request.writer.output_size == 0:
            _log.debug("not HTTP", extra={"why": type(exc).__name__})
            response: web.StreamResponse = web.Response(status=status)
        else:
            response = super().handle_error(request, status, exc, message)
        response.headers.update(self.headers)
        response.force_close()
        return response

    def log_exception(self, *args: Any, **kw: Any) -> None:
        # A body that breaks off, after the answer that it got.
        if not isinstance(kw.get("exc_info"), web.RequestPayloadError):
            super().log_exception(*args, **kw)


class Runner(web.AppRunner):
    """aiohttp's, with connections of our own kind."""

    def __init__(self, app: web.Application, headers: Mapping[str, str], farewell: float) -> None:
        # No page of ours compresses what it sends, and a small body could unfold to a huge one.
        super().__init__(
            app,
            access_log=None,
            shutdown_timeout=farewell,
            keepalive_timeout=KEPT,
            auto_decompress=False,
        )
        self._headers = headers

    async def _make_server(self) -> web.Server:
        server = await super()._make_server()

        class Server(type(server)):  # type: ignore[misc]
            def __call__(server) -> web.RequestHandler:  # noqa: N805
                handler = Handler(server, loop=server._loop, **server._kwargs)
                handler.headers = self._headers
                return handler

        server.__class__ = Server
        return server
