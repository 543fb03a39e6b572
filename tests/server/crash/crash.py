"""One crash test: tables play while their server is killed and restarted, then what pages were
told is checked against the file."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import aiohttp

from pli.kernel.machine import Engine
from tests.server.crash.clients import Door, Heard, Person, Plan
from tests.server.crash.judge import Case
from tests.server.crash.server import PATIENCE, Ledger, Server, known, read_file
from tests.server.crash.trial import Report, Tell, Trial


class Crash(Trial):
    """One crash test, from the first table to the judgement."""

    def __init__(
        self, folder: Path, plans: Sequence[Plan], seed: object, pause: float, tell: Tell
    ) -> None:
        super().__init__(folder, plans, seed, pause, tell)
        self.server = Server(folder)
        self.door = Door(self.server.url)
        self.ledger = Ledger()

    async def run(self, moments: Sequence[str], patience: float, engine: Engine) -> Report:
        begun = time.monotonic()
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(connector=connector) as session:
            await self.people([self.door], session)
            try:
                cases = await self._rage(moments, patience, engine)
            finally:
                self.server.end()
        return await asyncio.to_thread(self.conclude, cases, begun)

    async def _rage(self, moments: Sequence[str], patience: float, engine: Engine) -> list[Case]:
        await self._start()
        places = self.tables()
        for number, moment in enumerate(moments):
            self.tell("kills", number, len(moments))
            await self._moment(moment)
            await self._start(moments[number + 1] if number + 1 < len(moments) else "")
        self.tell("kills", len(moments), len(moments))
        await self.last_games(places, patience)
        records = await self.records()
        await self._stop()
        await self._check()
        self.world.faults += self.ledger.lost(self.given)
        await self.alone(self.server)
        return self.cases(self.ledger.entries, records, engine, one_server=True)

    async def _start(self, moment: str = "") -> None:
        self.server.start()
        self.door.life += 1
        self.door.leaving = False
        if moment != "starting":
            await self.server.listens(self.world.session)
            self.door.up.set()

    async def _moment(self, moment: str) -> None:
        """Waits for a moment of that kind, and ends the server."""
        world, uniform = self.world, self.random.uniform
        if moment == "starting":
            await asyncio.sleep(uniform(0.0, 0.4))
        elif moment == "loading":
            await asyncio.sleep(uniform(0.0, 1.0))
        else:
            await self.seated()
            await asyncio.sleep(uniform(0.1, self.pause))
        if moment in ("idle", "burst", "told"):
            world.playing.clear()
            await asyncio.sleep(0.4)
        if moment in ("burst", "told"):
            world.hurry = True
            world.playing.set()
            await asyncio.sleep(uniform(0.01, 0.3))
        if moment == "told":
            await self._when_told()
        if moment == "leaving":
            self.door.leaving = True
            self.server.tell_to_stop()
            await asyncio.sleep(uniform(0.0, 0.3))
        if moment == "stop":
            await self._stop()
        else:
            self.report.playing.append(self.playing)
            self.server.kill()
            self.report.kills[moment] += 1
            self.door.up.clear()
        world.hurry = False
        world.playing.set()
        await self._check()

    async def _when_told(self) -> None:
        """At the very moment at which a client is told of an action: if that was not durable on the
        disk by then, it never is."""
        struck = asyncio.Event()

        def strike(person: Person, said: Heard) -> None:
            if said.type == "update" and not struck.is_set():
                self.server.strike()
                struck.set()

        before, self.world.told = self.world.told, strike
        with suppress(TimeoutError):
            await asyncio.wait_for(struck.wait(), PATIENCE)
        self.world.told = before

    async def _stop(self) -> None:
        """People try to come back at once, while it is still there."""
        self.door.stopping = self.door.leaving = True
        code = await self.server.stop()
        if code != 0:
            self.world.fault(f"a planned stop ended with {code}: {self.server.said()}")
        self.door.up.clear()
        await asyncio.sleep(0.3)
        self.door.stopping = False
        self.report.stops += 1

    async def _check(self) -> None:
        """What is on the disk, right after the server's end, against what people know."""
        tables, faults = await asyncio.to_thread(read_file, self.server.file)
        faults += await asyncio.to_thread(self.ledger.found, tables)
        for each in known(self.world.witnesses):
            faults += self.ledger.missing(each)
        self.world.faults += faults
