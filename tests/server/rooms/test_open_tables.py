"""The list of open tables: those with a free seat and a person present, shared fairly between
addresses."""

from contextlib import AsyncExitStack

import pytest

from pli.server.limits import Limits
from pli.server.rooms import open_tables
from tests.server.client import QUICK, Page, Running, coming_from
from tests.server.journal.held import held_appends


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_tables, "FRESH", 0.0)


async def host(server: Running, name: str = "Ann", **more: object) -> Page:
    """The host of a public table that waits for players."""
    made = await server.make("plingo", name=name, public=True, **more)
    return await server.page(made["table"], made["token"])


async def listed(server: Running) -> list[str]:
    """The hosts of the tables that are listed."""
    _, told = await server.get("/api/tables")
    return [each["names"][0] for each in told["tables"]]


async def test_a_table_is_listed_while_somebody_sits_there(server: Running) -> None:
    made = await server.make("plingo", public=True)
    assert await listed(server) == []
    watching = await server.page(made["table"])
    assert await listed(server) == []
    page = await server.page(made["table"], made["token"])
    assert await listed(server) == ["Ann"]
    await page.close()
    await watching.sees(lambda table: not table["seats"][0]["connected"])
    assert await listed(server) == []


@pytest.mark.server(limits=Limits(**QUICK, listed=4, listed_each=3))
async def test_one_address_with_many_tables_leaves_room_for_others(server: Running) -> None:
    pages = [await host(server, "Zoe")]
    async with coming_from(server, "127.0.0.2") as flood:
        for n in range(12):
            pages.append(await host(flood, f"F{n}"))
        assert await listed(server) == ["F11", "F10", "F9", "Zoe"]
        async with coming_from(server, "127.0.0.3") as another:
            pages.append(await host(another, "Yan"))
            assert await listed(server) == ["Yan", "F11", "F10", "Zoe"]


@pytest.mark.server(limits=Limits(**QUICK, listed=3, listed_each=2))
async def test_where_there_are_more_addresses_than_places_they_take_turns(server: Running) -> None:
    pages = []
    async with AsyncExitStack() as stack:
        for n in range(2, 9):
            context = await stack.enter_async_context(coming_from(server, f"127.0.0.{n}"))
            pages += [await host(context, f"A{n}"), await host(context, f"B{n}")]
        seen: set[str] = set()
        for _ in range(4):
            shown = await listed(server)
            assert len(shown) == 3
            seen |= {*shown}
        assert seen == {f"B{n}" for n in range(2, 9)}


async def test_what_is_not_saved_yet_is_not_listed(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = await host(server, options={"seats": 3})
    (before,) = (await server.get("/api/tables"))[1]["tables"]
    private = await server.make("plingo", name="Bob")
    other = await server.page(private["table"], private["token"])
    with held_appends(server.context.journal, monkeypatch) as held:
        await page.send("configure", options={"seats": 4})
        await other.send("configure", public=True)
        await held.some(2)
        assert (await server.get("/api/tables"))[1]["tables"] == [before]
    await page.sees(lambda table: len(table["seats"]) == 4)
    await other.sees(lambda table: bool(table["public"]))
    assert len(await listed(server)) == 2


async def test_a_list_is_made_at_most_once_a_second(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_tables, "FRESH", 1e6)
    pages = [await host(server)]
    assert await listed(server) == ["Ann"]
    pages.append(await host(server, "Bob"))
    assert await listed(server) == ["Ann"]
