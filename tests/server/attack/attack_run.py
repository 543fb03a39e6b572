"""One attack after the other on a server where people play, and what came of each."""

import asyncio
import json
import os
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from math import inf
from pathlib import Path

from pli.server.limits import Limits
from tests.server.attack.attacks import ATTACKS, SPENT, Attack
from tests.server.attack.prepared import prepare
from tests.server.attack.target import MEGA, Taken, Target
from tests.server.attack.victims import BOTS, GAMES, Victims

WATCHING = 0.25
"""Seconds between looks at what the server takes."""

MOST_MEMORY, MOST_DISK = 1_500 * MEGA, 1_000 * MEGA
"""More than before at which an attack is broken off: it has succeeded."""

PREPARING, ENDING = 90.0, 40.0
"""Seconds that an attacker has before it begins, and after its time is over."""

WARMING = 1.5
"""Seconds of play before anything is measured."""

NOTHING = Taken(0, 0, 0, 0)

CALM = 0.15
"""Seconds from action to told at which a server is taken for well again."""


@dataclass(frozen=True)
class Bounds:
    """What people may feel of an attack."""

    p99: float = 0.150
    """Seconds from action to told."""
    memory: float = 250
    """MB more than before."""
    disk: float = 50
    """MB an hour."""
    wal: float = 64
    """MB of write-ahead log."""


@dataclass
class Row:
    """What came of an attack."""

    name: str
    about: str
    p99: dict[str, float] = field(default_factory=dict)
    """Seconds from action to told, by game."""
    log: float = 0.0
    """Seconds: the longest wait; likewise the following."""
    bot: float = 0.0
    table: float = 0.0
    sheets: float = 0.0
    actions: int = 0
    memory: float = 0.0
    """MB more than when all was quiet."""
    processes: int = 0
    disk: float = 0.0
    """MB an hour beyond what the victims save."""
    wal: float = 0.0
    """MB."""
    errors: Counter[str] = field(default_factory=Counter)
    """Of the victims, and what the attacker found wrong."""
    answers: Counter[str] = field(default_factory=Counter)
    """What the attacker was told."""
    over: list[str] = field(default_factory=list)

    @property
    def worst(self) -> float:
        return max(self.p99.values(), default=inf)

    def judge(self, bounds: Bounds, wide: bool, patience: float) -> None:
        """With limits opened `wide` only by what a server must keep whatever it is asked."""
        if self.worst >= bounds.p99 and not wide:
            self.over.append("p99")
        if self.memory >= bounds.memory:
            self.over.append("memory")
        if self.disk >= bounds.disk and not wide:
            self.over.append("disk")
        if self.wal >= bounds.wal:
            self.over.append("WAL")
        waits = {"log": self.log, "bot": self.bot, "table": self.table, "sheets": self.sheets}
        self.over += [name for name, wait in waits.items() if wait >= patience]
        if self.errors:
            self.over.append("errors")


Tell = Callable[[str], None]
"""Hears what is being done."""


