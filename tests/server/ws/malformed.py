"""Malformed frames, messages and requests, and a socket low-level enough to send them."""

import asyncio
import base64
import os
import random
import struct
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, get_args

import msgspec

from pli.server.protocol import messages as m

WRONG: list[Any] = [
    None,
    True,
    -1,
    0,
    3,
    2**31,
    2**53 + 1,
    2**64,
    10**300,
    1e308,
    -0.5,
    "",
    " ",
    "x",
    "0",
    "play B1",
    "x" * 3000,
    "\x00\u202e\u0301",
    "é" * 64,
    [],
    [[]],
    [None] * 300,
    {},
    {"type": "hello"},
    {"a": {"b": {"c": []}}},
]

# Of each kind, the one with all fields comes first.
RIGHT: list[dict[str, Any]] = [
    {"type": "hello"},
    {"type": "hello", "token": "x" * 32, "lang": "fr"},
    {"type": "random", "hex": "ab" * 16},
    {"type": "begin"},
    {"type": "do", "id": 1, "action": "play B1"},
    {"type": "do", "id": 2**53, "action": "trump B"},
    {"type": "why", "action": "play G12"},
    {"type": "say", "phrase": "oops"},
    {"type": "configure", "options": {"seats": 2}, "settings": {"grace": 1}, "public": True},
    {"type": "fill", "seat": 0, "level": "hard"},
    {"type": "fill", "seat": 7},
    {"type": "back"},
    {"type": "leave"},
    {"type": "again", "kind": "taboo"},
    {"type": "withdraw"},
    {"type": "ready", "number": 1},
    {"type": "go_on"},
    {"type": "log"},
    {"type": "hint"},
    {"type": "ping"},
]


def wrong_messages() -> list[dict[str, Any]]:
    """Every field of every message, with every wrong value, and one field too many."""
    found = []
    for kind in get_args(m.FromPage):
        name = kind.__struct_config__.tag
        right = next(each for each in RIGHT if each["type"] == name)
        for field in (*kind.__struct_fields__, "type", "more"):
            found += [{**right, field: value} for value in WRONG]
    return found


def nested(depth: int) -> list[bytes]:
    """Boxes in boxes, closed or not, before what says which message it is and after."""
    boxes = (b"[" * depth, b"[" * depth + b"]" * depth, b'{"a":' * depth)
    return [
        text
        for box in boxes
        for text in (
            box,
            b'{"a":' + box + b',"type":"log"}',
            b'{"type":"log","a":' + box + b"}",
            b'{"type":"configure","options":{"a":' + box + b"}}",
        )
    ]


