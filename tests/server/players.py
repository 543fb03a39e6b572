"""Clients that read on their own and choose their next action from the whole game, which they
read from the journal as no player can."""

import asyncio
import random
from contextlib import suppress
from typing import Any

from pli.games.twinit.state import COOP, PLACES, TEAMS, TOP
from pli.match import AnyMatch
from pli.server.tables import entries as e
from pli.server.tables.table import Table
from tests.server.client import Page, Running

NAMES = ("Ann", "Bob", "Cem", "Dai", "Eve", "Fay")


class Person:
    """A page that reads whatever comes, and waits for answers to what it does."""

    def __init__(self, page: Page, token: str | None = None) -> None:
        self.page = page
        self.token = token
        self.sent: list[str] = []
        self.gone = False
        self._heard = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        with suppress(ConnectionError):
            while True:
                await self.page.next()
                self._heard.set()
        self.gone = True
        self._heard.set()

    async def hears(self, kind: str, since: int = 0, **fields: Any) -> dict[str, Any]:
        """Waits for a message, which may have come since the one of that number."""
        async with asyncio.timeout(20):
            while True:
                for message in self.page.told[since:]:
                    if message["type"] == kind and fields.items() <= message.items():
                        return message
                since = len(self.page.told)
                if self.gone:
                    raise ConnectionError
                self._heard.clear()
                await self._heard.wait()

    async def says(self, kind: str, answer: str, **fields: object) -> dict[str, Any]:
        since = len(self.page.told)
        self.sent += [str(value) for value in fields.values()]
        await self.page.send(kind, **fields)
        return await self.hears(answer, since)

    async def does(self, action: str) -> bool:
        """Whether it was carried out."""
        since = len(self.page.told)
        self.sent.append(action)
        number = await self.page.do(action)
        async with asyncio.timeout(20):
            while True:
                for message in self.page.told[since:]:
                    if message["type"] == "update" and message["did"] == number:
                        return True
                    if message["type"] in ("refused", "done") and message["id"] == number:
                        return False
                since = len(self.page.told)
                if self.gone:
                    raise ConnectionError
                self._heard.clear()
                await self._heard.wait()

    async def close(self) -> None:
        await self.page.close()
        await self._reading


class Game:
    """A table with a person at every seat, and a spectator."""

    def __init__(self, server: Running, table: str) -> None:
        self.server = server
        self.table = table
        self.tokens: list[str] = []
        self.people: list[Person] = []
        self.watcher: Person
        self.all: list[Person] = []
        """Every client that ever connected."""
        self._durable: Table | None = None

    async def come(self, token: str | None, lang: str = "en") -> Person:
        # Every second one wants changes.
        changes = len(self.all) % 2 == 1
        page = await self.server.page(self.table, token, lang=lang, changes=changes)
        person = Person(page, token)
        self.all.append(person)
        return person

    async def match(self) -> AnyMatch | None:
        """The game with all that is hidden in it, as far as it is durable. None: not dealt yet."""
        journal = self.server.context.journal
        if self._durable is None:
            self._durable = await self.server.durable(self.table)
        else:
            for entry in await journal.entries(self.table, self._durable.n + 1):
                self._durable.apply(e.decode(entry))
        return self._durable.match

    async def dealt(self) -> AnyMatch:
        match = await self.match()
        assert match is not None
        return match

    @property
    def playing(self) -> bool:
        return bool(self.watcher.page.table["state"] == "playing")

    async def deal(self) -> None:
        for person in self.people:
            await person.page.contribute()
        await self.people[0].page.send("begin")
        for person in [*self.people, self.watcher]:
            await person.hears("update")

    async def step(self, rng: random.Random) -> None:
        """One of the seats that may act does something legal."""
        match = await self.match() if self.playing else None
        # After that, since pages are told more while it is read.
        can = [person for person in self.people if person.page.legal and not person.gone]
        if match is None or not can or not self.playing:
            await asyncio.sleep(0.002)
            return
        awaited = [person for person in can if person.page.seat in person.page.view["awaited"]]
        person = rng.choice(awaited if awaited and rng.random() < 0.8 else can)
        await person.does(choose(match, person.page.seat or 0, person.page.legal, rng))

    async def close(self) -> None:
        for person in self.all:
            await person.close()


async def seated(server: Running, game: str, options: dict[str, Any], **more: Any) -> Game:
    """A table with a person at every seat and a spectator, before the deal."""
    made = await server.make(game, options=options, **more)
    table = Game(server, made["table"])
    table.tokens.append(made["token"])
    for seat in range(1, options["seats"]):
        table.tokens.append((await server.sit(table.table, NAMES[seat]))["token"])
    languages = ("en", "fr", "es")
    for seat, token in enumerate(table.tokens):
        table.people.append(await table.come(token, languages[seat % 3]))
    table.watcher = await table.come(None)
    return table


def choose(match: AnyMatch, seat: int, legal: list[str], rng: random.Random) -> str:
    """Something sensible mostly, so that games end; sometimes anything."""
    game = match.game
    if game.name == "twinit":
        return spotted(match, seat, legal, rng)
    if game.heuristic is None or rng.random() < 0.25:
        return rng.choice(legal)
    listed = match.legal(seat)
    return game.heuristic(match.view(seat), listed) if listed else rng.choice(legal)


def spotted(match: AnyMatch, seat: int, legal: list[str], rng: random.Random) -> str:
    """Twin It!: two equal faces if there are any, sometimes one that is none; now and then a card
    is moved."""
    s = match.state
    if s.mode >= COOP and rng.random() < 0.1:
        return f"move {rng.randrange(135)} to {rng.randrange(PLACES)}"
    if rng.random() < 0.15:
        return rng.choice(legal)
    first = [card for card in s.hands[2 * seat : 2 * seat + 2] if card >= 0]
    open_cards = [card for card in range(135) if s.spot[card] >= TOP]
    rng.shuffle(open_cards)
    if s.mode == TEAMS and not first:  # the first hand must be a mate's
        mates = [mate for mate in range(seat % 2, s.seats, 2) if mate != seat]
        first = [card for mate in mates for card in s.hands[2 * mate : 2 * mate + 2] if card >= 0]
    elif s.mode == TEAMS:
        open_cards.clear()
    for a in first or open_cards:
        for b in open_cards:
            same = s.motif[2 * a + s.side[a]] == s.motif[2 * b + s.side[b]]
            if a != b and same and f"touch {b}" in legal:
                return f"touch {b}"
    flips = [text for text in legal if not text.startswith("touch")]
    return rng.choice(flips or legal)
