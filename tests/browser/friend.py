"""A player without a browser who acts when a test tells it to: so a test decides when it is whose
turn."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any

import aiohttp

from tests.browser.server import ServerProcess
from tests.server.client import PATIENCE, Page

Choose = Callable[[dict[str, Any], list[str]], str]
"""An action of the legal ones, by the view."""


class Friend:
    """A player on a thread of its own, since Playwright has the event loop of the test's."""

    def __init__(self, server: ServerProcess, seat: Any) -> None:
        self._url = f"{server.url}/api/tables/{seat['table']}/play"
        self._token = str(seat["token"])
        self._loop = asyncio.new_event_loop()
        self._changed = asyncio.Condition()
        self._page: Page
        self._connected = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        assert self._connected.wait(PATIENCE)

    def _run(self) -> None:
        with closing(self._loop):
            self._loop.run_until_complete(self._read())

    async def _read(self) -> None:
        async with aiohttp.ClientSession() as session:
            self._page = page = Page(await session.ws_connect(self._url))
            await page.send("hello", token=self._token)
            await page.until("welcome")
            await page.contribute()
            self._connected.set()
            with suppress(ConnectionError, TimeoutError):
                while True:
                    await page.next()
                    async with self._changed:
                        self._changed.notify_all()

    async def _act(self, choose: Choose) -> str:
        page = self._page
        async with asyncio.timeout(PATIENCE), self._changed:
            await self._changed.wait_for(lambda: bool(page.legal))
            action, n = choose(page.view, page.legal), page.n
            await page.do(action)
            await self._changed.wait_for(lambda: page.n > n)
        return action

    def act(self, choose: Choose) -> str:
        """Waits for its turn and does what `choose` says; returns the action once it is done."""
        return asyncio.run_coroutine_threadsafe(self._act(choose), self._loop).result()

    @property
    def view(self) -> dict[str, Any]:
        return self._page.view

    @property
    def legal(self) -> list[str]:
        return self._page.legal

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._page.close(), self._loop).result()
        self._thread.join(PATIENCE)
