"""The aiohttp application: routes, errors as translated JSON, response headers, static files."""

import asyncio
import logging
from collections.abc import AsyncIterator
from errno import EMFILE, ENAMETOOLONG, ENFILE
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler

from pli.errors import PliError
from pli.server.context import CONTEXT, Context, HttpError
from pli.server.http.declarations import Route
from pli.server.http.errors import status_of
from pli.server.http.previews import PATH, card, filled, get_preview
from pli.server.http.responses import HEADERS, POLICY, error_response, json_response, language_of
from pli.server.http.routes import ROUTES
from pli.server.http.runner import HttpConnection
from pli.server.limits import limit_met
from pli.server.protocol import messages as m

STATIC = Path(__file__).parent.parent / "static"
PAGES = {
    "/": "index.html",
    "/rules/{game}": "index.html",
    "/learn/{game}": "index.html",
    "/lab": "index.html",
    "/t/{table}": "table.html",
    "/r/{table}/{number}": "table.html",
}
"""Paths that the client routes itself, and their HTML files."""

A_DAY = "public, max-age=86400"
FILE_CACHE = {"sw.js": "no-cache"}
"""How long a browser may keep the files beside the pages. The service worker says which version of
the client is the newest, and is looked at each time."""

_log = logging.getLogger(__name__)


def make_app(context: Context) -> web.Application:
    app = web.Application(middlewares=[_handle_errors], client_max_size=m.LARGEST)
    app[CONTEXT] = context
    for route in ROUTES:
        handler = _handler(route)
        if route.answers_head:
            app.router.add_get(route.pattern, handler)  # and HEAD
        else:
            app.router.add_route(route.method, route.pattern, handler)
    if (STATIC / "index.html").exists():
        app.router.add_static("/assets", STATIC / "assets", append_version=False)
        for page, name in PAGES.items():
            app.router.add_get(page, _page(STATIC / name))
        app.router.add_get(PATH, _preview(STATIC))
        for file in STATIC.iterdir():
            if file.is_file() and file.name not in PAGES.values():
                app.router.add_get(f"/{file.name}", _file(file, FILE_CACHE.get(file.name, A_DAY)))
    app.on_response_prepare.append(_add_headers)
    app.cleanup_ctx.append(_lifetime)
    return app


async def _lifetime(app: web.Application) -> AsyncIterator[None]:
    yield
    context = app[CONTEXT]
    context.bot_pool.close()
    context.render_pool.close()
    context.lobby.history.close()
    await context.journal.close()


async def close_connections(app: web.Application) -> None:
    """A planned stop: pages are sent a close message, and reconnect by themselves."""
    context = app[CONTEXT]
    context.stopping = True
    await context.lobby.close()
    for connection in [*context.connections]:
        connection.close("restart")
    await context.close_lab()


def _handler(route: Route) -> Handler:
    decode = msgspec.json.Decoder(route.takes).decode if route.takes is not None else None

    async def handle(request: web.Request) -> web.StreamResponse:
        body: Any = None
        if decode is not None:
            request.app[CONTEXT].check_origin(request)
            body = decode(await _body(request))
        result = await route.handler(request, body)
        if isinstance(result, web.StreamResponse):
            return result
        return json_response(result, route.status)

    return handle


async def _body(request: web.Request) -> bytes:
    """The body, within `request_seconds` of the first byte of the request."""
    context, connection = request.app[CONTEXT], request.protocol
    assert isinstance(connection, HttpConnection)
    try:
        async with asyncio.timeout_at(connection.began + context.limits.request_seconds):
            return await request.read()
    except TimeoutError:
        context.log_limit("request_seconds", context.address(request))
        raise HttpError(408, "request_late") from None


