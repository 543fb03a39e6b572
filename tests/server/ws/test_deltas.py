"""Delta updates: a page that asked for changes knows the same as one that gets whole views."""

import asyncio
import random
from typing import Any

import msgspec
import pytest

from pli.match import AnyMatch
from pli.server.limits import UNLIMITED
from pli.server.tables.table import Table
from tests.server.client import Page, Running, deal
from tests.server.players import choose

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("marshmallow", {"seats": 3, "target": 12}),
    ("plingo", {"seats": 2}),
    ("merci", {"seats": 3, "rules": "full", "fault_window_ms": 15}),
    ("twinit", {"seats": 3, "mode": "race", "catches": 2, "count_ms": 20}),
    ("twinit", {"seats": 2, "mode": "coop", "minute_ms": 1500}),
]


def as_told(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


async def together(server: Running, game: str, options: dict[str, Any]) -> list[Page]:
    """A person at every seat and a spectator, all of which ask for deltas."""
    made = await server.make(game, options=options)
    tokens = [made["token"]]
    for seat in range(1, options["seats"]):
        tokens.append((await server.sit(made["table"], f"P{seat}"))["token"])
    pages = [await server.page(made["table"], token, changes=True) for token in (*tokens, None)]
    for page in pages[:-1]:
        await page.contribute()
    await pages[0].send("begin")
    for page in pages:
        await page.until("update")  # a game begins: there is nothing that could have changed
    return pages


async def act(pages: list[Page], match: AnyMatch, rng: random.Random) -> None:
    """One seat acts and reads on to the answer."""
    can = [page for page in pages[:-1] if page.legal]
    awaited = [page for page in can if page.seat in page.view["awaited"]]
    page = rng.choice(awaited or can)
    number = await page.do(choose(match, page.seat or 0, page.legal, rng))
    while number not in ((told := await page.next()).get("did"), told.get("id")):
        pass


async def caught_up(server: Running, pages: list[Page]) -> Table:
    """The durable table, once all pages have been told just as much: a timer may be quicker than
    some of them."""
    while True:
        table = await server.durable(pages[0].table["id"])
        for page in pages:
            while page.n < table.n:
                await page.next()
        if all(page.n == table.n for page in pages):
            return table


@pytest.mark.parametrize(("game", "options"), GAMES)
@pytest.mark.server(limits=UNLIMITED)
async def test_changes_add_up_to_what_a_seat_may_see(
    server: Running, game: str, options: dict[str, Any]
) -> None:
    pages = await together(server, game, options)
    rng, held = random.Random(game), 0
    async with asyncio.timeout(60):
        while pages[-1].table["state"] == "playing" and held < 400:
            table = await server.durable(pages[0].table["id"])
            match = table.match
            assert match is not None
            if any(page.legal for page in pages):
                await act(pages, match, rng)
            else:
                await asyncio.sleep(0.005)  # a timer runs
            table = await caught_up(server, pages)
            match = table.match
            assert match is not None
            held += 1
            for page in pages:
                may = match.legal(page.seat) if page.seat in match.actors else []
                assert page.view == as_told(match.view(page.seat))
                assert set(page.legal) == set(may)
    assert held > 20
    for page in pages:
        changes = sum(raw.startswith(b'{"type":"change"') for raw in page.raw)
        updates = sum(message["type"] == "update" for message in page.told)
        assert changes == updates - 1 > 0


async def test_what_stays_as_it_is_is_not_told_again(server: Running) -> None:
    options = {"seats": 1, "mode": "coop", "minute_ms": 60_000}
    made = await server.make("twinit", options=options)
    page = await server.page(made["table"], made["token"], changes=True)
    await deal([page])
    await page.do("touch 5")
    await page.until("update")
    change = msgspec.json.decode(page.raw[-1])
    assert [*change["view"]] == ["hands"]
    assert change["gone"] == ["touch 5", "turn 5"]
    assert change["more"] == ["lift 5"]
    assert len(page.raw[-1]) < 400
    assert page.view["table"][5]["face"] == "5a"
