"""A server process, started with `pli serve`, which can be killed and restarted."""

import asyncio
import json
import re
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

QUICK = {"pace": "instant"}
"""The settings of a table whose bots act without a pause."""


class ServerProcess:
    """One server on one port, with its journal in a folder."""

    def __init__(
        self,
        folder: Path,
        *options: str,
        db: str | None = None,
        games: Path | None = None,
        **limits: int,
    ) -> None:
        """`options` are further options of `pli serve`, `db` a journal that is not in the folder,
        `games` a folder of games from outside. Limits are off, but for those that are named."""
        self._games = [] if games is None else ["--games", str(games)]
        self._options = [*options, *(f"--limit={name}={value}" for name, value in limits.items())]
        self._db = folder / "tables.db"
        self._url = db
        self._log_file = folder / "log"
        self._port = 0
        self.url = ""
        self._process: subprocess.Popen[str] | None = None
        self.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def start(self) -> None:
        """Starts it, after a kill on the same port."""
        db = self._url or str(self._db)
        options = ["--port", str(self._port), "--db", db, "--log-level", "warning"]
        options += self._options
        with self._log_file.open("a") as log:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "pli",
                    *self._games,
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
        assert found is not None, self._log_file.read_text()
        self.url, self._port = found[0], int(found[1])

    def stop(self) -> None:
        """A planned stop, which returns at once."""
        assert self._process is not None
        self._process.terminate()

    def kill(self) -> None:
        """Kills it with SIGKILL: connections break without a close frame."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def entries(self, table: str) -> list[bytes]:
        """All entries of a table, from its journal."""
        with closing(sqlite3.connect(f"file:{self._db}?mode=ro", uri=True)) as db:
            found = db.execute(
                "SELECT entry FROM entries WHERE table_id = ? ORDER BY number", (table,)
            )
            return [bytes(entry) for (entry,) in found]

    @property
    def log(self) -> str:
        """What it logged, warnings and worse: nothing, if all went well."""
        return self._log_file.read_text()

    def request(self, path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data)
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read().decode()
        return json.loads(text) if "json" in answer.headers["content-type"] else text

    def create_table(self, game: str, seats: int, **options: int | str) -> Any:
        """Creates a table of a short game with quick bots; returns the host's seat."""
        values: dict[str, int | str] = {"seats": seats, **options}
        if game == "marshmallow":
            values.setdefault("target", 8)
        if game == "merci":
            values.setdefault("fault_window_ms", 300)
        wanted = {"game": game, "name": "Ann", "options": values, "settings": QUICK}
        seat = self.request("/api/tables", {**wanted, "bots": "easy"})
        return {**seat, "game": game, "used": 1}

    def play_to_end(self, *seats: Any) -> None:
        """The players of a table, its host first, play the game to its end without a browser."""

        async def connect(session: aiohttp.ClientSession, seat: Any) -> Page:
            page = Page(await session.ws_connect(f"/api/tables/{seat['table']}/play"))
            await page.send("hello", lang="en", token=seat["token"])
            await page.until("welcome")
            return page

        async def play() -> None:
            async with aiohttp.ClientSession(self.url) as session:
                pages = [await connect(session, seat) for seat in seats]
                await deal(pages)
                await asyncio.gather(*(page.play() for page in pages))
                for page in pages:
                    await page.close()

        # Playwright has the event loop of this thread.
        with ThreadPoolExecutor(1) as other:
            other.submit(asyncio.run, play()).result()
