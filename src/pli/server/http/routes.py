"""The routes of the HTTP API, each with its handler and the declaration of what it takes and gives.
The handlers' docstrings are read by authors of clients: the OpenAPI document and docs/protocol.md
are made from them."""

import asyncio
import sys
import time
from collections.abc import Awaitable, Mapping
from functools import cache, partial
from hashlib import sha256
from typing import Any, TypeVar

import msgspec
from aiohttp import web

from pli import __version__, games, table
from pli.bots import LEVELS
from pli.errors import PliError, UnknownGame
from pli.game import AnyGame, Described, Seat, seat_counts
from pli.record.proof import SEATS
from pli.server.context import CONTEXT
from pli.server.history.api import GameQuery
from pli.server.history.compression import decompressed
from pli.server.history.replay import Kind
from pli.server.http.declarations import LINES, WEBSOCKET, Content, Lines, Route, ViewedSeat
from pli.server.http.openapi import document
from pli.server.http.responses import POLICY, json_response, language_of, wrong
from pli.server.limits import Limits
from pli.server.logs import REQUESTS
from pli.server.protocol import bodies as b
from pli.server.protocol import messages as m
from pli.server.ws.connection import Connection
from pli.texts import LANGUAGES, rules_page

LOOKING = 0.2
"""Seconds between checks whether the client of a slow request is still connected."""

JSON = {"Content-Type": "application/json"}

T = TypeVar("T")


async def health(request: web.Request, _: None) -> web.Response:
    """Health check: whether the server can save moves, and its load. If it can't save, the status
    is 503, with the same body."""
    context = request.app[CONTEXT]
    saving = await context.can_save()
    told = b.Health(
        status="ok" if saving else "not_saving",
        tables=len(context.lobby),
        connections=len(context.connections),
        version=__version__,
    )
    return json_response(told, 200 if saving else 503)


async def list_games(request: web.Request, _: None) -> b.Games:
    """The games, their options and the levels of bots."""
    return b.Games(games=[game_info(games.load(name)) for name in games.names()])


async def list_tables(request: web.Request, _: None) -> b.OpenTables:
    """The public tables that wait for players, newest first; a limited number per host address."""
    return request.app[CONTEXT].tables.open_tables()


async def make_table(request: web.Request, body: b.NewTable) -> b.Seated:
    """Makes a table. The client gets its first seat, and is its host."""
    context = request.app[CONTEXT]
    context.allow_table(request)
    return await context.lobby.make(body, context.address(request))


async def show_table(request: web.Request, _: None) -> m.TableInfo:
    """A table as everyone may see it. Its id is the only key: tables that are not public are found
    by their link alone."""
    context = request.app[CONTEXT]
    return await context.tables.info(request.match_info["table"], context.address(request))


async def take_seat(request: web.Request, body: b.TakeSeat) -> b.Seated:
    """Takes a free seat: while the table waits for players, or during a game in the place of a
    player who left."""
    context = request.app[CONTEXT]
    return await context.tables.sit(request.match_info["table"], body, context.address(request))


async def rename_player(request: web.Request, body: b.Rename) -> b.Renamed:
    """Another name or portrait for a player who has a seat, at any time: the whole table is told.
    Another player's name gets a number, as when a seat is taken."""
    context = request.app[CONTEXT]
    return await context.tables.rename(request.match_info["table"], body, context.address(request))


