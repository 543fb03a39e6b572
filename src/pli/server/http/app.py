"""The server as an aiohttp application: routes, errors as translated JSON, headers, the client's
files."""

import asyncio
import logging
from collections.abc import AsyncIterator
from errno import EMFILE, ENAMETOOLONG, ENFILE
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler as AioHandler

from pli.errors import PliError
from pli.server.context import CONTEXT, Context, Refusal
from pli.server.http.declarations import Route
from pli.server.http.errors import status_of
from pli.server.http.responses import HEADERS, answer, refusal
from pli.server.http.routes import ROUTES
from pli.server.http.runner import Handler
from pli.server.limits import limit_met
from pli.server.protocol import messages as m

STATIC = Path(__file__).parent.parent / "static"
PAGES = {
    "/": "index.html",
    "/rules/{game}": "index.html",
    "/t/{table}": "table.html",
    "/r/{table}/{number}": "table.html",
}
"""Addresses that the client answers itself; at a table the page asks for more at once."""

_log = logging.getLogger(__name__)


def make_app(context: Context) -> web.Application:
    app = web.Application(middlewares=[_guard], client_max_size=m.LARGEST)
    app[CONTEXT] = context
    for route in ROUTES:
        handler = _answering(route)
        if route.answers_head:
            app.router.add_get(route.pattern, handler)  # and HEAD
        else:
            app.router.add_route(route.method, route.pattern, handler)
    if (STATIC / "index.html").exists():
        app.router.add_static("/assets", STATIC / "assets", append_version=False)
        for page, name in PAGES.items():
            app.router.add_get(page, _file(STATIC / name, "no-store"))
        for file in STATIC.iterdir():
            if file.is_file() and file.name not in PAGES.values():
                app.router.add_get(f"/{file.name}", _file(file, "public, max-age=86400"))
    app.on_response_prepare.append(_add_headers)
    app.cleanup_ctx.append(_lifetime)
    return app


async def _lifetime(app: web.Application) -> AsyncIterator[None]:
    yield
    context = app[CONTEXT]
    context.thinkers.close()
    context.drawers.close()
    context.lobby.history.close()
    await context.journal.close()


async def tell_everyone(app: web.Application) -> None:
    """A planned stop: pages are told, and come back by themselves."""
    context = app[CONTEXT]
    context.stopping = True
    context.lobby.close()
    for connection in [*context.connections]:
        connection.close("restart")


def _answering(route: Route) -> AioHandler:
    decode = msgspec.json.Decoder(route.takes).decode if route.takes is not None else None

    async def handle(request: web.Request) -> web.StreamResponse:
        body: Any = None
        if decode is not None:
            request.app[CONTEXT].check_origin(request)
            body = decode(await _body(request))
        given = await route.handler(request, body)
        if isinstance(given, web.StreamResponse):
            return given
        return answer(given, route.status)

    return handle


async def _body(request: web.Request) -> bytes:
    """Of which also the last byte comes in time, counted from the first one of the request."""
    context, connection = request.app[CONTEXT], request.protocol
    assert isinstance(connection, Handler)
    try:
        async with asyncio.timeout_at(connection.began + context.limits.request_seconds):
            return await request.read()
    except TimeoutError:
        context.met("request_seconds", context.address(request))
        raise Refusal(408, "request_late") from None


@web.middleware
async def _guard(request: web.Request, handler: AioHandler) -> web.StreamResponse:
    """Whatever goes wrong is told with a code; only what is our own fault is logged as an error."""
    context = request.app[CONTEXT]
    try:
        with context.asking(request):
            context.allow_request(request)
            return await handler(request)
    except PliError as error:
        if limit := limit_met(error):
            context.met(limit, context.address(request))
        if (status := status_of(error)) == 429:
            await _hold_back(request)
        return refusal(request, error, status)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return refusal(request, PliError("bad_message", why=str(error)[:200]), 400)
    except web.HTTPMethodNotAllowed as error:
        allowed = ", ".join(sorted(error.allowed_methods))
        response = refusal(request, PliError("not_that_way", allowed=allowed), error.status)
        response.headers["Allow"] = allowed
        return response
    except web.HTTPException as error:
        if error.status < 400:
            raise
        code = {404: "no_such_page", 413: "too_large"}
        return refusal(request, PliError(code.get(error.status, "bad_request")), error.status)
    except (ConnectionError, web.RequestPayloadError):
        # It broke off, or its body is none. Mostly nobody is there any more to hear the answer.
        return refusal(request, PliError("bad_request"), 400)
    except Exception as error:
        number = error.errno if isinstance(error, OSError) else None
        if number == ENAMETOOLONG:
            return refusal(request, PliError("no_such_page"), 404)
        if number in (EMFILE, ENFILE):
            context.met("descriptors", context.address(request))
            return refusal(request, PliError("too_busy"), 503)
        _log.exception("a request failed", extra={"path": request.path})
        return refusal(request, PliError("server_fault"), 500)


async def _hold_back(request: web.Request) -> None:
    """Who is refused for asking too much asks the next time a moment later: a refusal costs nearly
    as much as an answer. Nobody has more of them under way than connections."""
    context, transport = request.app[CONTEXT], request.transport
    address = context.address(request)
    if context.refused.takes(address):
        try:
            await asyncio.sleep(context.limits.refused_seconds)
        finally:
            context.refused.gives_back(address)
    elif transport is not None:
        transport.abort()


async def _add_headers(request: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(HEADERS)
    if request.path.startswith("/assets/") and response.status < 400:
        # Their names change with their content.
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    else:
        response.headers.setdefault("Cache-Control", "no-store")


def _file(file: Path, cache: str) -> AioHandler:
    async def give(request: web.Request) -> web.StreamResponse:
        return web.FileResponse(file, headers={"Cache-Control": cache})

    return give
