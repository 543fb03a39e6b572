"""Pictures of faces, for games in which eyes compare them: on which sheet each is to be found,
under names that tell nothing, and processes that draw them while the tables go on."""

import asyncio
import hmac
import os
import signal
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context, parent_process

from pli.errors import PliError
from pli.kernel.compiler import cache_home
from pli.kernel.signals import deaf
from pli.motifs import ACROSS, kept_in
from pli.shuffling import keyed

FIELDS = ACROSS * ACROSS
NAME_DIGITS = 20
KEPT = 480
"""Sheets that are kept in memory, of the tables that asked last: some 45 MB."""

DRAWERS = min(2, os.cpu_count() or 1)
"""Processes that draw: who wants to play waits for thirty sheets."""


class Sheets:
    """All sheets of one game. Everything about them follows from a secret seed, so that they are
    the same after a restart, and different in every other game."""

    def __init__(self, motifs: Sequence[int], seed: str) -> None:
        self._motifs = motifs
        self._key = bytes.fromhex(seed)
        order = keyed(self._key)(0, len(motifs))
        self._place = {number: divmod(at, FIELDS) for at, number in enumerate(order)}
        count = -(-len(order) // FIELDS)
        self._on = [order[FIELDS * sheet : FIELDS * (sheet + 1)] for sheet in range(count)]
        self._names = [self._derived(f"name {sheet}")[:NAME_DIGITS] for sheet in range(count)]
        self._numbers = {name: sheet for sheet, name in enumerate(self._names)}

    @property
    def names(self) -> list[str]:
        return self._names

    def places(self, faces: Mapping[str, int]) -> dict[str, str]:
        """The sheet and field of each face, from the numbers of their pictures."""
        told = {}
        for face, number in faces.items():
            sheet, field = self._place[number]
            told[face] = f"{self._names[sheet]}.{field}"
        return told

    def drawing(self, name: str) -> tuple[list[int], str]:
        """What is on a sheet, and the seed by which it is drawn."""
        if name not in self._numbers:
            raise PliError("no_such_page")
        sheet = self._numbers[name]
        return [self._motifs[number] for number in self._on[sheet]], self._derived(f"draw {sheet}")

    def _derived(self, label: str) -> str:
        return hmac.digest(self._key, label.encode(), "sha256").hex()


class Studio:
    """Draws sheets, a few at a time, and keeps the last ones."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._kept: OrderedDict[str, Future[bytes]] = OrderedDict()
        self._closed = False

    async def draw(self, sheets: Sheets, name: str) -> bytes:
        for _ in range(2):  # if a process was lost, once more in new ones
            drawing = self._begun(sheets, name)
            try:
                return await asyncio.shield(asyncio.wrap_future(drawing))
            except BrokenProcessPool:
                self._kept.clear()
                self._pool = None
        raise PliError("server_fault")

    def prepare(self) -> None:
        """What all sheets are made from takes seconds to draw, once on a machine: not when somebody
        waits for it."""
        if not kept_in(cache_home()).exists():
            with deaf():
                self.start().submit(_prepare)

    def start(self) -> ProcessPoolExecutor:
        """The processes that draw, started when they are first needed."""
        if self._pool is None:
            self._pool = ProcessPoolExecutor(DRAWERS, get_context("spawn"), _settle)
        return self._pool

    def _begun(self, sheets: Sheets, name: str) -> Future[bytes]:
        if name in self._kept:
            self._kept.move_to_end(name)
            return self._kept[name]
        motifs, seed = sheets.drawing(name)
        if self._closed:
            raise PliError("server_fault")
        with deaf():
            drawing = self._kept[name] = self.start().submit(_draw, motifs, seed)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return drawing

    def close(self) -> None:
        self._closed = True
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def _settle() -> None:
    """In a process that draws: who plays goes first, and Ctrl-C is not for it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(AttributeError, OSError):
        os.nice(2)
    threading.Thread(target=_end_with_the_server, daemon=True).start()


def _end_with_the_server() -> None:
    """A server that is killed can't tell its processes to go."""
    server = parent_process()
    if server is not None:
        server.join()
        os._exit(0)


def _prepare() -> None:
    from pli.motifs.pictures import prepare

    prepare(cache_home())


def _draw(motifs: list[int], seed: str) -> bytes:
    from pli.motifs.pictures import sheet

    return sheet(motifs, seed, cache_home())
