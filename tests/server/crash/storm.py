"""One crash test: tables play while their server is killed and restarted, then what pages were
told is checked against the file."""

import asyncio
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import aiohttp
import msgspec

from pli.kernel.machine import Engine
from tests.server.crash.clients import GONE, Person, Plan, Sitting, World, everyone
from tests.server.crash.judge import Case, Verdict, judge
from tests.server.crash.server import ORPHANS, PATIENCE, Ledger, Server

ALONE = 20
"""Tables that are judged without the help of other processes."""


@dataclass
class Report:
    faults: list[str]
    kills: Counter[str] = field(default_factory=Counter)
    stops: int = 0
    tables: int = 0
    entries: int = 0
    seconds: float = 0.0
    playing: list[int] = field(default_factory=list)
    """How many tables were playing at each kill."""
    counts: Counter[str] = field(default_factory=Counter)
    verdict: Verdict = field(default_factory=lambda: Verdict([]))

    def lines(self) -> Iterator[str]:
        """What happened, in a few lines."""
        kills = ", ".join(f"{n} {moment}" for moment, n in sorted(self.kills.items()))
        yield f"killed {sum(self.kills.values())} times ({kills}), stopped {self.stops} times"
        yield f"tables playing at a kill: {min(self.playing)} to {max(self.playing)}"
        found = self.verdict
        yield f"{self.tables} tables, {found.games} games that ended, {self.entries} entries"
        yield f"{found.actions} actions acknowledged, {found.views} views held against the journal"
        yield f"{found.stand_ins} stand-ins, {found.shuffles} shuffles proved"
        yield ", ".join(f"{n} {what}" for what, n in sorted(self.counts.items()))
        yield f"{self.seconds:.0f} s"


Tell = Callable[[str, int, int], None]
"""(what is done, how much of it, of how much)."""


