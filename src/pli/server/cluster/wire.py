"""What two servers send each other: frames of MessagePack, each a list of messages.

One of the two servers of a relay has the page's connection (the edge), the other one runs the table
(the owner). A link serves both roles in both directions: the edge chooses the number of a relay or
of a request, and the kind of a message says which of the two sends it.
"""

from typing import Any

import msgspec

from pli.server.protocol.messages import Farewell

VERSION = 1
"""Of this protocol: servers of different versions can't relay to each other. New kinds of messages
and new fields at the end need no new version, since unknown ones are ignored."""


class Message(msgspec.Struct, array_like=True):
    """Any message."""


# The handshake: each side proves that it knows the secret of the database, without sending it.


class Challenge(Message, tag="challenge"):
    """The first message, of the side that accepted the connection."""

    server: str
    nonce: bytes
    version: int


class Proof(Message, tag="proof"):
    """The answer of the side that connected."""

    server: str
    nonce: bytes
    proof: bytes
    version: int


class Accepted(Message, tag="accepted"):
    """The accepting side's proof."""

    proof: bytes


# Round trips of the link itself


class Ping(Message, tag="ping"):
    number: int


class Pong(Message, tag="pong"):
    number: int


# From the edge


class Attach(Message, tag="attach"):
    """A page wants to play at, or to watch a table."""

    relay: int
    table: str
    hello: bytes
    """The page's own message, as JSON."""
    address: str
    samples: list[float]
    """The round trips of its connection that were measured last, in ms."""
    starts: bool = False
    """The field of the same name of its `hello`, which has it only here: servers that don't know it
    would refuse the message."""


class FromPage(Message, tag="from_page"):
    relay: int
    data: bytes


class Measured(Message, tag="measured"):
    """A round trip between the edge and the page, in ms."""

    relay: int
    round_trip: float


class Detach(Message, tag="detach"):
    """The page has gone."""

    relay: int


class Request(Message, tag="request"):
    """Something that is asked over HTTP."""

    number: int
    what: str
    arguments: dict[str, Any]


# From the owner


class Attached(Message, tag="attached"):
    relay: int
    game: str


class NotAttached(Message, tag="not_attached"):
    relay: int
    code: str
    details: dict[str, str]


class ToPage(Message, tag="to_page"):
    relay: int
    data: bytes


class Close(Message, tag="close"):
    """The page is to be closed, with this farewell."""

    relay: int
    code: Farewell


class Move(Message, tag="move"):
    """The owner does not run the table any more."""

    relay: int


class Answer(Message, tag="answer"):
    number: int
    body: bytes


class Failed(Message, tag="failed"):
    number: int
    code: str
    details: dict[str, str]


AnyMessage = (
    Challenge
    | Proof
    | Accepted
    | Ping
    | Pong
    | Attach
    | FromPage
    | Measured
    | Detach
    | Request
    | Attached
    | NotAttached
    | ToPage
    | Close
    | Move
    | Answer
    | Failed
)

encode = msgspec.msgpack.Encoder().encode
"""Of a list of messages."""

_decode = msgspec.msgpack.Decoder(list[AnyMessage]).decode
_raw = msgspec.msgpack.Decoder(list[msgspec.Raw]).decode
_one = msgspec.msgpack.Decoder(AnyMessage).decode


def decode(data: bytes) -> list[AnyMessage]:
    """The messages of a frame, without those of kinds that a newer server sends."""
    try:
        return _decode(data)
    except msgspec.ValidationError:
        known: list[AnyMessage] = []
        for each in _raw(data):
            try:
                known.append(_one(each))
            except msgspec.ValidationError:
                continue
        return known
