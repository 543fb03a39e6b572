"""Servers as processes: one dies, sleeps for longer than its lease, or is another version, and the
pages at the others go on over the connections that they have."""

import asyncio
import os
import shutil
import signal
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import aiohttp
import pytest

from tests.conftest import ROOT
from tests.server.client import Page, Visitor, deal, play_some
from tests.server.test_main import serving

LEASE = 2
BEFORE = "docs: many machines, lessons and agents; what tests and bench install"
"""The subject of a commit whose servers work on a database together with those of today. A subject
outlives a rebase, a hash does not."""

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are sent another way there")


@contextmanager
def server(url: str, **more: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    options = ("--no-limits", "--internal", "127.0.0.1:0", "--lease", str(LEASE))
    with serving(url, *options, **more) as found:
        yield found


@asynccontextmanager
async def clients(*urls: str) -> AsyncIterator[list[Visitor]]:
    async with aiohttp.ClientSession() as session:
        yield [Visitor(url, session) for url in urls]


async def players(owner: Visitor, edge: Visitor) -> list[Page]:
    """Two at a table that the first server runs, one at each; the game has begun."""
    made = await owner.make("marshmallow", options={"seats": 2})
    taken = await edge.sit(made["table"])
    pages = [
        await owner.page(made["table"], made["token"]),
        await edge.page(made["table"], taken["token"]),
    ]
    await deal(pages)
    await play_some(pages, 4)
    return pages


async def back(edge: Visitor, page: Page) -> Page:
    """The player of a closed page, with a new one."""
    return await edge.page(page.table["id"], page.token)


async def test_pages_at_another_server_go_on_when_the_tables_server_is_killed(
    postgres_url: str,
) -> None:
    with server(postgres_url) as (process, first), server(postgres_url) as (_, second):
        async with clients(first, second) as (owner, edge):
            near, far = await players(owner, edge)
            process.kill()
            before = far.n
            await far.until("welcome")
            assert far.n == before
            await play_some([await back(edge, near), far], 4)


async def test_a_server_that_slept_for_longer_than_its_lease_does_no_harm(
    postgres_url: str,
) -> None:
    with server(postgres_url) as (process, first), server(postgres_url) as (_, second):
        async with clients(first, second) as (owner, edge):
            near, far = await players(owner, edge)
            process.send_signal(signal.SIGSTOP)
            await far.until("welcome")
            while far.view["awaited"] == [0]:  # whose page is at the server that sleeps
                other = await back(edge, near)
                await other.do(other.first_action)
                await far.until("update", lambda told: bool(told["events"]))
                await other.close()
            await far.do(far.first_action)
            await far.until("update", lambda told: told["did"] == far.id)
            process.send_signal(signal.SIGCONT)
            async with asyncio.timeout(20):
                while near.n < far.n:
                    await near.next()
            await play_some([near, far], 4)


async def test_a_server_that_is_told_to_stop_hands_over(postgres_url: str) -> None:
    with server(postgres_url) as (process, first), server(postgres_url) as (_, second):
        async with clients(first, second) as (owner, edge):
            near, far = await players(owner, edge)
            process.terminate()
            loop = asyncio.get_running_loop()
            began = loop.time()
            await far.until("welcome")
            assert loop.time() - began < 1.0
            assert (await near.until("closing"))["code"] == "restart"
            await play_some([await back(edge, near), far], 4)
            assert await asyncio.to_thread(process.wait, 20) == 0


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The sources of the version before."""
    folder: Path = tmp_path_factory.mktemp("before")
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("the version before is in the history: there is none here")
    git = ["git", "-C", str(ROOT)]
    find = [*git, "log", "-1", "--format=%H", "--fixed-strings", f"--grep={BEFORE}"]
    found = subprocess.run(find, capture_output=True, check=True, text=True).stdout.strip()
    if not found:
        pytest.skip(f"the version before, {BEFORE!r}, is not in this clone's history")
    archive = subprocess.run([*git, "archive", found, "src"], capture_output=True, check=True)
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive.stdout, check=True)
    return str(folder / "src")


@pytest.mark.parametrize("old_first", [True, False], ids=["upgrade", "back"])
async def test_two_versions_work_on_one_database(
    postgres_url: str, before: str, old_first: bool
) -> None:
    """A rolling upgrade: tables go from the old server to the new one, and back if need be."""
    with ExitStack() as stack:
        sources = [before, str(ROOT / "src")] if old_first else [str(ROOT / "src"), before]
        (process, first), (_, second) = (
            stack.enter_context(server(postgres_url, PYTHONPATH=each)) for each in sources
        )
        async with clients(first, second) as (owner, edge):
            near, far = await players(owner, edge)
            process.terminate()
            await far.until("welcome")
            await play_some([await back(edge, near), far], 4)
