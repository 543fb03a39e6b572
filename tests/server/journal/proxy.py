"""A TCP proxy before a database, which loses what it is told to lose."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class Proxy:
    """Passes bytes on between clients and 127.0.0.1:`target`."""

    def __init__(self, target: int) -> None:
        self.port = 0
        self.refusing = False
        """New connections are closed at once."""
        self._target = target
        self._connections: set[Connection] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def lose_requests(self) -> None:
        """What clients send on the connections of now does not arrive."""
        for each in self._connections:
            each.loses_requests = True

    def lose_replies(self) -> None:
        """What the database answers on the connections of now does not arrive."""
        for each in self._connections:
            each.loses_replies = True

    def stall(self) -> None:
        """Both: the connections of now stay open, and nothing comes through."""
        self.lose_requests()
        self.lose_replies()

    def cut(self) -> None:
        """Closes the connections of now."""
        for each in [*self._connections]:
            each.close()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.refusing:
            writer.transport.abort()
            return
        try:
            to_reader, to_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        connection = Connection(writer, to_writer)
        self._connections.add(connection)
        requests = asyncio.create_task(connection.requests(reader))
        replies = asyncio.create_task(connection.replies(to_reader))
        self._tasks |= {requests, replies}
        await asyncio.wait([requests, replies], return_when=asyncio.FIRST_COMPLETED)
        connection.close()
        self._connections.discard(connection)

    async def close(self) -> None:
        self.refusing = True
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class Connection:
    def __init__(self, client: asyncio.StreamWriter, database: asyncio.StreamWriter) -> None:
        self._client = client
        self._database = database
        self.loses_requests = False
        self.loses_replies = False

    async def requests(self, reader: asyncio.StreamReader) -> None:
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                if not self.loses_requests:
                    self._database.write(data)

    async def replies(self, reader: asyncio.StreamReader) -> None:
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                if not self.loses_replies:
                    self._client.write(data)

    def close(self) -> None:
        self._client.transport.abort()
        self._database.transport.abort()


@asynccontextmanager
async def proxied(target: int) -> AsyncIterator[Proxy]:
    proxy = Proxy(target)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        await proxy.close()
