"""The registry of the servers that share a PostgreSQL journal: heartbeats and leases.

A server has a row in which it is alive until its lease ends, by the clock of the database. The
lease is for liveness: whoever finds the owner of a table dead may claim the table. Safety does not
rest on it: every append names owner and epoch. A server counts its lease from before it sent the
renewal, by its own monotonic clock, and less a margin: so it stops acting on its tables before
others are let in.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

from pli.server.journal.api import Peer
from pli.server.journal.postgres.connect import Connector, NoConnection, problem_code

LEASE = 5.0
"""Seconds that a server counts as alive after a heartbeat."""

RENEWALS = 4
"""Heartbeats in the time of a lease."""

MARGIN = 0.2
"""The part of a lease that a server does not use itself."""

MAX_ANSWER_SECONDS = 2.0
"""After which a connection that does not answer counts as lost."""

RECONNECT_SECONDS = 0.1
"""Between two attempts, at first; twice as long after each that fails, up to a part of a lease."""

TAKEN = "pli_taken"
"""The channel on which servers hear of claimed tables: `TABLE OWNER`."""

_REGISTER = """WITH former AS (
    DELETE FROM pli.servers WHERE (id <> $1 AND address = $2 AND address <> '')
        OR alive_until < clock_timestamp() - interval '1 day' RETURNING id
)
INSERT INTO pli.servers VALUES
    ($1, $2, $3, clock_timestamp() + $4::float8 * interval '1 second', $5)"""

# The counts of servers that are gone become one row.
_FOLD_COUNTS = """WITH gone AS (
    DELETE FROM pli.counts c WHERE c.server <> ''
        AND NOT EXISTS (SELECT 1 FROM pli.servers s WHERE s.id = c.server) RETURNING state, tables
)
INSERT INTO pli.counts SELECT '', state, sum(tables) FROM gone GROUP BY state
    ON CONFLICT (server, state) DO UPDATE SET tables = counts.tables + excluded.tables"""

_RENEW = """WITH renewed AS (
    UPDATE pli.servers SET alive_until = clock_timestamp() + $2::float8 * interval '1 second',
        listed = $3 WHERE id = $1 RETURNING id
)
SELECT (SELECT count(*) FROM renewed), extract(epoch FROM clock_timestamp())::float8,
    array_agg(id), array_agg(address), array_agg(version), array_agg(listed)
