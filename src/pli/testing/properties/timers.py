"""A timer is due at a time to come, and goes before an action at its time."""

from pli.errors import PliError
from pli.game import Act, Shuffle, Tick
from pli.kernel.contract import NEVER
from pli.testing.failure import Broken
from pli.testing.property import Moment, Property
from pli.testing.walks import blaming


def moment(at: Moment) -> None:
    game, load = at.game, at.game.rules.layout.load
    now = 0
    for number, step in enumerate(at.match.steps):
        given = step.given
        if not isinstance(given, Shuffle):
            now = given.time
        if number < at.since:
            continue
        before = load(step.before)
        state = load(step.after)
        due = game.rules.due(state)
        if not isinstance(due, int):
            raise Broken("timer_type", "rules.due", expected="int", got=type(due).__name__)
        if game.rules.over(state) or game.rules.needs(state):
            continue
        if due < now:
            raise Broken("timer_past", "rules.due", expected=f">= {now}", got=due)
        if isinstance(given, Tick) and due == game.rules.due(before) < NEVER:
            raise Broken("timer_stuck", "rules.tick", expected=f"> {due}", got=due)
    _order(at)


def _order(at: Moment) -> None:
    """An action at the time of a timer waits for it."""
    match = at.match.copy()
    due = match.due
    if match.over or due >= NEVER or not match.actors:
        return
    seat = match.actors[0]
    with blaming(at.game, "rules.legal"):
        actions = match.legal(seat)
    if not actions:
        return
    before = match.save()
    action = at.game.notation.parse(actions[0])
    try:
        match.feed(Act(seat, action, max(due, match.now)))
    except PliError as error:
        if error.code != "timer_first" or match.save() != before:
            raise Broken("timer_order", "rules.due", seat, "timer_first", error.code) from None
    else:
        raise Broken("timer_order", "rules.due", seat, "timer_first", actions[0])
    with blaming(at.game, "rules.tick"):
        match.feed(Tick(max(due, match.now)))


TIMERS = Property("timers", moment=moment)
