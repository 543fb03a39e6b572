"""What every trial of servers that die has: tables where people play, their records in the end, and
the judgement of all that was told against the journal."""

import asyncio
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import aiohttp
import msgspec

from pli.kernel.machine import Engine
from tests.server.crash.clients import GONE, Door, Person, Plan, Sitting, World, everyone
from tests.server.crash.judge import Case, Verdict, judge
from tests.server.crash.server import ORPHANS, PATIENCE, Server

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
        if self.playing:
            yield f"tables playing at a kill: {min(self.playing)} to {max(self.playing)}"
        found = self.verdict
        yield f"{self.tables} tables, {found.games} games that ended, {self.entries} entries"
        yield f"{found.actions} actions acknowledged, {found.views} views held against the journal"
        yield f"{found.stand_ins} stand-ins, {found.shuffles} shuffles proved"
        yield ", ".join(f"{n} {what}" for what, n in sorted(self.counts.items()))
        yield f"{self.seconds:.0f} s"

    def late(self) -> list[str]:
        """What took longer than it may."""
        return []

    def summary(self) -> str:
        """All in one line."""
        found = self.verdict
        lost = f"{len(self.faults)} FAULTS" if self.faults else "nothing was lost"
        return (
            f"{lost}: {self.tables} tables, {found.games} games, {found.actions} actions"
            f" acknowledged, {found.views} views, {sum(self.kills.values())} kills"
        )


Tell = Callable[[str, int, int], None]
"""(what is done, how much of it, of how much)."""


class Trial:
    """Tables that play at one or more servers, from the first one to the judgement."""

    world: World

    def __init__(
        self, folder: Path, plans: Sequence[Plan], seed: object, pause: float, tell: Tell
    ) -> None:
        self.report = Report([])
        self.folder = folder
        self.plans = plans
        self.seed = seed
        self.pause = pause
        """Seconds of play before something happens, at most."""
        self.tell = tell
        self.random = random.Random(f"storm {seed}")
        self.open: set[str] = set()
        """The tables where people are."""
        self.given: list[tuple[str, str]] = []
        """Tables and tokens: every seat that was ever taken."""

    async def people(self, doors: Sequence[Door], session: aiohttp.ClientSession) -> World:
        """Those who play, once they are let: `tables` seats them."""
        world = self.world = World(doors, session, self.seed)
        self.report.faults = world.faults
        world.playing.set()
        return world

    def conclude(self, cases: Sequence[Case], begun: float) -> Report:
        self._judge(cases)
        self.report.counts = self.world.counts
        self.report.seconds = time.monotonic() - begun
        return self.report

    def cases(
        self,
        entries: Mapping[str, list[bytes]],
        records: Mapping[str, dict[int, str]],
        engine: Engine,
        one_server: bool,
    ) -> list[Case]:
        tables = self.world.witnesses.items()
        self.report.tables = len(tables)
        self.report.entries = sum(map(len, entries.values()))
        return [
            Case(name, entries.get(name, []), people, records[name], engine, one_server)
            for name, people in tables
        ]

    # Tables

    def tables(self) -> list[asyncio.Task[None]]:
        return [
            asyncio.create_task(self._place(place, plan)) for place, plan in enumerate(self.plans)
        ]

    async def last_games(self, places: Sequence[asyncio.Task[None]], patience: float) -> None:
        """Nobody begins another game, and all hurry."""
        self.world.raging = False
        self.world.hurry = True
        ends = time.monotonic() + patience
        left: set[asyncio.Task[None]] = {*places}
        while left and time.monotonic() < ends:
            self.tell("tables done", len(places) - len(left), len(places))
            done, left = await asyncio.wait(left, timeout=0.2)
            for each in done:
                each.result()
        self.tell("tables done", len(places) - len(left), len(places))
        self.world.faults += [f"does not come to its end: {each}" for each in self.world.people]
        for each in left:
            each.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    async def _place(self, place: int, plan: Plan) -> None:
        """One table after the other as long as the storm lasts."""
        while True:
            sitting = await self._sit_down(place, plan)
            if sitting is None:
                continue
            self.open.add(sitting[0].place)
            await everyone(*(person.stay() for person in sitting))
            self.open.discard(sitting[0].place)
            if not self.world.raging:
                return

    async def _sit_down(self, place: int, plan: Plan) -> list[Person] | None:
        """A table full of people; None if the server went meanwhile."""
        wanted = {"game": plan.game, "options": plan.options, "name": "Ann"}
        wanted["settings"] = {"pace": "instant", **plan.settings}
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
        world = self.world
        door = await world.door(self.random)
        async with (
            asyncio.timeout(world.patience),
            world.session.post(door.url + path, data=data) as response,
        ):
            given: dict[str, Any] = msgspec.json.decode(await response.read())
            # A server that stops takes nothing more on; one without its database can't.
            if response.status == 503 and (door.leaving or world.patience is not None):
                world.counts[f"answered {given['code']}"] += 1
                raise ConnectionError
            if response.status != 201:
                world.fault(f"{path}: {given}")
                raise ConnectionError
            self.given.append((given["table"], given["token"]))
            return given

    async def seated(self) -> None:
        """Everybody is at a table, or nearly."""
        world = self.world
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while len(self.open) < len(self.plans) or world.missing > len(world.people) / 20:
                    await asyncio.sleep(0.05)

    @property
    def playing(self) -> int:
        """How many tables are in the middle of a game."""
        people = self.world.people
        return len({p.place for p in people if p.table is not None and p.table.state == "playing"})

    # The end

    async def alone(self, server: Server) -> None:
        """No process leaves anything behind."""
        while server.remains():
            await asyncio.sleep(0.1)
            if late := server.remains(ORPHANS):
                self.world.fault(f"something is left of the servers {late}")
                return

    async def records(self) -> dict[str, dict[int, str]]:
        """The records of all games, as anybody gets them."""
        found: dict[str, dict[int, str]] = defaultdict(dict)
        for table, witnesses in self.world.witnesses.items():
            for number in range(1, len(witnesses[0].results or ()) + 1):
                door = await self.world.door(self.random)
                path = f"{door.url}/api/tables/{table}/games/{number}/record"
                async with self.world.session.get(path) as response:
                    text = await response.text()
                    if response.status != 200:
                        self.world.fault(f"{path}: {text}")
                    found[table][number] = text
                    (self.folder / f"{table}-{number}.pli").write_text(text)
        return found

    def _judge(self, cases: Sequence[Case]) -> None:
        total = self.report.verdict
        with ExitStack() as stack:
            verdicts: Iterable[Verdict] = map(judge, cases)
            if len(cases) > ALONE:
                pool = ProcessPoolExecutor(mp_context=get_context("spawn"))
                verdicts = stack.enter_context(pool).map(judge, cases, chunksize=4)
            for number, verdict in enumerate(verdicts, 1):
                self.tell("judged", number, len(cases))
                self.world.faults += verdict.faults
                for name in ("views", "actions", "games", "stand_ins", "shuffles"):
                    setattr(total, name, getattr(total, name) + getattr(verdict, name))
