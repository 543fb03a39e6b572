"""Clients that survive a server crash: they reconnect, send again what was not acknowledged, and
note what they were shown for `judge`."""

import asyncio
import random
import secrets
from collections import Counter
from collections.abc import Callable, Collection, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import aiohttp
import msgspec

from tests.server.crash.judge import Seen, Witness

EXPECTED = ("already_begun", "not_over", "not_now", "seats_free")
"""Problems that a client may meet because another one asked at the same time."""

BEFORE = ("welcome", "pictures", "line", "problem", "closing")
"""What a page may hear before it is told where it sits."""

GONE = (aiohttp.ClientError, ConnectionError, TimeoutError)


class Chair(msgspec.Struct):
    kind: str
    ready: bool


class Shown(msgspec.Struct):
    """A table, as far as it matters here."""

    state: str
    number: int
    host: int | None
    seats: list[Chair]
    commitment: str
    results: list[list[int]]


class Heard(msgspec.Struct):
    """Any message of the server, as far as it matters here."""

    type: str
    seat: int | None = None
    table: Shown | None = None
    n: int = -1
    view: msgspec.Raw = msgspec.Raw(b"null")
    legal: msgspec.Raw = msgspec.Raw(b"[]")
    acted: int = 0
    did: int = 0
    id: int = 0
    code: str | None = None
    text: str | None = None


class Awaited(msgspec.Struct):
    awaited: list[int]


_heard = msgspec.json.Decoder(Heard).decode
_awaited = msgspec.json.Decoder(Awaited | None).decode
_legal = msgspec.json.Decoder(list[str]).decode


@dataclass(frozen=True)
class Plan:
    """What is played at a table, and by whom."""

    game: str
    options: dict[str, Any]
    people: int
    level: str = "medium"
    """Of the bots at the other seats."""
    settings: dict[str, Any] = field(default_factory=dict)
    watched: bool = False

    @property
    def live(self) -> bool:
        return self.game in ("merci", "twinit")


class Door:
    """One server as clients know it: where it is, and whether it answers."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.up = asyncio.Event()
        """The server answers."""
        self.life = 0
        """Of its processes, the one that runs; a number that no other process of any server has."""
        self.stopping = False
        """It was told to stop: every connection must be told before it is closed."""
        self.leaving = False
        """It was told to stop, and may be killed before it has: it takes nothing more on."""


@dataclass
class World:
    """What everybody shares: the servers' addresses, and what they are known to do."""

    doors: Sequence[Door]
    session: aiohttp.ClientSession
    seed: object
    patience: float | None = None
    """Seconds in which a server must answer a client, which else goes to another one. None: for
    ever."""
    playing: asyncio.Event = field(default_factory=asyncio.Event)
    """Cleared: no client acts."""
    hurry: bool = False
    raging: bool = True
    expected: Collection[str] = EXPECTED
    """Problems that are no faults."""
    told: Callable[["Person", Heard], None] = lambda person, said: None
    """Is called at once when a client is shown anything."""
    faults: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    people: list["Person"] = field(default_factory=list)
    witnesses: dict[str, list[Witness]] = field(default_factory=dict)
    """All that was ever seen, by table."""

    def fault(self, text: str) -> None:
        self.faults.append(text)

    async def door(self, rng: random.Random, but: Door | None = None) -> Door:
        """One of the servers that answer; another one than `but`, if there is any."""
        while not (up := [door for door in self.doors if door.up.is_set()]):
            waits = [asyncio.create_task(door.up.wait()) for door in self.doors]
            try:
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for each in waits:
                    each.cancel()
        return rng.choice([door for door in up if door is not but] or up)

    @property
    def missing(self) -> int:
        """How many people are not at their tables."""
        return sum(person.socket is None or not person.welcomed for person in self.people)


class Sitting:
    """One table, and whether its people want another game there: all alike."""

    def __init__(self, world: World, name: str, plan: Plan, games: int) -> None:
        self.world = world
        self.name = name
        self.plan = plan
        self._games = games
        self._wants: dict[int, bool] = {}

    def wants_more(self, number: int) -> bool:
        more = self.world.raging and number < self._games
        return self._wants.setdefault(number, more)


