"""The messages of the WebSocket, and the parts they are made of. The JSON schema, the client's
types, the OpenAPI document and docs/protocol.md are made from these declarations, so docstrings and
descriptions are written for authors of clients.
"""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from pli.game import Event, Seat

LARGEST = 8 * 1024
"""The largest WebSocket frame and request body that is accepted, in bytes. No message of a page
comes near it."""

Language = Literal["en", "fr", "es"]
LONGEST_NAME = 24
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
FACES = 12
"""Portraits that a player may choose from: more than there are seats at any table."""

Face = Annotated[int, Meta(ge=0, lt=FACES)]
Token = Annotated[str, Meta(min_length=16, max_length=64)]
SeatNumber = Annotated[int, Meta(ge=0, le=7)]
Level = Annotated[str, Meta(min_length=1, max_length=16)]
Randomness = Annotated[str, Meta(pattern="^([0-9a-f]{2}){16,32}$")]
ActionText = Annotated[str, Meta(min_length=1, max_length=64)]
Values = dict[Annotated[str, Meta(max_length=40)], int | str | bool]
State = Literal["waiting", "playing", "over"]
Phrase = Literal["hello", "well_played", "thanks", "oops", "your_turn", "good_game", "again", "bye"]
Pace = Literal["calm", "brisk", "instant"]
Farewell = Literal[
    "restart", "replaced", "too_slow", "too_fast", "silent", "not_saved", "no_spectators"
]


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a table is run, apart from the options of its game."""

    grace: Annotated[
        int,
        Meta(
            ge=0,
            le=3600,
            description="Seconds after which a bot stands in for a player who lost the connection; "
            "0: never.",
        ),
    ] = 30
    clock: Annotated[
        int,
        Meta(
            ge=0,
            le=3600,
            description="Seconds for a decision, after which a bot stands in; 0: no time limit.",
        ),
    ] = 0
    pace: Annotated[Pace, Meta(description="How long bots pause before they act.")] = "calm"
    spectators: Annotated[
        bool,
        Meta(
            description="Whether clients without a seat may watch. If not, `hello` needs a token, "
            "and connections that watch, or lose their seat later, are closed with "
            "`no_spectators`."
        ),
    ] = True


# From a page


class Sent(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """Any message of a page."""


class Hello(Sent, frozen=True, kw_only=True, tag="hello", omit_defaults=True):
    """The first message of a connection, sent once. The reply is `welcome`, or a `problem`, after
    which `hello` may be sent again."""

    token: Annotated[
        Token | None,
        Meta(
            description="The secret of a seat, from `Seated`. Without it the client watches as a "
            "spectator, unless the table admits none (`no_spectators`)."
        ),
    ] = None
    lang: Annotated[Language, Meta(description="The language of all texts sent to this page.")] = (
        "en"
    )
    changes: Annotated[
        bool,
        Meta(description="Asks for delta updates: `change` is sent instead of `update`."),
    ] = False
    legal: Annotated[
        bool,
        Meta(
            description="Asks for the list of legal actions. A page that derives them from the "
            "view does without: some games have hundreds at a time."
        ),
    ] = True
    name: Annotated[
        Name | None,
        Meta(
            description="A nickname under which a spectator is shown to the others. One that "
            "can't be shown, or is not wanted, is left out. Without effect at a seat."
        ),
    ] = None
    starts: Annotated[
        bool,
        Meta(
            description="Asks for the common start of games with `pictures`: this page is sent "
            "`start`, and the game waits for its `ready`."
        ),
    ] = False


class Random(Sent, frozen=True, kw_only=True, tag="random"):
    """This page's contribution to the randomness of the next game's shuffles. Send it whenever the
    table is `waiting` and this seat is not `ready`: the server has published its commitment by
    then, so it can't choose its own share to suit the contributions."""

    hex: Annotated[
        Randomness,
        Meta(description="16 to 32 random bytes in lower-case hexadecimal digits."),
    ]


class Ready(Sent, frozen=True, kw_only=True, tag="ready"):
    """The page has fetched and decoded all sheets of a game (`pictures`). Sent once a `start` says
    that the game waits."""

    number: Annotated[int, Meta(ge=1, le=1 << 53, description="The number of the game.")]


class Begin(Sent, frozen=True, kw_only=True, tag="begin"):
    """The host starts the game. All seats must be taken."""


