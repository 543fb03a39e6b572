"""The server as an aiohttp application: routes, errors as translated JSON, headers, the client's
files."""

import logging
from collections.abc import AsyncIterator
from errno import ENAMETOOLONG
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler as AioHandler

from pli.errors import PliError, UnknownGame
from pli.server import bodies as b
from pli.server import messages as m
from pli.server.house import HOUSE, House, Refusal
from pli.server.journal import JournalProblem
from pli.server.routes import ROUTES, Route
from pli.server.runner import HEADERS
from pli.texts import LANGUAGES

STATIC = Path(__file__).parent / "static"
PAGES = {
    "/": "index.html",
    "/rules/{game}": "index.html",
    "/t/{table}": "table.html",
    "/r/{table}/{number}": "table.html",
}
"""Addresses that the client answers itself; at a table the page asks for more at once."""

NOT_FOUND = ("no_such_table", "no_such_game", "unknown_game", "unknown_language", "no_such_page")
FORBIDDEN = ("not_over",)
CONFLICT = (
    "seat_taken",
    "table_full",
    "table_used_up",
    "game_over",
    "already_begun",
    "outdated_game",
)
TOO_MANY = ("too_many_requests", "address_used_up")
UNAVAILABLE = ("server_full", "server_used_up", "journal_damaged")

_encode = msgspec.json.Encoder().encode
_log = logging.getLogger(__name__)


def make_app(house: House) -> web.Application:
    app = web.Application(middlewares=[_guard], client_max_size=m.LARGEST)
    app[HOUSE] = house
    for route in ROUTES:
        app.router.add_route(route.method, route.path, _answering(route))
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
    house = app[HOUSE]
    house.thinkers.close()
    house.studio.close()
    await house.journal.close()


async def tell_everyone(app: web.Application) -> None:
    """A planned stop: pages are told, and come back by themselves."""
    house = app[HOUSE]
    house.stopping = True
    house.hall.close()
    for connection in [*house.connections]:
        connection.close("restart")


def _answering(route: Route) -> AioHandler:
    decode = msgspec.json.Decoder(route.takes).decode if route.takes is not None else None

    async def answer(request: web.Request) -> web.StreamResponse:
        body: Any = None
        if decode is not None:
            request.app[HOUSE].check_origin(request)
            body = decode(await request.read())
        given = await route.handler(request, body)
        if isinstance(given, web.StreamResponse):
            return given
        status = 201 if route.method == "POST" else 200
        return web.Response(body=_encode(given), content_type="application/json", status=status)

    return answer


@web.middleware
async def _guard(request: web.Request, handler: AioHandler) -> web.StreamResponse:
    """Whatever goes wrong is told with a code; only what is our own fault is logged as an error."""
    try:
        if request.path.startswith("/api/"):
            request.app[HOUSE].allow_request(request)
        return await handler(request)
    except Refusal as error:
        return _wrong(request, error, error.status)
    except PliError as error:
        return _wrong(request, error, _status(error))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return _wrong(request, PliError("bad_message", why=str(error)[:200]), 400)
    except web.HTTPException as error:
        if error.status < 400:
            raise
        code = {404: "no_such_page", 405: "no_such_page", 413: "too_large"}
        return _wrong(request, PliError(code.get(error.status, "bad_request")), error.status)
    except (ConnectionError, web.RequestPayloadError):
        # It broke off, or its body is none. Mostly nobody is there any more to hear the answer.
        return _wrong(request, PliError("bad_request"), 400)
    except Exception as error:
        if isinstance(error, OSError) and error.errno == ENAMETOOLONG:
            return _wrong(request, PliError("no_such_page"), 404)
        _log.exception("a request failed", extra={"path": request.path})
        return _wrong(request, PliError("server_fault"), 500)


def _status(error: PliError) -> int:
    if isinstance(error, UnknownGame) or error.code in NOT_FOUND:
        return 404
    if error.code in FORBIDDEN:
        return 403
    if error.code in CONFLICT:
        return 409
    if error.code in TOO_MANY:
        return 429
    if isinstance(error, JournalProblem) or error.code in UNAVAILABLE:
        return 503
    return 400


def _wrong(request: web.Request, error: PliError, status: int) -> web.Response:
    body = _encode(b.Wrong(code=error.code, text=error.text(language_of(request))))
    return web.Response(body=body, content_type="application/json", status=status)


def language_of(request: web.Request) -> str:
    """The first of ours that the browser asks for."""
    for part in request.headers.get("Accept-Language", "").split(","):
        wanted = part.partition(";")[0].strip()[:2].lower()
        if wanted in LANGUAGES:
            return wanted
    return "en"


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
