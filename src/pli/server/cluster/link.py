"""A link: the one connection between two servers, over which all relays and requests between them
go. It breaks as a whole: then every page that it relayed is attached anew, wherever its table is
run by then."""

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from aiohttp import WSMsgType

from pli import games
from pli.errors import PliError
from pli.game import Seat
from pli.server.cluster import wire as w
from pli.server.cluster.handshake import NotLinked, Socket
from pli.server.journal.api import OwnedElsewhere
from pli.server.moves.lag import Lag
from pli.server.protocol import messages as m
from pli.server.rooms.service import LocalTables, Session
from pli.server.rooms.viewer import Viewer, add_sample, problem_of

PING_INTERVAL = 1.0
"""Seconds between two pings of a link."""

SILENT_SECONDS = 4.0
"""Seconds without any frame after which a link is taken for broken: it may stall without being
closed."""

MAX_QUEUED = 32 << 20
"""Bytes that may wait to be sent before a link is taken for broken."""

LARGEST_FRAME = 64 << 20

_encode_json = msgspec.json.Encoder().encode
_decode_hello = msgspec.json.Decoder(m.Hello).decode
_decode_message = msgspec.json.Decoder(m.FromPage).decode
_log = logging.getLogger(__name__)

Requests = Callable[[str, dict[str, Any]], Awaitable[bytes]]
"""Answers a request of another server: what it asks for, and its arguments."""