class Do(Sent, frozen=True, kw_only=True, tag="do"):
    """An action in the game. The acknowledgement is an `update` (or `change`) whose `did` is this
    id, or `refused`. Resending is idempotent: after a lost connection a page sends the same id
    again, and an action that was carried out already is answered with `done`."""

    id: Annotated[
        int,
        Meta(
            ge=1,
            le=1 << 53,
            description="Chosen by the page; higher than the ids of all earlier actions of this "
            "seat. `welcome` gives the last one as `acted`.",
        ),
    ]
    action: Annotated[ActionText, Meta(description="In the game's notation.")]
    seen: Annotated[
        Annotated[int, Meta(ge=0, le=1 << 53)] | None,
        Meta(
            description="The `n` of the last `welcome` or `update` that the player had been shown. "
            "In live games an action that was correct at that point, and would now cost its player "
            "something because another seat was faster, is refused without cost: `overtaken`."
        ),
    ] = None


class Why(Sent, frozen=True, kw_only=True, tag="why"):
    """Asks whether an action would be refused, and why; answered with `verdict`. Changes nothing.
    What players have to notice themselves, such as two equal faces, is not given away: an action
    that is listed as legal can still be refused when it is sent."""

    action: Annotated[ActionText, Meta(description="In the game's notation.")]


class Say(Sent, frozen=True, kw_only=True, tag="say"):
    """A phrase for all pages at the table, which receive it as `said`. There is no free text."""

    phrase: Annotated[Phrase, Meta(description="One of the fixed phrases.")]


class Configure(Sent, frozen=True, kw_only=True, tag="configure"):
    """The host changes the game's options, or how the table is run, before the game begins. What is
    left out stays as it is."""

    options: Annotated[
        Values | None, Meta(description="Options of the game that change, by name.")
    ] = None
    settings: Annotated[Settings | None, Meta(description="New settings, as a whole.")] = None
    public: Annotated[bool | None, Meta(description="Whether the table is listed publicly.")] = None


class Fill(Sent, frozen=True, kw_only=True, tag="fill"):
    """The host gives a seat to a bot, or without a level frees it. Before a game, and between two,
    that can also be the seat of another person: its token becomes void, and its page receives the
    problem `seat_freed` and watches from then on. During a game a bot stands in for a player who is
    absent or out of time, or for the host itself; without a level the player gets the seat back. A
    player who is present can't be replaced: `seat_present`."""

    seat: Annotated[SeatNumber, Meta(description="Which seat, from 0.")]
    level: Annotated[
        Level | None, Meta(description="The bot's level, one of those in `GameInfo`.")
    ] = None


class Back(Sent, frozen=True, kw_only=True, tag="back"):
    """A player for whom a bot stands in takes over again."""


class Leave(Sent, frozen=True, kw_only=True, tag="leave"):
    """Gives up the seat. During a game a bot plays on."""


class Again(Sent, frozen=True, kw_only=True, tag="again"):
    """Asks for a rematch; it starts when all players who are present have asked for one, with the
    kind that most of them asked for. A player for whom a bot stands in, and who did nothing in the
    game that ended, must come `back` first (`bot_plays`)."""

    kind: Annotated[
        str,
        Meta(
            max_length=16,
            description="One of the `kinds` in the table's `TableInfo`; or `options`: the table "
            "waits as before its first game, so that options and seats can be changed, until the "
            "host begins. If any player asks for that, it is what happens.",
        ),
    ] = "same"


class Withdraw(Sent, frozen=True, kw_only=True, tag="withdraw"):
    """Takes back the wish for a rematch. Without effect if there is none."""


class GoOn(Sent, frozen=True, kw_only=True, tag="go_on"):
    """A seated player wakes a table at rest (`resting` in `TableInfo`). It then goes on for a while
    at a calm pace; an action or `back` does the same. If the table rests because a write limit is
    used up, `problem` says which. Between two rounds it says that the player has seen how the last
    one ended: bots, which wait for some seconds, begin as soon as all connected players have sent
    it. Once all players are out of a round, bots play it to its end without pauses if all connected
    players have sent it."""


class Log(Sent, frozen=True, kw_only=True, tag="log"):
    """Asks for all events that this seat has seen in the current game; answered with `log`."""


class Hint(Sent, frozen=True, kw_only=True, tag="hint"):
    """Asks what a strong bot would do; answered with `hints`. Only for a player whose opponents are
    all bots (`hints_alone`), in games that bots search (`hints` in `GameInfo`)."""


