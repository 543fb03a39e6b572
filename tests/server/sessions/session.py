"""Recorded protocol sessions: what a real server told its pages, byte for byte.

Time stands still unless a session says that it passes, random numbers are drawn from a fixed
stream, and each step waits until nothing is left to be done. So what comes back follows from what
was sent, and a session recorded by one version of the server is a test of the next one.

    python -m tests.server.sessions.session    records the sessions of all games anew

A session is a text of lines: `@ 250` lets so many milliseconds pass; `> ann {...}` is sent and
`< ann {...}` was received by a page, `+ ann` opens one and `- ann` closes it; `? GET /path` and
`? POST /path {...}` are asked over HTTP, `= 200 {...}` is the answer; `# ...` is the journal at the
end. The database is kept as well.
"""

import asyncio
import random
import secrets
import selectors
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
import msgspec

from pli import games
from pli.server.history.api import History
from pli.server.journal.api import Append, Done, Journal
from tests.server.client import Running, running

FOLDER = Path(__file__).parent
JOURNAL = FOLDER / "journal.sql"
"""Of the server that recorded the sessions."""

NOW = 1_700_000_000
"""The time of day in a session."""

STEPS = "@+->?"
"""What a line begins with that is done, and not the outcome."""

ENOUGH = 6
"""Looks in a row at sockets on which nothing happens, before a step counts as done."""


# Time that stands still


class _Still(selectors.DefaultSelector):
    """Never sleeps for longer than a moment, and counts how often nothing had happened."""

    idle = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(0 if timeout is not None and timeout <= 0 else 0.001)
        self.idle = 0 if found else self.idle + 1
        return found


class StillLoop(asyncio.SelectorEventLoop):
    """An event loop whose time is moved by hand; once it is let go it runs by the real clock."""

    def __init__(self) -> None:
        self.still = _Still()
        self.now: float = 1000.0
        self.free = False
        self._since = 0.0
        super().__init__(self.still)

    def time(self) -> float:
        return self.now + (_monotonic() - self._since) if self.free else self.now

    def let_go(self) -> None:
        self.free, self._since = True, _monotonic()

    def next_timer(self) -> float | None:
        """When the next timer goes off that was not cancelled."""
        scheduled: list[asyncio.TimerHandle] = self._scheduled  # type: ignore[attr-defined]  # asyncio's own
        return min((each.when() for each in scheduled if not each.cancelled()), default=None)


_monotonic = time.monotonic


@contextmanager
def fixed(loop: StillLoop, name: str) -> Iterator[None]:
    """Clocks and random numbers of this process as in every other recording."""
    stream = random.Random(f"session {name}")
    before = time.monotonic, time.time, secrets.token_hex, secrets.token_urlsafe, secrets.choice
    time.monotonic = loop.time
    time.time = lambda: float(NOW)
    secrets.token_hex = lambda nbytes=32: stream.randbytes(nbytes or 32).hex()
    secrets.token_urlsafe = lambda nbytes=32: stream.randbytes(nbytes or 32).hex()
    secrets.choice = stream.choice
    try:
        yield
    finally:
        time.monotonic, time.time, secrets.token_hex, secrets.token_urlsafe, secrets.choice = before


class _Threads:
    """How much is under way in other threads: appends to the journal, and what is read from it."""

    def __init__(self, journal: Journal, history: History) -> None:
        self.under_way = 0
        self.begun = 0
        self._append_soon = journal.append_soon
        journal.append_soon = self.append_soon  # type: ignore[method-assign]  # to count
        for name in ("seen", "log", "save_record"):
            setattr(history, name, self._counted(getattr(history, name)))

    def _counted(self, method: Callable[..., Any]) -> Callable[..., Any]:
        async def counted(*args: Any) -> Any:
            self.begun += 1
            self.under_way += 1
            try:
                return await method(*args)
            finally:
                self.under_way -= 1

        return counted

    def append_soon(self, append: Append, done: Done) -> None:
        self.begun += 1
        self.under_way += 1

        def told(problem: Any) -> None:
            self.under_way -= 1
            done(problem)

        self._append_soon(append, told)


# Sessions


