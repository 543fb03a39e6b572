"""Valid messages in any order from hosts, guests and spectators who come and go: the server does
not fail, and its journal always gives the same table."""

import asyncio
import logging
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pli import games
from pli.game import seat_counts
from pli.server.limits import UNLIMITED, Limits
from tests.conftest import FUZZ
from tests.server.client import Page, Running, running

STEPS = 400 * FUZZ
SETTINGS = {"pace": "instant", "grace": 1}
SHORT: dict[str, dict[str, Any]] = {
    "marshmallow": {"seats": 3, "target": 1},
    "plingo": {"seats": 3},
    "merci": {"seats": 3, "fault_window_ms": 5},
    "twinit": {"seats": 3, "mode": "rush", "minute_ms": 50},
}


def message(page: Page, rng: random.Random, game: str) -> dict[str, Any]:
    """Something that a page could send, whether or not it makes sense now."""
    seats = seat_counts(games.load(game))
    if page.legal and rng.random() < 0.7:
        return {"type": "do", "id": page.id + 1, "action": rng.choice(page.legal)}
    if rng.random() < 0.6:
        waits = page.table["state"] == "waiting"
        share = {"type": "random", "hex": rng.randbytes(16).hex()}
        return rng.choice(({"type": "begin"}, share)) if waits else {"type": "again"}
    return rng.choice(
        (
            {"type": "do", "id": max(1, page.id), "action": "draw"},
            {"type": "say", "phrase": "hello"},
            {"type": "configure", "options": {"seats": rng.choice(seats)}, "settings": SETTINGS},
            {"type": "configure", "options": {"mode": "teams"}, "public": True},
            {"type": "configure", "options": {"minute_ms": 100, "mode": "rush"}},
            {"type": "fill", "seat": rng.randrange(8), "level": "easy"},
            {"type": "fill", "seat": rng.randrange(8), "level": "medium"},
            {"type": "fill", "seat": rng.randrange(8)},
            {"type": "back"},
            {"type": "leave"},
            {"type": "again", "kind": "taboo"},
            {"type": "go_on"},
            {"type": "log"},
            {"type": "hint"},
        )
    )


class Crowd:
    """Some people around one table, each reading what it is told."""

    def __init__(self, server: Running, game: str, rng: random.Random) -> None:
        self.server = server
        self.game = game
        self.rng = rng
        self.table = ""
        self.pages: list[tuple[Page, asyncio.Task[None]]] = []
        self.away: list[str | None] = []

    async def come(self, token: str | None) -> None:
        page = await self.server.connect(self.table)
        page.token = token
        await page.send("hello", token=token)
        while not page.table:
            if (await page.next())["type"] == "problem":  # it left the seat meanwhile
                await page.close()
                return
        self.pages.append((page, asyncio.create_task(self._read(page))))

    async def _read(self, page: Page) -> None:
        try:
            while True:
                message = await page.next()
                if message["type"] in ("refused", "done", "update"):
                    page.id = max(page.id, message.get("id", 0), message.get("did", 0))
        except ConnectionError:
            return

    async def go(self, number: int) -> None:
        page, reading = self.pages.pop(number)
        await page.close()
        await reading

    async def step(self) -> None:
        kind = self.rng.random()
        if kind < 0.03 or not self.pages:
            path = f"/api/tables/{self.table}/seats"
            _, seat = await self.server.post(path, {"name": "Ida"})
            await self.come(seat.get("token"))
        elif kind < 0.08:
            number = self.rng.randrange(len(self.pages))
            self.away.append(self.pages[number][0].token)
            await self.go(number)
        elif kind < 0.09:
            await self.come(self.rng.choice(self.pages)[0].token)
        elif kind < 0.2 and self.away:
            await self.come(self.away.pop(0))
        else:
            able = [each for each in self.pages if each[0].legal and not each[1].done()]
            page, reading = self.rng.choice(able * 3 + self.pages)
            if not reading.done():
                sent = message(page, self.rng, self.game)
                await page.socket.send_bytes(msgspec.json.encode(sent))
        await asyncio.sleep(self.rng.choice((0, 0, 0.001, 0.004)))


SCARCE = msgspec.structs.replace(
    UNLIMITED, slow_entries=6, rest_entries=12, table_entries=800, address_bytes=(20_000, 5_000)
)
"""Tables rest all the time, and there is often nothing to write with."""


@pytest.mark.parametrize("limits", [UNLIMITED, SCARCE], ids=["plenty", "scarce"])
@pytest.mark.parametrize("game", games.names())
async def test_any_order_of_messages(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, game: str, limits: Limits
) -> None:
    async with running(tmp_path, limits) as server:
        rng = random.Random(game)
        for _ in range(2):
            crowd = Crowd(server, game, rng)
            async with asyncio.timeout(10):
                while server.context.lobby.budgets.used_up("127.0.0.1", resumes=True):
                    await asyncio.sleep(0.01)
            made = await server.make(game, settings=SETTINGS, options=SHORT[game])
            crowd.table = made["table"]
            await crowd.come(made["token"])
            for _ in range(2):
                await crowd.come((await server.sit(crowd.table))["token"])
            for _ in range(STEPS):
                await crowd.step()
            while crowd.pages:
                await crowd.go(0)
            await asyncio.sleep(0.05)
            # Answered once all that was asked of the table before is durable.
            status, told = await server.get(f"/api/tables/{crowd.table}")
            durable = msgspec.json.decode(
                msgspec.json.encode((await server.durable(crowd.table)).info())
            )
            assert (status, told) == (200, {**durable, "resting": told["resting"]})
        loud = [each for each in caplog.records if each.levelno >= logging.WARNING]
        assert not loud, (loud[0].getMessage(), loud[0].exc_text)