class Ping(Sent, frozen=True, kw_only=True, tag="ping"):
    """Asks for a `pong`: a page can't see ping frames, and asks when it has heard nothing for some
    seconds."""


FromPage = (
    Hello
    | Random
    | Ready
    | Begin
    | Do
    | Why
    | Say
    | Configure
    | Fill
    | Back
    | Leave
    | Again
    | Withdraw
    | GoOn
    | Log
    | Hint
    | Ping
)


# To a page


class SeatInfo(Struct, frozen=True, kw_only=True):
    """One seat of a table, as everyone may see it."""

    kind: Annotated[Literal["empty", "person", "bot"], Meta(description="Who the seat belongs to.")]
    name: Annotated[str | None, Meta(description="The nickname of its person.")] = None
    level: Annotated[str | None, Meta(description="The level of the bot that plays here.")] = None
    connected: Annotated[
        bool, Meta(description="Presence: whether a page of its person is connected.")
    ] = False
    stand_in: Annotated[bool, Meta(description="A bot stands in for the person who sits here.")] = (
        False
    )
    open: Annotated[
        bool,
        Meta(
            description="Anyone with the link may sit here: the seat is empty, or its person left "
            "during the game."
        ),
    ] = False
    ready: Annotated[
        bool, Meta(description="Has contributed its randomness for the next game.")
    ] = False
    again: Annotated[
        str | None, Meta(description="The kind of rematch that its person asked for.")
    ] = None
    face: Annotated[
        int | UnsetType,
        Meta(
            description="The portrait that its person chose; left out: one made from the name. No "
            "two seats of a table have the same."
        ),
    ] = UNSET


# Kept beside records, which are read for years: a new field, here or below, has a default.
class TableInfo(Struct, frozen=True, kw_only=True):
    """A table as everyone may see it."""

    id: Annotated[str, Meta(description="The table's id: what its links contain.")]
    game: Annotated[str, Meta(description="The name of the game.")]
    version: Annotated[
        int, Meta(description="The version of the rules under which this game is played.")
    ]
    options: Annotated[dict[str, Any], Meta(description="All options of the game, by name.")]
    departures: Annotated[
        list[str],
        Meta(description="Names of the options by which this game departs from the printed rules."),
    ] = []
    settings: Annotated[Settings, Meta(description="How the table is run.")]
    public: Annotated[bool, Meta(description="Whether it is listed while it waits for players.")]
    state: Annotated[State, Meta(description="Where the current game stands.")]
    seats: Annotated[list[SeatInfo], Meta(description="The seats, clockwise from seat 0.")]
    host: Annotated[Seat, Meta(description="The host's seat; null: there is no person left.")]
    spectators: Annotated[int, Meta(description="How many connections watch without a seat.")]
    number: Annotated[int, Meta(description="Which game this is at this table, from 1.")]
    game_id: Annotated[str, Meta(description="Names this game in its record.")]
    commitment: Annotated[
        str, Meta(description="The hash of the server's share of this game's randomness.")
    ]
    contributions: Annotated[
        dict[int, str],
        Meta(
            description="The shares contributed by pages, by seat: what went into the shuffles, "
            "once the game has begun."
        ),
    ]
    secret: Annotated[
        str | None, Meta(description="The server's share, published when the game is over.")
    ] = None
    results: Annotated[
        list[list[int]],
        Meta(description="The winners of each finished game at this table, oldest first."),
    ] = []
    kinds: Annotated[list[str], Meta(description="The kinds of rematch offered now.")] = []
    outdated: Annotated[
        bool,
        Meta(description="The game began under an older version of the rules and can't go on."),
    ] = False
    resting: Annotated[
        bool,
        Meta(
            description="Bots and timers are paused: they wrote many journal entries while no "
            "person acted, or a write limit is used up (`problem` says which). Any seated player "
            "can wake the table: see `go_on`."
        ),
    ] = False
    watching: Annotated[
        list[str] | UnsetType,
        Meta(description="The nicknames of spectators who gave one; left out: nobody did."),
    ] = UNSET


class Told(Struct, frozen=True, kw_only=True, tag_field="type"):
    """Any message to a page."""


EntryNumber = Annotated[
    int, Meta(description="The number of the table's last journal entry that this includes.")
]
PlayTime = Annotated[
    int, Meta(description="The time of play in milliseconds, to which the view's timers refer.")
]
DecisionTime = Annotated[
    int | None,
    Meta(description="The time of play at which a bot stands in for the awaited players."),
]
EventsSeen = Annotated[
    list[Event], Meta(description="What happened, in order, as this seat may see it.")
]
OwnAction = Annotated[
    int,
    Meta(description="Acknowledges this page's action of this id, if that is what happened."),
]
ErrorCode = Annotated[str, Meta(description="Names the reason; the same in all languages.")]
ErrorText = Annotated[str, Meta(description="The same for players, in the page's language.")]