class Session:
    """A server, its pages, and all that was said."""

    def __init__(self, loop: StillLoop, server: Running) -> None:
        self._loop = loop
        self._server = server
        self._threads = _Threads(server.context.lobby.journal, server.context.lobby.history)
        self._pages: dict[str, aiohttp.ClientWebSocketResponse] = {}
        self._readers: dict[str, asyncio.Task[None]] = {}
        self._heard: dict[str, list[str]] = {}
        self._echoes: dict[str, asyncio.Event] = {}
        self.lines: list[str] = []
        self.told: dict[str, list[dict[str, Any]]] = {}
        """By page: what it heard, decoded."""
        self.answer: Any = None
        """The last one over HTTP."""
        self.table = ""

    async def do(self, line: str) -> None:
        """One step of a session, written down with all that followed."""
        self.lines.append(line)
        kind, _, rest = line.partition(" ")
        name, _, body = rest.partition(" ")
        if kind == "@":
            await self._pass(int(rest))
        elif kind == "+":
            url = f"{self._server.url}/api/tables/{self.table}/play"
            self._pages[name] = await self._server.session.ws_connect(url, autoping=False)
            self._heard.setdefault(name, [])
            self.told.setdefault(name, [])
            self._readers[name] = asyncio.create_task(self._read(name, self._pages[name]))
        elif kind == "-":
            await self._pages.pop(name).close()
            await self._readers.pop(name)
        elif kind == ">":
            await self._pages[name].send_str(body)
        elif kind == "?":
            await self._ask(name, body)
        else:
            raise ValueError(line)
        await self._settle()

    async def _ask(self, method: str, rest: str) -> None:
        path, _, body = rest.partition(" ")
        data = body.encode() or None
        async with self._server.session.request(
            method, self._server.url + path, data=data
        ) as response:
            text = await response.text()
            said = text if text.startswith("{") else msgspec.json.encode(text).decode()
            self.lines.append(f"= {response.status} {said}")
            self.answer = msgspec.json.decode(said)
        if isinstance(self.answer, dict) and "token" in self.answer:
            self.table = self.answer["table"]

    async def _read(self, name: str, socket: aiohttp.ClientWebSocketResponse) -> None:
        while True:
            frame = await socket.receive()
            if frame.type is aiohttp.WSMsgType.TEXT:
                self._heard[name].append(frame.data)
                self.told[name].append(msgspec.json.decode(frame.data))
            elif frame.type is aiohttp.WSMsgType.PING:
                await socket.pong(frame.data)
            elif frame.type is aiohttp.WSMsgType.PONG:
                self._echoes[name].set()
            else:
                self._echoes.setdefault(name, asyncio.Event()).set()
                return

    async def _pass(self, milliseconds: int) -> None:
        """Timers go off one after the other, each when nothing is left of the one before."""
        ends = self._loop.now + milliseconds / 1000
        while (at := self._loop.next_timer()) is not None and at <= ends:
            self._loop.now = max(self._loop.now, at)
            await self._settle()
        self._loop.now = ends

    async def _settle(self) -> None:
        """Waits until nothing is left to be done. However busy the machine is, the echo of a ping
        comes after all that was on its way in both directions."""
        while True:
            await self._idle()
            before = self._progress()
            for name, socket in self._pages.items():
                if not socket.closed:
                    self._echoes[name] = asyncio.Event()
                    with suppress(ConnectionError):
                        await socket.ping(b"echo")
                        await self._echoes[name].wait()
            await self._idle()
            if self._progress() == before:
                break
        for name, heard in sorted(self._heard.items()):
            self.lines += [f"< {name} {text}" for text in heard]
            heard.clear()

    async def _idle(self) -> None:
        self._loop.still.idle = 0
        while self._loop.still.idle < ENOUGH or self._threads.under_way:
            await asyncio.sleep(0)

    def _progress(self) -> tuple[int, int]:
        return sum(map(len, self.told.values())), self._threads.begun

    async def end(self) -> None:
        for name in [*self._pages]:
            await self.do(f"- {name}")
        journal = self._server.context.lobby.journal
        entries = await journal.entries(self.table)
        self.lines += [f"# {number} {entry.decode()}" for number, entry in enumerate(entries)]


def run(name: str, folder: Path, script: Callable[[Session], Any]) -> list[str]:
    """A session with a server of its own, whose journal is in a folder: all its lines."""
    loop = StillLoop()

    async def session() -> list[str]:
        async with running(folder) as server:
            try:
                session = Session(loop, server)
                await script(session)
                await session.end()
            finally:
                loop.let_go()
            return session.lines

    with fixed(loop, name), asyncio.Runner(loop_factory=lambda: loop) as runner:
        return runner.run(session())


def repeat(name: str, lines: list[str], folder: Path) -> list[str]:
    """The same steps again: what comes of them now."""

    async def script(session: Session) -> None:
        for line in lines[: last + 1]:
            if line[0] in STEPS:
                await session.do(line)

    # What follows are the pages that a session closes by itself.
    last = max(number for number, line in enumerate(lines) if line[0] in STEPS.replace("-", ""))
    return run(name, folder, script)


# Recording


