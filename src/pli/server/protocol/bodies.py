"""The bodies of requests and responses over HTTP, beside the messages of the WebSocket."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from pli.game import Seat
from pli.server.protocol.messages import (
    Face,
    Level,
    Name,
    SeatNumber,
    Settings,
    TableInfo,
    Token,
    Update,
    Values,
)

Nickname = Annotated[Name, Meta(description="The nickname of the player.")]
ChosenFace = Annotated[
    Face | None,
    Meta(
        description="The portrait that the player chose. If another player at the table has it, "
        "the next one that is free; null: one made from the name."
    ),
]


class NewTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table to be made. The player who makes it becomes its host, at seat 0."""

    game: Annotated[str, Meta(max_length=40, description="The name of the game.")]
    name: Nickname
    options: Annotated[
        Values,
        Meta(
            description="Options of the game, by name, as listed in `GameInfo`, and `seats`. What "
            "is left out has its default."
        ),
    ] = {}
    settings: Annotated[Settings, Meta(description="How the table is run.")] = Settings()
    public: Annotated[
        bool, Meta(description="Whether it is listed while it waits for players.")
    ] = False
    bots: Annotated[
        Level | None, Meta(description="Fills all other seats with bots of this level.")
    ] = None
    face: ChosenFace = None


class TakeSeat(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A free seat to be taken."""

    name: Nickname
    seat: Annotated[
        SeatNumber | None, Meta(description="Which seat, from 0; null: the first that is free.")
    ] = None
    face: ChosenFace = None


class Rename(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Another name for a player who has a seat."""

    token: Annotated[Token, Meta(description="The secret of the seat.")]
    name: Nickname
    face: ChosenFace = None


class Renamed(Struct, frozen=True, kw_only=True):
    """How a player is shown from now on."""

    name: Annotated[
        str, Meta(description="The nickname, with a number if another player has the same.")
    ]
    face: Annotated[
        int | UnsetType, Meta(description="The portrait; left out: one made from the name.")
    ] = UNSET


class Seated(Struct, frozen=True, kw_only=True):
    """A seat, with the secret that proves who it belongs to. The secret is given out this once:
    keep it to reconnect."""

    table: Annotated[str, Meta(description="The table's id: what its links contain.")]
    seat: Annotated[int, Meta(description="The seat, from 0.")]
    token: Annotated[str, Meta(description="The secret, for `hello`.")]


class OpenTable(Struct, frozen=True, kw_only=True):
    """A public table that waits for players."""

    id: Annotated[str, Meta(description="The table's id.")]
    game: Annotated[str, Meta(description="The name of the game.")]
    options: Annotated[dict[str, Any], Meta(description="All options of the game, by name.")]
    names: Annotated[list[str], Meta(description="The nicknames of the players at the table.")]
    free: Annotated[int, Meta(description="How many seats are free.")]
    departures: Annotated[list[str], Meta(description="As in `TableInfo`.")] = []


class OpenTables(Struct, frozen=True, kw_only=True):
    """The public list of open tables."""

    tables: Annotated[list[OpenTable], Meta(description="Newest first.")]


class Replay(Struct, frozen=True, kw_only=True):
    """A finished game, step by step."""

    table: Annotated[TableInfo, Meta(description="The table when the game was over.")]
    seat: Annotated[Seat, Meta(description="Whose view this is; null: a spectator's.")]
    updates: Annotated[
        list[Update],
        Meta(description="The messages that a page would have been sent, with no legal actions."),
    ]
    faces: Annotated[
        dict[str, str],
        Meta(description="The pictures of all faces that were seen, as in `pictures`."),
    ] = {}


class Move(Struct, frozen=True, kw_only=True):
    """One move of a game, as the journal has it."""

    time: Annotated[int, Meta(description="The time of play in milliseconds.")]
    seat: Annotated[Seat, Meta(description="Who moved; null: a timer ran out.")]
    action: Annotated[
        str | None,
        Meta(
            description="In the game's notation; null: a timer, or the notation of that version of "
            "the rules can't be read any more."
        ),
    ] = None


class Moves(Struct, frozen=True, kw_only=True):
    """A finished game as the list of its moves, read without replaying it."""

    table: Annotated[TableInfo, Meta(description="The table when the game was over.")]
    winners: Annotated[list[int], Meta(description="The winners' seats.")]
    abandoned: Annotated[bool, Meta(description="The game was given up before its end.")]
    moves: Annotated[list[Move], Meta(description="Oldest first.")]


class OptionInfo(Struct, frozen=True, kw_only=True):
    """An option of a game: a choice from a list, or a number within bounds."""

    name: Annotated[str, Meta(description="The option's name.")]
    default: Annotated[int | str, Meta(description="Its value if nothing is chosen.")]
    values: Annotated[
        list[int | str], Meta(description="The values to choose from, where they are a list.")
    ] = []
    least: Annotated[int | None, Meta(description="The smallest number, if it is one.")] = None
    most: Annotated[int | None, Meta(description="The largest number, if it is one.")] = None
    house: Annotated[bool, Meta(description="Whether it is one of the house rules.")] = False
    by_language: Annotated[
        dict[str, int | str],
        Meta(description="By language: the value to propose instead of the default."),
    ] = {}


class GameInfo(Struct, frozen=True, kw_only=True):
    """A game that can be played here."""

    name: Annotated[str, Meta(description="The game's name in this API.")]
    version: Annotated[int, Meta(description="The version of its rules.")]
    seats: Annotated[list[int], Meta(description="The numbers of seats it can be played with.")]
    options: Annotated[list[OptionInfo], Meta(description="Its options, without `seats`.")]
    levels: Annotated[list[str], Meta(description="The levels of its bots, weakest first.")]
    live: Annotated[
        bool,
        Meta(description="A real-time game: any seat may act at any moment, and time matters."),
    ]
    hints: Annotated[bool, Meta(description="Whether `hint` is answered.")]


class Games(Struct, frozen=True, kw_only=True):
    """The games of this server."""

    games: Annotated[list[GameInfo], Meta(description="In alphabetical order.")]


class ShownField(Struct, frozen=True, kw_only=True):
    """A field of a game's view, and what it is to a page that knows nothing else of the game."""

    name: Annotated[str, Meta(description="The field's name in the view.")]
    shows: Annotated[
        Literal["by_seat", "score", "cards", "pile", "number", "text"],
        Meta(
            description="`by_seat`: a number of each seat; `score`: the same, and what decides the "
            "game; `cards`: cards that lie open; `pile`: the size of a pile; `number`, `text`: a "
            "number, or a word."
        ),
    ]


class GameTable(Struct, frozen=True, kw_only=True):
    """What a page needs to show a game that it has no code for."""

    name: Annotated[str, Meta(description="The name of the game.")]
    fields: Annotated[
        list[ShownField],
        Meta(description="Fields of its view, beside those that every table shows."),
    ]
    suits: Annotated[
        list[str],
        Meta(description="The letters of the suits of its cards, with which their names begin."),
    ]
    texts: Annotated[
        dict[str, dict[str, str]],
        Meta(
            description="By language: its texts and those that all games share, with places to "
            "fill in, such as `{card}`. A game may be in English alone."
        ),
    ]


Varied = Annotated[
    list[int | Annotated[str, Meta(max_length=40)]], Meta(min_length=1, max_length=12)
]


class LabQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the lab is to find out: games of bots, with one or two options varied. Each combination
    of their values that the game allows is a cell."""

    game: Annotated[str, Meta(max_length=40, description="The name of the game.")]
    over: Annotated[
        dict[Annotated[str, Meta(max_length=40)], Varied],
        Meta(max_length=2, description="The options to vary, with their values."),
    ] = {}
    options: Annotated[
        Values, Meta(description="Other options; what is left out has its default.")
    ] = {}
    bots: Annotated[
        Literal["random", "easy", "medium"], Meta(description="Who plays, at all seats.")
    ] = "medium"
    games: Annotated[
        int, Meta(ge=1, description="How many games in each cell: at most `games` of `Lab`.")
    ] = 1000


class LabInterval(Struct, frozen=True, kw_only=True):
    """A number with its 95 % confidence interval; null: not known yet."""

    value: Annotated[float | None, Meta(description="The number.")]
    low: Annotated[float | None, Meta(description="Where the interval begins.")]
    high: Annotated[float | None, Meta(description="Where it ends.")]


class LabCell(Struct, frozen=True, kw_only=True):
    """A cell, so far."""

    varied: Annotated[dict[str, int | str], Meta(description="The varied options, by name.")]
    games: Annotated[int, Meta(description="How many games were played.")]
    undecided: Annotated[
        int, Meta(description="Games that nobody won. They count for nothing below.")
    ]
    seats: Annotated[
        list[LabInterval],
        Meta(description="Each seat's part of the wins, shared wins divided."),
    ]
    places: Annotated[
        list[LabInterval],
        Meta(description="The same by place: 0 acted first in the game, 1 sits next to it."),
    ]
    actions: Annotated[LabInterval | None, Meta(description="Actions in a game, on average.")]
    rounds: Annotated[LabInterval | None, Meta(description="Rounds; null: the game has none.")]
    minutes: Annotated[
        LabInterval | None,
        Meta(description="Minutes; null: these bots or this game take no time."),
    ]


class Health(Struct, frozen=True, kw_only=True):
    """Whether the server works, and its load."""

    status: Annotated[
        Literal["ok", "not_saving"],
        Meta(description="`not_saving`: the journal can't be written at the moment."),
    ]
    tables: Annotated[int, Meta(description="Tables that are running (in memory).")]
    connections: Annotated[int, Meta(description="WebSockets that are open.")]
    version: Annotated[str, Meta(description="The version of the server.")]


class Wrong(Struct, frozen=True, kw_only=True):
    """An error: why a request failed."""

    code: Annotated[str, Meta(description="Names the reason; the same in all languages.")]
    text: Annotated[
        str, Meta(description="The same for people, in the language of `Accept-Language`.")
    ]


class LabStudy(Struct, frozen=True, kw_only=True):
    """A study that comes with the server."""

    name: Annotated[str, Meta(description="Its name.")]
    question: Annotated[str, Meta(description="What it asks.")]
    answer: Annotated[str, Meta(description="What came out.")]
    plans: Annotated[
        list[LabQuestion], Meta(description="What it played, as far as the lab can play it too.")
    ]


class Lab(Struct, frozen=True, kw_only=True):
    """What this server's lab offers."""

    on: Annotated[
        bool, Meta(description="Whether games can be played in it; studies are there in any case.")
    ]
    games: Annotated[int, Meta(description="The most games of a cell.")]
    cells: Annotated[int, Meta(description="The most cells of a run.")]
    seconds: Annotated[float, Meta(description="After so long a run is over.")]
    studies: Annotated[list[LabStudy], Meta(description="Studies to be read.")]


class LabState(Struct, frozen=True, kw_only=True):
    """How far a run of the lab is."""

    state: Annotated[
        Literal["preparing", "playing", "over"],
        Meta(
            description="`preparing`: the run waits, or its game is being compiled; `over`: the "
            "last line."
        ),
    ]
    games: Annotated[int, Meta(description="Games that have been played, in all cells.")]
    wanted: Annotated[int, Meta(description="Games that were asked for, in all cells.")]
    cells: Annotated[list[LabCell], Meta(description="What they have shown.")]
    problem: Annotated[
        Wrong | None, Meta(description="Why the run ended before its time, if it did.")
    ] = None