class Welcome(Told, frozen=True, kw_only=True, tag="welcome"):
    """The reply to `hello`: the complete state for this seat, which later updates build on. Sent
    again when the seat of a connection changes."""

    seat: Annotated[Seat, Meta(description="The seat of this connection; null: a spectator.")]
    table: Annotated[TableInfo, Meta(description="The table.")]
    n: EntryNumber
    time: PlayTime
    acted: Annotated[
        int,
        Meta(description="The id of this seat's last action that was carried out; 0: none."),
    ]
    view: Annotated[
        Any | None,
        Meta(description="The game's view from this seat; null before the game has begun."),
    ] = None
    legal: Annotated[list[str], Meta(description="As in `update`.")] = []
    clock: DecisionTime = None


class Table(Told, frozen=True, kw_only=True, tag="table"):
    """The table changed: its seats, presence, options, settings or state."""

    table: Annotated[TableInfo, Meta(description="The table as it is now.")]


class Update(Told, frozen=True, kw_only=True, tag="update"):
    """Something happened in the game."""

    n: EntryNumber
    time: PlayTime
    events: EventsSeen
    view: Annotated[Any, Meta(description="The game's view from this seat, as a whole.")]
    legal: Annotated[
        list[str],
        Meta(
            description="The actions that this seat may take now; empty if `hello` asked for no "
            "list. Actions that a view implies by the thousand, such as free positions for a card, "
            "are not listed."
        ),
    ]
    did: OwnAction = 0
    clock: DecisionTime = None


class Change(Told, frozen=True, kw_only=True, tag="change"):
    """A delta update, sent instead of `update` to a page whose `hello` asked for `changes`: only
    what differs from the last `welcome`, `update` or `change`."""

    n: EntryNumber
    time: PlayTime
    events: EventsSeen
    view: Annotated[
        dict[str, Any],
        Meta(description="The fields of the view that changed, each with its new value."),
    ]
    gone: Annotated[list[str], Meta(description="Actions that are no longer legal.")] = []
    more: Annotated[list[str], Meta(description="Actions that became legal.")] = []
    did: OwnAction = 0
    clock: DecisionTime = None


class Pictures(Told, frozen=True, kw_only=True, tag="pictures"):
    """In games whose faces are compared by eye: the sprite sheets of a game, to be fetched in
    advance from `/pictures/{table}/{number}/{sheet}`, and which of their fields show the faces that
    lie open. Sent before the `welcome`, `table` or `update` that it belongs to."""

    n: Annotated[
        int,
        Meta(
            description="The journal entry after which these faces lie open: its `update` follows."
        ),
    ]
    number: Annotated[int, Meta(description="The number of the game at this table.")]
    sheets: Annotated[
        list[str],
        Meta(
            description="All sheets of the game, in an order that gives nothing away; empty: "
            "unchanged."
        ),
    ] = []
    faces: Annotated[
        dict[str, str],
        Meta(description="By the face's name: its sheet, a dot, and the number of its field."),
    ] = {}


class Start(Told, frozen=True, kw_only=True, tag="start"):
    """In games with `pictures`, to pages whose `hello` asked for it: how far the start of the game
    is. After the deal the time of play stands still and actions are refused (`not_started`) until
    the pages of all players are `ready`, or took too long. Then all count down to the same moment,
    at which `pictures` ties the faces to the sheets. Also sent before each `welcome` during such a
    game."""

    number: Annotated[int, Meta(description="The number of the game at this table.")]
    time: PlayTime
    waits_for: Annotated[list[int], Meta(description="The seats whose pages are waited for.")] = []
    count: Annotated[
        int | None,
        Meta(
            description="Milliseconds until the start, from when this arrives; 0: it has started; "
            "null: pages are waited for."
        ),
    ] = None


class Refused(Told, frozen=True, kw_only=True, tag="refused"):
    """An action was not carried out; nothing changed."""

    id: Annotated[int, Meta(description="The id of the action.")]
    action: Annotated[str, Meta(description="The action.")]
    code: ErrorCode
    text: ErrorText
    late: Annotated[
        int | None,
        Meta(description="Milliseconds by which another seat was faster, if that is why."),
    ] = None