def wild_frame(rng: random.Random, heard: Sequence[bytes]) -> str | bytes:
    """One frame, mostly wrong. `heard` are frames that others sent, to be sent again."""
    kind = rng.randrange(9)
    right = rng.choice([each for each in RIGHT if each["type"] != "leave"])
    text = msgspec.json.encode(right)
    if kind == 0:
        return rng.randbytes(rng.randrange(1, 400))
    if kind == 1:
        return "".join(
            chr(rng.choice((rng.randrange(128), rng.randrange(0xD800)))) for _ in "x" * 50
        )
    if kind == 2:
        return text[: rng.randrange(len(text))]
    if kind == 3:
        at = rng.randrange(len(text))
        return text[:at] + rng.randbytes(rng.randrange(3)) + text[at + rng.randrange(3) :]
    if kind == 4:
        field = rng.choice([*right, "more"])
        return msgspec.json.encode({**right, field: rng.choice(WRONG)})
    if kind == 5:
        opening = rng.choice((b'{"type":"do","id":[', b'"', b"-", b"1"))
        repeated = opening * rng.randrange(1, 2000 // len(opening))
        return rng.choice((repeated, *nested(rng.randrange(1, 1600))))
    if kind == 6 and heard:
        return rng.choice(heard)
    if kind == 7:
        return b'{"type":"do","id":%d,"action":"play B1"}' % rng.choice((0, -1, 1, 10**40, 2**53))
    return text


def frame(
    opcode: int, data: bytes, *, fin: bool = True, rsv: int = 0, masked: bool = True
) -> bytes:
    """A frame of the WebSocket protocol (RFC 6455, 5.2), right or wrong."""
    first = (0x80 if fin else 0) | rsv << 4 | opcode
    mark = 0x80 if masked else 0
    if len(data) < 126:
        head = struct.pack("!BB", first, mark | len(data))
    elif len(data) < 1 << 16:
        head = struct.pack("!BBH", first, mark | 126, len(data))
    else:
        head = struct.pack("!BBQ", first, mark | 127, len(data))
    if not masked:
        return head + data
    return head + bytes(4) + data  # a mask of zeros is one too


TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


def wild_bytes(rng: random.Random) -> bytes:
    """What no browser would send over a WebSocket."""
    text = msgspec.json.encode(rng.choice(RIGHT[1:4]))
    return rng.choice(
        (
            rng.randbytes(rng.randrange(1, 300)),
            frame(TEXT, text, masked=False),
            frame(TEXT, text, rsv=rng.randrange(1, 8)),
            frame(rng.choice((3, 4, 7, 11, 15)), text),
            frame(TEXT, b"\xff\xfe\xed\xa0\x80"),
            frame(TEXT, b"x" * 9000),
            frame(BINARY, bytes(70_000)),
            frame(TEXT, text[:9], fin=False) + frame(TEXT, text[9:]),
            frame(0, text),
            frame(TEXT, b"x" * 5000, fin=False) + frame(0, b"x" * 5000),
            frame(PING, bytes(200)),
            frame(PING, b"", fin=False),
            frame(CLOSE, b"\x00"),
            frame(CLOSE, struct.pack("!H", rng.choice((0, 999, 1005, 5000))) + b"\xff"),
            frame(TEXT, text)[: rng.randrange(1, 8)],
            struct.pack("!BBQ", 0x81, 0xFF, 2**63 - 1) + b"mask",
        )
    )


class RawSocket:
    """A WebSocket by hand."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def open(cls, port: int, table: str, address: str = "127.0.0.1") -> "RawSocket":
        """From an address of this machine."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
        key = base64.b64encode(os.urandom(16)).decode()
        writer.write(
            f"GET /api/tables/{table}/play HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101"), head
        return cls(reader, writer)

    def send(self, data: bytes) -> None:
        with suppress(ConnectionError):
            self.writer.write(data)

    async def ends(self, seconds: float) -> bool:
        """Whether the server ends it within that time, whatever it says before."""
        with suppress(ConnectionError):
            try:
                async with asyncio.timeout(seconds):
                    while await self.reader.read(1 << 16):
                        pass
            except TimeoutError:
                return False
        return True

    def drop(self) -> None:
        self.writer.transport.abort()


# Requests

METHODS = ("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "CONNECT", "X", "")
QUERIES = (
    *(b"",) * 20,
    b"?seat=0",
    b"?seat=99",
    b"?seat=%ff",
    b"?" + b"9" * 5000,
    b"?seat=" + b"9" * 5000,
)
HEADERS = (
    b"Origin: http://[\r\n",
    b"Origin: null\r\n",
    b"Origin: http://elsewhere.example\r\n",
    b"X-Forwarded-For: 1.2.3.4, \xff\r\n",
    b"Content-Encoding: gzip\r\n",
    b"Content-Encoding: br\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"Transfer-Encoding: gzip, chunked\r\n",
    b"Content-Length: 5\r\n",
    b"Content-Length: -1\r\n",
    b"Content-Length: 99999999999999999999\r\n",
    b"Content-Type: \xff/\xfe; charset=none\r\n",
    b"Accept-Language: \xff,,;;q=x,es\r\n",
    b"Accept-Language: " + b"zz," * 2000 + b"\r\n",
    b"Cookie: =;\xff;;=\r\n",
    b"Expect: everything\r\n",
    b"Expect: 100-continue\r\n",
    b"Range: bytes=9-1\r\n",
    b"If-Modified-Since: never\r\n",
    b"Upgrade: websocket\r\nConnection: Upgrade\r\n",
    b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: short\r\n",
    b"Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n",
    b"X: " + b"y" * 9000 + b"\r\n",
    b"X: y\r\n" * 300,
    b"X\x00: y\r\n",
    b": y\r\n",
    b" folded\r\n",
    b"Host: twice\r\n",
)


def wild_path(rng: random.Random, table: str) -> bytes:
    parts = {
        "{table}": rng.choice(
            (table, table, table, "a" * 10, "..", "%2e%2e", "%00", "%ff", "A" * 10, "")
        ),
        "{number}": rng.choice(("1", "0", "999999", "9999999", "-1", "one", "%31")),
        "{game}": rng.choice(("plingo", "..%2f..%2fetc", "%ed%a0%80", "<b>", "x" * 3000)),
        "{language}": rng.choice(("en", "fr", "../en", "%ff", "")),
        "{file}": rng.choice(("index.html", "..%2fapp.py", "%2e%2e/%2e%2e/app.py", "\\..\\app.py")),
    }
    path = rng.choice(
        (
            "/",
            "/api/health",
            "/api/games",
            *("/api/tables",) * 6,
            "/api/tables/{table}",
            *("/api/tables/{table}/seats",) * 3,
            "/api/tables/{table}/play",
            "/api/tables/{table}/games/{number}/record",
            "/api/tables/{table}/games/{number}/replay",
            "/api/rules/{game}/{language}",
            "/assets/{file}",
            "/t/{table}",
            "/{file}",
            "//{table}",
            "/api/../{file}",
            "*",
            "http://[/",
            "http://elsewhere.example/api/health",
        )
    )
    for name, value in parts.items():
        path = path.replace(name, value)
    return path.encode() + rng.choice(QUERIES)


def wild_body(rng: random.Random) -> bytes:
    right: dict[str, Any] = rng.choice(
        (
            {"game": "plingo", "name": "Zoe"},
            {"game": "merci", "name": "Zoe", "options": {"seats": 3}, "bots": "easy"},
            {"game": "twinit", "name": "Zoe", "settings": {"clock": 5}, "public": True},
            {"name": "Zoe", "seat": 1},
        )
    )
    kind = rng.randrange(7)
    text = msgspec.json.encode(right)
    if kind == 0:
        return rng.randbytes(rng.randrange(300))
    if kind == 1:
        return text[: rng.randrange(len(text))]
    if kind == 2:
        return rng.choice((b'{"game":' * 500, b"1" * 5000, b"x" * 9000, *nested(1500)))
    if kind == 3:
        inner = {"seats": rng.choice(WRONG), "first_master": rng.choice(WRONG)}
        return msgspec.json.encode({**right, "options": inner})
    if kind in (4, 5):
        field = rng.choice([*right, "options", "settings", "bots", "more"])
        return msgspec.json.encode({**right, field: rng.choice(WRONG)})
    return text


def wild_request(rng: random.Random, table: str) -> bytes:
    """A request, mostly wrong, that asks for the connection to be closed."""
    if rng.random() < 0.03:
        return rng.randbytes(rng.randrange(1, 300)) + b"\r\n\r\n"
    body = wild_body(rng)
    head = rng.choice(METHODS[:2] * 4 + METHODS).encode() + b" " + wild_path(rng, table)
    head += rng.choice((b" HTTP/1.1",) * 9 + (b" HTTP/1.0", b" HTTP/9.9", b"")) + b"\r\n"
    if rng.random() < 0.97:
        head += b"Host: 127.0.0.1\r\nConnection: close\r\n"
    if rng.random() < 0.5:
        head += rng.choice(HEADERS)
    if rng.random() < 0.9:
        head += b"Content-Length: %d\r\n" % len(body)
    return head + b"\r\n" + body