async def get_record(request: web.Request, _: None) -> web.StreamResponse:
    """A finished game as a record, with the proof of its shuffles: a text file for `pli replay` and
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
    """A finished game, step by step, as one seat or a spectator saw it."""
    asked = request.query.get("seat")
    if asked is not None and asked not in map(str, range(SEATS)):
        raise PliError("no_such_seat", seat=asked[:8])
    seat = None if asked is None else int(asked)
    return await _tell(request, await _told(request, "replay", seat), JSON)


async def get_moves(request: web.Request, _: None) -> web.StreamResponse:
    """A finished game as the list of its moves. Works also for games under older versions of the
    rules, which have no replay."""
    return await _tell(request, await _told(request, "moves"), JSON)


async def _told(request: web.Request, kind: Kind, seat: Seat = None) -> bytes:
    context = request.app[CONTEXT]
    context.allow_replay(request)
    return await while_connected(
        request, context.lobby.history.finished(asked_for(request), kind, seat)
    )


async def _tell(
    request: web.Request, packed: bytes, headers: Mapping[str, str]
) -> web.StreamResponse:
    """A gzipped response. For a client that does not accept gzip it is unpacked piece by piece, so
    that no more than one piece waits for a slow connection."""
    headers = {**headers, "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        return web.Response(body=packed, headers={**headers, "Content-Encoding": "gzip"})
    response = web.StreamResponse(headers=headers)
    await response.prepare(request)
    if request.method != "HEAD":  # aiohttp would send what is written to it after all
        for piece in decompressed(packed):
            await response.write(piece)
    await response.write_eof()
    return response


def asked_for(request: web.Request) -> GameQuery:
    name, number = request.match_info["table"], int(request.match_info["number"])
    return GameQuery(name, number, request.app[CONTEXT].address(request))


async def while_connected(request: web.Request, work: Awaitable[T]) -> T:
    """The result of some work, which is cancelled if the client disconnects. aiohttp can cancel
    handlers itself, but only all of them, and WebSockets would lose their `closing` message."""
    task = asyncio.ensure_future(work)
    try:
        while not (await asyncio.wait({task}, timeout=LOOKING))[0]:
            if request.transport is None:
                raise ConnectionResetError
        return task.result()
    finally:
        task.cancel()
        await asyncio.wait({task})  # what it uses is free then


async def get_picture(request: web.Request, _: None) -> web.Response:
    """A sprite sheet of a game whose faces are compared by eye: nine pictures, three by three,
    below a strip of scraps. `pictures` names the sheets. Only for image elements: a script that
    fetches it (`Sec-Fetch-Dest` is not `image`) gets 404."""
    context = request.app[CONTEXT]
    context.allow_picture(request)
    drawing = context.tables.picture(asked_for(request), request.match_info["sheet"])
    body = await while_connected(request, drawing)
    # A browser must not hand a script what it has cached for an image element.
    kept = {
        "Cache-Control": "private, max-age=31536000, immutable",
        "Vary": "Sec-Fetch-Dest",
    }
    return web.Response(body=body, content_type="image/webp", headers=kept)


async def get_lab(request: web.Request, _: None) -> b.Lab:
    """What the lab offers: whether games can be played in it, and studies to be read, told in the
    language of `Accept-Language`."""
    context = request.app[CONTEXT]
    limits = context.limits
    return b.Lab(
        on=context.lab_on(request),
        games=limits.lab_games,
        cells=limits.lab_cells,
        seconds=limits.lab_seconds,
        studies=await asyncio.to_thread(_studies, language_of(request), limits),
    )


@cache
def _studies(language: str, limits: Limits) -> list[b.LabStudy]:
    from pli.server.lab import question_of
    from pli.study.shipped import shipped

    found = []
    for name, study in shipped().items():
        told = study.told(language)
        plans = (question_of(part.plan, limits) for part in study.study.parts if not part.ladder)
        answer = told.answer.partition("\n\n")[0].replace("*", "")  # it is Markdown
        found.append(
            b.LabStudy(name=name, question=told.title, answer=answer, plans=[*filter(None, plans)])
        )
    return found


async def run_lab(request: web.Request, body: b.LabQuestion) -> web.StreamResponse:
    """Plays games in the lab, and tells how far it is and what they have shown, several times a
    second. The run ends with the connection: a client that closes it stops the run. All games are
    new at each run."""
    context = request.app[CONTEXT]
    lab = context.lab(request)
    context.allow_lab(request)
    states = lab.run(body, context.address(request), partial(wrong, request))
    response = web.StreamResponse(
        headers={"Content-Type": LINES, "X-Accel-Buffering": "no"}  # not to be kept by nginx
    )
    try:
        state = await anext(states)  # what is refused is told by the status
        await response.prepare(request)
        while state is not None:
            async with asyncio.timeout(context.limits.answer_seconds):
                await response.write(msgspec.json.encode(state) + b"\n")
            state = await while_connected(request, anext(states, None))
    except TimeoutError:  # it does not read
        raise ConnectionResetError from None
    finally:
        await states.aclose()
    await response.write_eof()
    return response


async def get_study(request: web.Request, _: None) -> web.Response:
    """The report of a study that comes with the server: a page that is whole in itself."""
    asked = request.match_info
    page = await asyncio.to_thread(_report, asked["study"], asked["language"])
    return web.Response(text=page, content_type="text/html", headers={POLICY: STUDY_POLICY})


@cache
def _report(study: str, language: str) -> str:
    from pli.study.shipped import shipped

    found = shipped().get(study)
    if found is None or language not in LANGUAGES:
        raise PliError("no_such_page")
    return found.page(language)


async def get_rules(request: web.Request, _: None) -> web.Response:
    """The rules of a game on one page of Markdown, in which `[B7]` is a card."""
    name, language = _game_asked_for(request).name, request.match_info["language"]
    if language not in LANGUAGES:
        raise PliError("unknown_language", name=language[:8], known=", ".join(LANGUAGES))
    return web.Response(text=rules_page(language, name), content_type="text/markdown")


async def get_game_table(request: web.Request, _: None) -> b.GameTable:
    """What a page needs to show a game that it has no code for: what the fields of its views are,
    and its texts in all languages."""
    game = _game_asked_for(request)
    fields = [b.ShownField(name=each.name, shows=each.shows) for each in table.fields(game)]
    return b.GameTable(
        name=game.name, fields=fields, suits=table.suits(game), texts=table.texts(game)
    )


def _game_asked_for(request: web.Request) -> AnyGame:
    name = request.match_info["game"]
    if name not in games.names():
        raise UnknownGame(name=name[:40], known=", ".join(games.names()))
    return games.load(name)


async def play(request: web.Request, _: None) -> web.StreamResponse:
    """Opens the WebSocket of a table, over which a game is played and watched. The first message of
    the client is `hello`. A table that does not exist is reported by `problem`, not by the
    handshake."""
    context = request.app[CONTEXT]
    context.check_origin(request)
    with context.counting_websocket(request):
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
            context.tables,
            context.limits,
            context.message_limits(address),
            address,
            context.metrics,
            partial(context.log_limit, address=address),
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


async def get_openapi(request: web.Request, _: None) -> web.Response:
    """This API as an OpenAPI 3.1 document, including the messages of the WebSocket."""
    body, tag = await asyncio.to_thread(_openapi)
    headers = {"Cache-Control": "no-cache", "ETag": f'"{tag}"'}
    known = request.if_none_match or ()
    if any(each.value in (tag, "*") for each in known):
        return web.Response(status=304, headers=headers)
    return web.Response(body=body, headers={**headers, **JSON})


@cache
def _openapi() -> tuple[bytes, str]:
    """The document and its tag. Made at the first request, since all games are loaded for it."""
    body = msgspec.json.encode(document(ROUTES))
    return body, sha256(body).hexdigest()[:16]


STUDY_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""A report has its styles and fonts inside, and no script."""

