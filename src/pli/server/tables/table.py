"""A table's state, made from its entries: who sits where, what is played, how far the game is.

Pure: knows no network, no clock and no disk. An impossible entry raises and changes nothing.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hmac import compare_digest
from typing import Any, Protocol

import msgspec

from pli import games
from pli.errors import PliError
from pli.game import (
    Act,
    AnyGame,
    Event,
    Input,
    Seat,
    Tick,
    change_options,
    read_options,
    still_possible,
)
from pli.match import AnyMatch, Match
from pli.record import proof
from pli.server.protocol.messages import SeatInfo, Settings, State, TableInfo
from pli.server.sprites.sheets import Sheets
from pli.server.tables import entries as e
from pli.slices import Slices, finish

STAND_IN = "medium"
"""The level of bots that stand in for players."""

RESENT = 32
"""Moves of a seat whose ids are remembered, so that a resend is no second move: no page has more
unacknowledged."""


@dataclass(slots=True)
class Chair:
    """A seat's player or bot."""

    name: str | None = None
    token: str | None = None
    """The hash of the player's token; None: no player sits here."""
    face: int | None = None
    """The portrait that its player chose."""
    level: str | None = None
    """Of the bot that has this seat."""
    left: bool = False
    """Its player left during the game: another one may take it over."""
    absent: bool = False
    recent: tuple[int, ...] = ()
    """The ids of its page's last moves."""
    played: int = 0
    """The number of the last game in which its player acted."""

    @property
    def acted(self) -> int:
        """The id of its page's last move."""
        return self.recent[-1] if self.recent else 0

    @property
    def bot(self) -> str | None:
        """The level of the bot that plays here now, if one does."""
        return self.level or (STAND_IN if self.absent else None)

    @property
    def free(self) -> bool:
        return self.token is None and self.level is None

    @property
    def open(self) -> bool:
        """Whether a player may take it."""
        return self.free or self.left


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class ReadOnlyTable(Protocol):
    """A table as all but its room see it."""

    @property
    def name(self) -> str: ...
    @property
    def game(self) -> AnyGame: ...
    @property
    def state(self) -> State: ...
    @property
    def made_at(self) -> int: ...
    @property
    def n(self) -> int: ...
    @property
    def number(self) -> int: ...
    @property
    def unattended(self) -> int: ...
    @property
    def match(self) -> AnyMatch | None: ...
    @property
    def version(self) -> int: ...
    @property
    def begun(self) -> int: ...
    @property
    def moved(self) -> bool: ...
    @property
    def results(self) -> list[list[int]]: ...
    @property
    def secret(self) -> str: ...
    @property
    def contributions(self) -> dict[int, str]: ...
    @property
    def options(self) -> dict[str, Any]: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def public(self) -> bool: ...
    @property
    def chairs(self) -> Sequence[Chair]: ...
    @property
    def seats(self) -> int: ...
    @property
    def outdated(self) -> bool: ...
    @property
    def departures(self) -> list[str]: ...
    @property
    def played(self) -> AnyMatch | None: ...
    @property
    def game_id(self) -> str: ...
    @property
    def host(self) -> int | None: ...
    @property
    def people(self) -> list[int]: ...
    @property
    def sheets(self) -> Sheets | None: ...
    def seat_of(self, token: str) -> int | None: ...
    def info(
        self,
        connected: Collection[int] = (),
        wants: Mapping[int, str] = {},
        watching: int = 0,
        resting: bool = False,
        spectators: Sequence[str] = (),
    ) -> TableInfo: ...
    def rematches(self) -> dict[str, dict[str, Any]]: ...
    def shuffler(self) -> Any: ...
    def seed(self, label: str) -> str: ...
    def pictured(self) -> dict[str, str]: ...
    def changed(self, options: Mapping[str, object]) -> dict[str, Any]: ...