@web.middleware
async def _handle_errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Turns every exception into a JSON error, or into the client's page for an unknown address;
    only faults of the server are logged as errors."""
    context = request.app[CONTEXT]

    def failed(error: PliError, status: int) -> web.Response:
        context.metrics.problems.inc(error.code)
        if status == 404 and _wants_page(request):
            return _not_found_page()
        return error_response(request, error, status)

    try:
        with context.counting_request(request):
            context.allow_request(request)
            return await handler(request)
    except PliError as error:
        if limit := limit_met(error):
            context.log_limit(limit, context.address(request))
        if (status := status_of(error)) == 429:
            await _delay(request)
        return failed(error, status)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return failed(PliError("bad_message", why=str(error)[:200]), 400)
    except web.HTTPMethodNotAllowed as error:
        allowed = ", ".join(sorted(error.allowed_methods))
        response = failed(PliError("not_that_way", allowed=allowed), error.status)
        response.headers["Allow"] = allowed
        return response
    except web.HTTPException as error:
        if error.status < 400:
            raise
        code = {404: "no_such_page", 413: "too_large"}
        return failed(PliError(code.get(error.status, "bad_request")), error.status)
    except (ConnectionError, web.RequestPayloadError):
        # The connection broke off, or the body is malformed.
        return failed(PliError("bad_request"), 400)
    except Exception as error:
        number = error.errno if isinstance(error, OSError) else None
        if number == ENAMETOOLONG:
            return failed(PliError("no_such_page"), 404)
        if number in (EMFILE, ENFILE):
            context.log_limit("descriptors", context.address(request))
            return failed(PliError("too_busy"), 503)
        _log.exception("a request failed", extra={"path": request.path})
        return failed(PliError("server_fault"), 500)


def _wants_page(request: web.Request) -> bool:
    """Whether a browser opens an address that a person may have typed, or followed."""
    return (
        request.method in ("GET", "HEAD")
        and "text/html" in request.headers.get("Accept", "")
        and not request.path.startswith(("/api/", "/assets/", "/pictures/", "/previews/"))
        and (STATIC / "index.html").exists()
    )


def _not_found_page() -> web.Response:
    """The client, which says in its language that there is nothing at this address."""
    return web.Response(
        body=(STATIC / "index.html").read_bytes(),
        status=404,
        content_type="text/html",
        charset="utf-8",
    )


async def _delay(request: web.Request) -> None:
    """Backpressure: a client over a rate limit gets its error after a while, since an error costs
    nearly as much as an answer. Beyond as many delayed requests as sockets are allowed, the
    connection is aborted."""
    context, transport = request.app[CONTEXT], request.transport
    address = context.address(request)
    if context.delayed.acquire(address):
        try:
            await asyncio.sleep(context.limits.refused_seconds)
        finally:
            context.delayed.release(address)
    elif transport is not None:
        transport.abort()


async def _add_headers(request: web.Request, response: web.StreamResponse) -> None:
    own = response.headers.get(POLICY)  # of a page that is whole in itself
    response.headers.update(HEADERS)
    if own is not None:
        response.headers[POLICY] = own
    if request.path.startswith("/assets/") and response.status < 400:
        # Their names hold a hash of their content.
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    else:
        response.headers.setdefault("Cache-Control", "no-store")


def _page(file: Path) -> Handler:
    """A page of the client, with the preview of its link."""
    shell = file.read_text("utf-8")

    async def serve(request: web.Request) -> web.StreamResponse:
        told = await card(request)
        base = request.app[CONTEXT].base_url(request)
        text = filled(shell, told, language_of(request), request.path, base)
        response = web.Response(text=text, content_type="text/html")
        response.headers["Vary"] = "Accept-Encoding, Accept-Language"
        response.enable_compression()
        return response

    return serve


def _preview(static: Path) -> Handler:
    async def serve(request: web.Request) -> web.StreamResponse:
        return await get_preview(request, static)

    return serve


def _file(file: Path, cache: str) -> Handler:
    async def serve(request: web.Request) -> web.StreamResponse:
        return web.FileResponse(file, headers={"Cache-Control": cache})

    return serve
