"""Pages at one server, tables at another: all that a page can ask for over a relay, and what
becomes of it when a link, a server or a claim is lost."""

import asyncio
import time
from collections.abc import Collection
from typing import Any

import msgspec
import pytest

from pli.errors import PliError
from pli.server.limits import Limits
from pli.server.rooms.room import Room
from tests.server.client import Page, deal, play_some
from tests.server.cluster.members import Member, members

GAMES = ("marshmallow", "plingo", "merci", "twinit")
SHORT: dict[str, dict[str, object]] = {
    "marshmallow": {"target": 1},
    "twinit": {"mode": "coop", "minute_ms": 1500},
}


async def seated(at: list[Member], game: str, seats: int, **fields: object) -> list[Page]:
    """A table made at the first server; player n is connected to server n, in turn."""
    options: dict[str, object] = {"seats": seats, **SHORT.get(game, {})}
    made = await at[0].make(game, options=options, **fields)
    tokens = [made["token"]]
    for number in range(1, seats):
        tokens.append((await at[number % len(at)].sit(made["table"], f"P{number}"))["token"])
    return [
        await at[number % len(at)].page(made["table"], token) for number, token in enumerate(tokens)
    ]


@pytest.mark.parametrize("game", GAMES)
async def test_players_at_two_servers_play_a_whole_game_at_one_table(
    two: list[Member], game: str
) -> None:
    pages = await seated(two, game, 3 if game != "twinit" else 2)
    await deal(pages)
    assert two[0].relays
    assert two[1].relays
    await play_some(pages, 6)
    assert len({page.n for page in pages}) == 1
    assert [page.seat for page in pages] == list(range(len(pages)))
    assert two[0].context.lobby.in_memory(pages[0].table["id"]) is not None
    assert two[1].context.lobby.in_memory(pages[0].table["id"]) is None


async def test_everything_about_a_table_is_told_by_any_server(two: list[Member]) -> None:
    owner, edge = two
    pages = await owner.people("twinit", 2, public=True)
    table = pages[0].table["id"]
    pictures = next(each for each in pages[0].told if each["type"] == "pictures")
    status, info = await edge.get(f"/api/tables/{table}")
    assert (status, info["id"], info["state"]) == (200, table, "playing")
    url = f"/pictures/{table}/1/{pictures['sheets'][0]}"
    assert await edge.get(url) == await owner.get(url)
    assert await edge.post(f"/api/tables/{table}/seats", {"name": "Late"}) == await owner.post(
        f"/api/tables/{table}/seats", {"name": "Late"}
    )
    status, told = await edge.get("/api/tables/aaaaaaaaaa")
    assert (status, told["code"]) == (404, "no_such_table")
    status, told = await edge.get(f"/api/tables/{table}/games/1/record")
    assert (status, told["code"]) == (403, "not_over")


async def test_open_tables_of_all_servers_are_listed_by_each(two: list[Member]) -> None:
    hosts = [(await server.waiting("plingo", 3, 1, public=True))[0] for server in two]
    names = [page.table["id"] for page in hosts]
    async with asyncio.timeout(20):
        for server in two:
            while {each["id"] for each in (await server.get("/api/tables"))[1]["tables"]} != {
                *names
            }:
                await asyncio.sleep(0.1)


async def test_refusals_problems_and_hints_come_over_a_relay(two: list[Member]) -> None:
    pages = await seated(two, "marshmallow", 3)
    await deal(pages)
    far = pages[1]
    assert await far.asks("begin") == "only_host"
    await far.send("log")
    assert await far.until("log")
    awaited = pages[0].view["awaited"][0]
    other = next(page for page in pages if page.seat != awaited)
    await other.do("play B99")
    assert (await other.until("refused"))["id"] == other.id
    await far.send("say", phrase="hello")
    assert (await pages[0].until("said"))["seat"] == 1


async def test_a_second_page_of_one_seat_replaces_the_first_wherever_it_is(
    two: list[Member],
) -> None:
    pages = await seated(two, "plingo", 3)
    again = await two[0].page(pages[1].table["id"], pages[1].token)
    closing = await pages[1].until("closing")
    assert closing["code"] == "replaced"
    assert again.seat == 1


