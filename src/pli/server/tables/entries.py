"""What a table's journal holds: one entry for each thing that ever happened to it, in order.

A table is what its entries make of it. Entries are read for years: fields are added with a default
and never change their meaning.
"""

from typing import Any

import msgspec

from pli.server.protocol.messages import Settings


class Entry(msgspec.Struct, frozen=True, kw_only=True, tag_field="e", omit_defaults=True):
    """Any entry."""


class Made(Entry, frozen=True, kw_only=True, tag="made"):
    """The table, before anybody sits."""

    game: str
    options: dict[str, Any]
    settings: Settings
    public: bool
    at: int
    """Seconds since 1970."""


class Configured(Entry, frozen=True, kw_only=True, tag="configured"):
    options: dict[str, Any]
    settings: Settings
    public: bool


class Sat(Entry, frozen=True, kw_only=True, tag="sat"):
    """Somebody took a seat; of the token only the hash is kept."""

    seat: int
    name: str
    token: str


class Stood(Entry, frozen=True, kw_only=True, tag="stood"):
    """Somebody gave a seat up."""

    seat: int


class Filled(Entry, frozen=True, kw_only=True, tag="filled"):
    """A seat was given to a bot; or, without a level, freed."""

    seat: int
    level: str | None


class Absent(Entry, frozen=True, kw_only=True, tag="absent"):
    """A bot stands in for the person who sits there."""

    seat: int


class Returned(Entry, frozen=True, kw_only=True, tag="returned"):
    seat: int


class Committed(Entry, frozen=True, kw_only=True, tag="committed"):
    """The server's share of the randomness of the next game. Its hash is public from here on."""

    number: int
    secret: str


class Contributed(Entry, frozen=True, kw_only=True, tag="contributed"):
    """A page's share."""

    seat: int
    random: str


class Begun(Entry, frozen=True, kw_only=True, tag="begun"):
    """The cards are dealt, under these rules."""

    version: int


class Acted(Entry, frozen=True, kw_only=True, tag="a"):
    seat: int
    action: int
    time: int
    id: int = 0
    """As the page numbered it; 0 for a bot's."""


class Ticked(Entry, frozen=True, kw_only=True, tag="t"):
    time: int


class Ended(Entry, frozen=True, kw_only=True, tag="ended"):
    """The game is over. The secret is public from here on."""

    winners: list[int]
    abandoned: bool = False
    """Nobody played on."""


class Rematch(Entry, frozen=True, kw_only=True, tag="rematch"):
    """The same people play again, under these options."""

    options: dict[str, Any]


AnyEntry = (
    Made
    | Configured
    | Sat
    | Stood
    | Filled
    | Absent
    | Returned
    | Committed
    | Contributed
    | Begun
    | Acted
    | Ticked
    | Ended
    | Rematch
)

REMATCH = b'{"e":"rematch"'
"""How the entry of a rematch begins: what is written of an entry begins with its kind."""

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(AnyEntry).decode
