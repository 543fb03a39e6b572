"""Provably fair shuffles, by commitment and contributions.

Before the first card the server commits to a secret by publishing its hash, the commitment. Then
the players' pages contribute randomness of their own. All shuffles, and everything else that is
random, follow from both: a contributor knows that the server could not know the cards when it chose
its secret, and the server knows that contributors could not know them either. Once the game is over
the secret is published, and every shuffle can be recomputed. docs/shuffles.md is the specification,
with test vectors.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from pli.shuffling import Shuffler, keyed

SECRET_BYTES = 32
SEATS = 10
"""A seat is one digit, in records as here."""

_ID = re.compile(r"[A-Za-z0-9-]{1,64}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_CONTRIBUTION = re.compile(r"(?:[0-9a-f]{2}){16,32}")


@dataclass(frozen=True)
class Proof:
    """What the shuffles of a game are verified by; hex in small letters throughout."""

    game_id: str
    commitment: str
    contributions: Mapping[int, str]
    """By seat, for the seats that contributed."""
    secret: str | None = field(default=None, repr=False)
    """Once it is published; never logged."""

    def __post_init__(self) -> None:
        if not valid_id(self.game_id):
            raise ValueError(f"no game id: {self.game_id!r}")
        if not valid_digest(self.commitment):
            raise ValueError("no commitment")
        if self.secret is not None and not valid_digest(self.secret):
            raise ValueError("no secret")
        _hold_contributions(self.contributions)


def new_secret() -> str:
    """A random secret of 256 bits."""
    return secrets.token_hex(SECRET_BYTES)


def commit(game_id: str, secret: str) -> str:
    """The commitment: it binds the server to the secret, and reveals nothing about it.

    The game's id is part of it because the shuffles follow from the id as well: a server that could
    still choose the id after the contributions could try one id after the other.
    """
    _hold_id_and_secret(game_id, secret)
    text = f"pli commitment 1\nid {game_id}\nsecret {secret}\n"
    return hashlib.sha256(text.encode()).hexdigest()


def shuffler(game_id: str, secret: str, contributions: Mapping[int, str]) -> Shuffler:
    """The shuffles of the game, for a match."""
    return keyed(_key(game_id, secret, contributions))


def derived_seed(game_id: str, secret: str, contributions: Mapping[int, str], label: str) -> str:
    """A seed for something else that is random, such as a bot, by its label. It reveals nothing
    about the cards or the seed of any other label."""
    key = _key(game_id, secret, contributions)
    return hmac.digest(key, f"seed {label}".encode(), "sha256").hex()


def valid_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None


def valid_contribution(text: str) -> bool:
    """16 to 32 bytes in hex, in small letters, so that there is one way to write them."""
    return _CONTRIBUTION.fullmatch(text) is not None


def valid_digest(text: str) -> bool:
    """32 bytes in hex, as secrets and commitments are."""
    return _DIGEST.fullmatch(text) is not None


def _key(game_id: str, secret: str, contributions: Mapping[int, str]) -> bytes:
    """The key of all randomness of the game. The text has one line a part, and no part can have a
    line break or a space, so that no two games have the same text."""
    _hold_id_and_secret(game_id, secret)
    _hold_contributions(contributions)
    lines = ["pli shuffles 1", f"id {game_id}"]
    lines += [f"random {seat} {contributions[seat]}" for seat in sorted(contributions)]
    text = "".join(f"{line}\n" for line in lines)
    return hmac.digest(bytes.fromhex(secret), text.encode(), "sha256")


def _hold_id_and_secret(game_id: str, secret: str) -> None:
    # The message must not contain the secret: it may be logged.
    if not valid_id(game_id) or not valid_digest(secret):
        raise ValueError("no game id or no secret")


def _hold_contributions(contributions: Mapping[int, str]) -> None:
    for seat, text in contributions.items():
        if not 0 <= seat < SEATS or not valid_contribution(text):
            raise ValueError(f"nothing that seat {seat!r} can add")
