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

from pli import __version__
from pli.bots.workers import BotPool
from pli.errors import PliError, reason
from pli.server.addresses import LOOPBACK, HostPort, Proxies, networks
from pli.server.cluster.links import PATH
from pli.server.cluster.tables import join
from pli.server.context import Context
from pli.server.http.app import close_connections, make_app
from pli.server.http.runner import Runner
from pli.server.internal.app import make_internal_app
from pli.server.journal.api import Alone
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
    internal: HostPort | None = None
    """Where metrics, liveness and readiness are, and where other servers connect."""
    announce: HostPort | None = None
    """Where other servers reach that, if not at the same address."""
    lab: bool | None = None
    """Whether games can be played in the lab; None: for those at this machine."""
    lease: float | None = None
    """Seconds without a heartbeat after which other servers take over this one's tables."""


Started = Callable[[str, str | None], None]
"""Called with the URL of the server, and with that for operators, if there is one."""


def run(config: ServerConfig, started: Started) -> None:
    """Serves until SIGINT or SIGTERM."""
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


async def _serve(config: ServerConfig, started: Started) -> None:
    networks(config.trusted)  # fails early if one is malformed
    descriptors = _raise_descriptor_limit()
    listening = _listen(config.host, config.port)
    internal = None
    try:
        if config.internal is not None:
            internal = _listen(*config.internal)
        announced = _announced(internal, config.announce)
        journal = await open_journal(
            config.db,
            config.trust_clock,
            address=announced,
            version=__version__,
            lease=config.lease,
        )
    except BaseException:
        listening.close()
        if internal is not None:
            internal.close()
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
        lab=config.lab,
        alone=config.host == "localhost" or Proxies().trusts(config.host),
    )
    shared = None if isinstance(journal.registry, Alone) else join(context)
    app = make_app(context)
    runner = Runner(app, SHUTDOWN_TIMEOUT)
    await runner.setup()
    site = web.SockSite(runner, listening)
    await site.start()
    internal_runner = None
    if internal is not None:
        internal_app = make_internal_app(context)
        if shared is not None:
            internal_app.router.add_get(PATH, shared.links.accept)
        internal_runner = web.AppRunner(
            internal_app, access_log=None, shutdown_timeout=SHUTDOWN_TIMEOUT
        )
        await internal_runner.setup()
        await web.SockSite(internal_runner, internal).start()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in ("SIGINT", "SIGTERM"):
        if sys.platform != "win32":
            loop.add_signal_handler(getattr(signal, name), stop.set)
    where = HostPort(*listening.getsockname()[:2])
    details: dict[str, object] = {"port": where.port, "pid": os.getpid()}
    operators = None
    if internal is not None:
        details["internal"] = str(HostPort(*internal.getsockname()[:2]))
        operators = f"http://{details['internal']}/"
    started(f"http://{where}/", operators)
    context.render_pool.prepare()
    _log.info("serving", extra=details)
    archive_task = asyncio.create_task(context.lobby.archive_now_and_then(ARCHIVE_INTERVAL))
    try:
        await stop.wait()
    finally:
        archive_task.cancel()
        await site.stop()  # a page that reconnects must not reach this process again
        await close_connections(app)
        await asyncio.sleep(0.2)  # for the close messages to be sent
        if shared is not None:
            await shared.close()
        await runner.cleanup()
        if internal_runner is not None:
            await internal_runner.cleanup()
        _log.info("stopped")


def _announced(internal: socket.socket | None, announce: HostPort | None) -> str:
    """The address at which other servers reach this one; empty if there is none."""
    if announce is not None:
        return str(announce)
    if internal is None:
        return ""
    address = HostPort(*internal.getsockname()[:2])
    if address.host in ("0.0.0.0", "::"):
        raise PliError("no_announce", address=address)
    return str(address)


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


def _listen(host: str, port: int) -> socket.socket:
    """Bound before anything else is done, so that a port in use is reported at once."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.setblocking(False)
    except (OSError, OverflowError) as error:
        listening.close()
        raise PliError("cannot_listen", where=HostPort(host, port), why=reason(error)) from None
    return listening
