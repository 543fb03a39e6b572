"""Servers of one cluster, all in this process, each with its own journal connection, public and
internal address."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import aiohttp
from aiohttp import web

from pli.bots.workers import BotPool
from pli.server.cluster.links import PATH
from pli.server.cluster.tables import ClusterTables, join
from pli.server.context import Context
from pli.server.http.app import close_connections, make_app
from pli.server.http.runner import Runner
from pli.server.journal.api import Journal
from pli.server.journal.open import open_journal
from pli.server.limits import Limits
from tests.server.client import QUICK, Page, Running

LEASE = 1.5
"""Seconds: short, so that tests need not wait long for a takeover."""

LONG_LEASE = 10.0
"""For tests in which no server dies: all servers share a process, and on a busy machine a short one
would end between two heartbeats."""


class Member(Running):
    """One server of a cluster, and a client of it."""

    def __init__(
        self,
        url: str,
        context: Context,
        session: aiohttp.ClientSession,
        tables: ClusterTables,
        journal: Journal,
        runners: list[web.AppRunner],
    ) -> None:
        super().__init__(url, context, session)
        self.tables = tables
        self.journal = journal
        self._runners = runners
        self.running = True

    @property
    def relays(self) -> int:
        return self.tables.links.relays

    async def stop(self) -> None:
        """A planned stop, as `pli serve` does it."""
        if not self.running:
            return
        self.running = False
        await close_connections(self._runners[0].app)
        await asyncio.sleep(0.05)
        await self.tables.close()
        for runner in self._runners:
            await runner.cleanup()


class Relayed(Running):
    """A client whose pages are at another server than their tables: tables are made at `owner`."""

    def __init__(self, edge: Member, owner: Member) -> None:
        self.edge = edge
        self.owner = owner
        self.pages: list[Page] = []
        """All that were ever connected."""
        Running.__init__(self, edge.url, owner.context, edge.session)

    async def make(self, game: str, **fields: object) -> dict[str, Any]:
        return await self.owner.make(game, **fields)

    async def connect(self, table: str) -> Page:
        page = await super().connect(table)
        self.pages.append(page)
        return page


@asynccontextmanager
async def members(
    url: str, count: int, lease: float = LEASE, limits: Limits | None = None, **more: Any
) -> AsyncIterator[list[Member]]:
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(member(url, lease, limits, **more))
            for _ in range(count)
        ]


@asynccontextmanager
async def member(
    url: str, lease: float = LEASE, limits: Limits | None = None, **more: Any
) -> AsyncIterator[Member]:
    internal = web.Application()
    inner = web.AppRunner(internal)
    accepting: list[ClusterTables] = []

    async def accept(request: web.Request) -> web.StreamResponse:
        return await accepting[0].links.accept(request)

    internal.router.add_get(PATH, accept)
    await inner.setup()
    await web.TCPSite(inner, "127.0.0.1", 0).start()
    address = f"127.0.0.1:{inner.addresses[0][1]}"
    journal = await open_journal(url, address=address, lease=lease)
    context = Context(journal, BotPool(1), limits or Limits(**QUICK), **more)
    tables = join(context)
    accepting.append(tables)
    runner = Runner(make_app(context), 1.0)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    async with aiohttp.ClientSession() as session:
        made = Member(
            f"http://127.0.0.1:{runner.addresses[0][1]}",
            context,
            session,
            tables,
            journal,
            [runner, inner],
        )
        try:
            yield made
        finally:
            await session.close()
            await made.stop()
