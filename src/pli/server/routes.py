"""What the server answers over HTTP. Each route says what it takes and gives, and docs/protocol.md
is made from that."""

import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import msgspec
from aiohttp import web

from pli import __version__, games
from pli.bots import LEVELS
from pli.errors import PliError
from pli.game import Described, Game, seat_counts
from pli.server import bodies as b
from pli.server import history
from pli.server import messages as m
from pli.server.connection import Connection
from pli.server.house import HOUSE
from pli.texts import LANGUAGES, rules_page

Handler = Callable[[web.Request, Any], Awaitable[Any]]


@dataclass(frozen=True)
class Route:
    method: str
    path: str
    handler: Handler
    takes: type[msgspec.Struct] | None
    gives: Any
    """A message, or what kind of text."""


async def health(request: web.Request, _: None) -> b.Health:
    """Whether the server can save, and how busy it is."""
    house = request.app[HOUSE]
    return b.Health(
        status="ok" if house.journal.healthy else "not_saving",
        tables=len(house.hall),
        connections=len(house.connections),
        version=__version__,
    )


async def list_games(request: web.Request, _: None) -> b.Games:
    """The games, their options and the levels of bots."""
    return b.Games(games=[game_info(games.load(name)) for name in games.names()])


async def list_tables(request: web.Request, _: None) -> b.OpenTables:
    """Public tables that wait for people, newest first."""
    return await request.app[HOUSE].hall.open_tables()


async def make_table(request: web.Request, body: b.NewTable) -> b.Seated:
    """Makes a table; who asks is its host."""
    house = request.app[HOUSE]
    house.allow_table(request)
    return await house.hall.make(body, house.address(request))


async def show_table(request: web.Request, _: None) -> m.TableInfo:
    """A table as everyone may see it: for who has the link."""
    keeper = await request.app[HOUSE].hall.open(request.match_info["table"])
    return await keeper.safe_info()


async def take_seat(request: web.Request, body: b.TakeSeat) -> b.Seated:
    """Takes a free seat: while the table waits, or in place of somebody who left."""
    house = request.app[HOUSE]
    return await house.hall.sit(request.match_info["table"], body, house.address(request))


async def get_record(request: web.Request, _: None) -> web.Response:
    """A finished game as a record, with the proof of its shuffles: for `pli replay` and
    `pli verify`."""
    name, number = request.match_info["table"], int(request.match_info["number"])
    text = await history.record_of(request.app[HOUSE].journal, name, number)
    saved = {"Content-Disposition": f'attachment; filename="{name}-{number}.pli"'}
    return web.Response(text=text, content_type="text/plain", headers=saved)


async def get_replay(request: web.Request, _: None) -> b.Replay:
    """A finished game step by step, as a seat saw it (`?seat=2`), or a spectator."""
    request.app[HOUSE].allow_replay(request)
    name, number = request.match_info["table"], int(request.match_info["number"])
    table = await history.load(request.app[HOUSE].journal, name, number)
    asked = request.query.get("seat")
    if asked is not None and asked not in map(str, range(table.seats)):
        raise PliError("no_such_seat", seat=asked[:8])
    if table.number != number:
        raise PliError("no_such_game")
    seat = None if asked is None else int(asked)
    updates = await history.work_out(history.updates, table, seat)
    faces = await history.work_out(history.faces, table)
    return b.Replay(table=table.info(), seat=seat, updates=updates, faces=faces)


async def get_moves(request: web.Request, _: None) -> b.Moves:
    """A finished game as the list of its moves: also one that was played under older rules, of
    which there is no replay."""
    request.app[HOUSE].allow_replay(request)
    name, number = request.match_info["table"], int(request.match_info["number"])
    return await history.moves_of(request.app[HOUSE].journal, name, number)


async def get_picture(request: web.Request, _: None) -> web.Response:
    """A sheet of nine pictures, three by three below a strip of scraps, named by `pictures`: as an
    image, not for scripts."""
    house = request.app[HOUSE]
    house.allow_picture(request)
    name, number = request.match_info["table"], int(request.match_info["number"])
    table = (await house.hall.open(name)).table
    if table.number != number:
        table = await history.load(house.journal, name, number)
    if table.sheets is None or table.number != number:
        raise PliError("no_such_game")
    body = await house.studio.draw(table.sheets, request.match_info["sheet"])
    # What a browser keeps of it for images it must not hand to a script.
    kept = {
        "Cache-Control": "private, max-age=31536000, immutable",
        "Vary": "Sec-Fetch-Dest",
    }
    return web.Response(body=body, content_type="image/webp", headers=kept)


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
    house = request.app[HOUSE]
    house.check_origin(request)
    with house.connected(request):
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
        connection = Connection(
            socket, request.transport, house.hall, house.limits, house.address(request)
        )
        house.connections.add(connection)
        if house.stopping:
            connection.close("restart")
        try:
            await connection.run(request.match_info["table"])
        finally:
            house.connections.discard(connection)
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


def game_info(game: Game[Any]) -> b.GameInfo:
    return b.GameInfo(
        name=game.name,
        version=game.version,
        seats=seat_counts(game),
        options=[option_info(game, each) for each in game.described if each.name != "seats"],
        levels=list(LEVELS),
        live=game.live,
        hints=game.insight is not None,
    )


def option_info(game: Game[Any], option: Described) -> b.OptionInfo:
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
