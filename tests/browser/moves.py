"""`make bench-page`: the time from the click on a card to the changed page, while other tables are
busy on the same server. Prints the 50th, 95th and 99th percentile; fails above the limit."""

import argparse
import asyncio
import sys
import tempfile
import threading
from pathlib import Path
from statistics import quantiles

import aiohttp
from playwright.sync_api import sync_playwright

from tests.browser.chromium import CHROMIUM, FLAGS
from tests.browser.server import QUICK, ServerProcess
from tests.browser.user import User
from tests.server.client import Page

MOST = 50.0
"""Milliseconds, for 95 of 100 moves."""

WATCH = """() => {
  window.taken = [];
  const count = (what) => document.querySelectorAll(what).length;
  const cards = () => count('.trick li') + count('.hand button') * 100;
  addEventListener('click', (event) => {
    const card = event.target.closest('.hand .playable');
    if (!card) return;
    const began = event.timeStamp;
    const before = cards();
    const look = new MutationObserver(() => {
      if (cards() === before) return;
      look.disconnect();
      window.taken.push(performance.now() - began);
    });
    look.observe(document.querySelector('main'), { childList: true, subtree: true });
  }, true);
}"""
"""Milliseconds from each click on a card until the card has left the hand."""


class BackgroundLoad:
    """Players without a browser at other tables, game after game, on a thread of their own:
    Playwright blocks this one."""

    def __init__(self, server: ServerProcess, tables: int, pause: float) -> None:
        self.moves = 0
        self._server, self._tables, self._pause = server, tables, pause
        self._stop = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._play()), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()

    async def _play(self) -> None:
        async with aiohttp.ClientSession() as session:
            await asyncio.gather(*(self._table(session) for _ in range(self._tables)))

    async def _table(self, session: aiohttp.ClientSession) -> None:
        while not self._stop.is_set():
            made: dict[str, object] = {"game": "marshmallow", "name": "Bob", "bots": "medium"}
            made |= {"options": {"seats": 4}, "settings": QUICK}
            async with session.post(f"{self._server.url}/api/tables", json=made) as answer:
                seat = await answer.json()
            url = f"{self._server.url}/api/tables/{seat['table']}/play"
            page = Page(await session.ws_connect(url))
            await page.send("hello", token=seat["token"])
            await page.until("welcome")
            await page.contribute()
            await page.send("begin")
            await page.until("update")
            await self._game(page)
            await page.close()

    async def _game(self, page: Page) -> None:
        tried = -1
        while page.table["state"] == "playing" and not self._stop.is_set():
            if page.legal and tried != page.n:
                tried = page.n
                await asyncio.sleep(self._pause)
                await page.do(page.legal[0])
                self.moves += 1
            await page.next()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--moves", type=int, default=100)
    parser.add_argument("--pause", type=float, default=1.0, help="seconds of thought elsewhere")
    wanted = parser.parse_args()
    assert CHROMIUM is not None, "make bench-page needs chromium"
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        ServerProcess(Path(folder)) as server,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.add_init_script(
            'localStorage.setItem(\'pli.preferences\', \'{"pace":"instant","guard":false}\')'
        )
        load = BackgroundLoad(server, wanted.tables, wanted.pause)
        taken: list[float] = []
        while len(taken) < wanted.moves:
            ann = User(server, context)
            ann.start_game("marshmallow", 4, target=30)
            prompt = ann.wait_for_prompt()
            ann.page.evaluate(WATCH)
            while prompt.kind != "over" and len(taken) + len(times(ann)) < wanted.moves:
                ann.page.mouse.click(prompt.x, prompt.y)
                prompt = ann.wait_for_prompt(prompt.state)
            taken += times(ann)
            ann.page.close()
        load.stop()
        browser.close()
    parts = quantiles(taken, n=100)
    print(
        f"{len(taken)} moves beside {wanted.tables} tables with {load.moves} moves of people:"
        f" median {parts[49]:.0f} ms, 95th percentile {parts[94]:.0f} ms, 99th {parts[98]:.0f} ms"
    )
    return 0 if parts[94] <= MOST else 1


def times(user: User) -> list[float]:
    return [float(each) for each in user.page.evaluate("window.taken ?? []")]


if __name__ == "__main__":
    sys.exit(main())
