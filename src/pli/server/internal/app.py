"""The application at the internal address: metrics, liveness and readiness. It has no limits and
asks nobody who they are: the address must not be reachable by players."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from time import monotonic

from aiohttp import web

from pli.server.context import CONTEXT, Context
from pli.server.internal.exposition import Exposition

DELAY_INTERVAL = 0.25
"""Seconds between measurements of how late the event loop is."""

EXPOSITION: web.AppKey[Exposition] = web.AppKey("exposition", Exposition)


def make_internal_app(context: Context) -> web.Application:
    app = web.Application()
    app[CONTEXT] = context
    app[EXPOSITION] = Exposition(context)
    app.router.add_get("/metrics", _metrics)
    app.router.add_get("/live", _live)
    app.router.add_get("/ready", _ready)
    app.cleanup_ctx.append(_measure_delay)
    return app


async def _metrics(request: web.Request) -> web.Response:
    body, content_type = request.app[EXPOSITION].encode(request.headers.get("Accept", ""))
    return web.Response(body=body, headers={"Content-Type": content_type})


async def _live(request: web.Request) -> web.Response:
    """Answered by the event loop: a process that does not answer in seconds has to be restarted.
    One that is not ready must not be, since that would help nothing."""
    return web.json_response({"status": "ok"})


async def _ready(request: web.Request) -> web.Response:
    """Whether players should be sent here."""
    code = await request.app[CONTEXT].unready()
    if code is None:
        return web.json_response({"status": "ok"})
    return web.json_response({"status": "not_ready", "code": code}, status=503)


async def _measure_delay(app: web.Application) -> AsyncIterator[None]:
    delay = app[CONTEXT].metrics.loop_delay

    async def measure() -> None:
        while True:
            before = monotonic()
            await asyncio.sleep(DELAY_INTERVAL)
            delay.observe(max(0.0, monotonic() - before - DELAY_INTERVAL))

    task = asyncio.create_task(measure())
    yield
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
