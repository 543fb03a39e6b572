"""All links of a server: made when a relay or a request needs one, kept for those that follow."""

import asyncio
import logging
from contextlib import suppress

import aiohttp
from aiohttp import web

from pli.server.cluster import handshake
from pli.server.cluster.handshake import NotLinked
from pli.server.cluster.link import LARGEST_FRAME, Link, Requests
from pli.server.rooms.service import LocalTables

CONNECT_SECONDS = 1.5
"""For a connection and its handshake. A process that is paused accepts connections in silence."""

PATH = "/link"

_log = logging.getLogger(__name__)


class Links:
    def __init__(self, server: str, secret: bytes, tables: LocalTables, requests: Requests) -> None:
        """`server` is this server's id, `secret` what all servers of the database know."""
        self._server = server
        self._secret = secret
        self._tables = tables
        self._requests = requests
        self._links: dict[str, list[Link]] = {}
        """By the other server's id. Two servers that connect to each other at the same time have
        two links for a while: both use the same one of them from then on."""
        self._connecting: dict[str, asyncio.Task[Link]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._session = aiohttp.ClientSession()
        self._closed = False

    @property
    def relays(self) -> int:
        return sum(link.relays for links in self._links.values() for link in links)

    def __len__(self) -> int:
        return sum(map(len, self._links.values()))

    async def to(self, server: str, address: str) -> Link:
        """The link to another server. NotLinked: it can't be reached."""
        if self._closed:
            raise NotLinked("this server stops")
        if links := self._links.get(server):
            return min(links, key=lambda link: link.dialer)
        if server not in self._connecting:
            task = asyncio.ensure_future(self._connect(server, address))
            self._connecting[server] = task
            task.add_done_callback(lambda _: self._connecting.pop(server, None))
            task.add_done_callback(_retrieve)
        return await asyncio.shield(self._connecting[server])

    async def accept(self, request: web.Request) -> web.WebSocketResponse:
        """Another server connects."""
        socket = web.WebSocketResponse(max_msg_size=LARGEST_FRAME, autoping=True, compress=False)
        await socket.prepare(request)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                peer = await handshake.accept(socket, self._server, self._secret)
        except (NotLinked, TimeoutError, ConnectionError) as error:
            _log.warning("a link is refused", extra={"peer": request.remote, "why": str(error)})
            await socket.close()
            return socket
        if self._closed:
            await socket.close()
        else:
            await self._add(socket, peer, peer).run()
        return socket

    async def _connect(self, server: str, address: str) -> Link:
        socket = None
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                socket = await self._session.ws_connect(
                    f"http://{address}{PATH}", max_msg_size=LARGEST_FRAME, compress=0
                )
                await handshake.connect(socket, self._server, server, self._secret)
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError, NotLinked) as error:
            if socket is not None:
                with suppress(ConnectionError, TimeoutError):
                    await asyncio.wait_for(socket.close(), CONNECT_SECONDS)
            raise NotLinked(str(error) or type(error).__name__) from error
        link = self._add(socket, server, self._server)
        task = asyncio.ensure_future(link.run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return link

    def _add(self, socket: handshake.Socket, peer: str, dialer: str) -> Link:
        link = Link(socket, peer, dialer, self._tables, self._requests, self._remove)
        self._links.setdefault(peer, []).append(link)
        _log.info("linked", extra={"server": peer})
        return link

    def _remove(self, link: Link) -> None:
        links = self._links.get(link.peer, [])
        if link in links:
            links.remove(link)
        if not links:
            self._links.pop(link.peer, None)

    def only(self, servers: set[str]) -> None:
        """Closes the links to servers that are not alive."""
        for server in [each for each in self._links if each not in servers]:
            for link in [*self._links[server]]:
                link.close()

    async def close(self) -> None:
        self._closed = True
        self.only(set())
        tasks = [*self._tasks, *self._connecting.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._session.close()


def _retrieve(task: "asyncio.Task[Link]") -> None:
    """Nobody may be waiting any more: then the exception is of no interest."""
    if not task.cancelled():
        task.exception()
