"""What a page may ask of its table, each kind in a function of its own. All are called when what
came before is safe; PliError tells the page what is wrong."""

from collections.abc import Callable
from functools import partial
from typing import Any

from pli.bots import LEVELS
from pli.errors import PliError, Refused, WrongSyntax
from pli.server import entries as e
from pli.server import messages as m
from pli.server.beginning import deal_if_ready, play_again, prepare
from pli.server.hands import Deed
from pli.server.keeper import Keeper
from pli.server.viewer import Viewer, problem_of


def receive(keeper: Keeper, viewer: Viewer, message: m.FromPage) -> None:
    """A message that just arrived. Actions are timed here, before they wait for anything."""
    if keeper.trouble is not None:
        raise keeper.trouble
    if isinstance(message, m.Do):
        if viewer.seat is None:
            raise PliError("only_watching")
        deed = Deed(message.action, message.id, viewer, message.seen)
        keeper.hands.act(viewer.seat, deed, allowance=viewer.line.allowance)
        return
    handler = HANDLERS.get(type(message))
    if handler is None:
        raise PliError("not_now")

    def work() -> None:
        keeper.asked = viewer.address
        try:
            if isinstance(message, WRITES):
                keeper.pays(viewer.address)
            handler(keeper, viewer, message)
        except PliError as error:
            game = keeper.table.game.name
            keeper.tell(viewer, problem_of(error, viewer.language, game))

    keeper.submit(work)


def seated(viewer: Viewer) -> int:
    if viewer.seat is None:
        raise PliError("only_watching")
    return viewer.seat


def must_be_host(keeper: Keeper, viewer: Viewer) -> None:
    if seated(viewer) != keeper.table.host:
        raise PliError("only_host")


def must_wait(keeper: Keeper) -> None:
    if keeper.table.state != "waiting":
        raise PliError("already_begun")


def must_have_room(keeper: Keeper) -> None:
    """For a new game."""
    if keeper.budget.full(keeper.table.n + 1):
        raise PliError("table_used_up")


def random(keeper: Keeper, viewer: Viewer, message: m.Random) -> None:
    seat = seated(viewer)
    if keeper.table.state != "waiting":
        return  # the deal did not wait any longer, which is nobody's fault
    if seat not in keeper.table.contributions:
        keeper.enter(e.Contributed(seat=seat, random=message.hex))
        if keeper.beginning:
            deal_if_ready(keeper)


def begin(keeper: Keeper, viewer: Viewer, message: m.Begin) -> None:
    must_be_host(keeper, viewer)
    must_wait(keeper)
    if any(chair.free for chair in keeper.table.chairs):
        raise PliError("seats_free")
    must_have_room(keeper)
    prepare(keeper)


def why(keeper: Keeper, viewer: Viewer, message: m.Why) -> None:
    seat, match = seated(viewer), keeper.table.match
    game = keeper.table.game.name
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
    keeper.tell(viewer, m.Verdict(action=message.action, code=code, text=text))


def say(keeper: Keeper, viewer: Viewer, message: m.Say) -> None:
    keeper.tell_all(m.Said(seat=seated(viewer), phrase=message.phrase))


def configure(keeper: Keeper, viewer: Viewer, message: m.Configure) -> None:
    must_be_host(keeper, viewer)
    must_wait(keeper)
    table = keeper.table
    options = table.options
    if message.options is not None:
        options = table.changed(message.options)
    people = len(table.people)
    if options["seats"] < people:
        raise PliError("too_many_people", n=people)
    keeper.enter(
        e.Configured(
            options=options,
            settings=message.settings or table.settings,
            public=table.public if message.public is None else message.public,
        )
    )
    keeper.reseat()


def fill(keeper: Keeper, viewer: Viewer, message: m.Fill) -> None:
    must_be_host(keeper, viewer)
    table, seat = keeper.table, message.seat
    if seat >= table.seats:
        raise PliError("no_such_seat", seat=seat)
    if message.level is not None and message.level not in LEVELS:
        raise PliError("unknown_bot", name=message.level, known=", ".join(LEVELS))
    chair = table.chairs[seat]
    if chair.token is not None and table.state != "playing":
        free(keeper, viewer, message)
    elif chair.token is None:
        if table.state == "playing" and message.level is None:
            raise PliError("already_begun")
        keeper.enter(e.Filled(seat=seat, level=message.level))
    elif message.level is None and chair.absent:
        keeper.enter(e.Returned(seat=seat))
    elif message.level is not None and table.state == "playing" and not chair.absent:
        if seat != viewer.seat and keeper.attendance.can_play(seat):
            raise PliError("seat_present", name=chair.name)
        keeper.enter(e.Absent(seat=seat))
    else:
        raise PliError("not_now")


