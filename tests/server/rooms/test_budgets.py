"""Write budgets of a table, an address and the server: what is refused when one is used up, and
that nothing that was played is lost."""

import asyncio
import sqlite3
from collections import Counter
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from pli.server.journal.api import ROW_OVERHEAD, Append, size_of_entries
from pli.server.limits import Limits
from pli.server.moves.lag import Lag
from pli.server.rooms.budgets import Budgets, TableBudget
from pli.server.tables import entries as e
from tests.server.client import QUICK, Page, Running, deal, running

INSTANT = {"pace": "instant"}
ELSEWHERE = {"X-Forwarded-For": "203.0.113.7"}


def limits(**more: Any) -> Limits:
    return Limits(**{**QUICK, **more})


async def elsewhere(server: Running, table: str, token: str | None) -> Page:
    """A page that comes from another address."""
    url = f"{server.url}/api/tables/{table}/play"
    page = Page(await server.session.ws_connect(url, headers=ELSEWHERE))
    page.token = token
    await page.send("hello", **({"token": token} if token else {}))
    await page.until("welcome")
    return page


@pytest.fixture
def charged(server: Running, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Bytes that each address has been charged."""
    charged: Counter[str] = Counter()
    budgets = server.context.lobby.budgets
    charge = budgets.charge

    def noting(address: str, size: int) -> None:
        charged[address] += size
        charge(address, size)

    monkeypatch.setattr(budgets, "charge", noting)
    return charged


def spend_all(server: Running, address: str = "127.0.0.1") -> None:
    """As if very much had been written for an address."""
    server.context.lobby.budgets.charge(address, 10**8)


async def entries_of(server: Running, table: str) -> list[bytes]:
    return await server.context.journal.entries(table)


def test_what_is_written_is_charged_and_comes_back_with_time() -> None:
    now = 0.0
    budgets = Budgets(Limits(address_bytes=(10, 1000), server_bytes=(1000, 5000)), lambda: now)
    budgets.charge("a", 1000)
    assert budgets.used_up("a") == "address_used_up"
    assert budgets.used_up("b") is None
    now = 1.0
    assert budgets.used_up("a") is None
    assert budgets.used_up("a", resumes=True) == "address_used_up"
    now = 31.0
    assert budgets.used_up("a", resumes=True) is None
    budgets.charge("b", 10**6)
    assert budgets.used_up("a") == budgets.used_up("c") == "server_used_up"


async def test_an_address_that_has_used_up_its_bytes_can_write_nothing_but_leave(
    server: Running,
) -> None:
    page = await server.alone("marshmallow", 3, options={"first_dealer": 0})
    waiting = await server.waiting("plingo", 3, 1)
    tables = [page.table["id"], waiting[0].table["id"]]
    before = [await entries_of(server, table) for table in tables]
    spend_all(server)
    await page.do(page.legal[0])
    refused = await page.until("refused")
    assert refused["code"] == "address_used_up"
    assert refused["text"] == "Very much was played from where you are; please wait a while."
    assert await page.asks("fill", seat=0, level="easy") == "address_used_up"
    for kind, fields in (
        ("random", {"hex": "00" * 16}),
        ("configure", {"public": True}),
        ("fill", {"seat": 1, "level": "easy"}),
        ("begin", {}),
    ):
        assert await waiting[0].asks(kind, **fields) == "address_used_up"
    for path, body in (
        ("/api/tables", {"game": "plingo", "name": "Ann"}),
        (f"/api/tables/{tables[1]}/seats", {"name": "Bob"}),
    ):
        status, told = await server.post(path, body)
        assert (status, told["code"]) == (429, "address_used_up")
    assert [await entries_of(server, table) for table in tables] == before
    await waiting[0].send("leave")
    await waiting[0].until("welcome", lambda message: message["seat"] is None)
    assert len(await entries_of(server, tables[1])) == len(before[1]) + 1


async def test_what_was_refused_can_be_done_later_under_its_own_id(server: Running) -> None:
    page = await server.alone("marshmallow", 3, options={"first_dealer": 0})
    number = await page.do(page.legal[0])
    await page.until("update", lambda message: message["did"] == number)
    await page.until("update", lambda message: bool(message["legal"]))
    spend_all(server)
    assert number == 1
    await page.do(page.legal[0], number)  # sent again: it was carried out, and is told so
    assert (await page.until("done"))["id"] == number
    later = await page.do(page.legal[0], 2)
    assert (await page.until("refused"))["id"] == later
    spend_all(server, "somebody else")
    server.context.lobby.budgets.charge("127.0.0.1", -(10**8))
    await page.do(page.legal[0], later)
    await page.until("update", lambda message: message["did"] == later)


@pytest.mark.server(proxied=True)
async def test_others_go_on_at_a_table_where_an_address_has_used_up_its_bytes(
    server: Running,
) -> None:
    options, settings = {"first_dealer": 0}, INSTANT
    made = await server.make("marshmallow", options={"seats": 3, **options}, settings=settings)
    seat = await server.sit(made["table"], "Bob", seat=1)
    host = await server.page(made["table"], made["token"])
    await host.send("fill", seat=2, level="easy")
    guest = await elsewhere(server, made["table"], seat["token"])
    await deal([host, guest])
    spend_all(server, "203.0.113.7")
    await host.do(host.legal[0])
    await guest.until("update", lambda message: message["view"]["awaited"] == [1])
    await guest.do(guest.legal[0])
    assert (await guest.until("refused"))["code"] == "address_used_up"
    assert not host.table["resting"]
    await host.send("fill", seat=1, level="medium")  # it is there, but can do nothing
    await host.sees(lambda table: table["seats"][1]["stand_in"])
    await host.play()
    spend_all(server)  # and if nobody can write, the table rests
    other = await server.page(host.table["id"], host.token)
    assert await other.asks("again") == "address_used_up"


@pytest.mark.parametrize("game", ["marshmallow", "twinit"])
async def test_bots_rest_while_nobody_has_anything_left(server: Running, game: str) -> None:
    options = {"target": 20} if game == "marshmallow" else {}
    page = await server.alone(game, 3, options=options, settings={"pace": "brisk"})
    await page.send("fill", seat=0, level="medium")
    await page.sees(lambda table: table["seats"][0]["stand_in"])
    spend_all(server)
    await page.sees(lambda table: table["resting"])
    assert (await page.until("problem"))["code"] == "address_used_up"
    written = await entries_of(server, page.table["id"])
    await asyncio.sleep(0.5)
    assert await entries_of(server, page.table["id"]) == written
    assert await page.asks("go_on") == "address_used_up"
    page = await server.page(page.table["id"], page.token)  # its bot stays, as nothing is saved
    assert page.table["resting"]
    assert page.table["seats"][0]["stand_in"]
    assert (await page.until("problem"))["code"] == "address_used_up"
    assert await page.asks("back") == "address_used_up"
    assert await entries_of(server, page.table["id"]) == written
    server.context.lobby.budgets.charge("127.0.0.1", -(10**8))
    await page.send("go_on")
    await page.sees(lambda table: not table["resting"])
    await page.until("update")


@pytest.mark.server(limits=limits(server_bytes=(1, 100_000)))
async def test_a_server_that_has_written_enough_says_so(server: Running) -> None:
    page = await server.alone("marshmallow", 3, options={"first_dealer": 0})
    spend_all(server, "203.0.113.7")
    await page.do(page.legal[0])
    assert (await page.until("refused"))["code"] == "server_used_up"
    status, told = await server.post("/api/tables", {"game": "plingo", "name": "Ann"})
    assert (status, told["code"]) == (503, "server_used_up")


@pytest.mark.parametrize("limit", ["table_entries", "table_bytes"])
async def test_a_table_that_is_used_up_takes_no_new_game_also_after_a_restart(
    tmp_path: Path, limit: str
) -> None:
    async with running(tmp_path) as server:
        page = await server.alone("marshmallow", 3, options={"target": 1})
        await page.play()
        table = page.table["id"]
        written = await entries_of(server, table)
    used = {"table_entries": len(written), "table_bytes": size_of_entries(written)}[limit]
    async with running(tmp_path, limits(**{limit: used})) as server:
        page = await server.page(table, page.token)
        assert await page.asks("again") == "table_used_up"
        assert page.table["state"] == "over"
        assert await entries_of(server, table) == written
        assert (await server.get(f"/api/tables/{table}/games/1/record"))[0] == 200
        await server.make("marshmallow")  # there are others
    async with running(tmp_path, limits(**{limit: used + 1})) as server:
        page = await server.page(table, page.token)
        await page.send("again")
        await page.sees(lambda told: told["state"] == "waiting")
        await page.contribute()  # which is beyond it, but the game is under way
        await page.until("update")


@pytest.mark.server(limits=limits(table_entries=50))
async def test_a_game_that_goes_far_beyond_its_table_s_budget_rests_for_good(
    server: Running,
) -> None:
    page = await server.alone("marshmallow", 3, options={"target": 20})
    await page.send("fill", seat=0, level="medium")
    await page.sees(lambda table: table["resting"])
    assert (await page.until("problem"))["code"] == "table_used_up"
    assert await page.asks("go_on") == "table_used_up"
    assert await page.asks("back") == "table_used_up"
    n = len(await entries_of(server, page.table["id"]))
    assert 62 < n < 66
    again = await server.page(page.table["id"], page.token)
    assert (await again.until("problem"))["code"] == "table_used_up"
    await again.send("leave")
    await again.until("welcome", lambda message: message["seat"] is None)
    await again.sees(lambda table: table["state"] == "over")
    assert not again.table["resting"]


@pytest.mark.server(limits=limits(table_entries=10))
async def test_a_table_that_is_used_up_before_its_first_game_does_not_begin(
    server: Running,
) -> None:
    (page,) = await server.waiting("marshmallow", 3, 1, bots="easy")
    for public in (True, False) * 3:
        await page.send("configure", public=public)
    assert await page.asks("begin") == "table_used_up"


@pytest.mark.server(limits=limits(seats=Limits().seats), proxied=True)
async def test_who_sits_and_leaves_again_and_again_cannot_spend_anothers_table(
    server: Running,
) -> None:
    made = await server.make("marshmallow", options={"seats": 3})
    codes: list[str | None] = []
    for _ in range(30):
        status, seat = await server.post(f"/api/tables/{made['table']}/seats", {"name": "Bob"})
        codes.append(seat.get("code"))
        if status == 201:
            page = await server.page(made["table"], seat["token"])
            await page.send("leave")
            await page.until("welcome", lambda message: message["seat"] is None)
            await page.close()
    most = int(Limits().seats[1])
    assert codes == [None] * most + ["too_many_requests"] * (30 - most)
    assert len(await entries_of(server, made["table"])) < 3 * most
    friend = await server.post(
        f"/api/tables/{made['table']}/seats", {"name": "Eve"}, headers=ELSEWHERE
    )
    assert friend[0] == 201
    await server.sit((await server.make("marshmallow"))["table"])


@pytest.mark.server(limits=limits(server_bytes=(0, 10**9)))
async def test_a_table_pays_for_what_it_writes_about_what_it_takes_on_disk(
    server: Running, tmp_path: Path, charged: Counter[str]
) -> None:
    before = sum(file.stat().st_size for file in tmp_path.iterdir())
    for _ in range(12):
        page = await server.alone("marshmallow", 5)
        await page.play()
        await page.close()
    async with asyncio.timeout(10):
        while await server.context.journal.record(page.table["id"], 1) is None:
            await asyncio.sleep(0.05)
    await server.context.journal.close()  # moves all to where it belongs
    after = sum(file.stat().st_size for file in tmp_path.iterdir())
    assert 0.5 * (after - before) < charged.total() < 3 * (after - before)


@pytest.mark.parametrize("restart", [False, True])
async def test_a_table_s_bytes_are_those_of_its_journal(tmp_path: Path, restart: bool) -> None:
    """Games are played until there may be no other one, which is when its entries take as much."""
    most = limits(table_bytes=25_000)
    games, size = 0, 0
    async with AsyncExitStack() as servers:
        server = await servers.enter_async_context(running(tmp_path, most))
        page = await server.alone("marshmallow", 3, options={"target": 1})
        while size < most.table_bytes:
            await page.play()
            games += 1
            if restart:
                await servers.aclose()
                server = await servers.enter_async_context(running(tmp_path, most))
                page = await server.page(page.table["id"], page.token)
            written = await entries_of(server, page.table["id"])
            size = size_of_entries(written)
            assert size == sum(map(len, written)) + ROW_OVERHEAD * len(written)
            if size < most.table_bytes:
                await page.send("again")
                await page.sees(lambda table: table["state"] == "waiting")
                await page.contribute()
                await page.until("update")
        assert await page.asks("again") == "table_used_up"
    assert games > 1


async def test_what_a_game_writes_is_what_its_table_is_charged(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    appends: list[Append] = []
    journal = server.context.journal
    save = journal.append_soon

    def noting(append: Append, done: Any) -> None:
        appends.append(append)
        save(append, done)

    monkeypatch.setattr(journal, "append_soon", noting)
    page = await server.alone("marshmallow", 3)
    await page.play()
    budget = TableBudget(Budgets(Limits()), 0)
    for append in appends:
        budget.charge(append, None)
    written = await entries_of(server, page.table["id"])
    assert budget.size == size_of_entries(written[min(append.first for append in appends) :])


@pytest.mark.server(limits=limits(address_bytes=(0, 10**6)), proxied=True)
async def test_who_acts_pays_for_the_bots_that_follow(
    server: Running, charged: Counter[str]
) -> None:
    """A guest cannot make a host pay for a game that the host does not play."""
    settings = {"pace": "instant", "grace": 1}
    made = await server.make("marshmallow", options={"seats": 3}, settings=settings)
    seat = await server.sit(made["table"], "Bob", seat=1)
    host = await server.page(made["table"], made["token"])
    await host.send("fill", seat=2, level="easy")
    guest = await elsewhere(server, made["table"], seat["token"])
    await deal([host, guest])
    await host.close()
    await guest.sees(lambda table: table["seats"][0]["stand_in"])
    guest.told.clear()
    while guest.view["awaited"] != [1]:
        await guest.until("update")
    await guest.do(guest.legal[0])
    await guest.until("update", lambda message: message["did"] > 0)
    before = charged["127.0.0.1"]
    await guest.play()
    assert charged["127.0.0.1"] == before
    acted = [e.decode(each) for each in await entries_of(server, made["table"])]
    assert sum(isinstance(each, e.Acted) and not each.id for each in acted) > 20


async def test_what_waits_for_a_rival_when_a_table_begins_to_rest_is_answered(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Lag, "add_sample", lambda line, _: setattr(line, "allowance", 250))
    options = {"mode": "coop", "minute_ms": 600_000}
    pages = await server.people("twinit", 2, options=options)
    table = pages[0].table["id"]
    async with asyncio.timeout(10):
        while any(each.lag.allowance != 250 for each in server.context.connections):
            await asyncio.sleep(0.05)
    before = await entries_of(server, table)
    number = await pages[0].do(next(each for each in pages[0].legal if "turn" in each))
    spend_all(server)
    await server.page(table)  # whoever comes, it is seen that nothing is left
    refused = await pages[0].until("refused")
    assert (refused["id"], refused["code"]) == (number, "address_used_up")
    await pages[0].sees(lambda table: table["resting"])
    assert await entries_of(server, table) == before


@pytest.mark.server(proxied=True)
async def test_a_table_goes_on_when_somebody_comes_who_has_something_left(server: Running) -> None:
    made = await server.make("marshmallow", options={"seats": 3}, settings=INSTANT)
    seat = await server.sit(made["table"], "Bob", seat=1)
    host = await server.page(made["table"], made["token"])
    await host.send("fill", seat=2, level="easy")
    await host.contribute()
    await host.sees(lambda table: table["seats"][2]["kind"] == "bot")
    await host.send("begin")
    await host.until("update")
    spend_all(server)
    await server.page(made["table"])  # whoever comes, it is seen that nothing is left
    await host.sees(lambda table: table["resting"])
    guest = await elsewhere(server, made["table"], seat["token"])
    assert not guest.table["resting"]
    await host.sees(lambda table: not table["resting"])


async def test_whatever_an_address_does_it_writes_no_more_than_its_budget(tmp_path: Path) -> None:
    """Plays on and on, configures, fills, comes and goes, at several tables."""
    burst = 60_000

    async def plays(server: Running) -> None:
        page = await server.alone("marshmallow", 5, options={"target": 1})
        while not any(told.get("code") == "address_used_up" for told in page.told):
            if page.table["state"] == "over":
                await page.send("again")
            elif page.table["state"] == "waiting":
                await page.contribute()
            elif page.legal:
                await page.do(page.first_action)
            await page.next()

    async def configures(server: Running) -> None:
        (page,) = await server.waiting("plingo", 4, 1)
        while not any(told.get("code") == "address_used_up" for told in page.told):
            await page.send("configure", public=not page.table["public"])
            await page.send("fill", seat=1, level="easy")
            await page.send("fill", seat=1, level=None)
            await page.next()

    async def comes_and_goes(server: Running) -> None:
        made = await server.make("marshmallow", options={"seats": 3})
        while True:
            status, seat = await server.post(f"/api/tables/{made['table']}/seats", {"name": "Bob"})
            if status == 429:
                assert seat["code"] == "address_used_up"
                return
            page = await server.page(made["table"], seat["token"])
            await page.send("leave")
            await page.until("welcome", lambda message: message["seat"] is None)
            await page.close()

    async with running(tmp_path, limits(address_bytes=(0, burst))) as server:
        async with asyncio.timeout(60):
            await asyncio.gather(plays(server), configures(server), comes_and_goes(server))
        with closing(sqlite3.connect(tmp_path / "tables.db")) as database:
            entries = database.execute("SELECT entry FROM entries").fetchall()
        written = size_of_entries(entry for (entry,) in entries)
        assert burst / 4 < written < burst + 5_000  # what was under way when it was used up