class Storm:
    """One crash test, from the first table to the judgement."""

    def __init__(
        self, folder: Path, plans: Sequence[Plan], seed: object, pause: float, tell: Tell
    ) -> None:
        self.server = Server(folder)
        self.ledger = Ledger(self.server.file)
        self.report = Report([])
        self._folder = folder
        self._plans = plans
        self._seed = seed
        self._pause = pause
        self._random = random.Random(f"storm {seed}")
        self._tell = tell
        self._open: set[str] = set()
        self._given: list[tuple[str, str]] = []
        """Tables and tokens: every seat that was ever taken."""

    async def run(self, moments: Sequence[str], patience: float, engine: Engine) -> Report:
        begun = time.monotonic()
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(connector=connector) as session:
            url = f"http://127.0.0.1:{self.server.port}"
            self.world = World(url, session, self._seed)
            self.report.faults = self.world.faults
            self.world.playing.set()
            try:
                cases = await self._rage(moments, patience, engine)
            finally:
                self.server.end()
        await asyncio.to_thread(self._judge, cases)
        self.report.counts = self.world.counts
        self.report.seconds = time.monotonic() - begun
        return self.report

    async def _rage(self, moments: Sequence[str], patience: float, engine: Engine) -> list[Case]:
        world = self.world
        await self._start()
        places = [
            asyncio.create_task(self._place(place, plan)) for place, plan in enumerate(self._plans)
        ]
        for number, moment in enumerate(moments):
            self._tell("kills", number, len(moments))
            await self._moment(moment)
            await self._start(moments[number + 1] if number + 1 < len(moments) else "")
        world.raging = False
        world.hurry = True
        self._tell("kills", len(moments), len(moments))
        await self._last_games(places, patience)
        records = await self._records()
        await self._stop()
        await self._check()
        world.faults += self.ledger.lost(self._given)
        await self._alone()
        tables = world.witnesses.items()
        entries = self.ledger.entries
        self.report.tables = len(tables)
        self.report.entries = sum(map(len, entries.values()))
        return [
            Case(name, entries.get(name, []), people, records[name], engine)
            for name, people in tables
        ]

    async def _last_games(self, places: Sequence[asyncio.Task[None]], patience: float) -> None:
        ends = time.monotonic() + patience
        left: set[asyncio.Task[None]] = {*places}
        while left and time.monotonic() < ends:
            self._tell("tables done", len(places) - len(left), len(places))
            done, left = await asyncio.wait(left, timeout=0.2)
            for each in done:
                each.result()
        self.world.faults += [f"does not come to its end: {each}" for each in self.world.people]
        for each in left:
            each.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    # Tables

    async def _place(self, place: int, plan: Plan) -> None:
        """One table after the other as long as the storm lasts."""
        while True:
            sitting = await self._sit_down(place, plan)
            if sitting is None:
                continue
            self._open.add(sitting[0].place)
            await everyone(*(person.stay() for person in sitting))
            self._open.discard(sitting[0].place)
            if not self.world.raging:
                return

    async def _sit_down(self, place: int, plan: Plan) -> list[Person] | None:
        """A table full of people; None if the server went meanwhile."""
        wanted = {"game": plan.game, "options": plan.options, "name": "Ann"}
        wanted["settings"] = {"pace": "instant", **plan.settings}
        await self.world.up.wait()
        try:
            host = await self._post("/api/tables", wanted)
            path = f"/api/tables/{host['table']}/seats"
            seats = [host] + [
                await self._post(path, {"name": f"P{number}"}) for number in range(1, plan.people)
            ]
        except GONE:
            # Somebody may have a seat now who does not know it: such a table is left alone.
            self.world.counts["tables given up"] += 1
            return None
        sitting = Sitting(self.world, host["table"], plan, games=2 + place % 2)
        people = [Person(sitting, seat["seat"], seat["token"]) for seat in seats]
        return [*people, Person(sitting, None, None)] if plan.watched else people

    async def _post(self, path: str, body: object) -> dict[str, Any]:
        data = msgspec.json.encode(body)
        async with self.world.session.post(self.world.url + path, data=data) as response:
            given: dict[str, Any] = msgspec.json.decode(await response.read())
            if response.status != 201:
                self.world.fault(f"{path}: {given}")
                raise ConnectionError
            self._given.append((given["table"], given["token"]))
            return given

    # The server

    async def _start(self, moment: str = "") -> None:
        self.server.start()
        self.world.life += 1
        if moment != "starting":
            await self.server.listens(self.world.session)
            self.world.up.set()

    async def _seated(self) -> None:
        """Everybody is at a table, or nearly."""
        world = self.world
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while len(self._open) < len(self._plans) or world.missing > len(world.people) / 20:
                    await asyncio.sleep(0.05)

    async def _moment(self, moment: str) -> None:
        """Waits for a moment of that kind, and ends the server."""
        world, uniform = self.world, self._random.uniform
        if moment == "starting":
            await asyncio.sleep(uniform(0.0, 0.4))
        elif moment == "loading":
            await asyncio.sleep(uniform(0.0, 1.0))
        else:
            await self._seated()
            await asyncio.sleep(uniform(0.1, self._pause))
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
            self.server.tell_to_stop()
            await asyncio.sleep(uniform(0.0, 0.3))
        if moment == "stop":
            await self._stop()
        else:
            self.report.playing.append(self._playing)
            self.server.kill()
            self.report.kills[moment] += 1
            world.up.clear()
        world.hurry = False
        world.playing.set()
        await self._check()

    async def _when_told(self) -> None:
        """At the very moment at which a client is told of an action: if that was not durable on the
        disk by then, it never is."""
        struck = asyncio.Event()

        def strike() -> None:
            if not struck.is_set():
                self.server.strike()
                struck.set()

        self.world.trap = strike
        with suppress(TimeoutError):
            await asyncio.wait_for(struck.wait(), PATIENCE)
        self.world.trap = None

    @property
    def _playing(self) -> int:
        people = self.world.people
        return len({p.place for p in people if p.table is not None and p.table.state == "playing"})

    async def _stop(self) -> None:
        """People try to come back at once, while it is still there."""
        world = self.world
        world.stopping = True
        code = await self.server.stop()
        if code != 0:
            world.fault(f"a planned stop ended with {code}: {self.server.said()}")
        world.up.clear()
        await asyncio.sleep(0.3)
        world.stopping = False
        self.report.stops += 1

    async def _check(self) -> None:
        """What is on the disk, right after the server's end, against what people know."""
        self.world.faults += await asyncio.to_thread(self.ledger.read)
        for table, witnesses in self.world.witnesses.items():
            for witness in witnesses:
                self.world.faults += self.ledger.missing(table, witness)

    # The end

    async def _alone(self) -> None:
        """No server leaves anything behind."""
        while self.server.remains():
            await asyncio.sleep(0.1)
            if late := self.server.remains(ORPHANS):
                self.world.fault(f"something is left of the servers {late}")
                return

    async def _records(self) -> dict[str, dict[int, str]]:
        """The records of all games, as anybody gets them."""
        found: dict[str, dict[int, str]] = defaultdict(dict)
        for table, witnesses in self.world.witnesses.items():
            for number in range(1, len(witnesses[0].results or ()) + 1):
                path = f"{self.world.url}/api/tables/{table}/games/{number}/record"
                async with self.world.session.get(path) as response:
                    text = await response.text()
                    if response.status != 200:
                        self.world.fault(f"{path}: {text}")
                    found[table][number] = text
                    (self._folder / f"{table}-{number}.pli").write_text(text)
        return found

    def _judge(self, cases: Sequence[Case]) -> None:
        total = self.report.verdict
        with ExitStack() as stack:
            verdicts: Iterable[Verdict] = map(judge, cases)
            if len(cases) > ALONE:
                pool = ProcessPoolExecutor(mp_context=get_context("spawn"))
                verdicts = stack.enter_context(pool).map(judge, cases, chunksize=4)
            for number, verdict in enumerate(verdicts, 1):
                self._tell("judged", number, len(cases))
                self.world.faults += verdict.faults
                for name in ("views", "actions", "games", "stand_ins", "shuffles"):
                    setattr(total, name, getattr(total, name) + getattr(verdict, name))
