"""`make cluster` starts all that it names, a table outlives the death of a server, and Ctrl-C stops
everything."""

import asyncio
import os
import re
import shutil
import signal
import sys
from pathlib import Path

import aiohttp
import pytest

from tests.postgres import NoPostgres, binaries
from tests.processes import interrupt, interruptible
from tests.server.client import Visitor
from tests.server.cluster_demo import NGINX, data_folder, nginx, nginx_text
from tests.server.crash.server import free_port

PATIENCE = 120.0

try:
    binaries()
    missing = ""
except NoPostgres as error:
    missing = str(error)


@pytest.mark.skipif(sys.platform == "win32", reason="processes are ended another way there")
@pytest.mark.skipif(bool(missing), reason=missing or "there is a PostgreSQL")
@pytest.mark.parametrize("proxy", ["nginx", "ours"])
async def test_a_cluster_is_started_played_at_and_stopped(tmp_path: Path, proxy: str) -> None:
    if proxy == "nginx" and nginx() is None:
        pytest.skip("nginx is not installed")
    folder = tmp_path / "cluster"
    where = ["--folder", str(folder), "--port", str(free_port()), "--servers", "2"]
    where += ["--without-nginx"] * (proxy == "ours")
    command = [sys.executable, "-m", "tests.server.cluster_demo", *where]
    with interruptible(command) as process:
        assert process.stdout is not None
        lines: list[str] = []
        async with asyncio.timeout(PATIENCE):
            while not lines or "Ctrl-C" not in lines[-1]:
                line = await asyncio.to_thread(process.stdout.readline)
                assert line, lines
                lines.append(line)
        text = "".join(lines)
        address = re.findall(r"Open (http://\S+)/ ", text)[0]
        pids = [int(pid) for pid in re.findall(r"process (\d+)", text)]
        assert len(pids) == 3  # two servers, and PostgreSQL
        async with aiohttp.ClientSession() as session, asyncio.timeout(PATIENCE):
            visitor = Visitor(address, session)
            made = await visitor.make("plingo", options={"seats": 2})
            os.kill(pids[0], signal.SIGKILL)
            await _answers(session, f"{address}/api/tables/{made['table']}")
            page = await visitor.page(made["table"], made["token"])
            assert page.seat == 0
            await page.close()
        interrupt(process)
        await asyncio.wait_for(asyncio.to_thread(process.communicate), PATIENCE)
        assert process.returncode == 0
    assert [pid for pid in pids if Path(f"/proc/{pid}").exists()] == []
    data = data_folder(folder / "postgres")
    assert [*data.rglob("postgresql.conf")]
    shutil.rmtree(data)  # as root it is not in `tmp_path`


async def _answers(session: aiohttp.ClientSession, address: str) -> None:
    while True:
        async with session.get(address) as response:
            if response.status == 200:
                return
        await asyncio.sleep(0.2)


def test_the_shipped_configuration_of_nginx_takes_any_number_of_servers(tmp_path: Path) -> None:
    text = nginx_text(tmp_path, 8420, [1111, 2222, 3333])
    assert re.findall(r"(?m)^ +server 127\.0\.0\.1:(\d+)", text) == ["1111", "2222", "3333"]
    assert "listen 127.0.0.1:8420;" in text
    assert "/var/" not in text
    assert NGINX.exists()
