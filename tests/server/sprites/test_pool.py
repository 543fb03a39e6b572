"""Drawing processes that are killed, stopped or hang, and the fair queue of sheets before them."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from pli.kernel.compiler import cache_home
from pli.motifs import kept_in
from pli.motifs.sprites import LENGTH, prepare
from pli.server.jobs import Requester
from pli.server.limits import Limits
from pli.server.sprites.pool import PROCESSES, RenderPool
from pli.server.sprites.sheets import Sheets
from tests.bots.workers.requests import LONG, gone, until
from tests.processes import workers
from tests.server.client import QUICK, Running, running

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are sent another way there")

KILLS = 20


def limits(**more: Any) -> Limits:
    """Under which a drawer that is stopped is not given up while a test looks."""
    return Limits(**QUICK, **{"drawing_seconds": LONG, **more})


async def paths(server: Running) -> list[str]:
    """All sheets of a new table."""
    table = (await server.make("twinit"))["table"]
    sheets = (await server.durable(table)).sheets
    assert sheets is not None
    return [f"/pictures/{table}/1/{name}" for name in sheets.names]


async def holds(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(LONG):
        while not true():
            await asyncio.sleep(0.01)


@contextmanager
def stopped(pids: Iterable[int]) -> Iterator[None]:
    """They do nothing for a while."""
    chosen = [*pids]
    for pid in chosen:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in chosen:
            if not gone(pid):
                os.kill(pid, signal.SIGCONT)


@asynccontextmanager
async def stalled(server: Running) -> AsyncIterator[None]:
    """All drawers are stopped, each with a sheet: what is asked for now has to wait."""
    some = await paths(server)
    async with asyncio.TaskGroup() as group:
        for path in some[:10]:
            group.create_task(answer(server, path))
    await holds(lambda: [*server.context.render_pool.pids.values()] == ["idle"] * PROCESSES)
    with stopped(workers()):
        held = [asyncio.create_task(answer(server, path)) for path in some[-PROCESSES:]]
        await holds(
            lambda: [*server.context.render_pool.pids.values()] == ["rendering"] * PROCESSES
        )
        yield
    assert await asyncio.gather(*held) == [200] * PROCESSES


async def answer(server: Running, path: str) -> int:
    status, _ = await server.get(path)
    return status


@asynccontextmanager
async def neighbour(server: Running) -> AsyncIterator[Running]:
    """The same server, asked from another address."""
    connector = aiohttp.TCPConnector(local_addr=("127.0.0.2", 0))
    async with aiohttp.ClientSession(connector=connector) as session:
        yield Running(server.url, server.context, session)


# Processes


@pytest.mark.server(limits=limits())
async def test_a_drawer_killed_again_and_again_never_becomes_many_and_all_sheets_come(
    server: Running,
) -> None:
    drawers, there = server.context.render_pool, [0]

    async def watch() -> None:
        while True:
            there.append(len(workers()))
            await asyncio.sleep(0.01)

    drew: set[int] = set()

    async def watch_drawing() -> None:
        while True:
            drew.update(pid for pid, state in drawers.pids.items() if state == "rendering")
            await asyncio.sleep(0.001)

    def useful() -> list[int]:
        """Processes that have drawn something: another one is started at once when one is lost."""
        return [pid for pid, state in drawers.pids.items() if state == "idle" and pid in drew]

    watching = [asyncio.create_task(each) for each in (watch(), watch_drawing())]
    sheets = [path for _ in range(4) for path in await paths(server)]
    assert await answer(server, sheets.pop()) == 200

    def is_drawing(pid: int) -> bool:
        return drawers.pids[pid] == "rendering"

    for _ in range(KILLS):
        await holds(lambda: bool(useful()))
        victim = useful()[0]
        os.kill(victim, signal.SIGSTOP)  # so that it has not drawn its sheet when it is killed
        asked = [asyncio.create_task(answer(server, sheets.pop())) for _ in range(5)]
        await holds(partial(is_drawing, victim))
        os.kill(victim, signal.SIGKILL)
        assert await asyncio.gather(*asked) == [200] * len(asked)
    for each in watching:
        each.cancel()
    assert max(there) == PROCESSES


async def test_a_lost_drawer_is_logged_once_with_its_exit_code(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(tmp_path, limits()) as server:
        first, second, *_ = await paths(server)
        assert await answer(server, first) == 200
        (pid,) = workers()
        os.kill(pid, signal.SIGKILL)
        await holds(lambda: gone(pid))
        assert await answer(server, second) == 200
    lost = [line for line in caplog.messages if "pli-renderer" in line]
    assert lost == ["pli-renderer was lost while idle: exit code -9"]


async def test_a_drawer_that_hangs_is_replaced_and_its_sheet_comes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(tmp_path, limits(drawing_seconds=8)) as server:
        first, *others = await paths(server)
        assert await answer(server, first) == 200
        with stopped(workers()):
            async with asyncio.timeout(LONG):
                statuses = await asyncio.gather(*(answer(server, path) for path in others[:4]))
        assert statuses == [200] * 4
        assert len(workers()) <= PROCESSES
    assert "pli-renderer was lost while rendering: no message in time" in caplog.messages


async def test_a_sheet_that_no_process_can_draw_is_refused_and_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(tmp_path, limits(drawing_seconds=0.001)) as server:
        path, *_ = await paths(server)
        status, said = await server.get(path)
        assert (status, said["code"]) == (503, "server_fault")
    assert "a sprite sheet can't be rendered: 3 processes died of it" in caplog.messages


async def test_nobody_waits_for_ever(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with running(
        tmp_path, limits(drawing_wait_seconds=0.01)
    ) as server:  # no process starts so soon
        path, *_ = await paths(server)
        status, said = await server.get(path)
        assert (status, said["code"]) == (503, "too_busy")
        assert server.context.render_pool.waiting == 0
    assert "sprite sheets timed out before they were rendered: 1" in caplog.messages


async def test_drawers_that_are_stopped_or_busy_end_with_the_server(tmp_path: Path) -> None:
    kept: list[int] = []
    async with running(tmp_path, limits()) as server:
        first, second, *_ = await paths(server)
        assert await answer(server, first) == 200
        kept.extend(workers())
        for pid in kept:
            os.kill(pid, signal.SIGSTOP)
        waiting = asyncio.create_task(answer(server, second))
        await holds(lambda: "rendering" in server.context.render_pool.pids.values())
        waiting.cancel()
    assert kept
    assert all(map(gone, kept))
    assert workers() == []


SERVER = """
import asyncio, time
from pli.server.limits import Limits
from pli.server.sprites.sheets import Sheets
from pli.server.jobs import Requester
from pli.server.sprites.pool import RenderPool

