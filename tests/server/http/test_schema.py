"""What is said of the protocol is so: the schema fits what travels, and the page is up to date.
Beside these, all messages that any test's page is told are held against the schema."""

import subprocess
import sys
from typing import Any, get_args

import msgspec
import pytest

import pli
from pli import games
from pli.bots import make_bot
from pli.bots.live import Live
from pli.server.http.markdown import protocol_page
from pli.server.http.openapi import document
from pli.server.http.routes import ROUTES
from pli.server.limits import Limits
from pli.server.protocol import messages as m
from pli.server.protocol.json_schema import body_types, schema
from tests.conftest import ROOT
from tests.server.client import Running
from tests.server.protocol.schemas import Wrong, check_message, checker
from tests.server.ws.malformed import RIGHT

PLAYED: list[tuple[str, dict[str, Any]]] = [
    ("marshmallow", {"edition": "fr", "target": 3}),
    ("plingo", {}),
    ("merci", {"rules": "full", "seats": 3}),
    ("twinit", {"mode": "race", "taboo_seat": 1, "catches": 3}),
    ("twinit", {"mode": "teams", "catches": 3}),
    ("twinit", {"mode": "coop", "seats": 2, "minute_ms": 20_000}),
    ("twinit", {"mode": "rush", "minute_ms": 20_000}),
]

DECODE = msgspec.json.Decoder(m.FromPage).decode

UNUSUAL: list[dict[str, Any]] = [
    {"type": "configure"},
    {"type": "configure", "options": {"seats": 4, "mode": "race"}, "public": False},
    {"type": "configure", "settings": {"grace": 0, "clock": 60, "pace": "brisk"}},
    {"type": "again"},
]

WRONG: list[Any] = [
    {},
    [],
    "hello",
    {"type": "dance"},
    {"type": "hello", "token": "short"},
    {"type": "hello", "lang": "de"},
    {"type": "hello", "nickname": "Ann"},
    {"type": "random", "hex": "0F" * 16},
    {"type": "random", "hex": "0f" * 40},
    {"type": "do", "id": 0, "action": "play B7"},
    {"type": "do", "id": 1.5, "action": "play B7"},
    {"type": "do", "id": "1", "action": "play B7"},
    {"type": "do", "id": True, "action": "play B7"},
    {"type": "do", "id": 1, "action": ""},
    {"type": "do", "id": 1, "action": "x" * 65},
    {"type": "do", "id": 1},
    {"type": "say", "phrase": "boo"},
    {"type": "configure", "settings": {"grace": 3601}},
    {"type": "configure", "settings": {"speed": 1}},
    {"type": "configure", "options": {"seats": None}},
    {"type": "fill", "seat": 8},
]


@pytest.mark.parametrize("message", [*RIGHT, *UNUSUAL])
def test_what_pages_send_fits_the_schema_and_the_server(message: dict[str, Any]) -> None:
    checker("FromPage")(message, "message")
    DECODE(msgspec.json.encode(message))


@pytest.mark.parametrize("message", WRONG)
def test_what_does_not_fit_the_schema_does_not_fit_the_server_either(message: Any) -> None:
    with pytest.raises(Wrong):
        checker("FromPage")(message, "message")
    with pytest.raises(msgspec.ValidationError):
        DECODE(msgspec.json.encode(message))


@pytest.mark.parametrize(("game", "options"), PLAYED)
def test_all_views_and_events_of_whole_games_fit_the_schema(
    game: str, options: dict[str, Any]
) -> None:
    match = pli.new(game, seed=3, **options)
    bots = [make_bot("medium", match.game, seat, 3) for seat in range(match.seats)]
    live = Live(match, bots, seed=3)
    told, over = 0, False
    while not over:
        over = match.over
        for seat in (None, told % match.seats):
            update = m.Update(
                n=told,
                time=match.now,
                events=list(match.events(seat, told)),
                view=match.view(seat),
                legal=[] if seat is None else match.legal(seat),
            )
            check_message(msgspec.json.decode(msgspec.json.encode(update)), game)
        told = len(match.steps)
        if not over:
            live.step()


def test_a_message_with_anything_more_or_less_is_found() -> None:
    done = {"type": "done", "id": 3}
    check_message(done, None)
    for wrong in ({"type": "done"}, {**done, "id": "3"}, {**done, "secret": 1}, {"type": "won"}):
        with pytest.raises(Wrong):
            check_message(wrong, None)


async def test_phrases_are_passed_on(server: Running) -> None:
    host, guest = await server.waiting("plingo", 3, people=2)
    await guest.send("say", phrase="hello")
    for each in (host, guest):
        assert await each.until("said") == {"type": "said", "seat": 1, "phrase": "hello"}
    watcher = await server.page(host.table["id"])
    assert await watcher.asks("say", phrase="hello") == "only_watching"


def test_every_message_body_view_and_event_has_a_definition() -> None:
    defined = schema()["$defs"]
    for kind in (*get_args(m.FromPage), *get_args(m.ToPage)):
        assert kind.__name__ in defined
    for route in ROUTES:
        for body in (route.takes, route.gives):
            assert not isinstance(body, type) or body.__name__ in defined
    for name in games.names():
        assert {f"{name.title()}{part}" for part in ("View", "Event", "Options")} <= {*defined}


PARTS = [m.TableInfo, m.SeatInfo, m.Settings, m.Happened, m.Ranked, Limits]


@pytest.mark.parametrize(
    "kind", [*get_args(m.FromPage), *get_args(m.ToPage), *PARTS, *body_types()]
)
def test_every_object_and_field_is_described(kind: type[msgspec.Struct]) -> None:
    assert vars(kind)["__doc__"]
    described = msgspec.json.schema(kind)["$defs"][kind.__name__]
    tag = kind.__struct_config__.tag_field
    for name, field in described["properties"].items():
        assert name == tag or field.get("description", "").endswith("."), name


def test_the_page_of_the_protocol_is_up_to_date() -> None:
    """python -m pli.server.http.export --page > docs/protocol.md"""
    assert (ROOT / "docs" / "protocol.md").read_text() == protocol_page(document(ROUTES))


def test_the_schema_is_printed_as_json() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "pli.server.http.export"],
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert msgspec.json.decode(printed.stdout) == msgspec.json.decode(msgspec.json.encode(schema()))
