"""JSON responses and errors: security headers, and error texts in the language of the browser
(Accept-Language)."""

from typing import Any

import msgspec
from aiohttp import web

from pli.errors import PliError
from pli.server.protocol.bodies import Wrong
from pli.texts import LANGUAGES

POLICY = "Content-Security-Policy"

HEADERS = {
    POLICY: "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), screen-wake-lock=(self)",
    "Server": "Pli",
}

_encode = msgspec.json.Encoder().encode


def json_response(body: Any, status: int = 200) -> web.Response:
    return web.Response(body=_encode(body), content_type="application/json", status=status)


def wrong(request: web.BaseRequest, error: PliError) -> Wrong:
    """An error, told in the language of the browser."""
    return Wrong(code=error.code, text=error.text(language_of(request)))


def error_response(request: web.BaseRequest, error: PliError, status: int) -> web.Response:
    response = json_response(wrong(request, error), status)
    if status == 408:
        response.force_close()  # the rest of the late request may still come
    return response


def language_of(request: web.BaseRequest) -> str:
    """The first of our languages that the browser accepts."""
    for part in request.headers.get("Accept-Language", "").split(","):
        wanted = part.partition(";")[0].strip()[:2].lower()
        if wanted in LANGUAGES:
            return wanted
    return "en"