async def test_a_seat_is_taken_once_however_often_it_is_asked_for(two: list[Member]) -> None:
    made = await two[0].make("plingo", options={"seats": 3})
    lobby = two[0].context.lobby
    from pli.server.protocol.bodies import TakeSeat

    token = "t" * 32
    first = await lobby.sit(made["table"], TakeSeat(name="Bob"), "127.0.0.1", token)
    again = await lobby.sit(made["table"], TakeSeat(name="Bob"), "127.0.0.1", token)
    assert first == again
    assert len((await two[0].durable(made["table"])).people) == 2


# What is lost and found again


async def test_a_link_that_breaks_is_made_anew_and_the_page_is_only_welcomed_again(
    two: list[Member],
) -> None:
    pages = await seated(two, "marshmallow", 3)
    await deal(pages)
    await play_some(pages, 3)
    before = pages[1].n
    two[1].tables.links.only(set())
    welcome = await pages[1].until("welcome")
    assert welcome["seat"] == 1
    assert pages[1].n >= before
    await play_some(pages, 5)
    assert len({page.n for page in pages}) == 1


async def test_what_a_page_sends_while_its_link_is_broken_is_carried_out_once(
    two: list[Member],
) -> None:
    pages = await seated(two, "marshmallow", 3)
    await deal(pages)
    while pages[0].view["awaited"] != [1]:
        await play_some(pages, 1)
    far = pages[1]
    action = far.first_action
    two[1].tables.links.only(set())
    number = await far.do(action)
    await far.until("welcome")
    await far.do(action, number)  # as a page does that was not told what became of it
    await far.until("update", lambda told: told["did"] == number)
    table = await two[0].durable(far.table["id"])
    assert table.chairs[1].acted == number


async def test_a_planned_stop_hands_tables_over_within_a_second(two: list[Member]) -> None:
    owner, edge = two
    pages = await seated(two, "marshmallow", 3)
    await deal(pages)
    await play_some(pages, 4)
    far, table = pages[1], pages[0].table["id"]
    n = far.n
    began = time.monotonic()
    stopping = asyncio.create_task(owner.stop())
    closing = await pages[0].until("closing")
    assert closing["code"] == "restart"
    await far.until("welcome")
    assert time.monotonic() - began < 1.0
    assert far.n >= n
    await stopping
    assert edge.context.lobby.in_memory(table) is not None
    pages = [await edge.page(table, page.token) if page is not far else far for page in pages]
    await play_some(pages, 4)


async def test_pages_of_a_table_that_was_taken_follow_it(two: list[Member]) -> None:
    owner, other = two
    pages = await seated([owner, owner], "plingo", 3)
    await deal(pages)
    table = pages[0].table["id"]
    await other.journal.claim(table, force=True)
    for page in pages:
        await page.until("welcome")
    assert other.context.lobby.in_memory(table) is not None
    assert owner.context.lobby.in_memory(table) is None
    await play_some(pages, 3)


