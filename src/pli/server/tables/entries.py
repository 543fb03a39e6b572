"""The entries of a table's journal: one for each thing that happened to it, in order.

A table is what its entries make of it. Entries are read for years: fields are added with a default
and never change their meaning.
"""

from typing import Any

import msgspec

from pli.server.protocol.messages import Settings


class Entry(msgspec.Struct, frozen=True, kw_only=True, tag_field="e", omit_defaults=True):
    """Any entry."""


class Made(Entry, frozen=True, kw_only=True, tag="made"):
    """The table is created, without players."""

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
    """A player took a seat; of its token only the hash is kept."""

    seat: int
    name: str
    token: str
    face: int | None = None
    """The portrait that it chose; None: one made from the name."""


class Named(Entry, frozen=True, kw_only=True, tag="named"):
    """The player of a seat has another name, or another portrait."""

    seat: int
    name: str
    face: int | None = None


class Stood(Entry, frozen=True, kw_only=True, tag="stood"):
    """A player gave its seat up."""

    seat: int


class Filled(Entry, frozen=True, kw_only=True, tag="filled"):
    """A seat was given to a bot of this level; None: it was freed."""

    seat: int
    level: str | None


class Absent(Entry, frozen=True, kw_only=True, tag="absent"):
    """A bot stands in for the player of this seat."""

    seat: int


class Returned(Entry, frozen=True, kw_only=True, tag="returned"):
    """The player took over again."""

    seat: int


class Committed(Entry, frozen=True, kw_only=True, tag="committed"):
    """The server's share of the next game's randomness. Its hash is public from now on."""

    number: int
    secret: str


class Contributed(Entry, frozen=True, kw_only=True, tag="contributed"):
    """A page's share of the randomness."""

    seat: int
    random: str


class Begun(Entry, frozen=True, kw_only=True, tag="begun"):
    """The cards are dealt, under this version of the rules."""

    version: int


class Acted(Entry, frozen=True, kw_only=True, tag="a"):
    """A move."""

    seat: int
    action: int
    time: int
    id: int = 0
    """The page's number for it; 0: a bot's move."""


class Ticked(Entry, frozen=True, kw_only=True, tag="t"):
    """A timer of the game went off."""

    time: int


class Ended(Entry, frozen=True, kw_only=True, tag="ended"):
    """The game is over. The secret is public from now on."""

    winners: list[int]
    abandoned: bool = False
    """All players left before its end."""


class Rematch(Entry, frozen=True, kw_only=True, tag="rematch"):
    """The same players play again, with these options."""

    options: dict[str, Any]


AnyEntry = (
    Made
    | Configured
    | Sat
    | Named
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
"""How a rematch's encoded entry begins: the tag is encoded first."""

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(AnyEntry).decode
