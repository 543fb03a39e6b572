"""What all requests share: the journal, the lobby of rooms, the open connections, and the rate
limits and concurrency limits of client addresses."""

import asyncio
import logging
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web

from pli.bots.workers import BotPool
from pli.errors import PliError
from pli.server.addresses import (
    LOOPBACK,
    ConcurrencyLimit,
    Proxies,
    SocketLimits,
    client_prefix,
)
from pli.server.journal.api import Journal, NotSaved
from pli.server.limits import Limits
from pli.server.logs import LogThrottle
from pli.server.metrics import Metrics
from pli.server.rate_limits import AddressBuckets, MessageLimits, TokenBucket
from pli.server.rooms.lobby import Lobby
from pli.server.rooms.nicknames import Unwanted
from pli.server.rooms.service import LocalTables, Tables
from pli.server.sprites.pool import RenderPool

PROBE_INTERVAL, PROBE_TIMEOUT = 2.0, 3.0
"""Seconds between probes of whether the journal can be written, and those that a probe may take."""

FORWARDED = ("Forwarded", "X-Forwarded-For", "Via")
"""Headers with which a proxy says that a request is not from its own machine."""

_HOST = re.compile(r"[A-Za-z0-9._:\[\]-]{1,255}")

_log = logging.getLogger(__name__)


class HttpError(PliError):
    """An error with an HTTP status of its own."""

    def __init__(self, status: int, code: str, /, **details: object) -> None:
        super().__init__(code, **details)
        self.status = status


