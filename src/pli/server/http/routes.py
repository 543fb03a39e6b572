"""What the server answers over HTTP. Each route says what it takes and gives, and docs/protocol.md
is made from that."""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import msgspec
from aiohttp import web

from pli import __version__, games
from pli.bots import LEVELS
from pli.errors import PliError
from pli.game import AnyGame, Described, Seat, seat_counts
from pli.record.proof import SEATS
from pli.server.context import CONTEXT, Context
from pli.server.history.api import Asked
from pli.server.history.packing import unpacked
from pli.server.history.replay import Kind
from pli.server.http.responses import answer
from pli.server.logs import REQUESTS
from pli.server.protocol import bodies as b
from pli.server.protocol import messages as m
from pli.server.sprites.drawers import Asker
from pli.server.sprites.sheets import Sheets
from pli.server.ws.connection import Connection
from pli.texts import LANGUAGES, rules_page

LOOKING = 0.2
"""Seconds between looks whether who asked for something that takes long still waits for it."""

JSON = {"Content-Type": "application/json"}

Handler = Callable[[web.Request, Any], Awaitable[Any]]
T = TypeVar("T")


@dataclass(frozen=True)
class Route:
    method: str
    path: str
    handler: Handler
    takes: type[msgspec.Struct] | None
    gives: Any
    """A message, or what kind of text."""


async def health(request: web.Request, _: None) -> web.Response:
    """Whether the server can save, and how busy it is. If it can't the status is 503."""
    context = request.app[CONTEXT]
    saving = await context.saving()
    told = b.Health(
        status="ok" if saving else "not_saving",
        tables=len(context.lobby),
        connections=len(context.connections),
        version=__version__,
    )
    return answer(told, 200 if saving else 503)


async def list_games(request: web.Request, _: None) -> b.Games:
    """The games, their options and the levels of bots."""
    return b.Games(games=[game_info(games.load(name)) for name in games.names()])


async def list_tables(request: web.Request, _: None) -> b.OpenTables:
    """Public tables where somebody waits for others, newest first; of one address some at most."""
    return request.app[CONTEXT].lobby.open_tables()


async def make_table(request: web.Request, body: b.NewTable) -> b.Seated:
    """Makes a table; who asks is its host."""
    context = request.app[CONTEXT]
    context.allow_table(request)
    return await context.lobby.make(body, context.address(request))


async def show_table(request: web.Request, _: None) -> m.TableInfo:
    """A table as everyone may see it: for who has the link."""
    context = request.app[CONTEXT]
    room = await context.lobby.open(request.match_info["table"], context.address(request))
    return await room.safe_info()


async def take_seat(request: web.Request, body: b.TakeSeat) -> b.Seated:
    """Takes a free seat: while the table waits, or in place of somebody who left."""
    context = request.app[CONTEXT]
    return await context.lobby.sit(request.match_info["table"], body, context.address(request))


async def get_record(request: web.Request, _: None) -> web.StreamResponse:
    """A finished game as a record, with the proof of its shuffles: for `pli replay` and
    `pli verify`."""
    name = f"{request.match_info['table']}-{request.match_info['number']}.pli"
    return await _tell(
        request,
        await _told(request, "record"),
        {
            "Content-Type": "text/plain; charset=utf-8",
            "Content-Disposition": f'attachment; filename="{name}"',
        },
    )


async def get_replay(request: web.Request, _: None) -> web.StreamResponse:
    """A finished game step by step, as a seat saw it (`?seat=2`), or a spectator."""
    asked = request.query.get("seat")
    if asked is not None and asked not in map(str, range(SEATS)):
        raise PliError("no_such_seat", seat=asked[:8])
    seat = None if asked is None else int(asked)
    return await _tell(request, await _told(request, "replay", seat), JSON)


async def get_moves(request: web.Request, _: None) -> web.StreamResponse:
    """A finished game as the list of its moves: also one that was played under older rules, of
    which there is no replay."""
    return await _tell(request, await _told(request, "moves"), JSON)


async def _told(request: web.Request, kind: Kind, seat: Seat = None) -> bytes:
    context = request.app[CONTEXT]
    context.allow_replay(request)
    return await while_connected(
        request, context.lobby.history.told(asked_for(request), kind, seat)
    )


