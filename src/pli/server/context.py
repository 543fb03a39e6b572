"""What all requests share: the journal, the lobby of tables, the connections that there are, and
what an address may do."""

import asyncio
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web

from pli.bots.workers import BotPool
from pli.errors import PliError
from pli.server.http.addresses import LOOPBACK, Holding, Proxies, Sockets, household
from pli.server.journal.api import Journal
from pli.server.limits import Bucket, Buckets, Limits, Shares
from pli.server.logs import LogThrottle
from pli.server.rooms.lobby import Lobby
from pli.server.rooms.nicknames import Unwanted
from pli.server.sprites.drawers import DrawerPool

PROBING, PROBED = 2.0, 3.0
"""Seconds between trials whether something can be saved, and those that a trial may take."""

_log = logging.getLogger(__name__)


class Refusal(PliError):
    """A request that is not answered, with its HTTP status."""

    def __init__(self, status: int, code: str, /, **details: object) -> None:
        super().__init__(code, **details)
        self.status = status


class Context:
    """One server process."""

    def __init__(
        self,
        journal: Journal,
        thinkers: BotPool,
        limits: Limits,
        origins: tuple[str, ...] = (),
        proxied: bool = False,
        trusted: tuple[str, ...] = LOOPBACK,
        hops: int = 1,
        unwanted: Unwanted | None = None,
        most_sockets: float = float("inf"),
    ) -> None:
        """`proxied`: what proxies at the `trusted` addresses say of their visitors is believed, see
        `Proxies`. `most_sockets` is how many connections the machine has descriptors for."""
        self.journal = journal
        self.thinkers = thinkers
        self.limits = limits
        self.drawers = DrawerPool(limits)
        self.lobby = Lobby(journal, thinkers, limits, unwanted or Unwanted())
        self.connections: set[Any] = set()
        self.stopping = False
        """Whoever still comes is told to come back later."""
        self._origins = origins
        self._proxied = proxied
        self._proxies = Proxies(trusted if proxied else (), hops)
        self.sockets = Sockets(limits.sockets, most_sockets, self._proxies)
        self._web_sockets = Holding(limits.connections)
        self.refused = Holding(limits.sockets)
        """Requests that wait for their refusal."""
        self._messages = Buckets(limits.address_messages, limits.addresses)
        self._logs = Buckets(limits.logs, limits.addresses)
        self._requests = Buckets(limits.requests, limits.addresses)
        self._files = Buckets(limits.files, limits.addresses)
        self._tables = Buckets(limits.tables, limits.addresses)
        self._replays = Buckets(limits.replays, limits.addresses)
        self._pictures = Buckets(limits.pictures, limits.addresses)
        self._told = LogThrottle(60.0)
        self._advised = LogThrottle(24 * 60 * 60.0)
        self._trial: asyncio.Task[None] | None = None
        self._tried = 0.0

    # Who asks, and how much

    def address(self, request: web.BaseRequest) -> str:
        """Whom a request is counted by."""
        told = request.headers
        # What was no HTTP has no real headers.
        forwarded = told.getall("X-Forwarded-For", []) if hasattr(told, "getall") else []
        peer = request.remote or ""
        if self._proxied and forwarded and not self._proxies.trusts(peer):
            self._advise(
                "X-Forwarded-For is not believed: if this is a proxy of yours, name it with "
                "--trusted-proxy",
                peer=peer,
            )
        return household(self._proxies.visitor(peer, forwarded))

    def met(self, limit: str, address: str) -> None:
        """Somebody came to a limit: a host sees who, and which."""
        if self._told.allows((limit, address)):
            _log.info("limit met", extra={"limit": limit, "address": address})

    @contextmanager
    def asking(self, request: web.Request) -> Iterator[None]:
        """Counts a request of its address while it is under way."""
        peer, address = request.remote or "", self.address(request)
        if not self.sockets.asks(peer, address):
            raise self._too_many("too_many_connections", "sockets", address)
        try:
            yield
        finally:
            self.sockets.answered(peer, address)

    def allow_request(self, request: web.Request) -> None:
        """Pictures are counted by themselves."""
        if request.path.startswith("/api/"):
            self._draw(self._requests, request, "requests", "too_many_requests")
        elif not request.path.startswith("/pictures/"):
            self._draw(self._files, request, "files", "too_many_requests")

    def allow_table(self, request: web.Request) -> None:
        self._draw(self._tables, request, "tables", "too_many_tables")

    def allow_replay(self, request: web.Request) -> None:
        self._draw(self._replays, request, "replays", "too_many_requests")

    def allow_picture(self, request: web.Request) -> None:
        """A page shows pictures; a script in it that asks for their bytes is told nothing."""
        if request.headers.get("Sec-Fetch-Dest", "image") != "image":
            raise PliError("no_such_page")
        self._draw(self._pictures, request, "pictures", "too_many_requests")

    def _draw(self, buckets: Buckets, request: web.Request, limit: str, code: str) -> None:
        address = self.address(request)
        if not buckets.takes(address, time.monotonic()):
            raise self._too_many(code, limit, address)

    def shares(self, address: str) -> Shares:
        """Of a new WebSocket."""
        now = time.monotonic()
        own = Bucket(self.limits.messages, now)
        return Shares(own, self._messages.of(address, now), self._logs.of(address, now))

    @contextmanager
    def connected(self, request: web.Request) -> Iterator[None]:
        """Counts a WebSocket of its address while it lasts."""
        address = self.address(request)
        if len(self.connections) >= self.limits.all_connections:
            raise self._too_many("too_many_connections", "all_connections", address)
        if not self._web_sockets.takes(address):
            raise self._too_many("too_many_connections", "connections", address)
        try:
            yield
        finally:
            self._web_sockets.gives_back(address)

    def _too_many(self, code: str, limit: str, address: str) -> Refusal:
        self.met(limit, address)
        return Refusal(429, code)

    # Pages of other sites

    def check_origin(self, request: web.Request) -> None:
        """Pages of other sites may not play for somebody. What is no page names no origin."""
        origin, host = request.headers.get("Origin"), request.headers.get("Host", "")
        if origin is None or origin in self._origins:
            return
        try:
            page = urlsplit(origin)
            named = page.hostname or ""
        except ValueError:
            raise Refusal(403, "wrong_origin") from None
        if page.netloc and page.netloc == host:
            return
        if not named or not _proxys_own(host, named):
            raise Refusal(403, "wrong_origin")
        self._advise(
            "a page is refused because the request is for another host: have the proxy pass the "
            "header Host on, or name the page's address with --origin",
            origin=origin[:200],
            host=host[:200],
        )
        raise Refusal(403, "no_host")

    def _advise(self, text: str, **details: str) -> None:
        """What a host should set, said once a day."""
        if self._advised.allows(text):
            _log.warning(text, extra=details)

    # Health

    async def saving(self) -> bool:
        """Whether something can be saved now. That is tried, as it may be long since something
        was; however many ask, now and then."""
        now = time.monotonic()
        if self._trial is None or (self._trial.done() and now - self._tried > PROBING):
            self._tried = now
            self._trial = asyncio.create_task(self.journal.probe())
        await asyncio.wait([self._trial], timeout=PROBED)
        return self._trial.done() and self.journal.healthy


def _proxys_own(host: str, page: str) -> bool:
    """Whether a request that comes from a page of some host says another because a proxy did not
    pass that on: it says none, an address or a name inside its network, or left the port out."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name in (page, "") or "." not in name:
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


CONTEXT: web.AppKey[Context] = web.AppKey("house", Context)
