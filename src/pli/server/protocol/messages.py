"""What travels between a player's page and the server. The schema for the client's types and the
page docs/protocol.md are made from here, so the docstrings are what their readers see.
"""

from typing import Annotated, Any, Literal

import msgspec

from pli.game import Event, Seat

LARGEST = 8 * 1024
"""Bytes of a frame or a request body that are taken; nothing that a page sends comes near it."""

Language = Literal["en", "fr", "es"]
LONGEST_NAME = 24
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_NAME)]
Token = Annotated[str, msgspec.Meta(min_length=16, max_length=64)]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=7)]
Level = Annotated[str, msgspec.Meta(min_length=1, max_length=16)]
Randomness = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{2}){16,32}$")]
ActionText = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Values = dict[Annotated[str, msgspec.Meta(max_length=40)], int | str | bool]
State = Literal["waiting", "playing", "over"]
Phrase = Literal["hello", "well_played", "thanks", "oops", "your_turn", "good_game", "again", "bye"]
Pace = Literal["calm", "brisk", "instant"]
Farewell = Literal[
    "restart", "replaced", "too_slow", "too_fast", "silent", "not_saved", "no_spectators"
]


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a table is run, apart from the game's own options."""

    grace: Annotated[int, msgspec.Meta(ge=0, le=3600)] = 30
    """Seconds after which a bot plays for a person whose line is lost; 0: never."""
    clock: Annotated[int, msgspec.Meta(ge=0, le=3600)] = 0
    """Seconds for a decision, after which a bot decides; 0: as long as one likes."""
    pace: Pace = "calm"
    """How long bots seem to think."""
    spectators: bool = True
    """Whether others may watch. If not, `hello` needs a token, and who watches when that is decided
    or has its seat no more is told so and sent away."""


# From a page


