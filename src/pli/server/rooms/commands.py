"""What a page may ask of its table, each kind in a function of its own. All are called when what
came before is safe; PliError tells the page what is wrong."""

from collections.abc import Callable
from functools import partial
from typing import Any

from pli.bots import LEVELS
from pli.errors import PliError, Refused, WrongSyntax
from pli.server.protocol import messages as m
from pli.server.rooms.moves import Move
from pli.server.rooms.room import Room
from pli.server.rooms.start import deal_if_ready, play_again, prepare
from pli.server.rooms.viewer import Viewer, problem_of
from pli.server.tables import entries as e


def receive(room: Room, viewer: Viewer, message: m.FromPage) -> None:
    """A message that just arrived. Actions are timed here, before they wait for anything."""
    if room.trouble is not None:
        raise room.trouble
    if isinstance(message, m.Do):
        if viewer.seat is None:
            raise PliError("only_watching")
        move = Move(message.action, message.id, viewer, message.seen)
        room.hands.act(viewer.seat, move, allowance=viewer.lag.allowance)
        return
    handler = HANDLERS.get(type(message))
    if handler is None:
        raise PliError("not_now")

    def work() -> None:
        room.asked = viewer.address
        try:
            if isinstance(message, WRITES):
                room.pays(viewer.address)
            handler(room, viewer, message)
        except PliError as error:
            game = room.table.game.name
            room.tell(viewer, problem_of(error, viewer.language, game))

    room.submit(work)


def seated(viewer: Viewer) -> int:
    if viewer.seat is None:
        raise PliError("only_watching")
    return viewer.seat


def must_be_host(room: Room, viewer: Viewer) -> None:
    if seated(viewer) != room.table.host:
        raise PliError("only_host")


def must_wait(room: Room) -> None:
    if room.table.state != "waiting":
        raise PliError("already_begun")


def must_have_room(room: Room) -> None:
    """For a new game."""
    if room.budget.full(room.table.n + 1):
        raise PliError("table_used_up")


def random(room: Room, viewer: Viewer, message: m.Random) -> None:
    seat = seated(viewer)
    if room.table.state != "waiting":
        return  # the deal did not wait any longer, which is nobody's fault
    if seat not in room.table.contributions:
        room.enter(e.Contributed(seat=seat, random=message.hex))
        if room.beginning:
            deal_if_ready(room)


def begin(room: Room, viewer: Viewer, message: m.Begin) -> None:
    must_be_host(room, viewer)
    must_wait(room)
    if any(chair.free for chair in room.table.chairs):
        raise PliError("seats_free")
    must_have_room(room)
    prepare(room)


def why(room: Room, viewer: Viewer, message: m.Why) -> None:
    seat, match = seated(viewer), room.table.match
    game = room.table.game.name
    if match is None:
        raise PliError("not_now")
    text: str | None
    try:
        code = match.refusal(seat, message.action)
        if message.action in match.legal(seat):
            code = None  # a hunch: whether it is right is for its player to know
        text = Refused(code).text(viewer.language, game) if code else None
    except WrongSyntax as error:
        code, text = error.code, error.text(viewer.language, game)
    room.tell(viewer, m.Verdict(action=message.action, code=code, text=text))


def say(room: Room, viewer: Viewer, message: m.Say) -> None:
    room.tell_all(m.Said(seat=seated(viewer), phrase=message.phrase))


def configure(room: Room, viewer: Viewer, message: m.Configure) -> None:
    must_be_host(room, viewer)
    must_wait(room)
    table = room.table
    options = table.options
    if message.options is not None:
        options = table.changed(message.options)
    people = len(table.people)
    if options["seats"] < people:
        raise PliError("too_many_people", n=people)
    room.enter(
        e.Configured(
            options=options,
            settings=message.settings or table.settings,
            public=table.public if message.public is None else message.public,
        )
    )
    room.reseat()


def fill(room: Room, viewer: Viewer, message: m.Fill) -> None:
    must_be_host(room, viewer)
    table, seat = room.table, message.seat
    if seat >= table.seats:
        raise PliError("no_such_seat", seat=seat)
    if message.level is not None and message.level not in LEVELS:
        raise PliError("unknown_bot", name=message.level, known=", ".join(LEVELS))
    chair = table.chairs[seat]
    if chair.token is not None and table.state != "playing":
        free(room, viewer, message)
    elif chair.token is None:
        if table.state == "playing" and message.level is None:
            raise PliError("already_begun")
        room.enter(e.Filled(seat=seat, level=message.level))
    elif message.level is None and chair.absent:
        room.enter(e.Returned(seat=seat))
    elif message.level is not None and table.state == "playing" and not chair.absent:
        if seat != viewer.seat and room.presence.can_play(seat):
            raise PliError("seat_present", name=chair.name)
        room.enter(e.Absent(seat=seat))
    else:
        raise PliError("not_now")