def free(keeper: Keeper, viewer: Viewer, message: m.Fill) -> None:
    """Before a game, or between two: another person's seat goes to a bot, or to who comes next. The
    person is told, keeps nothing of the seat, and may take a free one like everybody."""
    seat = message.seat
    if seat == viewer.seat:
        raise PliError("not_now")  # the host leaves with `leave`
    keeper.enter(e.Filled(seat=seat, level=message.level))
    keeper.hands.forget(seat)
    keeper.attendance.left(seat)
    for each in keeper.viewers:
        if each.seat == seat:
            each.seat = None
            keeper.later(partial(_sent_away, keeper, each))
    play_again(keeper)  # the others may have waited for this one


def _sent_away(keeper: Keeper, viewer: Viewer) -> None:
    keeper.tell(viewer, problem_of(PliError("seat_freed"), viewer.language))
    keeper.teller.welcome(viewer)


def back(keeper: Keeper, viewer: Viewer, message: m.Back) -> None:
    seat = seated(viewer)
    keeper.resting.wake(viewer)
    keeper.attendance.returned(seat, viewer.address)
    keeper.later(lambda: keeper.teller.welcome(viewer))


def leave(keeper: Keeper, viewer: Viewer, message: m.Leave) -> None:
    seat = seated(viewer)
    keeper.enter(e.Stood(seat=seat))
    keeper.hands.forget(seat)
    viewer.seat = None
    keeper.attendance.left(seat)
    if keeper.table.state == "playing" and not keeper.table.people:
        keeper.enter(e.Ended(winners=[], abandoned=True))  # nobody plays any more
    play_again(keeper)  # the others may have waited for this one
    keeper.later(lambda: keeper.teller.welcome(viewer))


def again(keeper: Keeper, viewer: Viewer, message: m.Again) -> None:
    """A rematch needs people: that bots play one game after the other for somebody who only asks
    for more is not what a table is for. So a wish counts from a seat where no bot stands in, or
    whose person acted in the game that ended. Who was away at its end has returned by arriving;
    whom the clock or the host's own wish had replaced for all of the game comes `back` first."""
    seat, table = seated(viewer), keeper.table
    chair = table.chairs[seat]
    if chair.absent and chair.played != table.number:
        raise PliError("bot_plays")
    must_have_room(keeper)
    if table.state == "playing" and table.outdated:
        keeper.enter(e.Ended(winners=[], abandoned=True))
    if table.state != "over":
        raise PliError("not_over")
    kinds = table.rematches()
    if message.kind not in kinds:
        raise PliError("bad_value", value=message.kind, allowed=", ".join(kinds))
    keeper.attendance.wants[seat] = message.kind
    if not play_again(keeper):
        keeper.tell_table()


def log(keeper: Keeper, viewer: Viewer, message: m.Log) -> None:
    if keeper.table.match is None or viewer in keeper.telling:
        raise PliError("not_now")
    keeper.telling.add(viewer)
    keeper.spawn(_log(keeper, viewer, viewer.seat, keeper.table.n))


async def _log(keeper: Keeper, viewer: Viewer, seat: int | None, n: int) -> None:
    try:
        told = await keeper.history.log(keeper.table, n, seat, viewer.address)
    except PliError as error:
        keeper.tell(viewer, problem_of(error, viewer.language))
    else:
        viewer.tell(told)
    finally:
        keeper.telling.discard(viewer)


def go_on(keeper: Keeper, viewer: Viewer, message: m.GoOn) -> None:
    seated(viewer)
    keeper.resting.wake(viewer)


def hint(keeper: Keeper, viewer: Viewer, message: m.Hint) -> None:
    keeper.advice.ask(viewer)


WRITES = (m.Random, m.Begin, m.Configure, m.Fill, m.Again)
"""Messages with which something is written for who sends them. Whoever wants to can leave."""

HANDLERS: dict[type[m.Sent], Callable[[Keeper, Viewer, Any], None]] = {
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
