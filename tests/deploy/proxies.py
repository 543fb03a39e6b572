"""Real servers, and real proxies before them with the configurations that are shipped."""

import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

DEPLOY = Path(__file__).parents[2] / "deploy"
PATIENCE = 60.0
"""Seconds for a process to start on a busy machine."""

PROBED = "/api/games"
"""What Caddy asks servers for by itself."""

NOBODY = 65534
"""The user and group that proxies run as where the tests run as root."""


class Server:
    """A process of `pli serve` behind a proxy, and what it has logged."""

    def __init__(self, folder: Path, name: str, *options: str) -> None:
        self.port = free_port()
        self._log = folder / f"{name}.log"
        self._command = [
            *(sys.executable, "-m", "pli", "serve", "--behind-proxy", "--log-requests"),
            *("--workers", "1", "--port", str(self.port), "--db", str(folder / f"{name}.db")),
            *options,
        ]

    def start(self) -> None:
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                self._command, stdout=subprocess.DEVNULL, stderr=log, start_new_session=True
            )
        wait_for_port(self.port, self._process, self._log)

    def kill(self) -> None:
        """As a machine that loses power does."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def requests(self) -> list[dict[str, Any]]:
        """The requests and opened WebSockets in the log, those of the proxy itself aside."""
        lines = [msgspec.json.decode(line) for line in self._log.read_bytes().splitlines()]
        return [
            line
            for line in lines
            if line["event"] in ("request", "socket opened") and line.get("path") != PROBED
        ]


@contextmanager
def serving(folder: Path, name: str, *options: str) -> Iterator[Server]:
    server = Server(folder, name, *options)
    server.start()
    try:
        yield server
    finally:
        server.kill()


async def logged(servers: Sequence[Server], count: int) -> list[list[dict[str, Any]]]:
    """The requests of each server, once there are so many in all: they are logged a moment after
    they are answered."""
    async with asyncio.timeout(PATIENCE):
        while sum(len(each.requests()) for each in servers) < count:
            await asyncio.sleep(0.05)
    return [each.requests() for each in servers]


# Proxies


@contextmanager
def nginx(servers: Sequence[Server]) -> Iterator[str]:
    """nginx with deploy/nginx.conf, of which only ports and folders are others: its URL."""
    with folder_of_nobody() as folder:
        port = free_port()
        text = with_servers((DEPLOY / "nginx.conf").read_text(), servers)
        text = replaced(text, "        listen 80;\n", f"        listen 127.0.0.1:{port};\n")
        text = replaced(text, "/run/nginx.pid", f"{folder}/nginx.pid")
        for place in ("/var/log/nginx/", "/var/lib/nginx/"):
            text = replaced(text, place, f"{folder}/")
        (folder / "nginx.conf").write_text(text)
        errors = folder / "error.log"
        where = ["-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(errors)]
        command = [executable("nginx"), *where, "-g", "daemon off;"]
        with unprivileged(command, folder, port):
            yield f"http://127.0.0.1:{port}"


@contextmanager
def caddy(servers: Sequence[Server]) -> Iterator[str]:
    """Caddy with deploy/Caddyfile, of which only the name and ports are others: its URL."""
    with folder_of_nobody() as folder:
        port = free_port()
        text = with_servers((DEPLOY / "Caddyfile").read_text(), servers)
        site = f"http://:{port} {{\n\tbind 127.0.0.1\n"
        text = replaced(text, "cards.example {\n", site)
        (folder / "Caddyfile").write_text("{\n\tadmin off\n}\n" + text)
        file = str(folder / "Caddyfile")
        command = [executable("caddy"), "run", "--adapter", "caddyfile", "--config", file]
        with unprivileged(command, folder, port):
            yield f"http://127.0.0.1:{port}"


def executable(name: str) -> str:
    """The program, also where only root usually looks; empty if there is none. PLI_CADDY and
    PLI_NGINX name another."""
    named = os.environ.get(f"PLI_{name.upper()}", name)
    return shutil.which(named, path=f"{os.environ.get('PATH', '')}:/usr/sbin") or ""


def with_servers(text: str, servers: Sequence[Server]) -> str:
    """A single server takes the place of both."""
    for port, server in zip((8421, 8422), (servers[0], servers[-1]), strict=True):
        text = replaced(text, f"127.0.0.1:{port}", f"127.0.0.1:{server.port}")
    return text


def replaced(text: str, old: str, new: str) -> str:
    assert old in text, old
    return text.replace(old, new)


@contextmanager
def folder_of_nobody() -> Iterator[Path]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        if os.getuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
        yield folder


@contextmanager
def unprivileged(command: list[str], folder: Path, port: int) -> Iterator[None]:
    """Runs a proxy without root until it is not needed any more."""
    who: dict[str, Any] = {}
    if os.getuid() == 0:
        who = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    log = folder / "output.log"
    variables = os.environ | {"HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    with log.open("w") as out:
        process = subprocess.Popen(
            command, stdout=out, stderr=out, env=variables, start_new_session=True, **who
        )
    try:
        wait_for_port(port, process, log)
        yield
        assert process.poll() is None, log.read_text()
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


# Ports


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def wait_for_port(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Until the process listens there."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(re.sub(r"(?s)^.*(.{2000})$", r"\1", log.read_text()))
