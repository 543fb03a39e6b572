"""Two servers authenticate each other with a secret that both read from the database: each proves
that it knows it by an HMAC over both servers' nonces and ids, so that no proof can be replayed."""

import hmac
import secrets
from hashlib import sha256
from typing import TypeVar

import msgspec
from aiohttp import ClientWebSocketResponse, WSMsgType, web

from pli.server.cluster import wire as w

NONCE_BYTES = 32

M = TypeVar("M", bound=w.Message)
Socket = ClientWebSocketResponse | web.WebSocketResponse


class NotLinked(Exception):
    """The other server can't be reached, or is not what it should be."""


async def connect(socket: Socket, server: str, peer: str, secret: bytes) -> None:
    """The side that connected, as `server`, to the server with the id `peer`."""
    challenge = await _receive(socket, w.Challenge)
    if challenge.server != peer or challenge.version != w.VERSION:
        raise NotLinked("another server answers")
    nonce = secrets.token_bytes(NONCE_BYTES)
    told = (challenge.nonce, nonce, peer, server)
    proof = _proof(secret, b"connecting", *told)
    await _send(socket, w.Proof(server, nonce, proof, w.VERSION))
    accepted = await _receive(socket, w.Accepted)
    if not hmac.compare_digest(accepted.proof, _proof(secret, b"accepting", *told)):
        raise NotLinked("the other server does not know the secret")


async def accept(socket: Socket, server: str, secret: bytes) -> str:
    """The side that accepted, as `server`. Returns the id of the other one."""
    nonce = secrets.token_bytes(NONCE_BYTES)
    await _send(socket, w.Challenge(server, nonce, w.VERSION))
    proof = await _receive(socket, w.Proof)
    told = (nonce, proof.nonce, server, proof.server)
    if proof.version != w.VERSION or len(proof.nonce) != NONCE_BYTES:
        raise NotLinked("another protocol")
    if not hmac.compare_digest(proof.proof, _proof(secret, b"connecting", *told)):
        raise NotLinked("the other server does not know the secret")
    await _send(socket, w.Accepted(_proof(secret, b"accepting", *told)))
    return proof.server


def _proof(
    secret: bytes, role: bytes, theirs: bytes, ours: bytes, accepting: str, connecting: str
) -> bytes:
    """Every part has a fixed length or is hashed, so that no two tuples give the same text."""
    ids = b"".join(sha256(each.encode()).digest() for each in (accepting, connecting))
    return hmac.digest(secret, role + b"\0" + theirs + ours + ids, "sha256")


async def _send(socket: Socket, message: w.AnyMessage) -> None:
    await socket.send_bytes(w.encode([message]))


async def _receive(socket: Socket, kind: type[M]) -> M:
    frame = await socket.receive()
    if frame.type is not WSMsgType.BINARY:
        raise NotLinked("the connection was closed")
    try:
        messages = w.decode(frame.data)
    except msgspec.DecodeError:
        raise NotLinked("another protocol") from None
    if len(messages) != 1 or not isinstance(messages[0], kind):
        raise NotLinked("another protocol")
    return messages[0]