def free(room: Room, viewer: Viewer, message: m.Fill) -> None:
    """Before a game, or between two: another person's seat goes to a bot, or to who comes next. The
    person is told, keeps nothing of the seat, and may take a free one like everybody."""
    seat = message.seat
    if seat == viewer.seat:
        raise PliError("not_now")  # the host leaves with `leave`
    room.enter(e.Filled(seat=seat, level=message.level))
    room.hands.forget(seat)
    room.presence.left(seat)
    for each in room.viewers:
        if each.seat == seat:
            each.seat = None
            room.later(partial(_sent_away, room, each))
    play_again(room)  # the others may have waited for this one


def _sent_away(room: Room, viewer: Viewer) -> None:
    room.tell(viewer, problem_of(PliError("seat_freed"), viewer.language))
    room.broadcast.welcome(viewer)


def back(room: Room, viewer: Viewer, message: m.Back) -> None:
    seat = seated(viewer)
    room.resting.wake(viewer)
    room.presence.returned(seat, viewer.address)
    room.later(lambda: room.broadcast.welcome(viewer))


def leave(room: Room, viewer: Viewer, message: m.Leave) -> None:
    seat = seated(viewer)
    room.enter(e.Stood(seat=seat))
    room.hands.forget(seat)
    viewer.seat = None
    room.presence.left(seat)
    if room.table.state == "playing" and not room.table.people:
        room.enter(e.Ended(winners=[], abandoned=True))  # nobody plays any more
    play_again(room)  # the others may have waited for this one
    room.later(lambda: room.broadcast.welcome(viewer))


def again(room: Room, viewer: Viewer, message: m.Again) -> None:
    """A rematch needs people: that bots play one game after the other for somebody who only asks
    for more is not what a table is for. So a wish counts from a seat where no bot stands in, or
    whose person acted in the game that ended. Who was away at its end has returned by arriving;
    whom the clock or the host's own wish had replaced for all of the game comes `back` first."""
    seat, table = seated(viewer), room.table
    chair = table.chairs[seat]
    if chair.absent and chair.played != table.number:
        raise PliError("bot_plays")
    must_have_room(room)
    if table.state == "playing" and table.outdated:
        room.enter(e.Ended(winners=[], abandoned=True))
    if table.state != "over":
        raise PliError("not_over")
    kinds = table.rematches()
    if message.kind not in kinds:
        raise PliError("bad_value", value=message.kind, allowed=", ".join(kinds))
    room.presence.wants[seat] = message.kind
    if not play_again(room):
        room.tell_table()


def log(room: Room, viewer: Viewer, message: m.Log) -> None:
    if room.table.match is None or viewer in room.telling:
        raise PliError("not_now")
    room.telling.add(viewer)
    room.spawn(_log(room, viewer, viewer.seat, room.table.n))


async def _log(room: Room, viewer: Viewer, seat: int | None, n: int) -> None:
    try:
        told = await room.history.log(room.table, n, seat, viewer.address)
    except PliError as error:
        room.tell(viewer, problem_of(error, viewer.language))
    else:
        viewer.tell(told)
    finally:
        room.telling.discard(viewer)


def go_on(room: Room, viewer: Viewer, message: m.GoOn) -> None:
    seated(viewer)
    room.resting.wake(viewer)


def hint(room: Room, viewer: Viewer, message: m.Hint) -> None:
    room.hints.ask(viewer)


WRITES = (m.Random, m.Begin, m.Configure, m.Fill, m.Again)
"""Messages with which something is written for who sends them. Whoever wants to can leave."""

HANDLERS: dict[type[m.Sent], Callable[[Room, Viewer, Any], None]] = {
    m.Random: random,
    m.Begin: begin,
    m.Why: why,
    m.Say: say,
    m.Configure: configure,
    m.Fill: fill,
    m.Back: back,
    m.Leave: leave,
    m.Again: again,
    m.GoOn: go_on,
    m.Log: log,
    m.Hint: hint,
}
