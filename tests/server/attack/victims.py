"""People who play while a server is attacked, and measure what they feel of it: from an action to
the update that tells it, from a question for the log to its answer, from a bot's turn to what it
does, from a link to a dealt table with all its pictures."""

import asyncio
import itertools
import random
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from math import ceil
from typing import Any

from tests.server.attack.attacker import Stranger, stranger
from tests.server.client import Page
from tests.server.crash.clients import GONE

ACTING = 0.08
"""Seconds that somebody takes over an action: quicker than people, so that there is much to
measure, and still within what one connection may send."""

LOGS = 1.0
"""Seconds between questions for the log."""

COMING = 3.0
"""Seconds between newcomers."""

GIVING_UP = 30.0
"""Seconds after which a newcomer goes away."""

SILENCE = 30.0
"""Seconds without any message after which a victim's page is loaded anew."""


class Meter:
    """How long everything took, by what it was, in seconds."""

    def __init__(self) -> None:
        self.errors: Counter[str] = Counter()
        self.waits: dict[str, list[float]] = defaultdict(list)
        self.pending: dict[object, tuple[str, float]] = {}
        """What is still waited for, and since when."""

    def begin(self, key: object, what: str) -> None:
        self.pending[key] = (what, time.perf_counter())

    def end(self, key: object, counts: bool = True) -> None:
        what, since = self.pending.pop(key, ("", 0.0))
        if what and counts:
            self.waits[what].append(time.perf_counter() - since)

    def lasts(self, key: object) -> float:
        """For how many seconds that has been waited for."""
        return time.perf_counter() - self.pending[key][1]

    def restart(self) -> None:
        """What is waited for from here on. What began before goes on from now."""
        now = time.perf_counter()
        self.errors.clear()
        self.waits.clear()
        self.pending = {key: (what, now) for key, (what, _) in self.pending.items()}

    def told(self, what: str, every: float) -> list[float]:
        """All waits, those that still last too. Who is held up does less meanwhile than it would
        have: what it would have waited for every so many seconds is added."""
        now = time.perf_counter()
        lasting = [now - since for name, since in self.pending.values() if name == what]
        found = []
        for wait in self.waits[what] + lasting:
            found.append(wait)
            while (wait := wait - every) > 0:
                found.append(wait)
        return sorted(found)

    def p99(self, what: str, every: float = ACTING) -> float:
        found = self.told(what, every)
        return found[ceil(0.99 * len(found)) - 1] if found else 0.0

    def longest(self, *names: str) -> float:
        return max((wait for name in names for wait in self.told(name, 1e9)), default=0.0)


@dataclass(frozen=True)
class Plan:
    """A table of victims: two people, or one, and bots at the other seats."""

    name: str
    game: str
    options: dict[str, Any]
    people: int = 2
    bots: str = "medium"

    @property
    def turns(self) -> bool:
        return self.game != "twinit"


GAMES = (
    Plan("marshmallow", "marshmallow", {"seats": 3, "target": 1000}),
    Plan("plingo", "plingo", {"seats": 3}),
    Plan("merci", "merci", {"seats": 3}),
    Plan("twinit", "twinit", {"seats": 2, "mode": "coop", "minute_ms": 3_600_000}),
)
"""One of each game, all as long as can be."""

BOTS = ("bot marshmallow", "bot plingo", "bot merci", "bot thinking")
"""Waits for a bot, by table."""

THINKING = Plan("thinking", "marshmallow", {"seats": 2, "target": 1000}, people=1, bots="hard")