class Raced(Told, frozen=True, kw_only=True, tag="raced"):
    """Two seats tried the same thing almost at once."""

    first: Annotated[int, Meta(description="The seat that was faster.")]
    second: Annotated[int, Meta(description="The seat that was too late.")]
    by: Annotated[
        int,
        Meta(description="Milliseconds between them, with their network lag taken off."),
    ]


class Done(Told, frozen=True, kw_only=True, tag="done"):
    """Acknowledges an action that was sent again: it had been carried out the first time."""

    id: Annotated[int, Meta(description="The id of the action.")]


class Verdict(Told, frozen=True, kw_only=True, tag="verdict"):
    """The reply to `why`."""

    action: Annotated[str, Meta(description="The action that was asked about.")]
    code: Annotated[
        str | None, Meta(description="Why it would be refused; null: nothing speaks against it.")
    ] = None
    text: Annotated[
        str | None, Meta(description="The same for players, in the page's language.")
    ] = None


class Said(Told, frozen=True, kw_only=True, tag="said"):
    """A player said a phrase."""

    seat: Annotated[int, Meta(description="The seat of the player.")]
    phrase: Annotated[Phrase, Meta(description="One of the fixed phrases.")]


class Nudge(Told, frozen=True, kw_only=True, tag="nudge"):
    """A reminder for an awaited player when half of the decision time is over."""

    seconds: Annotated[int, Meta(description="Seconds left until a bot stands in.")]


class Happened(Struct, frozen=True, kw_only=True):
    """An event of a log."""

    time: Annotated[int, Meta(description="The time of play in milliseconds.")]
    event: Annotated[Event, Meta(description="What happened, as this seat may see it.")]


class Logged(Told, frozen=True, kw_only=True, tag="log"):
    """The reply to `log`."""

    n: Annotated[
        int,
        Meta(
            description="The journal entry up to which the log reaches; updates with a higher `n` "
            "continue it."
        ),
    ]
    events: Annotated[list[Happened], Meta(description="Oldest first.")]


class Ranked(Struct, frozen=True, kw_only=True):
    """An action with its estimate."""

    action: Annotated[str, Meta(description="In the game's notation.")]
    chance: Annotated[float, Meta(description="Estimated chance of winning the game, 0 to 1.")]


class Hints(Told, frozen=True, kw_only=True, tag="hints"):
    """The reply to `hint`."""

    n: Annotated[int, Meta(description="The journal entry whose state was searched.")]
    actions: Annotated[
        list[Ranked],
        Meta(
            description="Best first; empty if there is nothing to decide, or if the search was not "
            "finished in time."
        ),
    ]


class Line(Told, frozen=True, kw_only=True, tag="line"):
    """The round-trip time of this connection, as measured by ping frames; sent when it has changed
    by 10 ms or more."""

    round_trip: Annotated[int, Meta(description="Milliseconds to the page and back.")]


class Pong(Told, frozen=True, kw_only=True, tag="pong"):
    """The answer to a `ping`."""


class Problem(Told, frozen=True, kw_only=True, tag="problem"):
    """A message could not be handled, or the server has a notice for the player. The connection
    stays open."""

    code: ErrorCode
    text: ErrorText


class Closing(Told, frozen=True, kw_only=True, tag="closing"):
    """The last message of a connection, which the server then closes with the close code of this
    reason."""

    code: Annotated[Farewell, Meta(description="The reason: see the close codes.")]
    text: ErrorText


CLOSE_REASONS: dict[Farewell, str] = {
    "restart": "The server restarts: connect again after a moment.",
    "too_slow": "Too much data waits to be read by this client: connect again for a full view.",
    "not_saved": "The journal can't be written, so nothing can be played: connect again later.",
    "replaced": "Another connection has taken this seat with the same token: don't reconnect.",
    "too_fast": "The rate limit for messages was exceeded.",
    "silent": "No `hello` in time, or no keep-alive: nothing was received for some seconds.",
    "no_spectators": "The table admits no spectators, and this connection has no seat (any more).",
}
"""Why the server closes a connection, and what a client does about it."""


ToPage = (
    Welcome
    | Table
    | Update
    | Change
    | Pictures
    | Start
    | Refused
    | Raced
    | Done
    | Verdict
    | Said
    | Nudge
    | Logged
    | Hints
    | Line
    | Pong
    | Problem
    | Closing
)
