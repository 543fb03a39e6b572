"""What HTTP requests and WebSocket connections ask of tables, wherever the rooms of those tables
are: in this process (`LocalTables`), or on any server of a cluster (`pli.server.cluster`)."""

from typing import Protocol

from pli.errors import PliError
from pli.server.history.api import GameQuery
from pli.server.jobs import Requester
from pli.server.protocol import bodies as b
from pli.server.protocol import messages as m
from pli.server.rooms.lobby import Lobby
from pli.server.rooms.room import Room
from pli.server.rooms.viewer import Viewer, add_sample
from pli.server.sprites.pool import RenderPool
from pli.server.sprites.sheets import Sheets


class Session(Protocol):
    """An attached page's connection to the room of its table."""

    game: str
    live: bool
    """Whether it is a live game, in which round trips matter most."""

    def receive(self, message: m.FromPage, data: bytes) -> None:
        """A message of the page, decoded and as it came. PliError: what is wrong with it."""

    def measured(self, round_trip: float) -> None:
        """A round trip of the page's connection, in ms."""

    def leave(self) -> None:
        """The page is disconnected."""


class Tables(Protocol):
    """All tables. `address` is the client's, by which limits and budgets are counted."""

    async def attach(self, table: str, viewer: Viewer, hello: m.Hello) -> Session:
        """Connects a page to the room of its table, which welcomes it."""

    async def info(self, table: str, address: str) -> m.TableInfo: ...

    async def sit(self, table: str, wanted: b.TakeSeat, address: str) -> b.Seated: ...

    async def rename(self, table: str, wanted: b.Rename, address: str) -> b.Renamed: ...

    async def picture(self, query: GameQuery, sheet: str) -> bytes:
        """A sprite sheet of a table's current or of a finished game."""

    def open_tables(self) -> b.OpenTables: ...


class LocalSession:
    """Of a page at a room of this process."""

    def __init__(self, room: Room, viewer: Viewer) -> None:
        self._room = room
        self._viewer = viewer
        self.game = room.table.game.name
        self.live = room.table.game.live

    def receive(self, message: m.FromPage, data: bytes) -> None:
        self._room.receive(self._viewer, message)

    def measured(self, round_trip: float) -> None:
        add_sample(self._viewer, round_trip)

    def leave(self) -> None:
        self._room.disconnect(self._viewer)


class LocalTables:
    """The tables that this process runs."""

    def __init__(self, lobby: Lobby, render_pool: RenderPool) -> None:
        self._lobby = lobby
        self._render_pool = render_pool

    async def attach(self, table: str, viewer: Viewer, hello: m.Hello) -> Session:
        viewer.language = hello.lang
        viewer.changes = hello.changes
        viewer.lists = hello.legal
        viewer.starts = hello.starts
        room = await self._lobby.open(table, viewer.address)
        if hello.token is not None:
            viewer.seat = room.table.seat_of(hello.token)
            if viewer.seat is None:
                raise PliError("not_your_seat")
            viewer.token = hello.token
        elif not room.table.settings.spectators:
            raise PliError("no_spectators")
        elif room.audience.spectators >= self._lobby.limits.spectators:
            raise PliError("too_many_spectators")
        viewer.name = self._lobby.spectator_name(room.table, hello.name)
        session = LocalSession(room, viewer)
        room.connect(viewer)
        return session

    async def info(self, table: str, address: str) -> m.TableInfo:
        return await (await self._lobby.open(table, address)).info()

    async def sit(self, table: str, wanted: b.TakeSeat, address: str) -> b.Seated:
        return await self._lobby.sit(table, wanted, address)

    async def rename(self, table: str, wanted: b.Rename, address: str) -> b.Renamed:
        return await self._lobby.rename(table, wanted, address)

    async def picture(self, query: GameQuery, sheet: str) -> bytes:
        sheets, finished = await self._sheets(query)
        if sheets is None:
            raise PliError("no_such_game")
        requester = Requester(query.address, query.table, finished)
        return await self._render_pool.render(sheets, sheet, requester)

    async def _sheets(self, query: GameQuery) -> tuple[Sheets | None, bool]:
        """The sheets of a table's current or of a finished game, and whether it is over."""
        lobby = self._lobby
        room = lobby.in_memory(query.table)
        if room is None and await lobby.history.unfinished(query.table) == query.number:
            room = await lobby.open(query.table, query.address)
        if room is not None and room.table.number == query.number:
            return room.table.sheets, room.table.state == "over"
        if room is not None:
            await room.durable()  # the game's end may not be in the journal yet
        return await lobby.history.sheets(query), True

    def open_tables(self) -> b.OpenTables:
        return self._lobby.open_tables()
