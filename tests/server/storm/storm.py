"""One storm: tables play at several servers while these are killed, frozen and cut off, and their
database crashes; then what pages were told is checked against the journal.

What is checked: every action that was acknowledged is in the journal, once, and was there when it
was acknowledged; every view that anybody was ever shown is that of a prefix of the one history, for
that seat; no page is ever led back to an earlier prefix, on whatever server and line, also by a
server that does not know that it has lost its tables; every game comes to its end, and its record
proves itself. How long tables stand still after their server's death is measured.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import aiohttp
import asyncpg

from pli.kernel.machine import Engine
from tests.postgres import Postgres
from tests.server.crash.clients import EXPECTED, Heard, Person, Plan
from tests.server.crash.judge import Case
from tests.server.crash.server import PATIENCE, NotStarted, free_port, known
from tests.server.crash.trial import Report, Tell, Trial
from tests.server.storm.cluster import LEASE, Cluster, Member, Tables
from tests.server.storm.proxy import Proxy

KILLS = ("play", "told", "burst", "together", "starting", "told", "idle", "leaving", "loading")
"""When a server is killed: at any time; as soon as somebody at one of its tables hears of an
action; while all act at once; while another one's tables are taken over; before it listens; while
nobody does anything; while it hands its tables over; just after it has started."""

DATABASE_AWAY = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)

TROUBLES = (
    *("journal_failed", "journal_unreachable", "journal_unknown", "journal_slow"),
    *("journal_read_only", "too_busy", "owned_elsewhere", "not_owner", "unreachable"),
)
"""What a page may be told while the database is away."""

IN_FLIGHT = 0.5
"""Seconds after a server's end in which what it has said may still arrive."""

SILENCE = 4.0
"""Seconds without an answer after which a client looks for another server."""

MEDIAN = 10.0
"""Seconds after which a table whose server was killed must have gone on, in the median."""


@dataclass
class StormReport(Report):
    events: Counter[str] = field(default_factory=Counter)
    pauses: dict[str, list[float]] = field(default_factory=dict)
    """Seconds until a table whose server ended went on, by what happened."""

    @property
    def median_pause(self) -> float:
        """Seconds until a table whose server was killed went on, in the median."""
        return median(self.pauses.get("killed") or [0.0])

    def late(self) -> list[str]:
        if (slow := self.median_pause) <= MEDIAN:
            return []
        return [f"a table went on after {slow:.1f} s in the median"]

    def summary(self) -> str:
        events = sum(self.events.values())
        return f"{super().summary()}, {events} events, {self.median_pause:.1f} s to go on"

    def lines(self) -> Iterator[str]:
        yield from super().lines()
        yield ", ".join(f"{n} {what}" for what, n in sorted(self.events.items()))
        for what, found in sorted(self.pauses.items()):
            found = sorted(found)
            most = found[int(len(found) * 0.95)]
            yield (
                f"{len(found)} tables whose server was {what} went on after {median(found):.1f} s"
                f" in the median, 95% within {most:.1f} s, the last after {found[-1]:.1f} s"
            )


