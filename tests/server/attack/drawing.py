"""Processes that draw pictures: asked for too much, killed, stopped."""

import asyncio
import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from pli.server.limits import Limits
from tests.server.attack.attacker import Attacker
from tests.server.attack.target import processes
from tests.server.client import Page

TABLES = 18
KILLS = 20
MORE = 8
"""Processes more than before that may be there while others end."""


class Album:
    """A Twin It! table of the attacker, and its sheets."""

    def __init__(self, page: Page, number: int, sheets: list[str]) -> None:
        self.page = page
        self._at = f"/pictures/{page.table['id']}/{number}/"
        self.paths = [self._at + sheet for sheet in sheets]


async def _album(attacker: Attacker) -> Album:
    made = await attacker.make("twinit", options={"seats": 1, "mode": "coop"})
    page = await attacker.own.connect(made["table"])
    await page.send("hello", token=made["token"])
    told = await page.until("pictures")
    await page.until("welcome")
    return Album(page, told["number"], told["sheets"])


async def many_sheets(attacker: Attacker) -> None:
    """All at once, each on a line of its own as far as there are lines."""
    albums = [await _album(attacker) for _ in range(TABLES)]
    paths = [path for album in albums for path in album.paths]
    await attacker.ready()

    async def ask(number: int) -> None:
        while paths:
            if await attacker.get(path := paths.pop(0)) != 200:
                paths.append(path)
                await asyncio.sleep(0.2)
        await asyncio.sleep(attacker.seconds)

    await attacker.rush(150, ask)


class Drawers:
    """Those of a server's processes that draw: whoever has loaded what draws, and whoever came
    since."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        found = processes(pid)
        self.before = len(found)
        self._others = {each for each in found if each == pid or not self._draws(each)}

    @property
    def now(self) -> list[int]:
        return [pid for pid in processes(self._pid) if pid not in self._others]

    @staticmethod
    def _draws(pid: int) -> bool:
        with suppress(OSError):
            return b"/PIL/" in Path(f"/proc/{pid}/maps").read_bytes()
        return False

    def tell(self, signs: signal.Signals, most: int) -> int:
        told = 0
        for pid in self.now[:most]:
            with suppress(ProcessLookupError):
                os.kill(pid, signs)
                told += 1
        return told


async def kill_drawers(attacker: Attacker) -> None:
    albums = [await _album(attacker) for _ in range(12)]
    drawers = Drawers(attacker.given["pid"])
    paths = [path for album in albums for path in album.paths]
    most = 0
    await attacker.ready()

    async def ask(number: int) -> None:
        if paths:
            await attacker.get(paths.pop(0))
        else:
            await asyncio.sleep(0.1)

    async def kill(_: int) -> None:
        nonlocal most
        if attacker.counts["killed"] < KILLS:
            attacker.counts["killed"] += drawers.tell(signal.SIGKILL, 1)
        most = max(most, len(processes(attacker.given["pid"])))
        await asyncio.sleep(attacker.seconds / KILLS / 2)

    asking = asyncio.create_task(attacker.rush(12, ask))
    await attacker.rush(1, kill)
    await asking
    if most > drawers.before + MORE:
        attacker.faults.append(f"{drawers.before} processes became {most}")
    await _drawn_again(attacker, 10)


async def stop_drawers(attacker: Attacker) -> None:
    """A process that hangs: another one draws what was asked for, or the request is refused."""
    path = (await _album(attacker)).paths[0]
    drawers = Drawers(attacker.given["pid"])
    await attacker.ready()
    stopped = drawers.now
    attacker.counts["stopped"] += drawers.tell(signal.SIGSTOP, 9)
    late = 1.2 * Limits().drawing_seconds
    try:
        begun = time.monotonic()
        try:
            async with asyncio.timeout(late):
                while await attacker.get(path) != 200:
                    await asyncio.sleep(0.2)
            attacker.counts[f"drawn after {time.monotonic() - begun:.0f} s"] += 1
        except TimeoutError:
            attacker.faults.append(f"no picture after {late:.0f} s")
        await asyncio.sleep(attacker.ends - time.monotonic())
    finally:
        for pid in stopped:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


async def _drawn_again(attacker: Attacker, seconds: float) -> None:
    """Afterwards pictures are drawn as before."""
    album = await _album(attacker)
    try:
        async with asyncio.timeout(seconds):
            while await attacker.get(album.paths[0]) != 200:
                await asyncio.sleep(0.5)
    except TimeoutError:
        attacker.faults.append(f"no picture {seconds:.0f} s after the last kill")
