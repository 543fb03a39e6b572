"""Servers and loads as processes: started on a core of their own, watched, ended."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent / "server"
SERVER_CORE, LOAD_CORE = 0, 1
OLDEST_NODE = 20
STARTING = 60.0  # seconds: the first start may compile
ENDING = 10.0

Spec = dict[str, Any]


class Unfit(Exception):
    """Something that the comparison needs is missing, or failed; in one line for people."""


@cache
def node() -> str:
    """The program itself: what is found by its name may be a script that starts it, and whose
    memory is not the server's."""
    wanted = f"the comparison needs Node.js {OLDEST_NODE} or later"
    found = shutil.which("node")
    if found is None:
        raise Unfit(wanted)
    ask = "console.log(process.execPath); console.log(process.versions.node)"
    told = subprocess.run([found, "-e", ask], capture_output=True, text=True).stdout.splitlines()
    if len(told) < 2 or int(told[1].partition(".")[0]) < OLDEST_NODE:
        raise Unfit(f"{wanted}, and this is {''.join(told[1:]) or 'none'}")
    if not (HERE / "node_modules").exists():
        raise Unfit("the comparison's packages are missing: npm install in bench/server")
    return told[0]


def pinning(core: int) -> Callable[[], None] | None:
    """Before a process begins: its core. Where cores can't be chosen it runs where it may."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    allowed = sorted(os.sched_getaffinity(0))
    if len(allowed) < 2:
        raise Unfit("the comparison needs two cores: one for the server, one for the load")
    return lambda: os.sched_setaffinity(0, {allowed[core]})


# What a process has used, as Linux tells it; elsewhere nothing is told.


def family(pid: int) -> list[int]:
    """A process and all that it has started."""
    found = [pid]
    for each in found:
        with contextlib.suppress(OSError):
            for thread in Path(f"/proc/{each}/task").iterdir():
                found += map(int, (thread / "children").read_text().split())
    return found


def cpu_seconds(pid: int) -> float:
    ticks = 0
    for each in family(pid):
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> int:
    """Bytes in memory: of the server process itself, without what thinks for bots."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) * 1024
    return 0


def others_share(seconds: float = 1.0) -> float:
    """How much of the machine is taken before anything here runs, from 0 to 1."""

    def read() -> tuple[int, int]:
        fields = list(map(int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]))
        return sum(fields), fields[3] + fields[4]

    try:
        total, idle = read()
        time.sleep(seconds)
        later, later_idle = read()
    except OSError:
        return 0.0
    return 1 - (later_idle - idle) / max(1, later - total)


def flush_time(folder: Path, times: int = 100) -> float:
    """Milliseconds, the median, until a small append to a file is on the disk."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "flush"
    taken = []
    with path.open("wb", buffering=0) as file:
        for _ in range(times):
            file.write(bytes(4096))
            start = time.perf_counter()
            os.fsync(file.fileno())
            taken.append(time.perf_counter() - start)
    path.unlink()
    return 1000 * sorted(taken)[times // 2]


# Servers


@dataclass(frozen=True)
class Contestant:
    name: str
    kept: str
    """What it has done with an action before anyone is told of it."""
    protocol: str
    command: Callable[[int, Path], Sequence[str]]
    """From a port and an empty folder."""
    beside: Callable[[], float] = lambda: 0.0
    """CPU seconds of what works for it in other processes that it did not start."""


def free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port: int = bound.getsockname()[1]
        return port


@dataclass(frozen=True)
class Running:
    pid: int
    url: str


@contextlib.contextmanager
def serving(contestant: Contestant, folder: Path) -> Iterator[Running]:
    """A fresh server with an empty folder on the server's core."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    port = free_port()
    with (folder.parent / f"{contestant.protocol}.log").open("wb") as log:
        process = subprocess.Popen(
            contestant.command(port, folder),
            cwd=HERE,
            env={**os.environ, "NODE_ENV": "production"},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            preexec_fn=pinning(SERVER_CORE),
        )
        try:
            wait_for(process, port, log.name)
            yield Running(process.pid, f"http://127.0.0.1:{port}")
        finally:
            process.terminate()
            try:
                process.wait(ENDING)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            shutil.rmtree(folder, ignore_errors=True)


def wait_for(process: subprocess.Popen[bytes], port: int, log: str) -> None:
    until = time.monotonic() + STARTING
    while time.monotonic() < until:
        if process.poll() is not None:
            said = Path(log).read_text(errors="replace").strip().splitlines()
            raise Unfit(f"the server ended: {said[-1] if said else process.returncode}")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise Unfit("the server did not start")


# Loads


@dataclass(frozen=True)
class Outcome:
    """What a server did under a load."""

    rate: float
    median: float
    p99: float
    server_cpu: float
    """Of one core, while the clock ran."""
    load_cpu: float
    at_start: int
    when_open: int
    at_end: int
    rates: list[float]


