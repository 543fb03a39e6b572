"""The API as an OpenAPI 3.1 document, made from the declarations of routes, messages and bodies.

OpenAPI has no words for a WebSocket, so its operation is the handshake, and names what follows in
extensions: `x-messages` (the schemas of the messages of client and server) and `x-close-codes`.
"""

import inspect
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from pli import __version__
from pli.server.http.declarations import LINES, PATH_PARAMETERS, WEBSOCKET, Content, Lines, Route
from pli.server.http.errors import JOURNAL_CODES, status_of_code
from pli.server.protocol.json_schema import definitions
from pli.server.protocol.messages import CLOSE_REASONS, LARGEST
from pli.server.ws.connection import CLOSE_CODES

TEMPLATE = "#/components/schemas/{name}"
ERROR = {"$ref": TEMPLATE.format(name="Wrong")}

ABOUT = f"""\
The API of a Pli server. Tables are made and found over HTTP; games are played over a WebSocket.

An error is `{{code, text}}`: a code for programs, and a text in the language of `Accept-Language`
(`en`, `fr` or `es`). A request body is at most {LARGEST} bytes. What is not well-formed HTTP is
answered with an empty body.

There are no accounts. A seat belongs to the client that has its token, which is given out once,
when the seat is taken.

Objects may gain fields in later versions: a client ignores those it does not know. Request bodies
and messages of a client are checked strictly, and unknown fields are refused."""

TAGS = {
    "server": "The server itself.",
    "games and rules": "The games that can be played here, and their rules.",
    "tables": "Making, finding and joining tables.",
    "finished games": "Records, replays and lists of moves. Every game has a number at its table.",
    "lab": "What do the rules do? Games of bots, played on the server while somebody looks on.",
    "websocket": f"""\
Each message is a text frame with one JSON object, whose `type` names it; a frame is at most
{LARGEST} bytes.

**Handshake.** The client opens `/api/tables/{{table}}/play` and sends `hello` within some seconds,
with the token of its seat or without one, as a spectator. The server replies with `welcome`, the
complete state for that seat; from then on `update` and `table` say what has changed. A page of
another site is refused by its `Origin`.

**Delta updates.** A client that sets `changes` in its `hello` gets `change` instead of `update`:
only the fields of the view that differ, and the legal actions that came and went.

**Acknowledgement and resending.** An action has an id, higher than all earlier ones of its seat. It
is acknowledged by the `update` whose `did` is that id, or refused by `refused`; nothing is sent
before it is durable. After a lost connection the client compares `acted` in `welcome`, and sends
again what was not carried out. That is idempotent: an action is carried out once, and `done`
answers its repetition.

**Keep-alive.** The server sends ping frames every few seconds and measures the round-trip time by
their pongs, which every WebSocket library sends by itself. It closes a connection from which
nothing has been received for some seconds. A client that hears nothing for as long reconnects.

**Rate limits.** A connection that sends too many messages, or does not read what it is sent, is
closed. A `problem` with the code `too_many_requests` refuses a single message.

**Closing.** The last message is `closing`, with the reason; the close code says the same.""",
}

FROM_PAGES = ("wrong_origin", "no_host")
"""Where the `Origin` of a page is checked."""

WITH_BODY = ("bad_message", "bad_request", *FROM_PAGES, "too_large")

MEANINGS = {
    400: "The request is not valid.",
    403: "Not allowed.",
    404: "There is no such thing. Also for parameters that do not match their pattern.",
    405: "The path exists, but not with this method.",
    408: "The request did not arrive in time; the connection is closed.",
    409: "Not possible in the present state of the table.",
    413: "The request body is too large.",
    429: "A rate limit was exceeded, or too many connections are open. Try again later.",
    500: "A fault of the server.",
    503: "The server can't do this now: it is overloaded, full, or its journal can't be written.",
}

EVERY_ROUTE = {
    405: ("MethodNotAllowed", ("not_that_way",)),
    408: ("RequestTimeout", ("request_late",)),
    429: ("TooManyRequests", ("too_many_requests", "too_many_connections")),
    500: ("ServerFault", ("server_fault",)),
    503: ("Unavailable", ("too_busy",)),
}
"""Errors of every route, by status: the name of their shared response, and their codes."""


def document(routes: Sequence[Route]) -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for route in routes:
        path = paths.setdefault(route.path, {})
        path[route.method.lower()] = _operation(route)
        if route.answers_head:
            path["head"] = _head(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Pli",
            "version": __version__,
            "description": ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": definitions(TEMPLATE),
            "responses": {
                name: _error(status, codes) for status, (name, codes) in EVERY_ROUTE.items()
            },
        },
    }


