"""Events tell a seat what it may see, and nothing else: they are the same whatever cards lie where
it could see them neither before nor after."""

from typing import Any

import msgspec

from pli.game import Event
from pli.testing.failure import Broken
from pli.testing.property import Moment, Property, disguise_both
from pli.testing.walks import blaming

LATEST = 15
"""Steps that are told of in disguise, before the end of a walk."""


def moment(at: Moment) -> None:
    game, load = at.game, at.game.rules.layout.load
    for step in at.match.steps[at.since :]:
        before, after = load(step.before), load(step.after)
        told: list[bytes] = []
        for seat in at.seats:
            with blaming(game, "events"):
                events = [*game.events(before, step.given, after, seat)]
                told.append(_encoded(events))
            if not all(isinstance(each, Event) for each in events):
                raise Broken("no_event", "events", seat, "pli.Event", events)
        if (load(step.before), load(step.after)) != (before, after):
            raise Broken("changes_state", "events")
        if not isinstance(step.given, game.private) and len(set(told)) > 1:
            other = next(each for each in told if each != told[-1])
            texts = told[-1].decode(), other.decode()
            raise Broken("events_private", "private", told.index(other), *texts)


def ends(at: Moment) -> None:
    if at.game.zones is not None:
        for step in at.match.steps[-LATEST:]:
            _disguised(at, step)


def _disguised(at: Moment, step: Any) -> None:
    game, load = at.game, at.game.rules.layout.load
    for seat in at.seats:
        before, after = load(step.before), load(step.after)
        true = _encoded(game.events(before, step.given, after, seat))
        disguise_both(game, before, after, seat, at.rng)
        with blaming(game, "events"):
            false = _encoded(game.events(before, step.given, after, seat))
        if true != false:
            raise Broken("events_leak", "events", seat, true.decode(), false.decode())


def _encoded(events: Any) -> bytes:
    return msgspec.json.encode([*events])


EVENTS = Property("events", moment=moment, ends=ends)