class Table:
    """One table."""

    def __init__(self, name: str, made: e.Made, keep: bool = False) -> None:
        """With `keep` the steps of the last game are kept."""
        self.name = name
        self._keep = keep
        self.game: AnyGame = games.load(made.game)
        self.state: State = "waiting"
        self.made_at = made.at
        self.n = 0
        """The number of the last entry."""
        self.number = 1
        self.unattended = 0
        """Entries by bots and timers since a player last acted, in this game or an earlier one."""
        self.match: AnyMatch | None = None
        self.version = self.game.version
        """Of the rules by which its game is played."""
        self.begun = 0
        """The number of the entry with which its game began."""
        self.moved = False
        """Something happened in its game since the deal."""
        self.results: list[list[int]] = []
        self.watched: Collection[Seat] = ()
        """The seats whose events are collected in `seen`; None is a spectator."""
        self.seen: dict[Seat, list[Event]] = {}
        """Events by seat, until they are taken."""
        self.secret = ""
        self._sheets: Sheets | None = None
        self.contributions: dict[int, str] = {}
        self._configure(made.options, made.settings, made.public)
        self.chairs = [Chair() for _ in range(self.seats)]
        self._host: Chair | None = None

    @property
    def seats(self) -> int:
        return int(self.options["seats"])

    @property
    def outdated(self) -> bool:
        """Whether its game was begun under another version of the rules, and can't go on."""
        return self.version != self.game.version

    @property
    def departures(self) -> list[str]:
        """The options by which its game departs from the printed rules."""
        if self.outdated:
            return []  # what was printed then is not known here
        return list(read_options(self.game, self.options).departures())

    @property
    def played(self) -> AnyMatch | None:
        """The game while it is being played: a game may also end because everybody left."""
        match = self.match
        return None if match is None or match.over or self.state != "playing" else match

    @property
    def game_id(self) -> str:
        return f"{self.name}-{self.number}"

    @property
    def host(self) -> int | None:
        """The first player at the table; when it leaves, the next one round the table."""
        return next((seat for seat, chair in enumerate(self.chairs) if chair is self._host), None)

    @property
    def people(self) -> list[int]:
        return [seat for seat, chair in enumerate(self.chairs) if chair.token]

    def seat_of(self, token: str) -> int | None:
        """The seat that a token belongs to."""
        wanted = hashed(token)
        found = [
            seat
            for seat, chair in enumerate(self.chairs)
            if chair.token is not None and compare_digest(chair.token, wanted)
        ]
        return found[0] if found else None

    def become(self, other: "Table") -> None:
        """Takes the state of the same table, read again from its journal."""
        self.__dict__.update(other.__dict__)
        if self.match is not None and self.match.watch is not None:
            self.match.watch = self._note  # events are for this table, not for the other

    def apply(self, entry: e.AnyEntry) -> None:
        """Applies one more entry."""
        getattr(self, f"_{type(entry).__name__.lower()}")(entry)
        self.n += 1

    def info(
        self,
        connected: Collection[int] = (),
        wants: Mapping[int, str] = {},
        watching: int = 0,
        resting: bool = False,
        spectators: Sequence[str] = (),
    ) -> TableInfo:
        """`watching` of them without a seat, those who gave a name among them as `spectators`."""
        over = self.state == "over"
        return TableInfo(
            id=self.name,
            game=self.game.name,
            version=self.version,
            options=self.options,
            departures=self.departures,
            settings=self.settings,
            public=self.public,
            state=self.state,
            seats=[
                self._seat_info(seat, seat in connected, wants.get(seat))
                for seat in range(self.seats)
            ],
            host=self.host,
            spectators=watching,
            number=self.number,
            game_id=self.game_id,
            commitment=proof.commit(self.game_id, self.secret) if self.secret else "",
            contributions=self.contributions,
            secret=self.secret if over else None,
            results=self.results,
            kinds=list(self.rematches()) if over else [],
            outdated=self.outdated,
            resting=resting,
            watching=[*spectators] or msgspec.UNSET,
        )

    def _seat_info(self, seat: int, connected: bool, wants: str | None) -> SeatInfo:
        chair = self.chairs[seat]
        return SeatInfo(
            kind="person" if chair.token else "bot" if chair.level else "empty",
            name=chair.name,
            level=chair.bot,
            connected=connected,
            stand_in=chair.absent,
            open=chair.open and self.state != "over",
            ready=seat in self.contributions,
            again=wants,
            face=msgspec.UNSET if chair.face is None else chair.face,
        )

    def rematches(self) -> dict[str, dict[str, Any]]:
        """How the same people may play again: options by the name of the kind."""
        if self.outdated or self.game.rematch is None:
            return {"same": self._possible(self.options)}
        kinds = self.game.rematch(read_options(self.game, self.options), self.results[-1])
        return {name: dict(msgspec.structs.asdict(kind)) for name, kind in kinds.items()}

    def shuffler(self) -> Any:
        return proof.shuffler(self.game_id, self.secret, self.contributions)

    def seed(self, label: str) -> str:
        """For what else is random in this game. Tells nothing of the cards."""
        return proof.derived_seed(self.game_id, self.secret, self.contributions, label)

    @property
    def sheets(self) -> Sheets | None:
        """The pictures of this game, if it has some."""
        if self._sheets is None and self.game.sprites is not None and self.secret:
            self._sheets = sheets_of(self.game, self.game_id, self.secret)
        return self._sheets

    def pictured(self) -> dict[str, str]:
        """Where the faces are to be seen that lie open."""
        if self.sheets is None or self.game.sprites is None or self.match is None:
            return {}
        return self.sheets.places(self.game.sprites.visible(self.match.state))

    def changed(self, options: Mapping[str, object]) -> dict[str, Any]:
        """The game's options with these changed, complete; BadOption if they can't be."""
        return dict(msgspec.structs.asdict(change_options(self.game, self.options, options)))

    def _possible(self, options: Mapping[str, object]) -> dict[str, Any]:
        """Options that an older version wrote, as they can be now."""
        return dict(msgspec.structs.asdict(still_possible(self.game, options)))

    # Entries

    def _configure(self, options: dict[str, Any], settings: Settings, public: bool) -> None:
        self._written = options
        """As the journal has them: a game of other rules keeps them."""
        self.options = self._possible(options)
        self.settings = settings
        self.public = public

    def _configured(self, entry: e.Configured) -> None:
        self._configure(entry.options, entry.settings, entry.public)
        self._arrange()

    def _arrange(self) -> None:
        """As many chairs as there are seats."""
        chairs = sorted(self.chairs, key=lambda chair: chair.token is None)
        if len(chairs) > self.seats:  # bots and empty chairs go first
            keep = set(map(id, chairs[: self.seats]))
            self.chairs = [chair for chair in self.chairs if id(chair) in keep]
            self.contributions.clear()
        self.chairs += [Chair() for _ in range(self.seats - len(self.chairs))]

    def _sat(self, entry: e.Sat) -> None:
        self.chairs[entry.seat] = chair = Chair(name=entry.name, token=entry.token, face=entry.face)
        if self._host is None:
            self._host = chair
        if self.state == "waiting":  # what went into the shuffles stays in their proof
            self.contributions.pop(entry.seat, None)

    def _named(self, entry: e.Named) -> None:
        chair = self.chairs[entry.seat]
        chair.name, chair.face = entry.name, entry.face

    def _stood(self, entry: e.Stood) -> None:
        playing = self.state == "playing"
        stood = self.chairs[entry.seat]
        self.chairs[entry.seat] = Chair(level=STAND_IN, left=True) if playing else Chair()
        if stood is self._host:
            others = (*self.chairs[entry.seat :], *self.chairs[: entry.seat])
            self._host = next((chair for chair in others if chair.token), None)
        if not playing and self.state != "over":
            self.contributions.pop(entry.seat, None)

    def _filled(self, entry: e.Filled) -> None:
        self.chairs[entry.seat] = Chair(level=entry.level)
        if self.state == "waiting":
            self.contributions.pop(entry.seat, None)

    def _absent(self, entry: e.Absent) -> None:
        self.chairs[entry.seat].absent = True

    def _returned(self, entry: e.Returned) -> None:
        self.chairs[entry.seat].absent = False

    def _committed(self, entry: e.Committed) -> None:
        self.number = entry.number
        self.secret = entry.secret
        self._sheets = None
        self.contributions = {}

    def _contributed(self, entry: e.Contributed) -> None:
        self.contributions[entry.seat] = entry.random

    def _begun(self, entry: e.Begun) -> None:
        self.state = "playing"
        self.begun = self.n + 1
        self.moved = False
        self.version = entry.version
        if self.outdated:
            self.options = self._written
            return
        options = read_options(self.game, self.options)
        watch = None if self._keep else self._note
        self.match = Match(self.game, options, self.shuffler(), watch=watch)

    def _note(self, before: Any, given: Input, after: Any) -> None:
        if not self.watched:
            return
        game, seen = self.game, self.seen
        alike = None if isinstance(given, game.private) else game.events(before, given, after, None)
        for seat in self.watched:
            events = game.events(before, given, after, seat) if alike is None else alike
            if seat in seen:
                seen[seat] += events
            else:
                seen[seat] = [*events]

    def pass_over(self, entry: e.Acted | e.Ticked) -> None:
        """An entry of a game that nobody plays any more."""
        if isinstance(entry, e.Acted):
            self._remember(entry)
        else:
            self.unattended += 1
        self.n += 1

    def _acted(self, entry: e.Acted) -> None:
        self.moved = True
        if self.match is not None:
            self.match.feed(Act(entry.seat, entry.action, entry.time))
        self._remember(entry)

    def _remember(self, entry: e.Acted) -> None:
        if entry.id:
            chair = self.chairs[entry.seat]
            chair.recent = (*chair.recent[1 - RESENT :], entry.id)
            chair.played = self.number
            self.unattended = 0
        else:
            self.unattended += 1

    def _ticked(self, entry: e.Ticked) -> None:
        self.moved = True
        self.unattended += 1
        if self.match is not None:
            self.match.feed(Tick(entry.time))

    def _ended(self, entry: e.Ended) -> None:
        self.state = "over"
        self.results = [*self.results, entry.winners]

    def _rematch(self, entry: e.Rematch) -> None:
        self.version = self.game.version
        self._configure(entry.options, self.settings, self.public)
        self._arrange()
        self.state = "waiting"
        self.match = None
        for chair in self.chairs:
            chair.absent = False