async def _tell(
    request: web.Request, packed: bytes, headers: Mapping[str, str]
) -> web.StreamResponse:
    """A packed answer. If it has to be unpacked, no more than a piece waits for a slow line."""
    headers = {**headers, "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        return web.Response(body=packed, headers={**headers, "Content-Encoding": "gzip"})
    response = web.StreamResponse(headers=headers)
    await response.prepare(request)
    for piece in unpacked(packed):
        await response.write(piece)
    await response.write_eof()
    return response


def asked_for(request: web.Request) -> Asked:
    name, number = request.match_info["table"], int(request.match_info["number"])
    return Asked(name, number, request.app[CONTEXT].address(request))


async def while_connected(request: web.Request, work: Coroutine[Any, Any, T]) -> T:
    """What comes of it, if somebody still waits for that; otherwise it is cancelled. aiohttp could
    cancel a handler by itself, but then all of them, and WebSockets would lose their last words."""
    task = asyncio.ensure_future(work)
    try:
        while not (await asyncio.wait({task}, timeout=LOOKING))[0]:
            if request.transport is None:
                raise ConnectionResetError
        return task.result()
    finally:
        task.cancel()


async def get_picture(request: web.Request, _: None) -> web.Response:
    """A sheet of nine pictures, three by three below a strip of scraps, named by `pictures`: as an
    image, not for scripts."""
    context = request.app[CONTEXT]
    context.allow_picture(request)
    asked = asked_for(request)
    sheets, replay = await while_connected(request, _sheets(context, asked))
    if sheets is None:
        raise PliError("no_such_game")
    asker = Asker(asked.address, asked.table, replay)
    drawing = context.drawers.draw(sheets, request.match_info["sheet"], asker)
    body = await while_connected(request, drawing)
    # What a browser keeps of it for images it must not hand to a script.
    kept = {
        "Cache-Control": "private, max-age=31536000, immutable",
        "Vary": "Sec-Fetch-Dest",
    }
    return web.Response(body=body, content_type="image/webp", headers=kept)


async def _sheets(context: Context, asked: Asked) -> tuple[Sheets | None, bool]:
    """Those of the game that is played at a table, or of one that was; and whether it is over."""
    lobby = context.lobby
    room = lobby.in_memory(asked.table)
    if room is None and await lobby.history.unfinished(asked.table) == asked.number:
        room = await lobby.open(asked.table, asked.address)
    if room is not None and room.table.number == asked.number:
        return room.table.sheets, room.table.state == "over"
    return await lobby.history.sheets(asked), True


async def get_rules(request: web.Request, _: None) -> web.Response:
    """The rules of a game on one page, as Markdown in which `[B7]` is a card."""
    name, language = request.match_info["game"], request.match_info["language"]
    if name not in games.names():
        raise PliError("unknown_game", name=name[:40], known=", ".join(games.names()))
    if language not in LANGUAGES:
        raise PliError("unknown_language", name=language[:8], known=", ".join(LANGUAGES))
    return web.Response(text=rules_page(language, name), content_type="text/markdown")


async def play(request: web.Request, _: None) -> web.StreamResponse:
    """The WebSocket of a table; its first message is `hello`."""
    context = request.app[CONTEXT]
    context.check_origin(request)
    with context.connected(request):
        socket = web.WebSocketResponse(
            autoping=False,
            compress=False,
            max_msg_size=m.LARGEST + 1,
            timeout=5.0,
            writer_limit=sys.maxsize,
            decode_text=False,
        )
        await socket.prepare(request)
        if request.transport is None:
            return socket  # it is gone already
        table, address = request.match_info["table"], context.address(request)
        connection = Connection(
            socket,
            request.transport,
            context.lobby,
            context.limits,
            context.shares(address),
            address,
            partial(context.met, address=address),
        )
        context.connections.add(connection)
        if context.stopping:
            connection.close("restart")
        details: dict[str, Any] = {"table": table, "address": address}
        REQUESTS.info("socket opened", extra=details)
        began = time.monotonic()
        try:
            await connection.run(table)
        finally:
            context.connections.discard(connection)
            lasted = round((time.monotonic() - began) * 1000)
            details |= {
                "code": connection.code or socket.close_code,
                "ms": lasted,
                "messages": connection.messages,
            }
            REQUESTS.info("socket closed", extra=details)
    return socket


TABLE = "/api/tables/{table:[a-z0-9]{10}}"
GAME = TABLE + "/games/{number:[0-9]{1,6}}"
PICTURE = "/pictures/{table:[a-z0-9]{10}}/{number:[0-9]{1,6}}/{sheet:[0-9a-f]{20}}"
ROUTES = [
    Route("GET", "/api/health", health, None, b.Health),
    Route("GET", "/api/games", list_games, None, b.Games),
    Route("GET", "/api/rules/{game}/{language}", get_rules, None, "Markdown"),
    Route("GET", "/api/tables", list_tables, None, b.OpenTables),
    Route("POST", "/api/tables", make_table, b.NewTable, b.Seated),
    Route("GET", TABLE, show_table, None, m.TableInfo),
    Route("POST", TABLE + "/seats", take_seat, b.TakeSeat, b.Seated),
    Route("GET", GAME + "/record", get_record, None, "a record"),
    Route("GET", GAME + "/replay", get_replay, None, b.Replay),
    Route("GET", GAME + "/moves", get_moves, None, b.Moves),
    Route("GET", PICTURE, get_picture, None, "a WebP image"),
    Route("GET", TABLE + "/play", play, None, "a WebSocket"),
]


def game_info(game: AnyGame) -> b.GameInfo:
    return b.GameInfo(
        name=game.name,
        version=game.version,
        seats=seat_counts(game),
        options=[option_info(game, each) for each in game.described if each.name != "seats"],
        levels=list(LEVELS),
        live=game.live,
        hints=game.rollout is not None,
    )


def option_info(game: AnyGame, option: Described) -> b.OptionInfo:
    values: list[Any] = []
    least = most = None
    for kind in option.kinds:
        if isinstance(kind, msgspec.inspect.LiteralType):
            values += kind.values
        elif isinstance(kind, msgspec.inspect.IntType):
            least, most = kind.ge, kind.le
    return b.OptionInfo(
        name=option.name,
        default=option.default,
        values=values,
        least=least,
        most=most,
        house=bool(option.marks.get("house")),
        by_language=dict(game.by_language.get(option.name, {})),
    )
