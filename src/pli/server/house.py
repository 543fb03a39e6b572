"""What all requests share: the journal, the hall of tables, the connections that there are, and
what an address may do."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web

from pli.bots.workers import Thinkers
from pli.errors import PliError
from pli.server.hall import Hall
from pli.server.journal import Journal
from pli.server.limits import Buckets, Limits
from pli.server.studio import Studio


class Refusal(PliError):
    """A request that is not answered, with its HTTP status."""

    def __init__(self, status: int, code: str, /, **details: object) -> None:
        super().__init__(code, **details)
        self.status = status


class House:
    """One server process."""

    def __init__(
        self,
        journal: Journal,
        thinkers: Thinkers,
        limits: Limits,
        origins: tuple[str, ...] = (),
        proxied: bool = False,
    ) -> None:
        self.journal = journal
        self.thinkers = thinkers
        self.limits = limits
        self.studio = Studio(limits)
        self.hall = Hall(journal, thinkers, limits)
        self.connections: set[Any] = set()
        self.stopping = False
        """Whoever still comes is told to come back later."""
        self._origins = origins
        self._proxied = proxied
        self._by_address: Counter[str] = Counter()
        self._requests = Buckets(limits.requests, limits.addresses)
        self._tables = Buckets(limits.tables, limits.addresses)
        self._replays = Buckets(limits.replays, limits.addresses)
        self._pictures = Buckets(limits.pictures, limits.addresses)

    def address(self, request: web.Request) -> str:
        """Who asks. Of the newer kind of address a household has a whole range."""
        told = request.headers.getall("X-Forwarded-For", []) if self._proxied else []
        # What comes last our own proxy said; all before it anybody can have said.
        text = ",".join(told).rpartition(",")[2].strip() or request.remote or ""
        try:
            number = ip_address(text)
        except ValueError:
            return "unknown"
        if isinstance(number, IPv6Address) and number.ipv4_mapped is None:
            return str(IPv6Address(int(number) >> 64 << 64))
        return str(getattr(number, "ipv4_mapped", number))

    def allow_request(self, request: web.Request) -> None:
        if not self._requests.takes(self.address(request), time.monotonic()):
            raise Refusal(429, "too_many_requests")

    def allow_table(self, request: web.Request) -> None:
        if not self._tables.takes(self.address(request), time.monotonic()):
            raise Refusal(429, "too_many_tables")

    def allow_replay(self, request: web.Request) -> None:
        if not self._replays.takes(self.address(request), time.monotonic()):
            raise Refusal(429, "too_many_requests")

    def allow_picture(self, request: web.Request) -> None:
        """A page shows pictures; a script in it that asks for their bytes is told nothing."""
        if request.headers.get("Sec-Fetch-Dest", "image") != "image":
            raise PliError("no_such_page")
        if not self._pictures.takes(self.address(request), time.monotonic()):
            raise Refusal(429, "too_many_requests")

    @contextmanager
    def connected(self, request: web.Request) -> Iterator[None]:
        """Counts a connection of its address while it lasts."""
        address = self.address(request)
        full = len(self.connections) >= self.limits.all_connections
        if full or self._by_address[address] >= self.limits.connections:
            raise Refusal(429, "too_many_connections")
        self._by_address[address] += 1
        try:
            yield
        finally:
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]

    def check_origin(self, request: web.Request) -> None:
        """Pages of other sites may not play for somebody. What is no page names no origin."""
        origin = request.headers.get("Origin")
        if origin is None or origin in self._origins:
            return
        try:
            host = urlsplit(origin).netloc
        except ValueError:
            host = ""
        if not host or host != request.headers.get("Host"):
            raise Refusal(403, "wrong_origin")


HOUSE: web.AppKey[House] = web.AppKey("house", House)
