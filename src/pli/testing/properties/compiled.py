"""Compiled rules do what the plain ones do, to the same bytes, and so do whole games in bulk."""

import random
from typing import Any

import numpy as np

from pli.game import Act, Shuffle
from pli.kernel.machine import Compiled, Plain, machine
from pli.kernel.playout import Playouts
from pli.testing.failure import Broken
from pli.testing.properties.records import difference
from pli.testing.property import Moment, Property, Trial
from pli.testing.walks import blaming, many_actions, raised

GAMES = 10
"""That are played in bulk."""


def moment(at: Moment) -> None:
    """Each step by itself, from the same state."""
    fast: Any = machine(at.game.rules, "compiled")
    for step in at.match.steps[at.since :]:
        record, given = fast.load(step.before), step.given
        name = {Act: "act", Shuffle: "give"}.get(type(given), "tick")
        try:
            if isinstance(given, Act):
                fast.act(record, given.seat, given.action, given.time)
            elif isinstance(given, Shuffle):
                fast.give(record, given.order)
            else:
                fast.tick(record)
        except Exception as error:
            raise _uncompiled(at, error, f"rules.{name}") from error
        if fast.save(record) != step.after:
            field = difference(at, step.after, fast.save(record))
            seat = given.seat if isinstance(given, Act) else None
            raise Broken("compiled_differs", f"rules.{name}", seat, got=field)
    _the_same(at, fast)


def _the_same(at: Moment, fast: Compiled[Any]) -> None:
    """What the rules say of the state."""
    plain, state = Plain(at.game.rules), at.match.state
    record = fast.load(at.match.save())
    for name in ("needs", "actors", "over", "winners", "due"):
        _compare(at, name, getattr(plain, name)(state), getattr(fast, name), record)
    for seat in range(at.match.seats):
        _compare(at, "legal", plain.legal(state, seat), fast.legal, record, seat)


def _compare(at: Moment, name: str, wanted: object, compiled: Any, *given: Any) -> None:
    seat = given[1] if len(given) > 1 else None
    try:
        found = compiled(*given)
    except Exception as error:
        raise _uncompiled(at, error, f"rules.{name}") from error
    if found != wanted:
        raise Broken("compiled_differs", f"rules.{name}", seat, wanted, found)


def ends(at: Moment) -> None:
    """And of every action."""
    fast: Any = machine(at.game.rules, "compiled")
    plain, state, record = at.game.rules, at.match.state, fast.load(at.match.save())
    for seat in range(-1, at.match.seats + 1):
        for action in many_actions(at.game.notation, random.Random(at.walk.seed)):
            with blaming(at.game, "rules.check"):
                wanted = plain.check(state, seat, action, at.match.now)
            _compare(at, "check", wanted, fast.check, record, seat, action, at.match.now)


def trial(of: Trial) -> None:
    rules = of.game.rules
    with blaming(of.game, "setup"):
        state = of.game.setup(of.options)
    with blaming(of.game, "rules.act"):
        slow = Playouts(rules, plain=True).play(state, GAMES, seed=of.seed)
    with blaming(of.game, "rules"):
        fast = Playouts(rules).play(state, GAMES, seed=of.seed)
    for name in ("states", "lengths", "winners"):
        if getattr(fast, name).tobytes() != getattr(slow, name).tobytes():
            wanted, got = getattr(slow, name), getattr(fast, name)
            which = int(np.flatnonzero(slow.lengths != fast.lengths)[:1].sum())
            shown = (None, None) if name == "states" else (wanted.tolist(), got.tolist())
            raise Broken("playouts_differ", "rules", None, *shown, what=name, game=which)
    if not (fast.lengths > 0).all():
        raise Broken("no_playouts", "rules", got=fast.lengths.tolist())


def _uncompiled(at: Moment, error: Exception, look: str) -> Broken:
    from numba.core.errors import NumbaError

    if isinstance(error, NumbaError):
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        return Broken("does_not_compile", look, why=" ".join(lines[:6]))
    return raised(at.game, error, look)


COMPILED = Property("compiled", moment=moment, ends=ends, trial=trial, compiles=True)