class Victim:
    """Somebody at a seat."""

    def __init__(self, visitor: Stranger, plan: Plan, table: str, token: str, meter: Meter) -> None:
        self.page: Page | None = None
        self.table = table
        self.dealt = asyncio.Event()
        self._visitor = visitor
        self._plan = plan
        self._token = token
        self._meter = meter
        self._random = random.Random(token)
        self._again = 0
        """After which game it asked for another."""
        self._answered = asyncio.Event()
        self._logged = asyncio.Event()

    async def stay(self) -> None:
        """Plays on, and comes back if it is sent away."""
        while True:
            try:
                page = await self._visitor.page(self.table, self._token, changes=True)
                self._meter.end((self, "away"))
                self.page = page
                self._again = 0
                await self._settle(page)
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._listen(page))
                    group.create_task(self._act(page))
                    if self._plan.name == "marshmallow" and page.seat == 0:
                        group.create_task(self._ask_for_logs(page))
            except* (*GONE, AssertionError) as errors:
                self._error(f"line lost: {_first(errors)}")
            if self.page is not None:
                self.page = None
                for key in (self, (self, "log"), (self, "bot")):
                    self._meter.end(key)
                # Who is not at the table can't act there: that is a wait as well.
                self._meter.begin((self, "away"), self._plan.name)
            await asyncio.sleep(0.2)

    def _error(self, text: str) -> None:
        self._meter.errors[f"{self._plan.name}: {text}"] += 1

    async def _listen(self, page: Page) -> None:
        while True:
            async with asyncio.timeout(SILENCE):
                message = await page.next()
            kind = message["type"]
            if kind == "update":
                if message["did"] == page.id:
                    self._answer()
                self._watch_bots(page)
            elif kind in ("refused", "done"):
                self._answer()
            elif kind == "log":
                self._logged.set()
            elif kind == "table":
                await self._settle(page)
            elif kind in ("problem", "closing") and message["code"] != "not_now":
                self._error(f"{kind} {message['code']}")

    def _answer(self) -> None:
        self._meter.end(self)
        self._answered.set()

    def _watch_bots(self, page: Page) -> None:
        """Since when a bot is awaited, as the first at the table sees it."""
        if page.seat != 0 or not self._plan.turns:
            return
        key = (self, "bot")
        self._meter.end(key)
        seats = page.table["seats"]
        if any(seats[seat]["kind"] == "bot" for seat in page.view["awaited"]):
            self._meter.begin(key, f"bot {self._plan.name}")

    async def _settle(self, page: Page) -> None:
        """What is to be done between games."""
        table = page.table
        if table["state"] == "waiting" and not table["seats"][page.seat]["ready"]:
            await page.contribute()
        elif table["state"] == "over" and table["number"] != self._again:
            self._again = table["number"]
            self._meter.end((self, "bot"), counts=False)
            await page.send("again")
        elif table["state"] == "playing":
            self.dealt.set()

    async def _act(self, page: Page) -> None:
        while True:
            await asyncio.sleep(self._random.uniform(0.5, 1.5) * ACTING)
            action = self._choose(page)
            if action is None:
                continue
            self._answered.clear()
            self._meter.begin(self, self._plan.name)
            await page.do(action)
            await self._answered.wait()

    def _choose(self, page: Page) -> str | None:
        if page.table["state"] != "playing" or not page.view:
            return None
        if not self._plan.turns:
            return f"turn {self._random.randrange(135)}"
        if page.seat not in page.view["awaited"] or not page.legal:
            return None
        laying = [each for each in page.legal if each.startswith(("play", "siouplait", "skuz"))]
        return self._random.choice(laying or page.legal)

    async def _ask_for_logs(self, page: Page) -> None:
        while True:
            await asyncio.sleep(LOGS)
            if page.table["state"] == "playing":
                self._logged.clear()
                self._meter.begin((self, "log"), "log")
                await page.send("log")
                await self._logged.wait()
                self._meter.end((self, "log"))


def _first(errors: BaseExceptionGroup[BaseException]) -> str:
    inner = errors.exceptions[0]
    if isinstance(inner, BaseExceptionGroup):
        return _first(inner)
    return f"{type(inner).__name__} {str(inner)[:60]}".strip()


