"""`pli serve` as its users start it, for browsers to visit: it can be killed and started again."""

import asyncio
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, Self

import aiohttp

from tests.server.client import Page, deal

STATIC = Path(__file__).parents[2] / "src" / "pli" / "server" / "static"

CHROMIUM = next(
    (
        path
        for name in (os.environ.get("PLI_CHROMIUM", ""), "chromium", "chromium-browser")
        if name and (path := shutil.which(name))
    ),
    None,
)
"""The browser of the machine: none is ever downloaded."""

FEATURES_OFF = [
    # Chromium draws two pages for the address bar of every new window, which nobody sees. They cost
    # more than a page of ours.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    # What Playwright switches off: of two lists Chromium reads the last one only.
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
]

FLAGS = [
    f"--disable-features={','.join(FEATURES_OFF)}",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
]

QUICK = {"pace": "instant"}
"""Bots that don't pause."""


class House:
    """One server on one port, with its tables in a folder."""

    def __init__(self, folder: Path, *options: str, **limits: int) -> None:
        """`options` are those of `pli serve` beside its own. Without limits, but for those that are
        named."""
        self._options = [*options, *(f"--limit={name}={value}" for name, value in limits.items())]
        self._db = folder / "tables.db"
        self._log = folder / "log"
        self._port = 0
        self.url = ""
        self._process: subprocess.Popen[str] | None = None
        self.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def start(self) -> None:
        """On the port that it had before, if it had one."""
        options = ["--port", str(self._port), "--db", str(self._db), "--log-level", "warning"]
        options += self._options
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "pli",
                    "serve",
                    "--no-limits",
                    "--workers",
                    "1",
                    *options,
                ],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        found = re.search(r"http://\S+:(\d+)", self._process.stdout.readline())
        assert found is not None, self._log.read_text()
        self.url, self._port = found[0], int(found[1])

    def kill(self) -> None:
        """Without a word to anybody, as a machine goes down."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def entries(self, table: str) -> list[bytes]:
        """All that ever was at a table, as it is on the disk."""
        with closing(sqlite3.connect(f"file:{self._db}?mode=ro", uri=True)) as db:
            found = db.execute(
                "SELECT entry FROM entries WHERE table_id = ? ORDER BY number", (table,)
            )
            return [bytes(entry) for (entry,) in found]

    @property
    def complaints(self) -> str:
        """What the server had to say: nothing, if all went well."""
        return self._log.read_text()

    def ask(self, path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data)
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read().decode()
        return json.loads(text) if "json" in answer.headers["content-type"] else text

    def make(self, game: str, seats: int, **options: int | str) -> Any:
        """A small table, quick as a player may set it: the seat of its host."""
        values: dict[str, int | str] = {"seats": seats, **options}
        if game == "marshmallow":
            values.setdefault("target", 8)
        if game == "merci":
            values.setdefault("fault_window_ms", 300)
        wanted = {"game": game, "name": "Ann", "options": values, "settings": QUICK}
        seat = self.ask("/api/tables", {**wanted, "bots": "easy"})
        return {**seat, "game": game, "used": 1}

    def finish(self, *seats: Any) -> None:
        """The people of a table, its host first, play to the end without a page to look at: for
        what comes after."""

        async def sit(session: aiohttp.ClientSession, seat: Any) -> Page:
            page = Page(await session.ws_connect(f"/api/tables/{seat['table']}/play"))
            await page.send("hello", lang="en", token=seat["token"])
            await page.until("welcome")
            return page

        async def play() -> None:
            async with aiohttp.ClientSession(self.url) as session:
                pages = [await sit(session, seat) for seat in seats]
                await deal(pages)
                await asyncio.gather(*(page.play() for page in pages))
                for page in pages:
                    await page.close()

        # Playwright has the event loop of this thread.
        with ThreadPoolExecutor(1) as other:
            other.submit(asyncio.run, play()).result()