async def test_a_table_that_is_opened_just_when_it_is_given_up_is_claimed_again(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else this server would show it as it was, while another one goes on with it."""
    async with members(postgres_url, 1, limits=Limits(linger_seconds=0.1)) as (only,):
        (page,) = await seated([only], "twinit", 1)
        table, lobby = page.table["id"], only.context.lobby
        opening: list[asyncio.Future[Room]] = []
        release = only.journal.release

        def released(tables: Collection[str]) -> asyncio.Future[None]:
            if not opening:
                opening.append(asyncio.ensure_future(lobby.open(table, "")))
            return release(tables)

        monkeypatch.setattr(only.journal, "release", released)
        await page.close()
        while not opening:
            await asyncio.sleep(0.01)
        room = await opening[0]
        assert lobby.in_memory(table) is room
        assert only.journal.epoch(table) == 2


async def test_a_table_that_is_taken_while_it_is_read_is_not_shown_as_it_was(
    two: list[Member], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a server has read is old once another one goes on with the table."""
    slow, other = two
    pages = await seated([other, other], "plingo", 2)
    await deal(pages)
    table, token = pages[0].table["id"], pages[0].token
    history = slow.context.lobby.history
    load, has_read, go_on = history.load, asyncio.Event(), asyncio.Event()

    async def slowly(name: str, address: str) -> Any:
        monkeypatch.setattr(history, "load", load)
        found = await load(name, address)
        has_read.set()
        await go_on.wait()
        return found

    monkeypatch.setattr(history, "load", slowly)
    await slow.journal.claim(table, force=True)
    late = asyncio.create_task(slow.page(table, token))
    await has_read.wait()
    await other.journal.claim(table, force=True)
    pages = [await other.page(table, page.token) for page in pages]
    await play_some(pages, 4)
    go_on.set()
    assert (await late).n >= pages[1].n


async def test_a_table_that_nobody_can_reach_says_so(
    two: list[Member], monkeypatch: pytest.MonkeyPatch
) -> None:
    from pli.server.cluster import tables

    owner, edge = two
    made = await owner.make("plingo")
    await owner.page(made["table"], made["token"])
    monkeypatch.setattr(tables, "PATIENCE", 0.3)
    monkeypatch.setattr(edge.tables.links, "to", _unreachable)
    status, told = await edge.get(f"/api/tables/{made['table']}")
    assert (status, told["code"]) == (503, "unreachable")
    page = await edge.connect(made["table"])
    await page.send("hello", token=made["token"])
    assert (await page.until("problem"))["code"] == "unreachable"


async def _unreachable(server: str, address: str) -> None:
    from pli.server.cluster.handshake import NotLinked

    raise NotLinked("not today")


def test_the_error_has_a_text() -> None:
    assert "reached" in PliError("unreachable").text()


# Names and portraits


async def test_names_and_portraits_come_over_a_relay(two: list[Member]) -> None:
    owner, edge = two
    made = await owner.make("plingo", options={"seats": 3}, face=1)
    table = made["table"]
    host = await owner.page(table, made["token"])
    sat = await edge.sit(table, "Bob", face=1)
    await host.sees(lambda told: told["seats"][1].get("face") == 2)
    body = {"token": sat["token"], "name": "Zoe", "face": 7}
    status, told = await edge.post(f"/api/tables/{table}/name", body)
    assert (status, told) == (201, {"name": "Zoe", "face": 7})
    await host.sees(lambda told: told["seats"][1]["name"] == "Zoe")
    await edge.page(table, name="Cem")
    await host.sees(lambda told: told.get("watching") == ["Cem"])
    status, told = await edge.post(f"/api/tables/{table}/name", {**body, "token": "x" * 32})
    assert (status, told["code"]) == (400, "not_your_seat")


async def test_an_owner_that_knows_of_neither_is_asked_without(
    two: list[Member], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As before there were any: a field that is not known is refused."""
    owner, edge = two
    made = await owner.make("plingo", options={"seats": 3})
    table = made["table"]
    host = await owner.page(table, made["token"])
    lobby, attach = owner.context.lobby, owner.context.local_tables.attach
    sit = lobby.sit

    async def earlier_sit(name: str, wanted: Any, *more: Any) -> Any:
        if wanted.face is not None:
            raise msgspec.ValidationError("Object contains unknown field `face`")
        return await sit(name, wanted, *more)

    async def earlier_attach(name: str, viewer: Any, hello: Any) -> Any:
        if hello.name is not None:
            raise msgspec.ValidationError("Object contains unknown field `name`")
        return await attach(name, viewer, hello)

    monkeypatch.setattr(lobby, "sit", earlier_sit)
    monkeypatch.setattr(owner.context.local_tables, "attach", earlier_attach)
    await edge.sit(table, "Bob", face=1)
    await host.sees(lambda told: told["seats"][1]["name"] == "Bob")
    assert "face" not in host.table["seats"][1]
    page = await edge.page(table, name="Cem")
    assert page.seat is None


async def test_a_common_start_waits_for_pages_of_all_servers(two: list[Member]) -> None:
    made = await two[0].make("twinit", options={"seats": 2})
    tokens = [made["token"], (await two[1].sit(made["table"], "Bob"))["token"]]
    pages = [
        await at.page(made["table"], token, starts=True)
        for at, token in zip(two, tokens, strict=True)
    ]
    await deal(pages)
    await pages[0].send("ready", number=1)
    await pages[0].until("start", lambda told: told["waits_for"] == [1])
    await pages[1].send("ready", number=1)
    for page in pages:
        await page.until("start", lambda told: told["count"] == 3000)
