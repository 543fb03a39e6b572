"""Several servers on one PostgreSQL. Each reaches the database, and is reached by the others,
through a proxy of this process, so that any line between them can be cut."""

import asyncio
import itertools
import os
import signal
from collections.abc import Iterable, Sequence
from pathlib import Path

import aiohttp
import asyncpg

from tests.server.crash.clients import Door
from tests.server.crash.server import Ledger, Server, free_port
from tests.server.storm.proxy import Proxy

LEASE = 5.0
"""Seconds for which a server's tables are its own without any sign of it."""

_lives = itertools.count(1)


class Member:
    """One server of the cluster."""

    def __init__(self, number: int, folder: Path, databases: Sequence[Proxy], db: str) -> None:
        """`db` is the URL through the proxies, which are this server's own."""
        self.number = number
        self.folder = folder
        self.databases = databases
        self._db = db
        self.frozen = False
        self.busy = False
        """Something happens to it that is not over."""

    async def set_up(self, lease: float) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        listens = free_port()
        self.internal = await Proxy(listens).start()
        self.address = f"127.0.0.1:{self.internal.port}"
        """Where the others reach it."""
        options = ["--no-limits", "--internal", f"127.0.0.1:{listens}"]
        options += ["--announce", self.address, "--lease", f"{lease:g}"]
        self.server = Server(self.folder, options, self._db)
        self.door = Door(self.server.url)

    def __str__(self) -> str:
        return f"server {self.number}"

    def start(self) -> None:
        self.server.start()
        self.door.life = next(_lives)

    async def listens(self, session: aiohttp.ClientSession) -> None:
        await self.server.listens(session)
        self.door.up.set()

    def kill(self) -> None:
        self.server.kill()
        self.frozen = False
        self.door.up.clear()

    def freeze(self) -> None:
        """It does nothing any more, and does not know it."""
        os.kill(self.server.pid, signal.SIGSTOP)
        self.frozen = True

    def thaw(self) -> None:
        if self.frozen:
            os.kill(self.server.pid, signal.SIGCONT)
            self.frozen = False

    @property
    def lines(self) -> list[Proxy]:
        """All that can be cut."""
        return [*self.databases, self.internal]

    async def end(self) -> None:
        self.server.end()
        for proxy in self.lines:
            await proxy.close()


class Cluster:
    """The servers, and the database as it is when it is asked directly."""

    def __init__(self, folder: Path, hosts: Sequence[int], database: str, servers: int) -> None:
        """`hosts` are the ports of the database's hosts, of which one can be written at a time."""
        self._hosts = hosts
        self._database = database
        self._folder = folder
        self._count = servers
        self.members: list[Member] = []

    def url(self, ports: Iterable[int]) -> str:
        hosts = [f"127.0.0.1:{port}" for port in ports]
        wanted = "?target_session_attrs=read-write" if len(hosts) > 1 else ""
        return f"postgresql://pli@{','.join(hosts)}/{self._database}{wanted}"

    @property
    def direct(self) -> str:
        """The URL without proxies."""
        return self.url(self._hosts)

    async def start(self, session: aiohttp.ClientSession, lease: float = LEASE) -> None:
        for number in range(self._count):
            proxies = [await Proxy(port).start() for port in self._hosts]
            db = self.url(proxy.port for proxy in proxies)
            member = Member(number, self._folder / f"server-{number}", proxies, db)
            await member.set_up(lease)
            self.members.append(member)
        for member in self.members:
            member.start()
        for member in self.members:
            await member.listens(session)

    async def owners(self) -> dict[str, Member]:
        """Which server runs which table, as the database has it."""
        connection = await asyncpg.connect(self.direct, timeout=5)
        try:
            rows = await connection.fetch(OWNERS)
        finally:
            await connection.close()
        by_address = {member.address: member for member in self.members}
        return {table: by_address[address] for table, address in rows}

    async def end(self) -> None:
        for member in self.members:
            await member.end()


OWNERS = "SELECT t.id, s.address FROM pli.tables t JOIN pli.servers s ON s.id = t.owner"

ENTRIES = """SELECT table_id, number, entry
    FROM unnest($1::text[], $2::bigint[]) AS wanted(id, since)
    JOIN pli.entries ON table_id = wanted.id AND number >= since ORDER BY table_id, number"""


class Tables:
    """The entries of all tables, read beside the servers, and what was wrong with them."""

    def __init__(self, url: str) -> None:
        self.ledger = Ledger()
        self._url = url

    async def read(self, tables: Iterable[str], anew: bool) -> list[str]:
        """What is wrong with them; `anew`: also with what was read before."""
        known = {} if anew else self.ledger.entries
        found = {table: [*known.get(table, ())] for table in tables}
        connection = await asyncpg.connect(self._url, timeout=5)
        try:
            rows = await connection.fetch(
                ENTRIES, [*found], [len(entries) for entries in found.values()], timeout=60
            )
        finally:
            await connection.close(timeout=5)
        faults = []
        for table, number, entry in rows:
            if number != len(found[table]):
                faults.append(f"{table}: entry {number} follows upon {len(found[table]) - 1}")
            found[table].append(entry)
        return faults + await asyncio.to_thread(self.ledger.found, found)