@dataclass
class AttackRun:
    """A server, its victims, and the attacks on it. The server is another one as soon as one is
    harmed, or is to have other limits."""

    folder: Path
    seconds: float = 10.0
    bounds: Bounds = Bounds()
    patience: float = 0.0
    """Seconds that everybody has at least, whatever an attack says."""
    tell: Tell = lambda what: None
    rows: list[Row] = field(default_factory=list)
    _target: Target | None = None
    _victims: Victims | None = None
    _limits: Sequence[str] = ()
    _quiet: Taken = NOTHING
    _lives: int = 0

    async def run(self, names: Sequence[str]) -> AsyncIterator[Row]:
        """What came of each attack, the first row without any."""
        self.tell("a long past is written")
        await asyncio.to_thread(prepare, self.folder / "prepared.db")
        try:
            await self._new_server(())
            yield await self._row("quiet", Attack(_nothing, "nobody attacks"))
            for name in names:
                attack = ATTACKS[name]
                if self._target is None or self._limits != attack.limits:
                    await self._new_server(attack.limits)
                row = await self._row(name, attack)
                yield row
                if row.errors or not await self._well():
                    await self._end_server()
        finally:
            await self._end_server()

    # The server

    async def _new_server(self, limits: Sequence[str]) -> None:
        await self._end_server()
        self.tell("a server starts, and people sit down")
        self._lives += 1
        folder = self.folder / f"server{self._lives}"
        folder.mkdir()
        self._limits = limits
        self._target = Target(folder, self.folder / "prepared.db", limits)
        await self._target.begin()
        self._victims = Victims(self._target.url)
        await self._victims.sit()
        async with asyncio.timeout(60):  # until bots think and pictures are drawn
            while not all(self._victims.meter.waits[name] for name in ("sheets", "bot thinking")):
                await asyncio.sleep(0.1)
        await asyncio.sleep(WARMING)
        self._quiet = await asyncio.to_thread(self._target.taken)

    async def _end_server(self) -> None:
        victims, target = self._victims, self._target
        self._victims = self._target = None
        if victims is not None:
            await victims.close()
        if target is not None:
            await asyncio.to_thread(target.end)

    async def _well(self) -> bool:
        """Whether the server is as it was: at once, or soon."""
        assert self._target is not None
        assert self._victims is not None
        if not self._target.runs:
            return False
        for _ in range(3):
            self._victims.meter.restart()
            await asyncio.sleep(1)
            meter = self._victims.meter
            longest = meter.longest(*(plan.name for plan in GAMES))
            taken = await asyncio.to_thread(self._target.taken)
            grown = taken.memory - self._quiet.memory
            if longest < CALM and self._victims.acting and grown < 80 * MEGA:
                return True
        return False

    # An attack

    async def _row(self, name: str, attack: Attack) -> Row:
        assert self._target is not None
        assert self._victims is not None
        row = Row(name, attack.about)
        seconds = self.seconds * attack.seconds
        meter = self._victims.meter
        async with self._attacker(name, attack, seconds) as attacker:
            self.tell(f"{name}: {attack.about}")
            began = await asyncio.to_thread(self._target.taken)
            meter.restart()
            await self._watch(row, began, seconds, attacker)
            row.p99 = {plan.name: meter.p99(plan.name) for plan in GAMES}
            row.actions = self._actions
        patience = max(self.patience, attack.patience)
        await self._wait_for_the_last(row, patience)
        row.errors.update(meter.errors)
        row.judge(self.bounds, attack.wide, patience)
        self.rows.append(row)
        return row

    @asynccontextmanager
    async def _attacker(
        self, name: str, attack: Attack, seconds: float
    ) -> AsyncIterator[asyncio.subprocess.Process | None]:
        """A process that is ready to attack, and of which nothing is left in the end."""
        assert self._target is not None
        assert self._victims is not None
        if attack.run is _nothing:
            yield None
            return
        self.tell(f"{name}: the attackers sit down")
        given = {
            "url": self._target.url,
            "address": f"127.0.1.{10 + 4 * list(ATTACKS).index(name)}",
            "seconds": seconds,
            "given": {"pid": self._target.pid, "tables": self._victims.tables},
        }
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.server.attack.attacker", name, json.dumps(given)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        try:
            assert process.stdout is not None
            with suppress(TimeoutError):
                async with asyncio.timeout(PREPARING):
                    await process.stdout.readline()
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()

    async def _watch(
        self, row: Row, began: Taken, seconds: float, attacker: asyncio.subprocess.Process | None
    ) -> None:
        """Until it is over, or goes too far. What is saved is measured in the second half: what one
        may save at once has been by then."""
        assert self._target is not None
        now = asyncio.get_running_loop().time
        middle, half = now() + seconds / 2, began
        written = await self._written()
        telling = asyncio.create_task(self._told(row, seconds, attacker))
        while not telling.done():
            await asyncio.wait([telling], timeout=WATCHING)
            taken = await asyncio.to_thread(self._target.taken)
            if half is began and now() >= middle:
                middle, half, written = now(), taken, await self._written()
            row.memory = max(row.memory, (taken.memory - self._quiet.memory) / MEGA)
            row.processes = max(row.processes, taken.processes)
            row.wal = max(row.wal, taken.wal / MEGA)
            more = taken.memory - self._quiet.memory, taken.disk - began.disk
            if more[0] > MOST_MEMORY or more[1] > MOST_DISK:
                row.errors["broken off: it went too far"] += 1
                telling.cancel()
            if not self._target.runs:
                row.errors["the server is gone"] += 1
                telling.cancel()
        with suppress(asyncio.CancelledError):
            await telling
        others, all_of_it = (
            later - before for later, before in zip(await self._written(), written, strict=True)
        )
        grown = (taken.disk - half.disk) * others / max(1, all_of_it)
        row.disk = grown / MEGA * 3600 / max(1.0, now() - middle + seconds / 2 * (half is began))
        if self._limits == SPENT:
            row.disk += Limits().address_bytes[1] / MEGA

    async def _written(self) -> tuple[int, int]:
        """Bytes of all that was written for tables that are not the victims', and for all."""
        assert self._target is not None
        assert self._victims is not None
        found = await asyncio.to_thread(self._target.written)
        everything = sum(found.values())
        return everything - sum(found.get(each, 0) for each in self._victims.made), everything

    @property
    def _actions(self) -> int:
        """Of the victims, since the attack began."""
        assert self._victims is not None
        return sum(len(self._victims.meter.waits[plan.name]) for plan in GAMES)

    async def _wait_for_the_last(self, row: Row, patience: float) -> None:
        """What people still wait for when an attack is over, as long as they have patience."""
        assert self._victims is not None
        meter = self._victims.meter
        names = {*BOTS, "log", "new table", "sheets"}
        late = {key for key, (name, _) in meter.pending.items() if name in names}
        while any(meter.lasts(key) < patience for key in late & meter.pending.keys()):
            await asyncio.sleep(0.1)
        row.log, row.bot = meter.longest("log"), meter.longest(*BOTS)
        row.table, row.sheets = meter.longest("new table"), meter.longest("sheets")

    async def _told(
        self, row: Row, seconds: float, attacker: asyncio.subprocess.Process | None
    ) -> None:
        """Lets it begin, and hears what it found."""
        if attacker is None:
            await asyncio.sleep(seconds)
            return
        assert attacker.stdin is not None
        assert attacker.stdout is not None
        try:
            attacker.stdin.write(b"go\n")
            async with asyncio.timeout(seconds + ENDING):
                line = await attacker.stdout.readline()
        except (TimeoutError, ConnectionError):
            line = b""
        if not line:
            row.errors["the attack failed"] += 1
            return
        told = json.loads(line)
        row.answers.update(told["counts"])
        row.errors.update(told["faults"])


async def _nothing(_: object) -> None:
    pass