def _operation(route: Route) -> dict[str, Any]:
    text = " ".join((inspect.getdoc(route.handler) or "").split())
    operation: dict[str, Any] = {
        "operationId": route.handler.__name__,
        "tags": [route.tag],
        "summary": re.split(r"(?<=[.:]) ", text)[0].rstrip(".:"),
        "description": text,
    }
    if parameters := _parameters(route):
        operation["parameters"] = parameters
    if route.takes is not None:
        operation["requestBody"] = {"required": True, "content": _json(_reference(route.takes))}
    operation["responses"] = _responses(route)
    if route.gives is WEBSOCKET:
        operation["x-messages"] = {
            "client": {"$ref": TEMPLATE.format(name="FromPage")},
            "server": {"$ref": TEMPLATE.format(name="ToPage")},
        }
        operation["x-close-codes"] = {
            reason: {"code": int(CLOSE_CODES[reason]), "description": text}
            for reason, text in CLOSE_REASONS.items()
        }
    return operation


def _head(route: Route) -> dict[str, Any]:
    operation = _operation(route)
    responses = {str(status): _error(status, ()) for status in _codes(route)}
    responses |= {status: each for status, each in operation["responses"].items() if status < "4"}
    for response in responses.values():
        response.pop("content", None)
    return {
        **operation,
        "operationId": f"head_{operation['operationId']}",
        "summary": f"As `GET {route.path}`, without the body",
        "description": "The status and headers of `GET`.",
        "responses": dict(sorted(responses.items())),
    }


def _parameters(route: Route) -> list[dict[str, Any]]:
    found = [
        _parameter(name, "path", PATH_PARAMETERS[name], required=True)
        for name in re.findall(r"{(\w+)}", route.path)
    ]
    return found + [_parameter(name, "query", kind) for name, kind in route.query.items()]


def _parameter(name: str, where: str, kind: Any, required: bool = False) -> dict[str, Any]:
    schema = msgspec.json.schema(kind)
    return {
        "name": name,
        "in": where,
        "required": required,
        "description": schema.pop("description"),
        "schema": schema,
    }


def _responses(route: Route) -> dict[str, Any]:
    success: dict[str, Any] = {"description": "Success."}
    if route.gives is WEBSOCKET:
        success["description"] = "The connection becomes a WebSocket."
    elif isinstance(route.gives, Content):
        schema = {"type": "object"} if route.gives.media_type == "application/json" else {}
        success["description"] = route.gives.what
        success["content"] = {route.gives.media_type: {"schema": schema}}
    elif isinstance(route.gives, Lines):
        success["description"] = "Goes on coming: one JSON object a line, with this schema."
        success["content"] = {LINES: {"schema": _reference(route.gives.each)}}
    else:
        success["content"] = _json(_reference(route.gives))
    if route.headers:
        success["headers"] = _headers(route.headers)
    responses: dict[str, Any] = {str(route.status): success}
    if "ETag" in route.headers:
        responses["304"] = {
            "description": "Unchanged: the tag is in `If-None-Match`.",
            "headers": _headers(route.headers),
        }
    for status, codes in _codes(route).items():
        name, shared = EVERY_ROUTE.get(status, ("", ()))
        if status in route.failing:
            responses[str(status)] = _error(status, codes, route.failing[status])
        elif codes == shared:
            responses[str(status)] = {"$ref": f"#/components/responses/{name}"}
        else:
            responses[str(status)] = _error(status, codes)
    return responses


def _codes(route: Route) -> dict[int, tuple[str, ...]]:
    """The error codes of a route, by status."""
    own = [*route.errors]
    if route.takes is not None:
        own += WITH_BODY
    if route.gives is WEBSOCKET:
        own += FROM_PAGES
    if "{" in route.path:
        own.append("no_such_page")
    found = {status: codes for status, (_, codes) in EVERY_ROUTE.items()}
    for code in own:
        status = status_of_code(code)
        found[status] = (*found.get(status, ()), code)
    return {status: tuple(dict.fromkeys(codes)) for status, codes in sorted(found.items())}


def _error(
    status: int, codes: Sequence[str], body: type[msgspec.Struct] | None = None
) -> dict[str, Any]:
    """A response with one of some codes, or with a body of another kind."""
    code: dict[str, Any] = {"enum": list(codes)}
    if status == 503:
        code = {"anyOf": [code, {"pattern": JOURNAL_CODES}]}
    schema: dict[str, Any] = {**ERROR, "properties": {"code": code}}
    if body is not None:
        schema = {"anyOf": [_reference(body), schema]}
    response: dict[str, Any] = {"description": MEANINGS[status], "content": _json(schema)}
    if status == 405:
        response["headers"] = _headers({"Allow": "The methods that the path has."})
    return response


def _headers(headers: Mapping[str, str]) -> dict[str, Any]:
    return {
        name: {"description": text, "required": True, "schema": {"type": "string"}}
        for name, text in headers.items()
    }


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _reference(kind: type[msgspec.Struct]) -> dict[str, Any]:
    return {"$ref": TEMPLATE.format(name=kind.__name__)}