TABLE = "/api/tables/{table}"
GAME = TABLE + "/games/{number}"
NAMES = ("bad_name", "unwanted_name")
OPENING = ("no_such_table", "journal_damaged", "too_busy")
"""Why a table can't be opened."""
WRITING = ("address_used_up", "server_used_up")
HISTORY = ("not_over", "no_such_table", "no_such_game", "outdated_game", "record_damaged")

ROUTES = [
    Route("GET", "/api/health", health, "server", b.Health, failing={503: b.Health}),
    Route(
        "GET",
        "/api/openapi.json",
        get_openapi,
        "server",
        Content("application/json", "An OpenAPI 3.1 document."),
        headers={"ETag": "A tag of this version of the document."},
    ),
    Route("GET", "/api/games", list_games, "games and rules", b.Games),
    Route(
        "GET",
        "/api/games/{game}/table",
        get_game_table,
        "games and rules",
        b.GameTable,
        errors=("unknown_game",),
    ),
    Route(
        "GET",
        "/api/rules/{game}/{language}",
        get_rules,
        "games and rules",
        Content("text/markdown", "The page."),
        errors=("unknown_game", "unknown_language"),
    ),
    Route("GET", "/api/lab", get_lab, "lab", b.Lab),
    Route(
        "POST",
        "/api/lab/runs",
        run_lab,
        "lab",
        Lines(b.LabState),
        takes=b.LabQuestion,
        errors=(
            "lab_off",
            "lab_busy",
            "lab_cells",
            "unknown_game",
            "unknown_option",
            "bad_option",
        ),
    ),
    Route(
        "GET",
        "/api/lab/studies/{study}/{language}",
        get_study,
        "lab",
        Content("text/html", "The report."),
    ),
    Route("GET", "/api/tables", list_tables, "tables", b.OpenTables),
    Route(
        "POST",
        "/api/tables",
        make_table,
        "tables",
        b.Seated,
        takes=b.NewTable,
        errors=(
            *NAMES,
            *WRITING,
            "unknown_game",
            "unknown_option",
            "bad_option",
            "unknown_bot",
            "too_many_tables",
            "server_full",
        ),
    ),
    Route("GET", TABLE, show_table, "tables", m.TableInfo, errors=OPENING),
    Route(
        "POST",
        TABLE + "/seats",
        take_seat,
        "tables",
        b.Seated,
        takes=b.TakeSeat,
        errors=(
            *NAMES,
            *OPENING,
            *WRITING,
            "no_such_seat",
            "seat_taken",
            "table_full",
            "table_used_up",
            "game_over",
        ),
    ),
    Route(
        "POST",
        TABLE + "/name",
        rename_player,
        "tables",
        b.Renamed,
        takes=b.Rename,
        errors=(*NAMES, *OPENING, *WRITING, "not_your_seat", "table_used_up"),
    ),
    Route(
        "GET",
        GAME + "/record",
        get_record,
        "finished games",
        Content("text/plain", "The record."),
        errors=HISTORY,
        headers={"Content-Disposition": "A name for the file."},
    ),
    Route(
        "GET",
        GAME + "/replay",
        get_replay,
        "finished games",
        b.Replay,
        query={"seat": ViewedSeat},
        errors=(*HISTORY, "no_such_seat"),
    ),
    Route("GET", GAME + "/moves", get_moves, "finished games", b.Moves, errors=HISTORY),
    Route(
        "GET",
        "/pictures/{table}/{number}/{sheet}",
        get_picture,
        "tables",
        Content("image/webp", "The sheet."),
        errors=(*HISTORY, *OPENING),
        headers={"Cache-Control": "A sheet never changes."},
    ),
    Route("GET", TABLE + "/play", play, "websocket", WEBSOCKET, errors=("bad_request",)),
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
