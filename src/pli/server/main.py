"""A server process from its start to its planned stop."""

import asyncio
import gc
import logging
import math
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from aiohttp import web

from pli.bots.workers import BotPool
from pli.errors import PliError, reason
from pli.server.context import Context
from pli.server.http.addresses import LOOPBACK, networks
from pli.server.http.app import make_app, tell_everyone
from pli.server.http.runner import Runner
from pli.server.journal.api import open_journal
from pli.server.limits import Limits
from pli.server.rooms.nicknames import Unwanted

FAREWELL = 2.0
"""Seconds in which pages are told that the server stops."""

GARBAGE = 50_000
"""New objects after which garbage is looked for."""

SWITCHING = 0.001
"""Seconds after which the journal's thread may interrupt a busy loop: it needs Python only for a
moment, and everybody waits for what it has saved."""

ARCHIVING = 6 * 60 * 60.0
"""Seconds between looks for tables that nobody uses any more."""

DESCRIPTORS = 1 << 17
"""Files and connections that the process may have open, if the machine lets it."""

FILES = 128
"""So many of them are kept for files, or a tenth, where there are many."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Serving:
    host: str
    port: int
    db: str
    origins: tuple[str, ...] = ()
    proxied: bool = False
    trusted: tuple[str, ...] = LOOPBACK
    hops: int = 1
    limits: Limits = field(default_factory=Limits)
    unwanted: Unwanted = field(default_factory=Unwanted)
    workers: int | None = None
    trust_clock: bool = False


def run(serving: Serving, started: Callable[[str], None]) -> None:
    """Serves until it is told to stop. `started` is called with the address."""
    # What is there now stays, and hardly anything in a server is a circle: looking for those after
    # every 700 objects, as Python does, takes a tenth of its time.
    gc.freeze()
    gc.set_threshold(GARBAGE)
    sys.setswitchinterval(SWITCHING)
    if sys.platform == "win32":
        asyncio.run(_serve(serving, started))
    else:
        import uvloop

        uvloop.run(_serve(serving, started))


async def _serve(serving: Serving, started: Callable[[str], None]) -> None:
    networks(serving.trusted)  # a wrong one is told before anything is made
    descriptors = _more_descriptors()
    listening = _listen(serving)
    try:
        journal = await open_journal(serving.db, serving.trust_clock)
    except BaseException:
        listening.close()
        raise
    thinkers = BotPool(serving.workers)
    context = Context(
        journal,
        thinkers,
        serving.limits,
        serving.origins,
        serving.proxied,
        serving.trusted,
        serving.hops,
        serving.unwanted,
        most_sockets=max(descriptors / 2, min(descriptors - FILES, descriptors * 0.9)),
    )
    app = make_app(context)
    runner = Runner(app, FAREWELL)
    await runner.setup()
    site = web.SockSite(runner, listening)
    await site.start()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in ("SIGINT", "SIGTERM"):
        if sys.platform != "win32":
            loop.add_signal_handler(getattr(signal, name), stop.set)
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    started(f"http://{shown}:{port}/")
    context.drawers.prepare()
    _log.info("serving", extra={"port": port, "pid": os.getpid()})
    archiving = asyncio.create_task(context.lobby.archive_now_and_then(ARCHIVING))
    try:
        await stop.wait()
    finally:
        archiving.cancel()
        await site.stop()  # who comes back at once must not meet this server again
        await tell_everyone(app)
        await asyncio.sleep(0.2)  # for the messages to leave
        await runner.cleanup()
        _log.info("stopped")


def _more_descriptors() -> float:
    """Takes as many as the machine gives, which is mostly more than at first. Tells how many."""
    if sys.platform == "win32":
        return math.inf
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < most:
        # Some systems give less than they say.
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    return math.inf if soft == resource.RLIM_INFINITY else soft


def _listen(serving: Serving) -> socket.socket:
    """Bound before anything else is done, so that a port in use is told at once."""
    family = socket.AF_INET6 if ":" in serving.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((serving.host, serving.port))
        listening.setblocking(False)
    except (OSError, OverflowError) as error:
        listening.close()
        where = f"{serving.host}:{serving.port}"
        raise PliError("cannot_listen", where=where, why=reason(error)) from None
    return listening
