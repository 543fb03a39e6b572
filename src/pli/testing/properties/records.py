"""A record of a match can be read, and replays to the same bytes, to its end and to any point."""

from typing import Any

from pli.errors import BadRecord
from pli.record import read_record, replay, write_record
from pli.testing.failure import Broken
from pli.testing.property import Moment, Property
from pli.testing.walks import blaming, raised


def moment(at: Moment) -> None:
    game, match = at.game, at.match
    with blaming(game, "notation"):
        text = write_record(match)
    record: Any
    try:
        record = read_record(text, lambda name: game)
        again = replay(record)
    except BadRecord as error:
        raise Broken("record_unread", "notation", got=str(error)) from error
    except Exception as error:
        raise raised(game, error, "rules.act") from error
    for point, (one, two) in enumerate(zip(match.steps, again.steps, strict=False)):
        if one.after != two.after:
            field = difference(at, one.after, two.after)
            raise Broken("replay_differs", "rules.act", got=field, step=point + 1)
    if again.save() != match.save() or len(again.steps) != len(match.steps):
        raise Broken("replay_differs", "rules.act", None, repr(match), repr(again), step="-")
    if write_record(again) != text:
        raise Broken("record_differs", "notation")
    point = at.walk.seed % (len(match.steps) + 1)
    partly = replay(record, point)
    if partly.save() != (match.steps[point - 1].after if point else match.steps[0].before):
        raise Broken("replay_differs", "rules.act", step=point)


def difference(at: Moment, one: bytes, other: bytes) -> str:
    """The first field in which two states differ."""
    layout = at.game.rules.layout
    states = layout.load(one), layout.load(other)
    for name in layout.dtype.names or ():
        values = [getattr(state, name, None) for state in states]
        if values[0] != values[1]:
            return f"{name}: {values[0]}, {values[1]}"
    return ""


RECORDS = Property("records", ends=moment)