def start_load(contestant: Contestant, server: Running, spec: Spec) -> subprocess.Popen[str]:
    asked = {"protocol": contestant.protocol, "url": server.url, **spec}
    return subprocess.Popen(
        [node(), "load.js", json.dumps(asked)],
        cwd=HERE,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=pinning(LOAD_CORE),
    )


def measure(contestant: Contestant, spec: Spec, folder: Path) -> Outcome:
    """A fresh server under one load."""
    with serving(contestant, folder) as server:
        time.sleep(0.5)
        at_start = memory(server.pid)
        process = start_load(contestant, server, spec)
        when_open, used = 0, 0.0
        figures: Spec = {}
        try:
            assert process.stdout is not None
            for line in process.stdout:
                told = json.loads(line)
                if told["at"] == "open":
                    when_open = memory(server.pid)
                elif told["at"] == "begin":
                    used = cpu_seconds(server.pid)
                elif told["at"] == "failed":
                    raise Unfit(f"{contestant.name}: {told['why']}")
                else:
                    used = cpu_seconds(server.pid) - used
                    figures = told
        finally:
            process.kill()
            process.wait()
        if not figures:
            raise Unfit(f"{contestant.name}: the load ended early")
        return Outcome(
            rate=figures["rate"],
            median=figures["median"],
            p99=figures["p99"],
            server_cpu=used / figures["seconds"],
            load_cpu=figures["cpu"],
            at_start=at_start,
            when_open=when_open,
            at_end=memory(server.pid),
            rates=figures["rates"],
        )


SLICE = 0.25
"""Seconds for which one of two servers runs while the other is stopped: less than a machine takes
to change its mind, and than a connection may be silent."""


@dataclass(frozen=True)
class Cost:
    """What a server and its helpers took for a number of actions, in CPU seconds."""

    actions: float
    server: float
    beside: float


def efficiency(
    sides: Sequence[Contestant], spec: Spec, folder: Path, advance: Callable[[], None]
) -> list[float]:
    """Actions a CPU second of servers that run in turns."""
    return [cost.actions / cost.server for cost in costs(sides, spec, folder, advance)]


def costs(
    sides: Sequence[Contestant], spec: Spec, folder: Path, advance: Callable[[], None]
) -> list[Cost]:
    """Of servers that run in turns under the same load, a slice of time each, so that all meet the
    same machine. `spec` gives the seconds of all together."""
    with contextlib.ExitStack() as stack:
        found: dict[int, Spec] = {}
        begun: dict[int, tuple[float, float]] = {}
        groups: list[list[int]] = []

        def read(at: int, pid: int, lines: Iterable[str]) -> None:
            for line in lines:
                told = json.loads(line)
                if told["at"] == "begin":
                    begun[at] = cpu_seconds(pid), sides[at].beside()
                elif told["at"] in ("end", "failed"):
                    first, beside = begun.get(at, (0.0, 0.0))
                    used = cpu_seconds(pid) - first, sides[at].beside() - beside
                    found[at] = {**told, "used": used}

        for at, side in enumerate(sides):
            server = stack.enter_context(serving(side, folder / str(at)))
            load = start_load(side, server, spec)
            groups.append([*family(server.pid), load.pid])
            stack.callback(load.wait)
            stack.callback(load.kill)
            stack.callback(_signal, groups[-1], signal.SIGCONT)
            assert load.stdout is not None
            reader = threading.Thread(target=read, args=(at, server.pid, load.stdout), daemon=True)
            reader.start()
        ends = time.monotonic() + 3 * spec["seconds"] + STARTING
        while len(found) < len(sides):
            for group in groups:
                for other in groups:
                    if other is not group:
                        _signal(other, signal.SIGSTOP)
                _signal(group, signal.SIGCONT)
                time.sleep(SLICE)
                advance()
            if time.monotonic() > ends:
                raise Unfit("a load did not end")
        for at, side in enumerate(sides):
            if found[at]["at"] == "failed":
                raise Unfit(f"{side.name}: {found[at]['why']}")
        ends_of = [found[at] for at in range(len(sides))]
        return [Cost(each["rate"] * each["seconds"], *each["used"]) for each in ends_of]


def _signal(group: Sequence[int], number: int) -> None:
    for pid in group:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def ours(port: int, folder: Path) -> Sequence[str]:
    database = f"sqlite:///{folder / 'pli.db'}"
    where = ["--host", "127.0.0.1", "--port", str(port), "--db", database]
    return [sys.executable, "-m", "pli", "serve", *where, "--no-limits", "--log-level", "warning"]


def peer(port: int, folder: Path) -> Sequence[str]:
    return [node(), "peer.js", str(port)]


def peer_in_files(port: int, folder: Path) -> Sequence[str]:
    return [node(), "peer.js", str(port), str(folder)]


OURS = Contestant("Pli", "flushed to disk", "pli", ours)
PEER = Contestant("boardgame.io", "in memory", "peer", peer)
PEER_IN_FILES = Contestant("boardgame.io", "in files, not flushed", "peer", peer_in_files)