class Context:
    """One server process."""

    def __init__(
        self,
        journal: Journal,
        bot_pool: BotPool,
        limits: Limits,
        origins: tuple[str, ...] = (),
        proxied: bool = False,
        trusted: tuple[str, ...] = LOOPBACK,
        hops: int = 1,
        unwanted: Unwanted | None = None,
        most_sockets: float = float("inf"),
        lab: bool | None = None,
        alone: bool = False,
    ) -> None:
        """`proxied`: X-Forwarded-For is read from proxies at the `trusted` addresses, see
        `Proxies`. `most_sockets` is how many connections there are file descriptors for.
        `lab`: whether games may be played in the lab; None: if the server is `alone`, listening to
        its own machine only, and no proxy is between."""
        self.journal = journal
        self.bot_pool = bot_pool
        self.limits = limits
        self.metrics = Metrics()
        journal.on_flush(self.metrics.flushed)
        self.render_pool = RenderPool(limits)
        self.lobby = Lobby(journal, bot_pool, limits, unwanted or Unwanted(), self.metrics)
        self.local_tables = LocalTables(self.lobby, self.render_pool)
        self.tables: Tables = self.local_tables
        """Where clients' requests go; several servers share all tables."""
        self.connections: set[Any] = set()
        self._lab_on = lab
        self._alone = alone
        self._lab: Any = None
        self.stopping = False
        """New WebSockets are told to reconnect later."""
        self._origins = origins
        self._proxied = proxied
        self._proxies = Proxies(trusted if proxied else (), hops)
        self.sockets = SocketLimits(limits.sockets, most_sockets, self._proxies)
        self._websockets = ConcurrencyLimit(limits.connections)
        self.delayed = ConcurrencyLimit(limits.sockets)
        """Requests over a rate limit whose error is delayed."""
        self._messages = AddressBuckets(limits.address_messages, limits.addresses)
        self._logs = AddressBuckets(limits.logs, limits.addresses)
        self._requests = AddressBuckets(limits.requests, limits.addresses)
        self._files = AddressBuckets(limits.files, limits.addresses)
        self._tables = AddressBuckets(limits.tables, limits.addresses)
        self._replays = AddressBuckets(limits.replays, limits.addresses)
        self._lab_runs = AddressBuckets(limits.lab, limits.addresses)
        self._pictures = AddressBuckets(limits.pictures, limits.addresses)
        self._limit_log = LogThrottle(60.0)
        self._advice_log = LogThrottle(24 * 60 * 60.0)
        self._probe: asyncio.Task[None] | None = None
        self._probed_at = 0.0

    # Client addresses and their limits

    def address(self, request: web.BaseRequest) -> str:
        """The client address that a request is counted by."""
        headers = request.headers
        # Malformed requests have a plain dict.
        forwarded = headers.getall("X-Forwarded-For", []) if hasattr(headers, "getall") else []
        peer = request.remote or ""
        if self._proxied and forwarded and not self._proxies.trusts(peer):
            self._advise(
                "X-Forwarded-For of an untrusted peer is ignored: if this is your proxy, name it "
                "with --trusted-proxy",
                peer=peer,
            )
        return client_prefix(self._proxies.client(peer, forwarded))

    def log_limit(self, limit: str, address: str) -> None:
        """A client address has met a limit: counted, and logged for the operator, throttled."""
        self.metrics.limits.inc(limit)
        if self._limit_log.allows((limit, address)):
            _log.info("limit met", extra={"limit": limit, "address": address})

    @contextmanager
    def counting_request(self, request: web.Request) -> Iterator[None]:
        """Counts a request against its address while it is handled."""
        peer, address = request.remote or "", self.address(request)
        if not self.sockets.begin_request(peer, address):
            raise self._too_many("too_many_connections", "sockets", address)
        try:
            yield
        finally:
            self.sockets.end_request(peer, address)

    def allow_request(self, request: web.Request) -> None:
        """Rate-limits a request to the API or for a file; sprites have a limit of their own."""
        if request.path.startswith("/api/"):
            self._take(self._requests, request, "requests", "too_many_requests")
        elif not request.path.startswith("/pictures/"):
            self._take(self._files, request, "files", "too_many_requests")

    def allow_table(self, request: web.Request) -> None:
        self._take(self._tables, request, "tables", "too_many_tables")

    def allow_replay(self, request: web.Request) -> None:
        self._take(self._replays, request, "replays", "too_many_requests")

    def allow_picture(self, request: web.Request) -> None:
        """Sprites are for <img> elements: a script that fetches their bytes is refused."""
        if request.headers.get("Sec-Fetch-Dest", "image") != "image":
            raise PliError("no_such_page")
        self._take(self._pictures, request, "pictures", "too_many_requests")

    def allow_lab(self, request: web.Request) -> None:
        self._take(self._lab_runs, request, "lab", "too_many_requests")

    def allow_preview(self, request: web.Request) -> bool:
        """Whether a page may ask for its table, to be sent with a preview: a request like others,
        but one that is not refused."""
        return self._requests.take(self.address(request), time.monotonic())

    def allow_preview_picture(self, request: web.Request) -> None:
        self._take(self._pictures, request, "pictures", "too_many_requests")

    def base_url(self, request: web.Request) -> str:
        """Scheme and host under which the client knows this server; empty if it named no host. A
        trusted proxy says whether the client came by https."""
        host = request.headers.get("Host", "")
        if not _HOST.fullmatch(host):
            return ""
        scheme = request.scheme
        if self._proxied and self._proxies.trusts(request.remote or ""):
            named = request.headers.get("X-Forwarded-Proto", "").split(",")[-1].strip()
            scheme = named if named in ("http", "https") else scheme
        return f"{scheme}://{host}"

    def _take(self, buckets: AddressBuckets, request: web.Request, limit: str, code: str) -> None:
        address = self.address(request)
        if not buckets.take(address, time.monotonic()):
            raise self._too_many(code, limit, address)

    def message_limits(self, address: str) -> MessageLimits:
        """Of a new WebSocket."""
        now = time.monotonic()
        own = TokenBucket(self.limits.messages, now)
        return MessageLimits(own, self._messages.of(address, now), self._logs.of(address, now))

    @contextmanager
    def counting_websocket(self, request: web.Request) -> Iterator[None]:
        """Counts a WebSocket against its address while it is open."""
        address = self.address(request)
        if len(self.connections) >= self.limits.all_connections:
            raise self._too_many("too_many_connections", "all_connections", address)
        if not self._websockets.acquire(address):
            raise self._too_many("too_many_connections", "connections", address)
        try:
            yield
        finally:
            self._websockets.release(address)

    def _too_many(self, code: str, limit: str, address: str) -> HttpError:
        self.log_limit(limit, address)
        return HttpError(429, code)

    # Cross-site requests

    def check_origin(self, request: web.Request) -> None:
        """Refuses pages of other sites (CSRF). A client that is not a browser sends no Origin."""
        origin, host = request.headers.get("Origin"), request.headers.get("Host", "")
        if origin is None or origin in self._origins:
            return
        try:
            page = urlsplit(origin)
            named = page.hostname or ""
        except ValueError:
            raise HttpError(403, "wrong_origin") from None
        if page.netloc and page.netloc == host:
            return
        if not named or not _rewritten_by_proxy(host, named):
            raise HttpError(403, "wrong_origin")
        self._advise(
            "a page is refused because its Origin is not the Host of the request: have the proxy "
            "pass Host on, or name the page's address with --origin",
            origin=origin[:200],
            host=host[:200],
        )
        raise HttpError(403, "no_host")

    def _advise(self, text: str, **details: str) -> None:
        """Logs what an operator should configure, once a day."""
        if self._advice_log.allows(text):
            _log.warning(text, extra=details)

    # The lab

    def lab_on(self, request: web.Request) -> bool:
        """Whether this client may have games played in the lab."""
        if self._lab_on is not None:
            return self._lab_on
        return self._alone and not any(name in request.headers for name in FORWARDED)

    def lab(self, request: web.Request) -> Any:
        """The server's lab, whose code is imported when it is used."""
        if not self.lab_on(request):
            raise PliError("lab_off")
        if self._lab is None:
            from pli.server.lab import Lab

            self._lab = Lab(self.limits)
        return self._lab

    @property
    def lab_running(self) -> int:
        """How many runs there are."""
        return 0 if self._lab is None else int(self._lab.running)

    async def close_lab(self) -> None:
        if self._lab is not None:
            await self._lab.close()

    # Health

    async def can_save(self) -> bool:
        """Whether the journal can be written now: probed, since the last write may be long ago, but
        at most every PROBE_INTERVAL."""
        now = time.monotonic()
        if self._probe is None or (self._probe.done() and now - self._probed_at > PROBE_INTERVAL):
            self._probed_at = now
            self._probe = asyncio.create_task(self.journal.probe())
        await asyncio.wait([self._probe], timeout=PROBE_TIMEOUT)
        return self._probe.done() and self.journal.healthy

    async def unready(self) -> str | None:
        """The code of why no players should be sent here; None if they may come."""
        if self.stopping:
            return "stopping"
        if await self.can_save():
            return None
        problem = self.journal.problem
        return problem.code if problem is not None else NotSaved.code


def _rewritten_by_proxy(host: str, page: str) -> bool:
    """Whether the Host of a request from a page at host `page` looks like one that a proxy has set:
    none, an IP address, a name inside its network, or the same without the port."""
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


CONTEXT: web.AppKey[Context] = web.AppKey("context", Context)