class Storm(Trial):
    """One storm, from the first table to the judgement."""

    def __init__(
        self,
        folder: Path,
        plans: Sequence[Plan],
        seed: object,
        pause: float,
        tell: Tell,
        servers: int = 3,
        lease: float = LEASE,
    ) -> None:
        super().__init__(folder, plans, seed, pause, tell)
        self.report: StormReport = StormReport([])
        self.lease = lease
        self.servers = servers
        self.cluster: Cluster
        self.tables_read: Tables
        self._standing: dict[str, tuple[float, str]] = {}
        """Since when a table stands still, and why."""
        self._running: set[asyncio.Task[None]] = set()
        """What happens beside the next event, such as a restart."""
        self._database_busy = False

    async def run(self, events: Sequence[str], patience: float, engine: Engine) -> StormReport:
        begun = time.monotonic()
        postgres = self.postgres = Postgres()
        postgres.port = free_port()
        try:
            await asyncio.to_thread(postgres.start)
            url = await asyncio.to_thread(postgres.new_database)
            name = url.rpartition("/")[2]
            self.cluster = Cluster(self.folder, [postgres.port], name, self.servers)
            cases = await self.storm(events, patience, engine)
        finally:
            await asyncio.to_thread(postgres.remove)
        await asyncio.to_thread(self.conclude, cases, begun)
        return self.report

    async def storm(self, events: Sequence[str], patience: float, engine: Engine) -> list[Case]:
        cluster = self.cluster
        self.tables_read = Tables(cluster.direct)
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(connector=connector) as session:
            try:
                await cluster.start(session, self.lease)
                world = await self.people([each.door for each in cluster.members], session)
                world.patience = SILENCE
                world.expected = (*EXPECTED, *TROUBLES)
                world.told = self._shown
                return await self._rage(events, patience, engine)
            finally:
                for task in self._running:
                    task.cancel()
                await cluster.end()

    async def _rage(self, events: Sequence[str], patience: float, engine: Engine) -> list[Case]:
        world = self.world
        places = self.tables()
        for number, event in enumerate(events):
            self.tell("events", number, len(events))
            await self._before(event)
            await self.happen(event)
            self.report.events[event.partition(" ")[0]] += 1
            await self.check(anew=False)
        self.tell("events", len(events), len(events))
        await asyncio.gather(*self._running)
        await self.last_games(places, patience)
        records = await self.records()
        for member in self.cluster.members:
            await self._stop(member)
        await self.check(anew=True)
        ledger = self.tables_read.ledger
        world.faults += ledger.lost([each for each in self.given if each[0] in world.witnesses])
        for member in self.cluster.members:
            await self.alone(member.server)
        return self.cases(ledger.entries, records, engine, one_server=False)

    # Events

    async def _before(self, event: str) -> None:
        """Some follow at once upon another, most come when all is well again."""
        if self.random.random() < 0.7:
            await self.seated()
        await asyncio.sleep(self.random.uniform(0.1, self.pause))

    async def happen(self, event: str) -> None:
        kind, _, moment = event.partition(" ")
        if kind == "kill":
            await self._kill(await self._victim(), moment)
        elif kind == "freeze":
            await self._freeze(await self._victim())
        elif kind == "stop":
            await self._planned(await self._victim())
        elif kind == "database":
            await self._crash_database()
        else:
            await self._cut(moment)

    async def _victim(self) -> Member:
        """A server that runs, while another one does too."""
        async with asyncio.timeout(4 * PATIENCE):
            while len(free := [each for each in self.cluster.members if not each.busy]) < 2:
                await asyncio.sleep(0.05)
        victim = self.random.choice(free)
        victim.busy = True
        return victim

    def _beside(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.world.fault(f"the storm itself failed: {error!r}")

    async def _kill(self, victim: Member, moment: str) -> None:
        world, uniform = self.world, self.random.uniform
        if moment in ("idle", "burst", "told"):
            world.playing.clear()
            await asyncio.sleep(0.4)
        if moment in ("burst", "told"):
            world.hurry = True
            world.playing.set()
            await asyncio.sleep(uniform(0.01, 0.3))
        owned = await self.owned(victim)
        if moment == "told":
            await self._when_told(victim, owned)
        if moment == "leaving":
            victim.server.tell_to_stop()
            await asyncio.sleep(uniform(0.0, 0.3))
        self._end(victim, owned, moment)
        world.hurry = False
        world.playing.set()
        if moment == "together":
            self._beside(self._start_again(victim, uniform(self.lease, 1.5 * self.lease), ""))
            await asyncio.sleep(uniform(0.0, 1.4 * self.lease))
            other = next((m for m in self.cluster.members if not m.busy), None)
            if other is None or self.servers < 3:
                return
            other.busy = True
            self._end(other, await self.owned(other), moment)
            victim = other
        # Sooner than the others notice, or later.
        soon = self.random.random() < 0.5
        pause = uniform(0.0, 1.0) if soon else uniform(self.lease, 2 * self.lease)
        self._beside(self._start_again(victim, pause, moment))

    async def _start_again(self, member: Member, pause: float, moment: str) -> None:
        await asyncio.sleep(pause)
        member.start()
        if moment == "starting":
            await asyncio.sleep(self.random.uniform(0.0, 0.5))
            self._end(member, set(), moment)
            member.start()
        await self._listens(member)
        if moment == "loading":
            await asyncio.sleep(self.random.uniform(0.0, 1.0))
            self._end(member, await self.owned(member), moment)
            member.start()
            await self._listens(member)
        member.busy = False

    async def _listens(self, member: Member) -> None:
        """A server that finds no database ends; whoever watches over it starts it again."""
        ends = time.monotonic() + PATIENCE
        while True:
            try:
                await member.listens(self.world.session)
                return
            except NotStarted:
                if time.monotonic() > ends:
                    raise
                self.world.counts["starts without a database"] += 1
                await asyncio.sleep(0.5)
                member.start()

    def _end(self, member: Member, owned: set[str], moment: str) -> None:
        self.report.playing.append(self.playing)
        member.kill()
        self.stand_still(owned, "killed")
        self.report.kills[moment] += 1

    async def _when_told(self, victim: Member, owned: set[str]) -> None:
        """At the very moment at which a client is told of an action at one of its tables."""
        struck = asyncio.Event()
        before = self.world.told

        def strike(person: Person, said: Heard) -> None:
            before(person, said)
            if said.type == "update" and person.place in owned and not struck.is_set():
                victim.server.strike()
                struck.set()

        self.world.told = strike
        with suppress(TimeoutError):
            await asyncio.wait_for(struck.wait(), self.lease)
        self.world.told = before

    async def _freeze(self, victim: Member) -> None:
        owned = await self.owned(victim)
        victim.freeze()
        self.stand_still(owned, "frozen")

        async def thaw() -> None:
            await asyncio.sleep(self.random.uniform(1.2 * self.lease, 2.5 * self.lease))
            victim.thaw()
            await asyncio.sleep(1.0)
            if not victim.server.runs:
                # It may say that it is none any more, and end.
                raise RuntimeError(f"{victim} ended: {victim.server.said()}")
            victim.busy = False

        self._beside(thaw())

    async def _planned(self, victim: Member) -> None:
        owned = await self.owned(victim)
        self.stand_still(owned, "stopped")
        await self._stop(victim)
        self._beside(self._start_again(victim, self.random.uniform(0.0, 2 * self.lease), ""))

    async def _stop(self, member: Member) -> None:
        """People try to come back at once, while it is still there."""
        member.door.stopping = True
        member.door.up.clear()
        code = await member.server.stop()
        if code != 0:
            self.world.fault(f"a planned stop ended with {code}: {member.server.said()}")
        await asyncio.sleep(0.3)
        member.door.stopping = False
        self.report.stops += 1

    async def _crash_database(self) -> None:
        async with asyncio.timeout(4 * PATIENCE):
            while self._database_busy:  # it is still down from the crash before
                await asyncio.sleep(0.05)
        self._database_busy = True
        owned = await self.owned(None)
        await asyncio.to_thread(self.postgres.stop, "immediate")
        self.stand_still(owned, "without its database")

        async def start() -> None:
            await asyncio.sleep(self.random.uniform(0.0, 1.5 * self.lease))
            await asyncio.to_thread(self.postgres.start)
            self._database_busy = False

        self._beside(start())

    async def _cut(self, moment: str) -> None:
        """`moment` says how and what: "stall database", "drop servers"."""
        how, _, what = moment.partition(" ")
        victim = await self._victim()
        lines = victim.databases if what == "database" else [victim.internal]
        owned = await self.owned(victim)
        for line in lines:
            line.stall() if how == "stall" else line.drop()
        self.stand_still(owned, "cut off")

        async def resume(lines: Sequence[Proxy]) -> None:
            await asyncio.sleep(self.random.uniform(0.5, 2 * self.lease))
            for line in lines:
                line.resume()
            victim.busy = False

        self._beside(resume(lines))

    # How long tables stand still

    async def owned(self, member: Member | None) -> set[str]:
        """The open tables of a server, or of all; none if the database does not say."""
        with suppress(*DATABASE_AWAY):
            owners = await self.cluster.owners()
            return {name for name in self.open if name in owners and member in (None, owners[name])}
        return set()

    def stand_still(self, tables: set[str], why: str) -> None:
        now = time.monotonic()
        for table in tables & self.open:
            self._standing.setdefault(table, (now, why))

    def _shown(self, person: Person, said: Heard) -> None:
        if (found := self._standing.get(person.place)) is not None:
            since, why = found
            pause = time.monotonic() - since
            if pause > IN_FLIGHT:
                self.report.pauses.setdefault(why, []).append(pause)
                del self._standing[person.place]

    # What is in the journal

    async def check(self, anew: bool) -> None:
        """What all were told by now is in the database."""
        if self._database_busy:
            return
        told = known(self.world.witnesses)
        try:
            faults = await self.tables_read.read(self.world.witnesses, anew)
        except DATABASE_AWAY:
            if anew:
                raise
            return  # it crashes just now
        for each in told:
            faults += self.tables_read.ledger.missing(each)
        self.world.faults += faults