@dataclass
class Victims:
    """Everybody who plays, each at an address of its own."""

    url: str
    meter: Meter = field(default_factory=Meter)
    tables: dict[str, str] = field(default_factory=dict)
    people: list[Victim] = field(default_factory=list)
    _strangers: list[Stranger] = field(default_factory=list)
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)
    _addresses: Iterator[str] = field(
        default_factory=lambda: (f"127.0.{3 + n // 250}.{1 + n % 250}" for n in itertools.count())
    )
    _public: str = ""
    made: set[str] = field(default_factory=set)
    """All tables of victims and newcomers."""

    def _stranger(self) -> Stranger:
        self._strangers.append(stranger(self.url, next(self._addresses)))
        return self._strangers[-1]

    async def sit(self) -> None:
        """All sit down, and play."""
        await asyncio.gather(*map(self._begin, (*GAMES, THINKING)))
        host = self._stranger()
        made = await self._make(host, "plingo", public=True)
        self._public = made["table"]
        self._spawn(self._wait_for_guests(host, made))
        self._spawn(self._look_around())
        async with asyncio.timeout(60):
            for victim in self.people:
                await victim.dealt.wait()

    async def _begin(self, plan: Plan) -> None:
        visitors = [self._stranger() for _ in range(plan.people)]
        settings = {"pace": "instant", "grace": 0}
        host = visitors[0]
        made = await self._make(host, plan.game, options=plan.options, settings=settings)
        tokens = [made["token"]]
        for number, each in enumerate(visitors[1:]):
            tokens.append((await each.sit(made["table"], f"P{number}"))["token"])
        # The host fills and begins over a page that it then leaves to its victim.
        page = await host.page(made["table"], made["token"])
        for seat in range(plan.people, plan.options["seats"]):
            await page.send("fill", seat=seat, level=plan.bots)
        people = [
            Victim(each, plan, made["table"], token, self.meter)
            for each, token in zip(visitors, tokens, strict=True)
        ]
        await page.contribute()
        await page.send("begin")
        await page.sees(lambda table: bool(table["state"] == "playing"))
        await page.close()
        for victim in people:
            self._spawn(victim.stay())
        self.people += people
        self.tables[plan.name] = made["table"]

    async def _make(self, visitor: Stranger, game: str, **wanted: object) -> dict[str, Any]:
        made = await visitor.make(game, **wanted)
        self.made.add(made["table"])
        return made

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        task.add_done_callback(self._ended)
        self._tasks.append(task)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Only by a mistake in it, or when all is over."""
        if not task.cancelled() and task.exception() is not None:
            self.meter.errors[f"a victim failed: {task.exception()!r}"] += 1

    async def _wait_for_guests(self, host: Stranger, made: dict[str, Any]) -> None:
        while True:
            with suppress(*GONE, AssertionError):
                page = await host.page(made["table"], made["token"])
                while True:
                    await page.next()
            await asyncio.sleep(0.2)

    # Newcomers

    async def _look_around(self) -> None:
        """Again and again somebody new looks at the list, and opens a table of each live game."""
        while True:
            visitor = self._stranger()
            for name, visit in (
                ("list", self._look_at_list),
                ("sheets", self._open_twinit),
                ("new table", self._open_merci),
            ):
                self.meter.begin((visitor, name), name)
                try:
                    async with asyncio.timeout(GIVING_UP):
                        await visit(visitor)
                except (*GONE, AssertionError) as error:
                    said = f"newcomer, {name}: {type(error).__name__} {str(error)[:60]}"
                    self.meter.errors[said.strip()] += 1
                self.meter.end((visitor, name))
            await visitor.session.close()
            self._strangers.remove(visitor)
            await asyncio.sleep(COMING)

    async def _look_at_list(self, visitor: Stranger) -> None:
        status, told = await visitor.get("/api/tables")
        assert status == 200, told
        if self._public not in [each["id"] for each in told["tables"]]:
            self.meter.errors["newcomer: a public table is not in the list"] += 1

    async def _open_twinit(self, visitor: Stranger) -> None:
        """Until all pictures are there, fetched six at a time as browsers do."""
        made = await self._make(visitor, "twinit", options={"seats": 1, "mode": "coop"})
        page = await visitor.connect(made["table"])
        await page.send("hello", token=made["token"])
        told = await page.until("pictures")
        await page.until("welcome")
        await fetch_sheets(visitor, made["table"], told["number"], told["sheets"])
        await page.contribute()
        await page.send("begin")
        await page.sees(lambda table: bool(table["state"] == "playing"))
        await page.send("leave")
        await page.close()

    async def _open_merci(self, visitor: Stranger) -> None:
        """Until the first bot has done something."""
        page = await visitor.alone("merci", 3, options={"first_player": 1})
        self.made.add(page.table["id"])
        await page.until("update", lambda update: bool(update["events"]))
        await page.send("leave")
        await page.close()

    @property
    def acting(self) -> bool:
        """Whether everybody is at a table."""
        return all(victim.page is not None for victim in self.people)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for each in self._strangers:
            await each.session.close()


async def fetch_sheets(visitor: Stranger, table: str, number: int, sheets: list[str]) -> None:
    """As a browser does, six at a time."""
    waiting = iter(sheets)

    async def fetch() -> None:
        for sheet in waiting:
            status, told = await visitor.get(f"/pictures/{table}/{number}/{sheet}")
            assert status == 200, told

    await asyncio.gather(*(fetch() for _ in range(6)))
