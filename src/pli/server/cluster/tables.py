"""The tables of all servers of a database: those that no server runs are claimed and run here,
those that another server runs are reached over the link to it."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

import msgspec

from pli.errors import PliError
from pli.server.cluster.handshake import NotLinked
from pli.server.cluster.link import Link
from pli.server.cluster.links import Links
from pli.server.context import Context
from pli.server.history.api import GameQuery
from pli.server.journal.api import OwnedElsewhere, Registry
from pli.server.limits import Limits
from pli.server.metrics import Metrics
from pli.server.protocol import bodies as b
from pli.server.protocol import messages as m
from pli.server.rooms.lobby import Lobby, new_token
from pli.server.rooms.service import LocalTables, Session
from pli.server.rooms.viewer import Viewer

PATIENCE = 15.0
"""Seconds for which a table is looked for while its owner can't be reached: longer than a lease,
after which it is claimed here."""

FIRST_PAUSE, LONGEST_PAUSE = 0.02, 0.4
"""Seconds between attempts."""

UNKNOWN = "server_fault"
"""What a server of an older version answers to a field that it does not know."""

_encode = msgspec.json.Encoder().encode
_decode_listed = msgspec.json.Decoder(list[tuple[int, b.OpenTable]]).decode
_log = logging.getLogger(__name__)
T = TypeVar("T")


class ClusterTables:
    """See `Tables`."""

    def __init__(
        self,
        local: LocalTables,
        lobby: Lobby,
        limits: Limits,
        registry: Registry,
        metrics: Metrics,
    ) -> None:
        self._local = local
        self._lobby = lobby
        self._limits = limits
        self._registry = registry
        self._metrics = metrics
        self.links = Links(registry.id, registry.secret, local, self.answer)
        registry.listed = self._listed
        registry.changed.append(self._peers_changed)
        self._requests: dict[str, Callable[..., Awaitable[Any]]] = {
            "info": self._answer_info,
            "sit": self._answer_sit,
            "rename": self._answer_rename,
            "picture": self._answer_picture,
        }

    # What clients of this server ask

    async def attach(self, table: str, viewer: Viewer, hello: m.Hello) -> Session:
        async for _ in _attempts():
            try:
                return await self._local.attach(table, viewer, hello)
            except OwnedElsewhere as elsewhere:
                if (link := await self._link(elsewhere)) is None:
                    continue
            try:
                session = await self._relay(link, table, viewer, hello)
                self._metrics.relays.inc()
                return session
            except (NotLinked, OwnedElsewhere):
                continue
        raise PliError("unreachable")

    async def _relay(self, link: Link, table: str, viewer: Viewer, hello: m.Hello) -> Session:
        """Without the spectator's name if the owner is of a version that does not know of any."""
        try:
            return await link.attach(table, viewer, hello, viewer.lag.samples)
        except PliError as error:
            if error.code != UNKNOWN or hello.name is None:
                raise
        plain = msgspec.structs.replace(hello, name=None)
        return await link.attach(table, viewer, plain, viewer.lag.samples)

    async def info(self, table: str, address: str) -> m.TableInfo:
        body = await self._anywhere(
            lambda: self._local.info(table, address),
            lambda link: link.ask("info", table=table, address=address),
        )
        return (
            body if isinstance(body, m.TableInfo) else msgspec.json.decode(body, type=m.TableInfo)
        )

    async def sit(self, table: str, wanted: b.TakeSeat, address: str) -> b.Seated:
        token = new_token()  # one for all attempts, so that no two of them take two seats
        body = await self._anywhere(
            lambda: self._lobby.sit(table, wanted, address, token),
            lambda link: self._ask_seat(link, wanted, table=table, address=address, token=token),
        )
        return body if isinstance(body, b.Seated) else msgspec.json.decode(body, type=b.Seated)

    async def _ask_seat(self, link: Link, wanted: b.TakeSeat, **arguments: str) -> bytes:
        """Without the portrait if the owner is of a version that does not know of any."""
        try:
            return await link.ask("sit", wanted=_encode(wanted), **arguments)
        except PliError as error:
            if error.code != UNKNOWN or wanted.face is None:
                raise
        plain = msgspec.structs.replace(wanted, face=None)
        return await link.ask("sit", wanted=_encode(plain), **arguments)

    async def rename(self, table: str, wanted: b.Rename, address: str) -> b.Renamed:
        body = await self._anywhere(
            lambda: self._lobby.rename(table, wanted, address),
            lambda link: link.ask("rename", table=table, wanted=_encode(wanted), address=address),
        )
        return body if isinstance(body, b.Renamed) else msgspec.json.decode(body, type=b.Renamed)

    async def picture(self, query: GameQuery, sheet: str) -> bytes:
        table, number, address = query
        picture: bytes = await self._anywhere(
            lambda: self._local.picture(query, sheet),
            lambda link: link.ask(
                "picture", table=table, number=number, address=address, sheet=sheet
            ),
        )
        return picture

    def open_tables(self) -> b.OpenTables:
        """Of all servers, newest first."""
        dated = self._lobby.dated_open_tables()
        for peer in self._registry.peers.values():
            if peer.listed:
                dated += _decode_listed(peer.listed)
        dated.sort(key=lambda each: -each[0])
        return b.OpenTables(tables=[table for _, table in dated[: self._limits.listed]])

    def _listed(self) -> bytes:
        """This server's open tables, for the others."""
        dated = self._lobby.dated_open_tables()
        return _encode(dated) if dated else b""

    async def _anywhere(
        self, here: Callable[[], Awaitable[T]], there: Callable[[Link], Awaitable[T | bytes]]
    ) -> Any:
        async for _ in _attempts():
            try:
                return await here()
            except OwnedElsewhere as elsewhere:
                if (link := await self._link(elsewhere)) is None:
                    continue
            try:
                return await there(link)
            except (NotLinked, OwnedElsewhere):
                continue
        raise PliError("unreachable")

    async def _link(self, elsewhere: OwnedElsewhere) -> Link | None:
        """None: the owner can't be reached now."""
        if not elsewhere.address:
            return None
        try:
            return await self.links.to(elsewhere.server, elsewhere.address)
        except NotLinked as error:
            _log.debug("no link", extra={"server": elsewhere.server, "why": str(error)})
            return None

    def _peers_changed(self) -> None:
        """A server that is dead leaves its links open if its machine is gone."""
        self.links.only({*self._registry.peers})

    async def close(self) -> None:
        await self.links.close()

    # What other servers ask

    async def answer(self, what: str, arguments: dict[str, Any]) -> bytes:
        """A request of another server, about a table that it believes to be run here."""
        if what not in self._requests:
            raise PliError("bad_request")
        found = await self._requests[what](**arguments)
        return found if isinstance(found, bytes) else _encode(found)

    async def _answer_info(self, table: str, address: str) -> m.TableInfo:
        return await self._local.info(table, address)

    async def _answer_sit(self, table: str, wanted: bytes, address: str, token: str) -> b.Seated:
        body = msgspec.json.decode(wanted, type=b.TakeSeat)
        return await self._lobby.sit(table, body, address, token)

    async def _answer_rename(self, table: str, wanted: bytes, address: str) -> b.Renamed:
        body = msgspec.json.decode(wanted, type=b.Rename)
        return await self._lobby.rename(table, body, address)

    async def _answer_picture(self, table: str, number: int, address: str, sheet: str) -> bytes:
        return await self._local.picture(GameQuery(table, number, address), sheet)


def join(context: Context) -> ClusterTables:
    """Makes a server one of several: what its clients ask is asked of all of them."""
    registry = context.journal.registry
    tables = ClusterTables(
        context.local_tables, context.lobby, context.limits, registry, context.metrics
    )
    context.tables = tables
    return tables


async def _attempts() -> AsyncIterator[int]:
    """Numbers, with pauses in between, until PATIENCE is over."""
    loop = asyncio.get_running_loop()
    until, pause, number = loop.time() + PATIENCE, FIRST_PAUSE, 0
    while loop.time() < until:
        yield number
        await asyncio.sleep(pause)
        pause, number = min(2 * pause, LONGEST_PAUSE), number + 1
