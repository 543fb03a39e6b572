"""The server process: start, listening socket, garbage collection, planned stop."""

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
from pli.server.addresses import LOOPBACK, networks
from pli.server.context import Context
from pli.server.http.app import close_connections, make_app
from pli.server.http.runner import Runner
from pli.server.journal.open import open_journal
from pli.server.limits import Limits
from pli.server.rooms.nicknames import Unwanted

SHUTDOWN_TIMEOUT = 2.0
"""Seconds for open connections to close at a planned stop."""

GC_THRESHOLD = 50_000
"""New objects after which the garbage collector runs."""

SWITCH_INTERVAL = 0.001
"""Seconds after which a busy event loop gives up the interpreter lock to the journal's writer
thread, which needs it only briefly and for whose commits all tables wait."""

ARCHIVE_INTERVAL = 6 * 60 * 60.0
"""Seconds between runs that archive unused tables."""

MAX_DESCRIPTORS = 1 << 17
"""File descriptors that the process asks for, if the system allows as many."""

RESERVED_DESCRIPTORS = 128
"""So many are reserved for files, or a tenth, if there are many."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ServerConfig:
    """What `pli serve` was told."""

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


def run(config: ServerConfig, started: Callable[[str], None]) -> None:
    """Serves until SIGINT or SIGTERM. `started` is called with the server's URL."""
    # What is loaded now stays, and there are hardly any reference cycles: collecting them after
    # every 700 objects, as is the default, takes a tenth of the server's time.
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)
    sys.setswitchinterval(SWITCH_INTERVAL)
    if sys.platform == "win32":
        asyncio.run(_serve(config, started))
    else:
        import uvloop

        uvloop.run(_serve(config, started))


async def _serve(config: ServerConfig, started: Callable[[str], None]) -> None:
    networks(config.trusted)  # fails early if one is malformed
    descriptors = _raise_descriptor_limit()
    listening = _listen(config)
    try:
        journal = await open_journal(config.db, config.trust_clock)
    except BaseException:
        listening.close()
        raise
    bot_pool = BotPool(config.workers)
    context = Context(
        journal,
        bot_pool,
        config.limits,
        config.origins,
        config.proxied,
        config.trusted,
        config.hops,
        config.unwanted,
        most_sockets=max(
            descriptors / 2, min(descriptors - RESERVED_DESCRIPTORS, descriptors * 0.9)
        ),
    )
    app = make_app(context)
    runner = Runner(app, SHUTDOWN_TIMEOUT)
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
    context.render_pool.prepare()
    _log.info("serving", extra={"port": port, "pid": os.getpid()})
    archive_task = asyncio.create_task(context.lobby.archive_now_and_then(ARCHIVE_INTERVAL))
    try:
        await stop.wait()
    finally:
        archive_task.cancel()
        await site.stop()  # a page that reconnects must not reach this process again
        await close_connections(app)
        await asyncio.sleep(0.2)  # for the close messages to be sent
        await runner.cleanup()
        _log.info("stopped")


def _raise_descriptor_limit() -> float:
    """Raises the soft limit of file descriptors towards the hard limit. Returns how many there
    are."""
    if sys.platform == "win32":
        return math.inf
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MAX_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < most:
        # Some systems refuse their own hard limit.
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    return math.inf if soft == resource.RLIM_INFINITY else soft


def _listen(config: ServerConfig) -> socket.socket:
    """Bound before anything else is done, so that a port in use is reported at once."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((config.host, config.port))
        listening.setblocking(False)
    except (OSError, OverflowError) as error:
        listening.close()
        where = f"{config.host}:{config.port}"
        raise PliError("cannot_listen", where=where, why=reason(error)) from None
    return listening