class Person:
    """A player or spectator, from the first connection to the end of the last game."""

    def __init__(self, sitting: Sitting, seat: int | None, token: str | None) -> None:
        self.world = sitting.world
        self.socket: aiohttp.ClientWebSocketResponse | None = None
        self.welcomed = False
        self.table: Shown | None = None
        self.witness = Witness(seat=seat, token=token)
        self._sitting = sitting
        self._plan = sitting.plan
        self._random = random.Random(f"{self.world.seed} {sitting.name} {seat}")
        self.door: Door | None = None
        """Where it was last."""
        self._life = 0
        self._finished = False
        self._n = -1
        self._id = 0
        self._pending: dict[int, str] = {}
        self._view = b"null"
        self._legal = b"[]"
        self._asked: set[tuple[str, int]] = set()
        self._thinking: asyncio.Task[None] | None = None
        self._farewell: str | None = None
        self._own_will = False
        self.world.witnesses.setdefault(sitting.name, []).append(self.witness)

    @property
    def place(self) -> str:
        return self._sitting.name

    def __str__(self) -> str:
        table = self.table
        state = "unknown" if table is None else f"{table.state}, game {table.number}"
        there = "there" if self.welcomed else "away"
        return (
            f"{self._plan.game} {self.place} seat {self.witness.seat}, {there}, life {self._life}: "
            f"{state}, entry {self._n}, waits for {self._pending}, view {self._view!r}"
        )

    async def stay(self) -> None:
        """Reconnects to the table until no player wants another game."""
        self.world.people.append(self)
        try:
            while not self._finished:
                with suppress(*GONE):
                    await self._visit()
                self._part()
        finally:
            self.world.people.remove(self)

    async def _visit(self) -> None:
        world = self.world
        door = self.door = await world.door(self._random, self.door)
        late = self._random.random() < 0.05
        await asyncio.sleep(self._random.uniform(0.5, 2.0) if late else self._random.random() / 4)
        life = door.life
        address = f"{door.url}/api/tables/{self.place}/play"
        async with asyncio.timeout(world.patience):
            connecting = world.session.ws_connect(address, max_msg_size=0, heartbeat=world.patience)
            socket = await connecting
        async with socket:
            if door.life != life:
                return  # it is not known to whom this line leads
            self._life = life
            self.socket = socket
            token = {} if self.witness.token is None else {"token": self.witness.token}
            await self._send("hello", **token)
            while not self._finished:
                frame = await socket.receive()
                if frame.type is not aiohttp.WSMsgType.TEXT:
                    return
                await self._hear(_heard(frame.data))

    def _part(self) -> None:
        """The line is gone."""
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None
        stopping = self.door is not None and self.door.stopping
        if self.welcomed and stopping and not (self._own_will or self._finished):
            if self._farewell != "restart":
                self._fault(f"cut off by a planned stop, told {self._farewell}")
            else:
                self.world.counts["told of a stop"] += 1
        self.socket = None
        self.welcomed = self._own_will = False
        self._farewell = None
        self._asked.clear()

    async def _send(self, kind: str, **fields: object) -> None:
        if self.socket is None:
            raise ConnectionError
        await self.socket.send_str(msgspec.json.encode({"type": kind, **fields}).decode())

    def _fault(self, text: str) -> None:
        who = f"{self._plan.game} {self.place} seat {self.witness.seat}"
        self.world.fault(f"{who}, life {self._life}: {text}")

    # What the server says

    async def _hear(self, said: Heard) -> None:
        if said.table is not None:
            self.table = said.table
        if not self.welcomed and said.type not in BEFORE:
            self._fault(f"{said.type} before the welcome")
        if said.type == "welcome":
            await self._welcome(said)
        elif said.type == "update":
            self._see(said, welcome=False)
            if said.did:
                self._acknowledged(said.did, said.n)
        elif said.type == "done":
            self.world.counts["answered done"] += 1
            self._acknowledged(said.id, self._n)
        elif said.type == "refused":
            self._refused(said.id)
        elif said.type == "closing":
            self._farewell = said.code
        elif said.type == "problem":
            if said.code not in self.world.expected:
                self._fault(f"problem {said.code}: {said.text}")
            self.world.counts[f"told {said.code}"] += 1
            if not self.welcomed:
                raise ConnectionError  # to be tried again
        await self._go_on()

    async def _welcome(self, said: Heard) -> None:
        self.welcomed = True
        self._asked.clear()  # what was asked of a room that is no more may have been lost with it
        self.world.counts["welcomes"] += 1
        if said.seat != self.witness.seat:
            self._fault(f"welcomed at seat {said.seat}")
        if said.acted < max(self.witness.acknowledged, default=0):
            self._fault(f"welcomed with {said.acted} acted, but more was acknowledged")
        self._see(said, welcome=True)
        for number, action in [*self._pending.items()]:
            if said.acted >= number and len(self._pending) == 1 and self._random.random() < 0.7:
                self._acknowledged(number, said.n)
            else:
                self.world.counts["sent again"] += 1
                await self._send("do", id=number, action=action)

    def _see(self, said: Heard, welcome: bool) -> None:
        self.world.told(self, said)
        self._n = said.n
        self._view, self._legal = bytes(said.view), bytes(said.legal)
        digest = blake2b(self._view + self._legal, digest_size=12).digest()
        self.witness.seen.append(Seen(self._life, said.n, welcome, digest))

    def _acknowledged(self, number: int, n: int) -> None:
        if number not in self.witness.sent:
            self._fault(f"{number} acknowledged, which was not sent")
        if self._pending.pop(number, None) is not None:
            self.witness.acknowledged[number] = n

    def _refused(self, number: int) -> None:
        if number in self.witness.acknowledged:
            self._fault(f"{number} refused, which was acknowledged")
        if self._pending.pop(number, None) is not None:
            self.witness.refused.add(number)

    # What this person does

    async def _go_on(self) -> None:
        table, seat = self.table, self.witness.seat
        if table is None or not self.welcomed or self._farewell is not None:
            return
        self.witness.commitments.setdefault(table.number, table.commitment)
        if table.state == "over" and not self._sitting.wants_more(table.number):
            self.witness.results = table.results
            # The table is told before the update that acknowledges the last action.
            self._finished = not self._pending
        if seat is None or self._finished:
            return
        if table.seats[seat].ready:
            self.witness.added.add(table.number)
        if table.state == "waiting":
            await self._prepare(table, seat)
        elif table.state == "over":
            if self._sitting.wants_more(table.number):
                await self._once("again", table.number)
        elif self._thinking is None:
            self._thinking = asyncio.create_task(self._think(seat))

    async def _once(self, kind: str, number: int, **fields: object) -> None:
        """Asks for something, once on each line for each game."""
        what = (f"{kind} {fields}", number)
        if what not in self._asked:
            self._asked.add(what)
            await self._send(kind, **fields)

    async def _prepare(self, table: Shown, seat: int) -> None:
        if not table.seats[seat].ready:
            # The same after a crash: what was said before it may have been journalled.
            mine = self.witness.random.setdefault(table.number, secrets.token_hex(16))
            await self._once("random", table.number, hex=mine)
        if table.host != seat:
            return
        for other, chair in enumerate(table.seats):
            if chair.kind == "empty" and other >= self._plan.people:
                await self._once("fill", table.number, seat=other, level=self._plan.level)
        if all(chair.kind == "bot" or chair.ready for chair in table.seats):
            await self._once("begin", table.number)

    async def _think(self, seat: int) -> None:
        """One decision after the other, as long as the line holds."""
        with suppress(*GONE):
            while True:
                slow = (0.05, 1.0) if not self.world.hurry else (0.0, 0.02)
                await asyncio.sleep(self._random.uniform(*slow))
                await self.world.playing.wait()
                action = self._choose(seat)
                if action is not None:
                    await self._act(action)
                elif not self._plan.live:
                    break
        self._thinking = None

    def _choose(self, seat: int) -> str | None:
        if len(self._pending) >= (2 if self._plan.live else 1):
            return None
        view, actions = _awaited(self._view), _legal(self._legal)
        if view is None or not actions:
            return None
        if self._plan.game == "twinit":
            if "flip" in actions and seat in view.awaited:
                return "flip"
            coop = self._plan.options["mode"] == "coop"
            return self._random.choice(actions) if self._random.random() < coop + 0.1 else None
        if seat not in view.awaited:
            wild = self._plan.live and self._random.random() < 0.05
            return self._random.choice(actions) if wild else None
        laying = [each for each in actions if each.startswith(("play", "siouplait", "skuz"))]
        return self._random.choice(laying or actions)

    async def _act(self, action: str) -> None:
        self._id += 1
        self._pending[self._id] = self.witness.sent[self._id] = action
        self.world.counts["actions sent"] += 1
        await self._send("do", id=self._id, action=action)
        if self._random.random() < 0.005 and self.socket is not None:
            # A line that breaks just then.
            self._own_will = True
            self.world.counts["lines broken"] += 1
            await self.socket.close()


async def everyone(*visits: Coroutine[Any, Any, None]) -> None:
    """All of them; if one fails the others end as well."""
    async with asyncio.TaskGroup() as group:
        for visit in visits:
            group.create_task(visit)
