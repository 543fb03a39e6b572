"""A table as its entries have made it: who sits where, what is played, how far the game is.

Knows no network, no clock and no disk. Entries that can't be raise and change nothing.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hmac import compare_digest
from typing import Any

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
from pli.match import Match
from pli.record import proof
from pli.server.protocol.messages import SeatInfo, Settings, State, TableInfo
from pli.server.sprites.sheets import Sheets
from pli.server.tables import entries as e
from pli.slices import Slices, finish

STAND_IN = "medium"
"""The bot that plays for somebody who is not there."""

RESENT = 32
"""Actions of a seat that are known by their ids: no page has more on their way at a time."""


@dataclass(slots=True)
class Chair:
    """A seat, and who has it."""

    name: str | None = None
    token: str | None = None
    """The hash of its person's secret; None: no person sits here."""
    level: str | None = None
    """Of the bot that has the seat for its own."""
    left: bool = False
    """Its person went in mid-game: somebody else may take it over."""
    absent: bool = False
    recent: tuple[int, ...] = ()
    """The ids of its page's last actions."""
    played: int = 0
    """The number of the last game in which its person acted."""

    @property
    def acted(self) -> int:
        """The id of its page's last action."""
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
        """Whether somebody may take it."""
        return self.free or self.left


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Table:
    """One table, from its first entry on."""

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
        """Entries that bots and timers wrote since a person last acted, in whatever game."""
        self.match: Match | None = None
        self.version = self.game.version
        """Of the rules by which its game is played."""
        self.begun = 0
        """The number of the entry with which its game began."""
        self.results: list[list[int]] = []
        self.watched: Collection[Seat] = ()
        """The seats of which it is to be noted what they see happen; None is a spectator."""
        self.seen: dict[Seat, list[Event]] = {}
        """What they saw, until somebody takes it."""
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
        """Whether its game was begun under other rules, and can't go on under these."""
        return self.version != self.game.version

    @property
    def departures(self) -> list[str]:
        """The options by which its game departs from the printed rules."""
        if self.outdated:
            return []  # what was printed then is not known here
        return list(read_options(self.game, self.options).departures())

    @property
    def played(self) -> Match | None:
        """The game while it is being played; one may also end because everybody left it."""
        match = self.match
        return None if match is None or match.over or self.state != "playing" else match

    @property
    def game_id(self) -> str:
        return f"{self.name}-{self.number}"

    @property
    def host(self) -> int | None:
        """The first person at the table; when that leaves, the next one round the table."""
        return next((seat for seat, chair in enumerate(self.chairs) if chair is self._host), None)

    @property
    def people(self) -> list[int]:
        return [seat for seat, chair in enumerate(self.chairs) if chair.token]

    def seat_of(self, token: str) -> int | None:
        """Whose secret this is."""
        wanted = hashed(token)
        found = [
            seat
            for seat, chair in enumerate(self.chairs)
            if chair.token is not None and compare_digest(chair.token, wanted)
        ]
        return found[0] if found else None

    def apply(self, entry: e.AnyEntry) -> None:
        """One more entry."""
        getattr(self, f"_{type(entry).__name__.lower()}")(entry)
        self.n += 1

    def info(
        self,
        connected: Collection[int] = (),
        wants: Mapping[int, str] = {},
        watching: int = 0,
        resting: bool = False,
    ) -> TableInfo:
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
        self.chairs[entry.seat] = chair = Chair(name=entry.name, token=entry.token)
        if self._host is None:
            self._host = chair
        if self.state == "waiting":  # what went into the shuffles stays in their proof
            self.contributions.pop(entry.seat, None)

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
