"""`make failover`: the database's primary is killed, its synchronous standby is promoted, and a new
standby is made from that one, again and again while tables play. Nothing that was acknowledged is
lost, and servers find the host that can be written by themselves.

Every second time the standby is cut off some seconds before, and all servers lose their connections
in the middle of their commits. Such a commit is in the primary alone, which shows it to whoever
reads it, and is lost with it: a server must not believe what it reads then.
"""

import argparse
import asyncio
import os
import signal
import sys
import time
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pli.kernel.machine import Engine
from tests.postgres import Postgres
from tests.server.crash.command import parse, told
from tests.server.crash.server import PATIENCE, free_port
from tests.server.crash.trial import Tell
from tests.server.storm.cluster import LEASE, Cluster
from tests.server.storm.proxy import Proxy
from tests.server.storm.runs import tables
from tests.server.storm.storm import Storm, StormReport

NAME = "pli_standby"
"""As which a standby presents itself."""

SYNCHRONOUS = {"synchronous_standby_names": NAME}
"""A commit is acknowledged when the standby has flushed it. Without a standby none is."""


class Pair:
    """A primary and its standby, at two ports which they exchange."""

    def __init__(self, ports: Sequence[int], lines: Mapping[int, Proxy]) -> None:
        """`lines` are the proxies through which the standby reaches a primary, by its port."""
        self.ports = ports
        self.lines = lines
        self.primary = Postgres(settings={"cluster_name": NAME})
        self.primary.port = self.ports[0]
        self.standby: Postgres | None = None

    def start(self) -> None:
        self.primary.start()
        self.url = self.primary.new_database()
        for name, value in SYNCHRONOUS.items():
            self.primary.sql(f"ALTER SYSTEM SET {name} = '{value}'")
        self.primary.sql("SELECT pg_reload_conf()")
        self.make_standby()

    def make_standby(self) -> None:
        """A new one, at the port that is free; returns once the primary waits for it."""
        line = self.lines[self.primary.port]
        follows = f"host=127.0.0.1 port={line.port} user=postgres"
        standby = self.standby = self.primary.standby({**SYNCHRONOUS, "primary_conninfo": follows})
        standby.port = next(port for port in self.ports if port != self.primary.port)
        standby.start()
        ends = time.monotonic() + PATIENCE
        while self.primary.sql("SELECT sync_state FROM pg_stat_replication") != "sync":
            if time.monotonic() > ends:
                raise RuntimeError("the standby does not follow")
            time.sleep(0.05)

    def kill(self) -> None:
        """The primary dies, with all its processes."""
        pid = self.primary.pid
        assert pid is not None
        for each in [pid, *_children(pid)]:
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)

    def promote(self) -> None:
        """The standby becomes the primary."""
        assert self.standby is not None
        self.standby.sql("SELECT pg_promote()")
        old, self.primary, self.standby = self.primary, self.standby, None
        old.remove()

    def remove(self) -> None:
        for each in (self.primary, self.standby):
            if each is not None:
                each.remove()


def _children(pid: int) -> list[int]:
    return [*map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]


class Failover(Storm):
    """Tables play while one primary follows upon another."""

    async def run(self, events: Sequence[str], patience: float, engine: Engine) -> StormReport:
        begun = time.monotonic()
        ports = (free_port(), free_port())
        lines = {port: await Proxy(port).start() for port in ports}
        self.pair = Pair(ports, lines)
        try:
            await asyncio.to_thread(self.pair.start)
            name = self.pair.url.rpartition("/")[2]
            self.cluster = Cluster(self.folder, self.pair.ports, name, self.servers)
            cases = await self.storm(events, patience, engine)
        finally:
            await asyncio.to_thread(self.pair.remove)
            for line in lines.values():
                await line.close()
        await asyncio.to_thread(self.conclude, cases, begun)
        return self.report

    async def happen(self, event: str) -> None:
        pair = self.pair
        line = pair.lines[pair.primary.port]
        self.stand_still(await self.owned(None), "without its primary")
        self.report.playing.append(self.playing)
        if event == "lag":
            line.stall()
            await asyncio.sleep(self.random.uniform(0.5, 1.5))
            for member in self.cluster.members:
                for database in member.databases:
                    database.reset()
            await asyncio.sleep(self.random.uniform(2.0, 1.5 * self.lease))
        await asyncio.to_thread(pair.kill)
        line.drop()
        await asyncio.to_thread(pair.promote)
        line.resume()
        await asyncio.to_thread(pair.make_standby)


def events(times: int) -> list[str]:
    return [("failover", "lag")[number % 2] for number in range(times)]


def main() -> int:
    """As often as asked for, with what was found in a few lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--servers", type=int, default=2)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--times", type=int, default=10)
    asked = parse(parser)

    def run(folder: Path, tell: Tell) -> Coroutine[Any, Any, StormReport]:
        plans = tables(asked.tables)
        trial = Failover(folder, plans, asked.seed, asked.pause, tell, asked.servers, LEASE)
        return trial.run(events(asked.times), 300 + asked.tables * 3, "compiled")

    return told(asked, run)


if __name__ == "__main__":
    sys.exit(main())
