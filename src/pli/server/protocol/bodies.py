"""What is asked and answered over HTTP, beside the messages of the WebSocket."""

from typing import Annotated, Any, Literal

import msgspec

from pli.game import Seat
from pli.server.protocol.messages import (
    Level,
    Name,
    SeatNumber,
    Settings,
    TableInfo,
    Update,
    Values,
)


class NewTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table to be made. Who makes it is its host and sits at the first seat."""

    game: Annotated[str, msgspec.Meta(max_length=40)]
    name: Name
    options: Values = {}
    settings: Settings = Settings()
    public: bool = False
    bots: Level | None = None
    """Fills all other seats with bots of this level."""


class TakeSeat(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A free seat to be taken; without a number, the first."""

    name: Name
    seat: SeatNumber | None = None


class Seated(msgspec.Struct, frozen=True, kw_only=True):
    """A seat, and the secret that proves it is yours."""

    table: str
    seat: int
    token: str


class OpenTable(msgspec.Struct, frozen=True, kw_only=True):
    """A public table that waits for people."""

    id: str
    game: str
    options: dict[str, Any]
    names: list[str]
    free: int
    departures: list[str] = []
    """As in `TableInfo`."""


class OpenTables(msgspec.Struct, frozen=True, kw_only=True):
    tables: list[OpenTable]


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game, step by step."""

    table: TableInfo
    seat: Seat
    updates: list[Update]
    faces: dict[str, str] = {}
    """The pictures of all faces that were seen, as in `pictures`."""


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """Something that was done in a game, as the journal has it."""

    time: int
    """In milliseconds of play."""
    seat: Seat
    """None: a timer ran out."""
    action: str | None = None
    """In the game's notation; null: it can't be read any more, or it was a timer."""


class Moves(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game as the list of its moves, which nobody has replayed."""

    table: TableInfo
    winners: list[int]
    abandoned: bool
    """Nobody played on."""
    moves: list[Move]


class OptionInfo(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    default: int | str
    values: list[int | str] = []
    """What can be chosen, where that is a list."""
    least: int | None = None
    most: int | None = None
    house: bool = False
    """It stands among the house rules."""
    by_language: dict[str, int | str] = {}
    """What to choose for who plays in a language, as long as nobody has chosen."""


class GameInfo(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    version: int
    seats: list[int]
    options: list[OptionInfo]
    levels: list[str]
    live: bool
    """Time matters: anybody may act at any moment."""
    hints: bool


class Games(msgspec.Struct, frozen=True, kw_only=True):
    games: list[GameInfo]


class Health(msgspec.Struct, frozen=True, kw_only=True):
    status: Literal["ok", "not_saving"]
    tables: int
    """Open in memory."""
    connections: int
    version: str


class Wrong(msgspec.Struct, frozen=True, kw_only=True):
    """Why a request failed."""

    code: str
    text: str
