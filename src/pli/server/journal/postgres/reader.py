"""Reads from the PostgreSQL journal, and claims: a few connections that are opened when needed."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from pli.server.journal.api import NotRead
from pli.server.journal.postgres.connect import (
    STATEMENT_TIMEOUT,
    Connector,
    NoConnection,
    broken,
    passing,
    problem_code,
)

CONNECTIONS = 4
"""At most."""

ATTEMPTS = 3
"""For one query, if connections turn out to be lost."""

T = TypeVar("T")


class Reader:
    """Queries, each over one of a few connections."""

    def __init__(self, connector: Connector) -> None:
        self._connector = connector
        self._free: list[Any] = []
        self._places = asyncio.Semaphore(CONNECTIONS)
        self._closed = False

    async def rows(self, query: str, *values: object) -> list[Any]:
        found: list[Any] = await self.run(lambda connection: connection.fetch(query, *values))
        return found

    async def run(self, work: Callable[[Any], Awaitable[T]]) -> T:
        """Tried again if the connection is lost: so it must not matter if it is done twice.
        NotRead: the database can't be reached."""
        problem = NotRead("journal_unreachable")
        async with self._places:
            for _ in range(ATTEMPTS):
                if self._closed:
                    raise NotRead("journal_closed")
                try:
                    connection = await self._take()
                except NoConnection as refused:
                    raise refused.as_problem(NotRead) from None
                loop = asyncio.get_running_loop()
                timer = loop.call_later(STATEMENT_TIMEOUT, connection.terminate)
                try:
                    result = await work(connection)
                except Exception as error:
                    if not broken(error) and not passing(error):
                        if (code := problem_code(error)) is None:
                            raise
                        raise NotRead(code) from None
                    connection.terminate()
                else:
                    return result
                finally:
                    timer.cancel()
                    self._put(connection)
        raise problem

    async def _take(self) -> Any:
        while self._free:
            connection = self._free.pop()
            if not connection.is_closed():
                return connection
        return await self._connector.connect()

    def _put(self, connection: Any) -> None:
        if self._closed:
            connection.terminate()
        elif not connection.is_closed():
            self._free.append(connection)

    async def close(self) -> None:
        self._closed = True
        for connection in self._free:
            connection.terminate()
        self._free.clear()