class Link:
    """To the server with the id `peer`, after the handshake."""

    def __init__(
        self,
        socket: Socket,
        peer: str,
        dialer: str,
        tables: LocalTables,
        requests: Requests,
        broken: Callable[["Link"], None],
    ) -> None:
        """`dialer` is the id of the server that connected. `broken` is called once, when the link
        is of no more use."""
        self.peer = peer
        self.dialer = dialer
        self.lag = Lag()
        """Of the link itself."""
        self._socket = socket
        self._tables = tables
        self._requests = requests
        self._broken = broken
        self._loop = asyncio.get_running_loop()
        self._numbers = itertools.count(1)
        self._relays: dict[int, RelaySession] = {}
        """Edge: by number."""
        self._attaching: dict[int, asyncio.Future[str]] = {}
        self._answers: dict[int, asyncio.Future[bytes]] = {}
        self._viewers: dict[int, RelayedViewer] = {}
        """Owner: by the edge's number."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._outgoing: list[w.AnyMessage] = []
        self._queued = 0
        self._wake = asyncio.Event()
        self._heard = self._loop.time()
        self._pings: dict[int, float] = {}
        self._closed = False

    @property
    def relays(self) -> int:
        """How many pages it relays, in either direction."""
        return len(self._relays) + len(self._viewers)

    async def run(self) -> None:
        """Until the link breaks or is closed."""
        tasks = [self._loop.create_task(each) for each in (self._write(), self._ping())]
        try:
            while True:
                frame = await self._socket.receive()
                if frame.type is not WSMsgType.BINARY:
                    return
                self._heard = self._loop.time()
                for message in w.decode(frame.data):
                    self._receive(message)
        except msgspec.DecodeError:
            _log.warning("a link is broken: malformed frame", extra={"server": self.peer})
        finally:
            for task in tasks:
                task.cancel()
            self.close()
            await self._socket.close()

    def close(self) -> None:
        """Pages on either side are attached anew or disconnected."""
        if self._closed:
            return
        self._closed = True
        self._broken(self)
        for task in self._tasks:
            task.cancel()
        waiting: list[asyncio.Future[Any]] = [*self._attaching.values(), *self._answers.values()]
        for future in waiting:
            if not future.done():
                future.set_exception(NotLinked("the link is broken"))
        relays, self._relays = self._relays, {}
        for number, relay in relays.items():
            if number not in self._attaching:
                relay.viewer.move()
        viewers, self._viewers = self._viewers, {}
        for viewer in viewers.values():
            viewer.leave_soon()
        # Reading ends, which ends `run`.
        self._task(self._socket.close(), cancelled=False)

    # Sending

    def send(self, message: w.AnyMessage) -> None:
        """In order, with all else that is sent in this turn of the event loop."""
        if self._closed:
            return
        self._outgoing.append(message)
        if isinstance(message, w.ToPage | w.FromPage | w.Answer):
            self._queued += len(message.body if isinstance(message, w.Answer) else message.data)
            if self._queued > MAX_QUEUED:
                _log.warning("a link is broken: it does not keep up", extra={"server": self.peer})
                self.close()
        self._wake.set()

    async def _write(self) -> None:
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                batch, self._outgoing = self._outgoing, []
                size, self._queued = self._queued, 0
                if batch:
                    sending = self._socket.send_bytes(w.encode(batch))
                    self._queued += size
                    await sending
                    self._queued -= size
        except (ConnectionError, RuntimeError):
            self.close()

    async def _ping(self) -> None:
        for number in itertools.count():
            now = self._loop.time()
            if now - self._heard > SILENT_SECONDS:
                _log.warning("a link is broken: it is silent", extra={"server": self.peer})
                self.close()
                return
            self._pings = {n: at for n, at in self._pings.items() if now - at < SILENT_SECONDS}
            self._pings[number] = now
            self.send(w.Ping(number))
            await asyncio.sleep(PING_INTERVAL)

    # Receiving

    def _receive(self, message: w.AnyMessage) -> None:
        match message:
            case w.ToPage(relay, data):
                if (session := self._relays.get(relay)) is not None:
                    session.viewer.tell(data)
            case w.FromPage(relay, data):
                if (viewer := self._viewers.get(relay)) is not None:
                    viewer.receive(data)
            case w.Measured(relay, round_trip):
                if (viewer := self._viewers.get(relay)) is not None:
                    viewer.measured(round_trip)
            case w.Ping(number):
                self.send(w.Pong(number))
            case w.Pong(number):
                if (sent := self._pings.pop(number, None)) is not None:
                    self.lag.add_sample((self._heard - sent) * 1000)
            case w.Attach():
                self._task(self._attach_viewer(message))
            case w.Detach(relay):
                if (viewer := self._viewers.pop(relay, None)) is not None:
                    viewer.leave()
            case w.Attached(relay, game):
                if (attaching := self._attaching.get(relay)) is not None and not attaching.done():
                    attaching.set_result(game)
            case w.NotAttached(relay, code, details):
                if (attaching := self._attaching.get(relay)) is not None and not attaching.done():
                    attaching.set_exception(error_of(code, details))
            case w.Close(relay, code):
                if (session := self._relays.pop(relay, None)) is not None:
                    session.viewer.close(code)
            case w.Move(relay):
                self._moved(relay)
            case w.Request():
                self._task(self._answer(message))
            case w.Answer(number, body):
                if (asked := self._answers.get(number)) is not None and not asked.done():
                    asked.set_result(body)
            case w.Failed(number, code, details):
                if (asked := self._answers.get(number)) is not None and not asked.done():
                    asked.set_exception(error_of(code, details))
            case _:
                pass  # of the handshake, which is over

    def _task(self, work: Any, cancelled: bool = True) -> None:
        task = self._loop.create_task(work)
        if cancelled:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:
            _CLOSING.add(task)
            task.add_done_callback(_CLOSING.discard)

    # The edge's side

    async def attach(
        self, table: str, viewer: Viewer, hello: m.Hello, samples: list[float]
    ) -> "RelaySession":
        """Relays a page. NotLinked: the link is broken; OwnedElsewhere: the table is not run at
        its other end."""
        number = next(self._numbers)
        session = RelaySession(self, number, viewer)
        attached: asyncio.Future[str] = self._loop.create_future()
        self._relays[number] = session
        self._attaching[number] = attached
        # Fields at their default are left out: an owner of an older version would refuse them.
        data = _encode_json(msgspec.structs.replace(hello, starts=False))
        try:
            self.send(w.Attach(number, table, data, viewer.address, samples, hello.starts))
            if self._closed:
                raise NotLinked("the link is broken")
            session.attached(await attached)
        except BaseException:
            self.detach(number)
            raise
        finally:
            del self._attaching[number]
        if number not in self._relays:  # it was moved before it was told that it is attached
            raise OwnedElsewhere()
        return session

    def detach(self, number: int) -> None:
        if self._relays.pop(number, None) is not None:
            self.send(w.Detach(number))

    async def ask(self, what: str, **arguments: Any) -> bytes:
        """The answer of the other server. NotLinked: it is not known whether it was carried out."""
        number = next(self._numbers)
        answer: asyncio.Future[bytes] = self._loop.create_future()
        self._answers[number] = answer
        try:
            self.send(w.Request(number, what, arguments))
            if self._closed:
                raise NotLinked("the link is broken")
            return await answer
        finally:
            del self._answers[number]

    def _moved(self, number: int) -> None:
        session = self._relays.pop(number, None)
        if session is not None and number not in self._attaching:
            session.viewer.move()

    # The owner's side

    async def _attach_viewer(self, asked: w.Attach) -> None:
        viewer = self._viewers[asked.relay] = RelayedViewer(self, asked.relay, asked.address)
        try:
            hello = msgspec.structs.replace(_decode_hello(asked.hello), starts=asked.starts)
            for each in asked.samples:
                viewer.lag.add_sample(each + self.lag.allowance)
            session = await self._tables.attach(asked.table, viewer, hello)
        except PliError as error:
            self._viewers.pop(asked.relay, None)
            self.send(w.NotAttached(asked.relay, error.code, _texts(error)))
            return
        except Exception:
            _log.exception("a page could not be attached", extra={"server": self.peer})
            self._viewers.pop(asked.relay, None)
            self.send(w.NotAttached(asked.relay, "server_fault", {}))
            return
        if self._viewers.get(asked.relay) is not viewer:
            session.leave()  # it has gone meanwhile
            return
        viewer.attached(session)
        self.send(w.Attached(asked.relay, session.game))

    def forget(self, number: int) -> None:
        self._viewers.pop(number, None)

    async def _answer(self, asked: w.Request) -> None:
        try:
            body = await self._requests(asked.what, asked.arguments)
        except PliError as error:
            self.send(w.Failed(asked.number, error.code, _texts(error)))
        except Exception:
            _log.exception("a request failed", extra={"server": self.peer, "what": asked.what})
            self.send(w.Failed(asked.number, "server_fault", {}))
        else:
            self.send(w.Answer(asked.number, body))


class RelaySession:
    """The edge's side of a relay: the session of a page whose table another server runs."""

    def __init__(self, link: Link, number: int, viewer: Viewer) -> None:
        self.viewer = viewer
        self.game = ""
        self.live = False
        self._link = link
        self._number = number

    def attached(self, game: str) -> None:
        self.game = game
        self.live = games.load(game).live

    def receive(self, message: m.FromPage, data: bytes) -> None:
        self._link.send(w.FromPage(self._number, data))

    def measured(self, round_trip: float) -> None:
        self.viewer.lag.add_sample(round_trip)  # for when the page is attached elsewhere
        self._link.send(w.Measured(self._number, round_trip))

    def leave(self) -> None:
        self._link.detach(self._number)


