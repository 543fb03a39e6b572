"""Connections to PostgreSQL: to the host that takes writes, checked to be durable.

No error or log line of ours holds a part of the URL other than hosts, ports and the database: what
the driver or the URL parser says about a malformed URL may quote its password.
"""

import asyncio
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import asyncpg

from pli.errors import Say
from pli.server.journal.api import JournalProblem, NotOpened, NotRead, NotSaved

OLDEST_POSTGRES = 15

CONNECT_TIMEOUT = 2.0
"""Seconds for a host to accept a connection."""

STATEMENT_TIMEOUT = 5.0
"""Seconds after which the database gives a statement up; not the flush at its end."""

LOCK_TIMEOUT = 1.0
"""Seconds after which the database gives up waiting for a row."""

_LOGIN = ("28", "3D")
"""Classes of SQLSTATE: wrong user or password, no such database."""

_PROBLEMS = {
    "25006": "journal_read_only",
    "42501": "journal_rights",
    "53100": "journal_full",
    "57014": "journal_slow",
    "58030": "journal_io",
    "XX001": "journal_corrupt",
    "XX002": "journal_corrupt",
}
"""By SQLSTATE."""

_NEXT_HOST = ("journal_unreachable", "journal_read_only")
"""What is wrong with a host that does not matter if another one takes writes."""

_PASSING = ("40001", "40P01", "55P03", "25006")
"""SQLSTATEs after which the same statement may succeed: a deadlock, a lock that took too long, a
host that became a standby."""

_DURABLE = ("on", "remote_apply")
"""Values of `synchronous_commit` with which a commit is flushed, on synchronous standbys too."""

# Where the database runs on a system that can't notice lost clients, the last one is refused.
_CHECKS = """SELECT current_setting('server_version_num')::int, current_setting('fsync'),
    current_setting('full_page_writes'), current_setting('synchronous_commit'),
    pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on'"""
_NOTICE_LOST_CLIENTS = """SELECT set_config('tcp_keepalives_idle', '2', false),
    set_config('tcp_keepalives_interval', '1', false),
    set_config('tcp_keepalives_count', '3', false),
    set_config('client_connection_check_interval', '1000', false)"""


class NoConnection(Exception):
    """The database can't be used; the code says why."""

    def __init__(self, code: str, **details: object) -> None:
        super().__init__(code)
        self.code = code
        self.details = details

    def as_problem(self, kind: type[NotSaved] | type[NotRead]) -> JournalProblem:
        return kind(self.code, **self.details)