class Sent(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """Any message of a page."""


class Hello(Sent, frozen=True, kw_only=True, tag="hello"):
    """The first message of a connection. Without a token it watches, unless the table is for its
    players alone: `no_spectators`."""

    token: Token | None = None
    lang: Language = "en"
    changes: bool = False
    """Whether `change` is to come in the place of `update`."""
    legal: bool = True
    """Whether it is to be told what may be done. A page that can tell by the view does without:
    some games have hundreds of actions at a time."""


class Random(Sent, frozen=True, kw_only=True, tag="random"):
    """This page's share of the randomness of the next game's shuffles: to be sent whenever the
    table waits and this seat is not `ready`, since only then is the server bound by its
    commitment."""

    hex: Randomness


class Begin(Sent, frozen=True, kw_only=True, tag="begin"):
    """The host deals."""


class Do(Sent, frozen=True, kw_only=True, tag="do"):
    """An action. A resent one, by its id, is not carried out twice."""

    id: Annotated[int, msgspec.Meta(ge=1, le=1 << 53)]
    """Higher than that of all earlier actions of this seat: `welcome` tells the last."""
    action: ActionText
    """In the game's notation."""
    seen: Annotated[int, msgspec.Meta(ge=0, le=1 << 53)] | None = None
    """The `n` of the last `update` or `welcome` that its player had been shown. In live games an
    action that was right then, and would be at its player's cost now, is void: `overtaken`."""


class Why(Sent, frozen=True, kw_only=True, tag="why"):
    """Whether an action would be refused, and why. Changes nothing. What a player has to notice,
    such as two equal faces, is not told: what is listed as legal can still be refused."""

    action: ActionText


class Say(Sent, frozen=True, kw_only=True, tag="say"):
    """A phrase to the others."""

    phrase: Phrase


class Configure(Sent, frozen=True, kw_only=True, tag="configure"):
    """The host changes the game's options, or how the table is run, before the game begins."""

    options: Values | None = None
    settings: Settings | None = None
    public: bool | None = None


class Fill(Sent, frozen=True, kw_only=True, tag="fill"):
    """The host gives a seat to a bot of a level; or, without a level, frees it. Before a game, and
    between two, that can also be the seat of another person, who is told (`seat_freed`) and then
    watches: its token is void. In a game a bot stands in for who is away or out of time, or for the
    host itself, and without a level the seat is given back; who is there plays alone:
    `seat_present`."""

    seat: SeatNumber
    level: Level | None = None


class Back(Sent, frozen=True, kw_only=True, tag="back"):
    """Somebody whom a bot stands in for plays again."""


class Leave(Sent, frozen=True, kw_only=True, tag="leave"):
    """Gives the seat up. In a game a bot plays on."""


class Again(Sent, frozen=True, kw_only=True, tag="again"):
    """Wants a rematch, of one of the kinds that the table offers. That is for people: whom a bot
    stands in for, and who did nothing itself in the game that ended, comes `back` first."""

    kind: Annotated[str, msgspec.Meta(max_length=16)] = "same"


class GoOn(Sent, frozen=True, kw_only=True, tag="go_on"):
    """Somebody who sits here wants a table that rests (`resting`) to go on. It does for a while, at
    a calm pace; an action, or `back`, does the same. If the table rests because something is used
    up, `problem` tells what."""


class Log(Sent, frozen=True, kw_only=True, tag="log"):
    """All that this seat has seen happen in this game."""


class Hint(Sent, frozen=True, kw_only=True, tag="hint"):
    """What a strong bot would do here: for who plays against bots alone, in games that are
    searched."""


FromPage = (
    Hello
    | Random
    | Begin
    | Do
    | Why
    | Say
    | Configure
    | Fill
    | Back
    | Leave
    | Again
    | GoOn
    | Log
    | Hint
)


# To a page


class SeatInfo(msgspec.Struct, frozen=True, kw_only=True):
    kind: Literal["empty", "person", "bot"]
    name: str | None = None
    level: str | None = None
    """Of the bot that plays here."""
    connected: bool = False
    stand_in: bool = False
    """A bot plays for the person who sits here."""
    open: bool = False
    """Whoever has the link may sit here: nobody does, or its person left in mid-game."""
    ready: bool = False
    """Has given its randomness for the next game."""
    again: str | None = None
    """The kind of rematch that it wants."""


# Kept beside records, which are read for years: a new field, here or below, has a default.
class TableInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A table as everyone may see it."""

    id: str
    game: str
    version: int
    """Of the rules by which this game is played."""
    options: dict[str, Any]
    departures: list[str] = []
    """The options by which this game departs from the printed rules."""
    settings: Settings
    public: bool
    state: State
    seats: list[SeatInfo]
    host: Seat
    spectators: int
    number: int
    """Which game this is at this table, from 1."""
    game_id: str
    commitment: str
    """To the server's share of the randomness of this game."""
    contributions: dict[int, str]
    """The shares of the pages, by seat: what went into the shuffles once the game has begun."""
    secret: str | None = None
    """The server's share, once the game is over."""
    results: list[list[int]] = []
    """The winners of each game played here, the last one last."""
    kinds: list[str] = []
    """The kinds of rematch that are offered now."""
    outdated: bool = False
    """The game was begun under older rules, and can't go on under these."""
    resting: bool = False
    """Bots and timers stand still: they wrote much, and no person did anything; or nothing is left
    to write with, then `problem` tells what is used up. Whoever sits here wakes them, see
    `go_on`."""


class Told(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Any message to a page."""


class Welcome(Told, frozen=True, kw_only=True, tag="welcome"):
    """The answer to `hello`: all there is to know, after which `update` tells what changes."""

    seat: Seat
    table: TableInfo
    n: int
    """The number of the last entry of the table's journal."""
    time: int
    """The time of play, in milliseconds: what timers of the view refer to."""
    acted: int
    """The id of this seat's last action that was carried out; 0: none."""
    view: Any | None = None
    """The game's view from this seat, once it has begun."""
    legal: list[str] = []
    clock: int | None = None
    """As in `update`."""


class Table(Told, frozen=True, kw_only=True, tag="table"):
    """Something changed around the table: who sits, who is there, what will be played."""

    table: TableInfo


class Update(Told, frozen=True, kw_only=True, tag="update"):
    """Something happened in the game."""

    n: int
    time: int
    events: list[Event]
    """As this seat may see it, in order."""
    view: Any
    legal: list[str]
    """What this seat may do now; empty if its `hello` wanted no list. What a view shows by
    the thousand, such as free places to put a card on, is not listed."""
    did: int = 0
    """The id of this page's own action, if that is what happened."""
    clock: int | None = None
    """The time of play at which a bot decides for who is awaited."""


class Change(Told, frozen=True, kw_only=True, tag="change"):
    """An `update` to who asked for changes: without what is as it was."""

    n: int
    time: int
    events: list[Event]
    view: dict[str, Any]
    """Those fields of the view that are others now."""
    gone: list[str] = []
    """What this seat may no longer do."""
    more: list[str] = []
    """What it may do now and might not before."""
    did: int = 0
    clock: int | None = None


class Pictures(Told, frozen=True, kw_only=True, tag="pictures"):
    """Of games in which eyes compare faces: the sheets with all pictures of a game, to be fetched
    in advance from `/pictures/{table}/{number}/{sheet}`, and which fields of them show the faces
    that lie open. Comes before what it belongs to: `welcome`, `table` or `update`."""

    n: int
    """The entry of the table's journal after which those faces lie open: its `update` follows."""
    number: int
    """Which game at this table they belong to."""
    sheets: list[str] = []
    """All of them, in an order that tells nothing; empty: as before."""
    faces: dict[str, str] = {}
    """By the face's name: its sheet, a dot, and the number of its field."""


class Refused(Told, frozen=True, kw_only=True, tag="refused"):
    """An action was not carried out; nothing changed."""

    id: int
    action: str
    code: str
    text: str
    late: int | None = None
    """Milliseconds by which somebody else was first."""


class Raced(Told, frozen=True, kw_only=True, tag="raced"):
    """Two seats went for the same thing."""

    first: int
    second: int
    by: int
    """Milliseconds between them, the time on their lines taken off."""


class Done(Told, frozen=True, kw_only=True, tag="done"):
    """An action that was sent again had been carried out."""

    id: int


class Verdict(Told, frozen=True, kw_only=True, tag="verdict"):
    """The answer to `why`; without a code nothing speaks against the action."""

    action: str
    code: str | None = None
    text: str | None = None


class Said(Told, frozen=True, kw_only=True, tag="said"):
    """Somebody said a phrase."""

    seat: int
    phrase: Phrase


class Nudge(Told, frozen=True, kw_only=True, tag="nudge"):
    """The others wait, and after so many seconds a bot decides."""

    seconds: int


class Happened(msgspec.Struct, frozen=True, kw_only=True):
    time: int
    event: Event


class Logged(Told, frozen=True, kw_only=True, tag="log"):
    """The answer to `log`."""

    n: int
    """The entry of the table's journal up to which this tells; updates tell the rest."""
    events: list[Happened]


class Ranked(msgspec.Struct, frozen=True, kw_only=True):
    action: str
    chance: float
    """Of winning the game, from 0 to 1."""


class Hints(Told, frozen=True, kw_only=True, tag="hints"):
    """The answer to `hint`, best first, for the state of entry n; empty if there is nothing to
    decide, or if it could not be thought about in time."""

    n: int
    actions: list[Ranked]


class Line(Told, frozen=True, kw_only=True, tag="line"):
    """How long a message takes to the page and back, as measured by ping frames."""

    round_trip: int


class Problem(Told, frozen=True, kw_only=True, tag="problem"):
    """Something that was sent can't be done, or the server has to say something."""

    code: str
    text: str


class Closing(Told, frozen=True, kw_only=True, tag="closing"):
    """The last message of a connection. After `restart` one comes back by oneself; after
    `replaced` another page plays for this seat, and after `no_spectators` there is nothing more to
    be seen without one."""

    code: Farewell
    text: str


ToPage = (
    Welcome
    | Table
    | Update
    | Change
    | Pictures
    | Refused
    | Raced
    | Done
    | Verdict
    | Said
    | Nudge
    | Logged
    | Hints
    | Line
    | Problem
    | Closing
)