class RelayedViewer:
    """The owner's side of a relay: a page that is connected to another server."""

    def __init__(self, link: Link, number: int, address: str) -> None:
        self.seat: Seat = None
        self.token: str | None = None
        self.language: m.Language = "en"
        self.address = address
        self.name: str | None = None
        self.lists = True
        self.starts = False
        self.lag = Lag()
        """Of the page's connection and of the link together."""
        self.changes = False
        self.told: m.Welcome | m.Update | None = None
        self._link = link
        self._number = number
        self._session: Session | None = None

    def attached(self, session: Session) -> None:
        self._session = session

    # Viewer

    def tell(self, data: bytes) -> None:
        self._link.send(w.ToPage(self._number, data))

    def close(self, code: m.Farewell) -> None:
        """A page that should reconnect because this server stops is moved instead: its own server
        goes on."""
        if code == "restart":
            self.move()
        else:
            self._link.forget(self._number)
            self._link.send(w.Close(self._number, code))
            self.leave_soon()

    def move(self) -> None:
        self._session = None
        self._link.forget(self._number)
        self._link.send(w.Move(self._number))

    # What the edge sends

    def receive(self, data: bytes) -> None:
        if self._session is None:
            return
        try:
            self._session.receive(_decode_message(data), data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self._complain(PliError("bad_message", why=str(error)[:200]))
        except PliError as error:
            self._complain(error)

    def measured(self, round_trip: float) -> None:
        add_sample(self, round_trip + self._link.lag.allowance)

    def leave(self) -> None:
        if self._session is not None:
            self._session.leave()
            self._session = None

    def leave_soon(self) -> None:
        """Not now: the room may be telling its viewers something, one by one."""
        asyncio.get_running_loop().call_soon(self.leave)

    def _complain(self, error: PliError) -> None:
        game = self._session.game if self._session is not None else None
        self.tell(_encode_json(problem_of(error, self.language, game)))


_CLOSING: set["asyncio.Task[None]"] = set()
"""Sockets that are being closed: the loop itself keeps only weak references to tasks."""


def error_of(code: str, details: dict[str, str]) -> PliError:
    """An error of another server."""
    return OwnedElsewhere() if code == OwnedElsewhere.code else PliError(code, **details)


def _texts(error: PliError) -> dict[str, str]:
    return {name: str(value) for name, value in error.details.items()}