class Connector:
    """Opens connections to the database that a URL names, which may list several hosts."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._hosts = hosts(url)
        self.where = place(url)
        """The database without user and password, for messages."""

    async def connect(self, **settings: str) -> Any:
        """A connection to the host that takes writes, with these settings of the session.
        NoConnection: there is none."""
        # All at once: one that does not answer must not delay the others.
        tasks = [asyncio.create_task(self._connect(each, settings)) for each in self._hosts]
        told = NoConnection("journal_unreachable")
        chosen = None
        try:
            for next_one in asyncio.as_completed(tasks, timeout=CONNECT_TIMEOUT):
                try:
                    chosen = await next_one
                    return chosen
                except NoConnection as refused:
                    if told.code in _NEXT_HOST:
                        told = refused
        except TimeoutError:
            pass
        finally:
            for task in tasks:
                task.cancel()
            for other in await asyncio.gather(*tasks, return_exceptions=True):
                if other is not chosen and not isinstance(other, BaseException):
                    other.terminate()
        raise NoConnection(told.code, **told.details)

    async def _connect(self, host: Mapping[str, Any], settings: Mapping[str, str]) -> Any:
        code = ""
        try:
            connection = await asyncpg.connect(
                self._url,
                **host,
                server_settings={
                    "application_name": "pli",
                    "statement_timeout": str(int(1000 * STATEMENT_TIMEOUT)),
                    "lock_timeout": str(int(1000 * LOCK_TIMEOUT)),
                    "jit": "off",
                    **settings,
                },
            )
        except asyncpg.PostgresError as error:
            login = (error.sqlstate or "").startswith(_LOGIN)
            code = "journal_login" if login else "journal_unreachable"
        except (ValueError, TypeError, KeyError, AttributeError, asyncpg.InterfaceError):
            code = "journal_url"
        except (OSError, asyncpg.InternalClientError):
            code = "journal_unreachable"
        if code:
            # Not raised above: it would be chained to an error that may quote the URL.
            raise NoConnection(code)
        try:
            await self._check(connection)
        except NoConnection:
            connection.terminate()
            raise
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            connection.terminate()
            raise NoConnection("journal_unreachable") from None
        except BaseException:
            connection.terminate()
            raise
        return connection

    async def _check(self, connection: Any) -> None:
        version, fsync, full_pages, flushing, read_only = await connection.fetchrow(_CHECKS)
        if version < 10_000 * OLDEST_POSTGRES:
            found = f"{version // 10_000}.{version % 10_000}"
            raise NoConnection(
                "journal_postgres", file=self.where, found=found, oldest=OLDEST_POSTGRES
            )
        if fsync != "on" or full_pages != "on":
            found = f"fsync = {fsync}, full_page_writes = {full_pages}"
            raise NoConnection("journal_unflushed", file=self.where, found=found)
        if read_only:
            raise NoConnection("journal_read_only")
        if flushing not in _DURABLE:
            await connection.execute("SET synchronous_commit = on")
        with suppress(asyncpg.PostgresError):
            await connection.execute(_NOTICE_LOST_CLIENTS)

    def not_opened(self, why: NoConnection) -> NotOpened:
        if why.details or why.code == "journal_url":
            return NotOpened(why.code, **why.details)
        return NotOpened(file=self.where, why=Say(f"errors.{why.code}"))


_ADDRESS = re.compile(r"postgres(?:ql)?://(?:[^@/?#]*@)?([\w.:,\[\]-]*)(?:/([\w.-]*))?(?:\?.*)?")
_HOST = re.compile(r"([\w.-]+|\[[\w:.]+\])(?::(\d+))?")


def hosts(url: str) -> list[dict[str, Any]]:
    """Arguments of the driver for each host of a URL; a single empty one if the driver has to find
    out. It would try them one after the other."""
    found = _ADDRESS.fullmatch(url)
    parts = [_HOST.fullmatch(each) for each in found[1].split(",")] if found else []
    if len(parts) < 2 or not all(parts):
        return [{}]
    return [{"host": each[1].strip("[]"), "port": int(each[2] or 5432)} for each in parts if each]


def place(url: str) -> str:
    """Hosts and database of a URL, without what may be a password."""
    found = _ADDRESS.fullmatch(url)
    if not found or not all(_HOST.fullmatch(each) for each in found[1].split(",") if found[1]):
        return "postgresql"
    return f"postgresql://{found[1]}/{found[2] or ''}"


def broken(error: BaseException) -> bool:
    """Whether a statement that failed so may have been executed nevertheless."""
    if isinstance(error, asyncpg.PostgresError):
        state = error.sqlstate or ""
        return state.startswith("08") or (state.startswith("57") and state != "57014")
    unsent = isinstance(error, ValueError)  # values that the driver can't encode
    kinds = (OSError, asyncpg.InterfaceError, asyncpg.InternalClientError)
    return isinstance(error, kinds) and not unsent


def passing(error: BaseException) -> bool:
    """Whether a statement that failed so did nothing, and may succeed the next time."""
    return isinstance(error, asyncpg.PostgresError) and error.sqlstate in _PASSING


def problem_code(error: BaseException) -> str | None:
    """The code of a storage problem; None if the error is about the values."""
    if broken(error):
        return "journal_unreachable"
    if not isinstance(error, asyncpg.PostgresError):
        return None
    state = error.sqlstate or ""
    if state.startswith(("22", "23")):
        return None
    other = "journal_io" if state.startswith(("53", "58")) else NotSaved.code
    return _PROBLEMS.get(state, other)
