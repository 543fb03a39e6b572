"""How a route declares what it takes and gives. The application's router and the OpenAPI document
are both made from that."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, get_args

import msgspec
from aiohttp import web
from msgspec import Meta

from pli import games
from pli.server.protocol.messages import Language, SeatNumber

Handler = Callable[[web.Request, Any], Awaitable[Any]]

TableId = Annotated[
    str, Meta(pattern="^[a-z0-9]{10}$", description="The table's id, as in its links.")
]
GameNumber = Annotated[
    str, Meta(pattern="^[0-9]{1,6}$", description="Which game at this table, from 1.")
]
SheetName = Annotated[
    str, Meta(pattern="^[0-9a-f]{20}$", description="The sheet's name, from `pictures`.")
]
StudyName = Annotated[
    str, Meta(pattern="^[a-z0-9_-]{1,60}$", description="The name of a study, from `Lab`.")
]
GameName = Annotated[
    str,
    Meta(description="The name of a game.", extra_json_schema={"enum": list(games.names())}),
]
PageLanguage = Annotated[Language, Meta(description="The language of the page.")]
ViewedSeat = Annotated[
    SeatNumber, Meta(description="Whose view to show, from 0. Without it: a spectator's.")
]

PATH_PARAMETERS: Mapping[str, Any] = {
    "table": TableId,
    "number": GameNumber,
    "sheet": SheetName,
    "study": StudyName,
    "game": GameName,
    "language": PageLanguage,
}
"""By the names that stand in paths."""


@dataclass(frozen=True)
class Content:
    """A response body without a schema of ours."""

    media_type: str
    what: str


@dataclass(frozen=True)
class Lines:
    """A response body that goes on coming: one JSON object a line."""

    each: type[msgspec.Struct]


LINES = "application/x-ndjson"

WEBSOCKET = Content("", "A WebSocket.")
"""In the place of a body: the connection is upgraded."""


@dataclass(frozen=True)
class Route:
    """One method at one path. Each GET, except the WebSocket, is answered to HEAD too."""

    method: str
    path: str
    """With its parameters in braces."""
    handler: Handler
    """Its docstring is the documentation of the route."""
    tag: str
    gives: type[msgspec.Struct] | Content | Lines
    takes: type[msgspec.Struct] | None = None
    query: Mapping[str, Any] = field(default_factory=dict)
    """Optional query parameters: name and type."""
    errors: tuple[str, ...] = ()
    """Codes with which it fails, beside those that every route has."""
    failing: Mapping[int, type[msgspec.Struct]] = field(default_factory=dict)
    """By status: a body of its own that it has then, in the place of an error."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Headers of its response, with what they are for."""

    @property
    def status(self) -> int:
        """Of a success."""
        if self.gives is WEBSOCKET:
            return 101
        return 201 if self.method == "POST" and not isinstance(self.gives, Lines) else 200

    @property
    def answers_head(self) -> bool:
        return self.method == "GET" and self.gives is not WEBSOCKET

    @property
    def pattern(self) -> str:
        """The path as aiohttp's router takes it, with the patterns of its parameters."""
        path = self.path
        for name, kind in PATH_PARAMETERS.items():
            for meta in get_args(kind)[1:]:
                if meta.pattern is not None:
                    path = path.replace(f"{{{name}}}", f"{{{name}:{meta.pattern.strip('^$')}}}")
        return path
