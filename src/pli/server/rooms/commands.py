"""What pages may ask of their table: one command for each kind of message."""

from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import Any

from pli.bots import LEVELS
from pli.errors import PliError, Refused, WrongSyntax
from pli.game import Seat
from pli.server.history.api import History
from pli.server.protocol import messages as m
from pli.server.rooms.broadcast import Broadcast
from pli.server.rooms.dealer import OPTIONS, Dealer
from pli.server.rooms.fast_forward import FastForward
from pli.server.rooms.hints import Hints
from pli.server.rooms.idle import Idle
from pli.server.rooms.move_handler import Move, MoveHandler
from pli.server.rooms.presence import Presence
from pli.server.rooms.round_pause import RoundPause
from pli.server.rooms.start import Start
from pli.server.rooms.transaction import RoomAccess, Tx
from pli.server.rooms.viewer import Viewer, encode, explain
from pli.server.tables import entries as e

CHARGED = (m.Random, m.Begin, m.Configure, m.Fill, m.Again)
"""Messages that are refused when the sender's write budget is used up. Leaving is always
possible."""


class PageCommands:
    """Of one table."""

    def __init__(
        self,
        access: RoomAccess,
        dealer: Dealer,
        presence: Presence,
        moves: MoveHandler,
        idle: Idle,
        hints: Hints,
        broadcast: Broadcast,
        start: Start,
        history: History,
        round_pause: RoundPause,
        fast_forward: FastForward,
    ) -> None:
        self._table = access.table
        self._audience = access.audience
        self._scheduler = access.scheduler
        self._bus = access.bus
        self._budget = access.budget
        self._problems = access.metrics.problems
        self._dealer = dealer
        self._presence = presence
        self._moves = moves
        self._idle = idle
        self._hints = hints
        self._broadcast = broadcast
        self._start = start
        self._history = history
        self._round_pause = round_pause
        self._fast_forward = fast_forward
        self._logs: set[Viewer] = set()
        """Pages whose log is being read: one at a time each, since that takes a while."""
        self._handlers: dict[type[m.Sent], Callable[[Tx, Viewer, Any], None]] = {
            m.Random: self._random,
            m.Ready: self._ready,
            m.Begin: self._begin,
            m.Why: self._why,
            m.Say: self._say,
            m.Configure: self._configure,
            m.Fill: self._fill,
            m.Back: self._back,
            m.Leave: self._leave,
            m.Again: self._again,
            m.Withdraw: self._withdraw,
            m.GoOn: self._go_on,
            m.Log: self._log,
            m.Hint: self._hint,
        }

    def receive(self, viewer: Viewer, message: m.FromPage) -> None:
        """A message that just arrived. Moves are timed now, before they wait for anything.
        PliError: no such command."""
        if isinstance(message, m.Do):
            if viewer.seat is None:
                raise PliError("only_watching")
            move = Move(message.action, message.id, viewer, message.seen, monotonic())
            self._moves.submit(viewer.seat, move, allowance=viewer.lag.allowance)
            return
        if type(message) not in self._handlers:
            raise PliError("not_now")
        self._bus.post(partial(self._handle, viewer, message))

    def _handle(self, viewer: Viewer, message: m.FromPage, tx: Tx) -> None:
        tx.charged_to = viewer.address
        try:
            if isinstance(message, CHARGED):
                tx.charge(viewer.address)
            self._handlers[type(message)](tx, viewer, message)
        except PliError as error:
            self._problems.inc(error.code)
            explain(viewer, error, self._table.game.name)

    # What several commands demand

    def _must_be_host(self, viewer: Viewer) -> None:
        if seat_of(viewer) != self._table.host:
            raise PliError("only_host")

    def _must_be_waiting(self) -> None:
        if self._table.state != "waiting":
            raise PliError("already_begun")

    def _must_have_budget(self) -> None:
        """For a new game."""
        if self._budget.full(self._table.n + 1):
            raise PliError("table_used_up")

    # Before the game

    def _random(self, tx: Tx, viewer: Viewer, message: m.Random) -> None:
        seat = seat_of(viewer)
        if self._table.state != "waiting":
            return  # the deal did not wait any longer: not an error of the page
        if seat not in self._table.contributions:
            tx.record(e.Contributed(seat=seat, random=message.hex))
            self._dealer.contributed(tx)

    def _ready(self, tx: Tx, viewer: Viewer, message: m.Ready) -> None:
        seat_of(viewer)
        self._start.ready(viewer, message.number)

    def _begin(self, tx: Tx, viewer: Viewer, message: m.Begin) -> None:
        self._must_be_host(viewer)
        self._must_be_waiting()
        if any(chair.free for chair in self._table.chairs):
            raise PliError("seats_free")
        self._must_have_budget()
        self._dealer.prepare(tx)

    def _configure(self, tx: Tx, viewer: Viewer, message: m.Configure) -> None:
        self._must_be_host(viewer)
        self._must_be_waiting()
        table = self._table
        options = table.options
        if message.options is not None:
            options = table.changed(message.options)
        people = len(table.people)
        if options["seats"] < people:
            raise PliError("too_many_people", n=people)
        tx.record(
            e.Configured(
                options=options,
                settings=message.settings or table.settings,
                public=table.public if message.public is None else message.public,
            )
        )
        for page in self._audience:  # seats may be numbered anew
            self._audience.assign(page, table.seat_of(page.token) if page.token else None)
            tx.after(partial(self._broadcast.welcome, page))

    # Seats

    def _fill(self, tx: Tx, viewer: Viewer, message: m.Fill) -> None:
        self._must_be_host(viewer)
        table, seat = self._table, message.seat
        if seat >= table.seats:
            raise PliError("no_such_seat", seat=seat)
        if message.level is not None and message.level not in LEVELS:
            raise PliError("unknown_bot", name=message.level, known=", ".join(LEVELS))
        chair = table.chairs[seat]
        if chair.token is not None and table.state != "playing":
            self._free(tx, viewer, message)
        elif chair.token is None:
            if table.state == "playing" and message.level is None:
                raise PliError("already_begun")
            tx.record(e.Filled(seat=seat, level=message.level))
        elif message.level is None and chair.absent:
            tx.record(e.Returned(seat=seat))
        elif message.level is not None and table.state == "playing" and not chair.absent:
            if seat != viewer.seat and self._presence.can_play(seat):
                raise PliError("seat_present", name=chair.name)
            tx.record(e.Absent(seat=seat))
        else:
            raise PliError("not_now")

    def _free(self, tx: Tx, viewer: Viewer, message: m.Fill) -> None:
        """Before a game, or between two: another player's seat goes to a bot, or becomes free. The
        player is told, loses its token, and may take a free seat like everybody."""
        seat = message.seat
        if seat == viewer.seat:
            raise PliError("not_now")  # the host leaves with `leave`
        tx.record(e.Filled(seat=seat, level=message.level))
        self._moves.withdraw_all(seat)
        self._presence.left(seat)
        for page in self._audience.at(seat):
            self._audience.assign(page, None)
            tx.after(partial(self._tell_freed, page))
        self._dealer.left(tx, seat)

    def _tell_freed(self, viewer: Viewer) -> None:
        explain(viewer, PliError("seat_freed"))
        self._broadcast.welcome(viewer)

    def _back(self, tx: Tx, viewer: Viewer, message: m.Back) -> None:
        seat = seat_of(viewer)
        self._idle.wake(viewer)
        self._presence.returned(tx, seat, viewer.address)
        tx.after(partial(self._broadcast.welcome, viewer))

    def _leave(self, tx: Tx, viewer: Viewer, message: m.Leave) -> None:
        seat = seat_of(viewer)
        tx.record(e.Stood(seat=seat))
        self._moves.withdraw_all(seat)
        self._audience.assign(viewer, None)
        self._presence.left(seat)
        if self._table.state == "playing" and not self._table.people:
            tx.record(e.Ended(winners=[], abandoned=True))  # no player is left
        self._dealer.left(tx, seat)
        tx.after(partial(self._broadcast.welcome, viewer))

    # The game

    def _again(self, tx: Tx, viewer: Viewer, message: m.Again) -> None:
        """A rematch needs players: otherwise a script could have bots play for ever. So a wish
        counts from a seat where no bot stands in, or whose player acted in the game that ended. A
        player who was away at its end has returned by connecting; one who was replaced for the
        whole game comes `back` first."""
        seat, table = seat_of(viewer), self._table
        chair = table.chairs[seat]
        if chair.absent and chair.played != table.number:
            raise PliError("bot_plays")
        self._must_have_budget()
        if table.state == "playing" and table.outdated:
            tx.record(e.Ended(winners=[], abandoned=True))
        if table.state != "over":
            raise PliError("not_over")
        kinds = table.rematches()
        if message.kind != OPTIONS and message.kind not in kinds:
            raise PliError("bad_value", value=message.kind, allowed=", ".join(kinds))
        self._dealer.wants[seat] = message.kind
        if message.kind == OPTIONS:
            self._broadcast.table()  # in any case: pages know by it that no cards come at once
        if not self._dealer.play_again(tx) and message.kind != OPTIONS:
            self._broadcast.table()

    def _withdraw(self, tx: Tx, viewer: Viewer, message: m.Withdraw) -> None:
        if self._dealer.wants.pop(seat_of(viewer), None) is not None:
            self._broadcast.table()

    def _go_on(self, tx: Tx, viewer: Viewer, message: m.GoOn) -> None:
        seat = seat_of(viewer)
        self._idle.wake(viewer)
        self._round_pause.go_on(seat)
        self._fast_forward.wish(seat)

    def _why(self, tx: Tx, viewer: Viewer, message: m.Why) -> None:
        seat, match = seat_of(viewer), self._table.match
        game = self._table.game.name
        if match is None:
            raise PliError("not_now")
        text: str | None
        try:
            code = match.refusal(seat, message.action)
            if message.action in match.legal(seat):
                code = None  # a guess: whether it is right must not be told
            text = Refused(code).text(viewer.language, game) if code else None
        except WrongSyntax as error:
            code, text = error.code, error.text(viewer.language, game)
        tx.reply(viewer, m.Verdict(action=message.action, code=code, text=text))

    def _say(self, tx: Tx, viewer: Viewer, message: m.Say) -> None:
        self._audience.tell(encode(m.Said(seat=seat_of(viewer), phrase=message.phrase)))

    def _hint(self, tx: Tx, viewer: Viewer, message: m.Hint) -> None:
        self._hints.ask(tx, viewer)

    def _log(self, tx: Tx, viewer: Viewer, message: m.Log) -> None:
        if self._table.match is None or viewer in self._logs:
            raise PliError("not_now")
        self._logs.add(viewer)
        self._scheduler.spawn(self._tell_log(viewer, viewer.seat, self._table.n))

    async def _tell_log(self, viewer: Viewer, seat: Seat, n: int) -> None:
        try:
            viewer.tell(await self._history.log(self._table, n, seat, viewer.address))
        except PliError as error:
            explain(viewer, error)
        finally:
            self._logs.discard(viewer)


def seat_of(viewer: Viewer) -> int:
    """PliError: the page has no seat."""
    if viewer.seat is None:
        raise PliError("only_watching")
    return viewer.seat