class Recorder:
    """Plays a game as people would who click about: a bit of everything."""

    def __init__(self, session: Session, game: str) -> None:
        self.session = session
        self.game = game
        self.random = random.Random(game)
        self.ids = {"ann": 0, "bob": 0}

    async def send(self, page: str, kind: str, **fields: Any) -> None:
        await self.session.do(f"> {page} {msgspec.json.encode({'type': kind, **fields}).decode()}")

    async def post(self, path: str, **fields: Any) -> Any:
        await self.session.do(f"? POST {path} {msgspec.json.encode(fields).decode()}")
        return self.session.answer

    async def get(self, path: str) -> Any:
        await self.session.do(f"? GET {path}")
        return self.session.answer

    def legal(self, page: str) -> list[str]:
        """What a page may do, as it was last told whole."""
        legal: list[str] = []
        for message in self.session.told[page]:
            if message["type"] in ("welcome", "update"):
                legal = message["legal"]
            elif message["type"] == "change":
                gone = message.get("gone", [])
                legal = [each for each in legal if each not in gone] + message.get("more", [])
        return legal

    def table(self) -> dict[str, Any]:
        known = [each["table"] for each in self.session.told["bob"] if "table" in each]
        return dict(known[-1])

    async def act(self, page: str) -> None:
        """Mostly what may be done; now and then again, or nonsense."""
        legal, way = self.legal(page), self.random.random()
        if not legal:
            return
        action = self.random.choice(legal)
        self.ids[page] += 1
        if way < 0.05:
            await self.send(page, "do", id=self.ids[page], action="nonsense")
        else:
            await self.send(page, "do", id=self.ids[page], action=action)
            if way < 0.15:
                await self.send(page, "do", id=self.ids[page], action=action)
            if way > 0.95:
                await self.send(page, "why", action=action)

    async def play(self) -> None:
        options = {"seats": 3} if self.game != "marshmallow" else {"seats": 4}
        made = await self.post(
            "/api/tables", game=self.game, name="Ann", options=options, settings={"pace": "brisk"}
        )
        table, ann = made["table"], made["token"]
        bob = (await self.post(f"/api/tables/{table}/seats", name="Ann"))["token"]
        await self.get(f"/api/tables/{table}")
        await self.session.do("+ ann")
        await self.send("ann", "begin")
        await self.send("ann", "hello", token=ann, changes=True)
        await self.session.do("+ bob")
        await self.send("bob", "hello", token=bob, lang="fr")
        await self.session.do("+ eve")
        await self.send("eve", "hello", lang="es")
        await self.send("eve", "do", id=1, action="pass")
        await self.send("bob", "begin")
        await self.send("ann", "configure", settings={"pace": "instant"}, public=True)
        await self.send("ann", "configure", options={"seats": 99})
        await self.send("ann", "begin")
        for seat in range(2, options["seats"]):
            await self.send("ann", "fill", seat=seat, level="medium" if seat == 2 else "easy")
        for page in ("ann", "bob"):
            await self.send(page, "random", hex=page.encode().hex() * 5 + "00")
        await self.send("ann", "begin")
        await self.session.do("@ 2000")
        for step in range(70):
            if self.table()["state"] != "playing":
                break
            await self.session.do(f"@ {self.random.choice((20, 150, 400, 900))}")
            await self.act(self.random.choice(("ann", "bob")))
            await self.act("ann")
            await self.act("bob")
            if step == 5:
                await self.send("bob", "say", phrase="well_played")
                await self.send("eve", "log")
                await self.send("ann", "log")
            if step == 12:
                await self.session.do("- bob")
                await self.session.do("@ 40000")
                await self.session.do("+ bob")
                await self.send("bob", "hello", token=bob, lang="en", changes=True)
                await self.send("bob", "back")
            if step == 20:
                await self.send("ann", "fill", seat=1, level="easy")
                await self.send("ann", "fill", seat=0, level="easy")
                await self.session.do("@ 1500")
                await self.send("ann", "back")
        await self.send("bob", "leave")
        await self.session.do("@ 3000")
        await self.send("bob", "leave")
        await self.send("ann", "again")
        await self.session.do("@ 8000")
        await self.get(f"/api/tables/{table}/games/1/record")
        await self.get("/api/tables")


def record(game: str, folder: Path) -> list[str]:
    async def script(session: Session) -> None:
        await Recorder(session, game).play()

    return run(game, folder, script)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in games.names():
            lines = record(name, Path(folder))
            (FOLDER / f"{name}.txt").write_text("\n".join(lines) + "\n")
            print(name, len(lines), "lines")
        with closing(sqlite3.connect(Path(folder) / "tables.db")) as database:
            pragmas = []
            for name in ("application_id", "user_version"):  # which a dump leaves out
                (value,) = database.execute(f"PRAGMA {name}").fetchone()
                pragmas.append(f"PRAGMA {name} = {value};")
            JOURNAL.write_text("\n".join((*pragmas, *database.iterdump())) + "\n")


if __name__ == "__main__":
    main()