if __name__ == "__main__":
    drawers, sheets = RenderPool(Limits()), Sheets(range(9), "0" * 64)
    asyncio.run(drawers.render(sheets, sheets.names[0], Requester("a", "t")))
    print(*drawers.pids, flush=True)
    time.sleep(60)
"""


def test_a_server_that_is_killed_leaves_no_process_behind(tmp_path: Path) -> None:
    script = tmp_path / "serving.py"
    script.write_text(SERVER)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        (drawing,) = map(int, server.stdout.readline().split())
        server.kill()
    until(lambda: not Path(f"/proc/{drawing}").exists())


def test_what_sheets_are_made_from_is_drawn_once_on_a_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = cache_home()
    prepare(home)
    with RenderPool(Limits()) as drawers:
        drawers.prepare()
        assert drawers.pids == {}  # no process: it is there
    monkeypatch.setenv("PLI_CACHE_DIR", str(tmp_path))
    with RenderPool(Limits()) as drawers:
        drawers.prepare()
        until(lambda: [*drawers.pids.values()] == ["idle"])
    assert kept_in(tmp_path).read_bytes() == kept_in(home).read_bytes()


# The queue


@pytest.mark.server(limits=limits())
async def test_eighteen_tables_of_one_address_keep_nobody_else_waiting(server: Running) -> None:
    tables = [await paths(server) for _ in range(18)]
    mine, *_ = await paths(server)
    order: list[str] = []

    async def ask(asking: Running, path: str) -> None:
        assert await answer(asking, path) == 200
        order.append(path)

    async with neighbour(server) as other, asyncio.TaskGroup() as group, stalled(server):
        for sheets in tables:
            for path in sheets[:4]:
                group.create_task(ask(server, path))
        await holds(lambda: server.context.render_pool.waiting == 18 * 4)
        group.create_task(ask(other, mine))
        await holds(lambda: server.context.render_pool.waiting == 18 * 4 + 1)
    assert len(order) == 18 * 4 + 1
    assert order.index(mine) < 6


@pytest.mark.server(limits=limits())
async def test_whose_sheets_others_have_asked_for_too_does_not_wait_for_their_turn(
    server: Running,
) -> None:
    flood, mine = await paths(server), await paths(server)
    order: list[str] = []

    async def ask(asking: Running, path: str) -> None:
        assert await answer(asking, path) == 200
        order.append(path)

    async with neighbour(server) as other, asyncio.TaskGroup() as group, stalled(server):
        for path in [*flood, mine[0]]:
            group.create_task(ask(server, path))
        await holds(lambda: server.context.render_pool.waiting == 31)
        group.create_task(ask(other, mine[0]))
        await holds(lambda: server.context.render_pool.waiting == 32)
        assert server.context.render_pool.unfinished == 31 + PROCESSES  # it is drawn once
    assert order.count(mine[0]) == 2
    assert order.index(mine[0]) < 6


async def test_of_four_sheets_one_is_for_a_replay() -> None:
    order: list[str] = []
    sheets = Sheets([0] * 9 * 17, "0" * 64)
    first, *names = sheets.names
    with RenderPool(limits(), processes=1) as drawers:

        async def ask(name: str, kind: str) -> None:
            await drawers.render(sheets, name, Requester("a", "t", background=kind == "replay"))
            order.append(kind)

        await drawers.render(sheets, first, Requester("a", "t"))
        async with asyncio.TaskGroup() as group:
            with stopped(drawers.pids):
                for name, kind in zip(names, ["replay"] * 8 + ["game"] * 8, strict=True):
                    group.create_task(ask(name, kind))
                    await asyncio.sleep(0)
                await holds(lambda: drawers.waiting == 15)
    assert len(order) == 16
    # The one that was handed out before the others came may be either.
    assert order[1:9].count("replay") == 2


@pytest.mark.server(limits=limits(drawing_each=5, drawing_waiting=8))
async def test_too_many_sheets_at_a_time_are_refused(server: Running) -> None:
    sheets, others = await paths(server), await paths(server)
    drawers = server.context.render_pool
    async with neighbour(server) as other:
        async with stalled(server):
            asked = [asyncio.create_task(answer(server, path)) for path in sheets[:5]]
            await holds(lambda: drawers.waiting == 5)
            status, said = await server.get(sheets[5])
            assert (status, said["code"]) == (503, "too_busy")
            asked += [asyncio.create_task(answer(other, path)) for path in others[:3]]
            await holds(lambda: drawers.waiting == 8)
            status, said = await other.get(others[3])
            assert (status, said["code"]) == (503, "too_busy")
        assert await asyncio.gather(*asked) == [200] * 8
        assert await answer(server, sheets[5]) == 200


@pytest.mark.server(limits=limits())
async def test_sheets_of_who_is_gone_are_not_drawn(server: Running) -> None:
    sheets, drawers = await paths(server), server.context.render_pool
    async with neighbour(server) as other:
        async with stalled(server):
            asked = [asyncio.create_task(answer(server, path)) for path in sheets[:10]]
            await holds(lambda: drawers.waiting == 10)
            also = asyncio.create_task(answer(other, sheets[0]))
            await holds(lambda: drawers.waiting == 11)
            for task in asked:
                task.cancel()
            await holds(lambda: drawers.waiting == 1)
            assert drawers.unfinished == 1 + PROCESSES
        assert await also == 200
    assert drawers.unfinished == 0


# What is kept


@pytest.mark.server(limits=limits(drawing_bytes=4 * LENGTH))
async def test_sheets_are_kept_up_to_so_many_bytes(server: Running) -> None:
    sheets, drawers = (await paths(server))[:5], server.context.render_pool
    for path in sheets:
        assert await answer(server, path) == 200
    assert 3 * LENGTH < drawers.cached_bytes < 4 * LENGTH
    (drawer,) = workers()
    with stopped([drawer]):  # the last ones need no drawing
        assert [await answer(server, path) for path in sheets[2:]] == [200] * 3