def sheets_of(game: AnyGame, game_id: str, secret: str) -> Sheets | None:
    """The pictures of one game, if it has some."""
    if game.sprites is None:
        return None
    # Without what pages add: they are to be fetched before the cards are dealt.
    return Sheets(game.sprites.motifs, proof.derived_seed(game_id, secret, {}, "pictures"))


def new_table(name: str, data: Sequence[bytes]) -> Table:
    """A table as its first entry makes it."""
    made = e.decode(data[0])
    if not isinstance(made, e.Made):
        raise PliError("journal_damaged", table=name, n=0)
    return Table(name, made)


def load_table(name: str, data: Sequence[bytes]) -> Table:
    """A table from its journal. What happened on the way is not kept, and of games before the last
    one only how they ended."""
    return finish(loading(name, data))


def loading(name: str, data: Sequence[bytes]) -> Slices[Table]:
    """The same step by step."""
    table = new_table(name, data)
    rematches = (n for n in range(len(data) - 1, 0, -1) if data[n].startswith(e.REMATCH))
    again = next(rematches, 0)
    for n in range(1, len(data)):
        yield
        entry = e.decode(data[n])
        if n < again and isinstance(entry, e.Acted | e.Ticked):
            table.pass_over(entry)
        else:
            table.apply(entry)
    return table