FROM pli.servers WHERE id <> $1 AND alive_until > clock_timestamp()"""

# Of a server whose row was removed: it is back, unless another one has its address by now.
_RETURN = """INSERT INTO pli.servers
    SELECT $1, $2, $3, clock_timestamp() + $4::float8 * interval '1 second', $5
    WHERE $2 = '' OR NOT EXISTS (SELECT 1 FROM pli.servers WHERE address = $2)
    ON CONFLICT (id) DO NOTHING"""

_log = logging.getLogger(__name__)


class PostgresRegistry:
    """See `Registry`."""

    def __init__(
        self,
        connector: Connector,
        address: str,
        version: str,
        lease: float,
        taken: Callable[[str, str], None],
        give_up_lost: Callable[[], Awaitable[None]],
    ) -> None:
        """`taken` is called with a table and its new owner, `give_up_lost` before this server
        counts as valid again."""
        self.id = secrets.token_hex(8)
        self.address = address
        self.secret = b""
        self.peers: Mapping[str, Peer] = {}
        self.changed: list[Callable[[], None]] = []
        self.listed: Callable[[], bytes] = bytes
        self.clock_offset = 0.0
        """Seconds by which the clock of the database is ahead of this machine's."""
        self._connector = connector
        self._version = version
        self._lease = lease
        self._taken = taken
        self._give_up_lost = give_up_lost
        self._valid_until = 0.0
        self._was_valid = False
        self._connection: Any = None
        self._task: asyncio.Task[None] | None = None
        self._loop = asyncio.get_running_loop()
        self._expiry: asyncio.TimerHandle | None = None

    @property
    def valid(self) -> bool:
        return time.monotonic() < self._valid_until

    @property
    def remaining(self) -> float:
        """Seconds for which it is valid at least."""
        return max(0.0, self._valid_until - time.monotonic())

    def now(self) -> float:
        """Seconds since 1970 by the clock of the database."""
        return time.time() + self.clock_offset

    @property
    def answer_seconds(self) -> float:
        """After which a connection that does not answer counts as lost."""
        return min(MAX_ANSWER_SECONDS, self._lease * 2 / 5)

    async def start(self) -> None:
        """Registers this server. NoConnection, or an error of the driver."""
        self._connection = await self._connect()
        self.secret = await self._connection.fetchval("SELECT secret FROM pli.cluster")
        row = (self.id, self.address, self._version, self._lease, self.listed())
        await self._connection.execute(_REGISTER, *row)
        await self._connection.execute(_FOLD_COUNTS)
        await self._renew()
        self._task = self._loop.create_task(self._run())

    async def close(self) -> None:
        """Removes the row of this server: its tables can be claimed at once."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        if self._expiry is not None:
            self._expiry.cancel()
        self._valid_until = 0.0
        if self._connection is not None:
            with suppress(Exception):  # its lease ends by itself
                async with asyncio.timeout(self.answer_seconds):
                    await self._connection.execute("DELETE FROM pli.servers WHERE id = $1", self.id)
                    await self._connection.execute(_FOLD_COUNTS)
                    await self._connection.close()
            self._connection.terminate()

    async def _run(self) -> None:
        wait = self._lease / RENEWALS
        while True:
            await asyncio.sleep(wait)
            try:
                async with asyncio.timeout(self.answer_seconds):
                    if self._connection is None or self._connection.is_closed():
                        self._connection = await self._connect()
                    await self._renew()
            except Exception as error:
                self._drop()
                if wait == self._lease / RENEWALS:
                    code = error.code if isinstance(error, NoConnection) else problem_code(error)
                    _log.warning("no heartbeat", extra={"code": code or type(error).__name__})
                    wait = RECONNECT_SECONDS / 2
                wait = min(2 * wait, self._lease / RENEWALS / 2)
            else:
                wait = self._lease / RENEWALS

    async def _connect(self) -> Any:
        connection = await self._connector.connect()
        await connection.add_listener(TAKEN, self._heard)
        return connection

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    def _heard(self, connection: object, pid: int, channel: str, payload: object) -> None:
        table, _, owner = str(payload).rpartition(" ")
        self._taken(table, owner)

    async def _renew(self) -> None:
        sent = time.monotonic()
        row = await self._connection.fetchrow(_RENEW, self.id, self._lease, self.listed())
        renewed, now, *columns = row
        if not renewed:
            _log.warning("this server was taken for dead")
            known = (self.id, self.address, self._version, self._lease, self.listed())
            status = await self._connection.execute(_RETURN, *known)
            if status != "INSERT 0 1":
                _log.error("another server has the address of this one")
                return
        if not self.valid:
            # Others may have claimed tables of this server, and released them again.
            await self._give_up_lost()
        self.clock_offset = now - time.time()
        peers = {each[0]: Peer(*each) for each in zip(*columns, strict=True)} if columns[0] else {}
        self._set(peers, sent + self._lease * (1 - MARGIN))

    def _set(self, peers: Mapping[str, Peer], valid_until: float) -> None:
        self._valid_until = valid_until
        if self._expiry is not None:
            self._expiry.cancel()
        # A little later: the timer's clock may be coarser.
        self._expiry = self._loop.call_later(self.remaining + 0.01, self._check)
        changed = peers != self.peers
        self.peers = peers
        self._check(changed)

    def _check(self, changed: bool = False) -> None:
        """Calls the listeners if the peers or the validity changed."""
        valid = self.valid
        if valid != self._was_valid:
            self._was_valid = valid
            changed = True
            if not valid:
                _log.error("the lease of this server has ended: it can't reach the database")
        if changed:
            for listener in [*self.changed]:
                try:
                    listener()
                except Exception as error:
                    context = {"message": "a listener of the registry failed", "exception": error}
                    self._loop.call_exception_handler(context)
