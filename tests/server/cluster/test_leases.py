"""A server that could not reach the database for longer than its lease shows nothing from memory
that may be old: another server may run its tables since."""

import asyncio
from urllib.parse import urlsplit

from tests.server.client import Page
from tests.server.cluster.members import LEASE, members
from tests.server.storm.proxy import Proxy


async def test_a_server_that_was_cut_off_does_not_lead_pages_back(postgres_url: str) -> None:
    port = urlsplit(postgres_url).port
    assert port is not None
    proxy = await Proxy(port).start()
    cut_url = postgres_url.replace(f":{port}/", f":{proxy.port}/")
    async with members(cut_url, 1) as (cut,), members(postgres_url, 1) as (other,):
        made = await cut.make("plingo", options={"seats": 2})
        page = await cut.page(made["table"], made["token"])
        before = page.n
        await page.close()
        proxy.stall()
        await asyncio.sleep(1.2 * LEASE)
        later = await other.page(made["table"], made["token"])
        await later.contribute()
        await later.until("table")
        # As soon as it is back, and long before it looks for lost tables by itself.
        coming = asyncio.create_task(cut.page(made["table"], made["token"]))
        await asyncio.sleep(LEASE / 2)
        assert not coming.done()
        proxy.resume()
        back: Page = await asyncio.wait_for(coming, 10)
        assert back.n > before
        assert back.table["seats"][0]["ready"]
        await back.close()
        await later.close()
    await proxy.close()


async def test_a_page_that_comes_while_the_database_is_away_is_told_to_come_again(
    postgres_url: str,
) -> None:
    port = urlsplit(postgres_url).port
    assert port is not None
    proxy = await Proxy(port).start()
    async with members(postgres_url.replace(f":{port}/", f":{proxy.port}/"), 1) as (server,):
        made = await server.make("plingo", options={"seats": 2})
        proxy.drop()
        page = await server.connect(made["table"])
        await asyncio.sleep(LEASE)
        await page.send("hello", token=made["token"])
        assert (await page.until("closing"))["code"] == "restart"
        assert page.told[-2]["type"] == "problem"
        await page.close()
        proxy.resume()
        back = await server.page(made["table"], made["token"])
        assert back.seat == 0
        await back.close()
    await proxy.close()
