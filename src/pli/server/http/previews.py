"""Link previews: what messengers show of a link to a table, a replay or a game. The page's head
names a title, a line and a picture (Open Graph); all of it is public, as `TableInfo` is, and the
picture is the game's alone."""

import asyncio
import re
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Literal, NamedTuple

from aiohttp import web

from pli import games
from pli.errors import PliError
from pli.server.context import CONTEXT
from pli.server.http.responses import language_of
from pli.server.jobs import Requester
from pli.server.protocol import messages as m
from pli.server.sprites.preview import Preview
from pli.texts import LANGUAGES, Words, words

Line = Literal["play", "invitation", "result", "replay", "rules"]
LINES: tuple[Line, ...] = ("play", "invitation", "result", "replay", "rules")

PATH = "/previews/{game}/{line}.{language}.jpg"
PATIENCE = 0.5
"""Seconds that a page waits for its table; after that it is sent without a preview."""
DESCRIPTION = re.compile(r'<meta name="description"[^>]*>')
TITLE = re.compile(r"<title>.*?</title>")


class Card(NamedTuple):
    """What is told of a link."""

    title: str
    text: str
    game: str | None = None
    line: Line = "play"


async def card(request: web.Request) -> Card:
    """Of the page that is requested."""
    language = language_of(request)
    match = request.match_info
    game = match.get("game")
    if game in games.names():
        say = words(language, game)
        about = say("preview.rules_about")
        return Card(say("preview.rules", game=say("name")), about, game, "rules")
    if "table" in match:
        number = match.get("number")
        info = await _info(request, match["table"])
        if info is not None:
            return table_card(info, language, int(number) if number and number.isdigit() else None)
    say = words(language)
    return Card("Pli", say("preview.about"))


async def _info(request: web.Request, table: str) -> m.TableInfo | None:
    """The table, if there is one and it is quickly found."""
    context = request.app[CONTEXT]
    if not re.fullmatch("[a-z0-9]{10}", table) or not context.allow_preview(request):
        return None
    try:
        async with asyncio.timeout(PATIENCE):
            return await context.tables.info(table, context.address(request))
    except (PliError, TimeoutError):
        return None


def table_card(info: m.TableInfo, language: str, number: int | None) -> Card:
    """Of a table; `number`: of the replay of one of its games."""
    say = words(language, info.game)
    game = say("name")
    people = [seat.name for seat in info.seats if seat.kind == "person" and seat.name]
    about = say("preview.about")
    if number is not None:
        title = "preview.replay" if people else "preview.replay_unnamed"
        return Card(say(title, game=game, names=listed(people, say)), about, info.game, "replay")
    if info.state == "over":
        winners = [info.seats[seat].name for seat in (info.results or [[]])[-1]]
        names = [name for name in winners if name]
        known = names and len(names) == len(winners)
        title = "preview.result" if known else "preview.result_unnamed"
        return Card(say(title, game=game, names=listed(names, say)), about, info.game, "result")
    host = info.seats[info.host].name if info.host is not None else None
    if info.state == "waiting":
        title = "preview.invitation" if host else "preview.invitation_unnamed"
        return Card(say(title, game=game, name=host or ""), about, info.game, "invitation")
    title = "preview.running" if people else "preview.running_unnamed"
    return Card(say(title, game=game, names=listed(people, say)), about, info.game, "play")


def listed(names: Sequence[str], say: Words) -> str:
    """ "a, b and c" """
    if len(names) < 2:
        return "".join(names)
    return say("preview.and", first=", ".join(names[:-1]), last=names[-1])


def filled(page: str, told: Card, language: str, address: str, base: str) -> str:
    """The page with its title and the tags of its preview."""
    picture = f"/previews/{told.game}/{told.line}.{language}.jpg" if told.game else "/icon-512.png"
    tags = {
        "og:type": "website",
        "og:site_name": "Pli",
        "og:title": told.title,
        "og:description": told.text,
        "og:url": base + address,
        "og:locale": language,
        "og:image": base + picture,
        "twitter:card": "summary_large_image" if told.game else "summary",
    }
    if told.game:
        tags |= {"og:image:width": "1200", "og:image:height": "630", "og:image:alt": told.title}
    head = [f'<meta property="{name}" content="{escape(text)}" />' for name, text in tags.items()]
    page = TITLE.sub(lambda _: f"<title>{escape(told.title)}</title>", page, count=1)
    described = f'<meta name="description" content="{escape(told.text)}" />'
    page = DESCRIPTION.sub(lambda _: described, page, count=1)
    return page.replace("</head>", "\n    ".join(["", *head]).lstrip() + "\n  </head>", 1)


async def get_preview(request: web.Request, static: Path) -> web.Response:
    """The picture of a preview."""
    context = request.app[CONTEXT]
    context.allow_preview_picture(request)
    game, line, language = (request.match_info[name] for name in ("game", "line", "language"))
    if game not in games.names() or line not in LINES or language not in LANGUAGES:
        raise PliError("no_such_page")
    ground = static / f"preview-{game}.svg"
    if not ground.exists():  # a game from outside, of which the client's build knew nothing
        ground = static / "preview-outside.svg"
    font = next((static / "assets").glob("display-*.woff2"), None)
    if font is None or not ground.exists():
        raise PliError("no_such_page")
    say = words(language, game)
    wanted = Preview(ground.read_text("utf-8"), str(font), say("name"), say(f"preview.{line}_line"))
    name = "preview " + sha256("\0".join(wanted).encode()).hexdigest()
    requester = Requester(context.address(request), "previews", background=True)
    body = await context.render_pool.preview(name, wanted, requester)
    headers = {"Cache-Control": "public, max-age=86400"}
    return web.Response(body=body, content_type="image/jpeg", headers=headers)
