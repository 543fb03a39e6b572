"""Compiled rules do what the plain ones do, to the same bytes, and so do whole games in bulk."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from pli.game import Act, AnyGame, Shuffle
from pli.kernel.compiler import CompiledFunction
from pli.kernel.machine import Compiled, Plain, machine
from pli.kernel.playout import Playouts
from pli.testing.failure import Broken
from pli.testing.properties.records import difference
from pli.testing.property import Moment, Property, Trial
from pli.testing.walks import blaming, many_actions

LATEST = 40
"""Steps before the end of a walk whose states are looked at."""

LINES = 6
"""Of what the compiler says."""


def whole(game: AnyGame, options: Sequence[Any]) -> None:
    """It compiles at all."""
    from numba.core.errors import NumbaError

    fast = machine(game.rules, "compiled")
    for name, part in vars(fast).items():
        if isinstance(part, CompiledFunction):
            look = f"rules.{name.strip('_')}"
            try:
                with blaming(game, look):
                    part.ready()
            except Broken as error:
                if isinstance(error.__cause__, NumbaError):
                    lines = (line.strip() for line in str(error.__cause__).splitlines())
                    why = " ".join([line for line in lines if line][:LINES])
                    raise Broken("does_not_compile", look, why=why) from error
                raise


def moment(at: Moment) -> None:
    """Each step by itself, from the same state."""
    fast: Any = machine(at.game.rules, "compiled")
    for step in at.match.steps[at.since :]:
        record, given = fast.load(step.before), step.given
        name = {Act: "act", Shuffle: "give"}.get(type(given), "tick")
        with blaming(at.game, f"rules.{name}"):
            if isinstance(given, Act):
                fast.act(record, given.seat, given.action, given.time)
            elif isinstance(given, Shuffle):
                fast.give(record, given.order)
            else:
                fast.tick(record)
        if fast.save(record) != step.after:
            field = difference(at, step.after, fast.save(record))
            seat = given.seat if isinstance(given, Act) else None
            raise Broken("compiled_differs", f"rules.{name}", seat, got=field)
    _the_same(at, fast, at.match.save())


def _the_same(at: Moment, fast: Compiled[Any], saved: bytes) -> None:
    """What the rules say of a state."""
    plain, state, record = Plain(at.game.rules), at.game.rules.layout.load(saved), fast.load(saved)
    for name in ("needs", "actors", "over", "winners", "due"):
        _compare(at, name, getattr(plain, name)(state), getattr(fast, name), record)
    for seat in range(at.match.seats):
        _compare(at, "legal", plain.legal(state, seat), fast.legal, record, seat)


def _compare(at: Moment, name: str, wanted: object, compiled: Any, *given: Any) -> None:
    seat = given[1] if len(given) > 1 else None
    with blaming(at.game, f"rules.{name}"):
        found = compiled(*given)
    if found != wanted:
        raise Broken("compiled_differs", f"rules.{name}", seat, wanted, found)


def ends(at: Moment) -> None:
    """The same of the states before it, and what they say of every action."""
    fast: Any = machine(at.game.rules, "compiled")
    for step in at.match.steps[-LATEST:]:
        _the_same(at, fast, step.after)
    plain, state, now = at.game.rules, at.match.state, at.match.now
    record = fast.load(at.match.save())
    actions = many_actions(at.game.notation, random.Random(at.walk.seed))
    for seat in range(-1, at.match.seats + 1):
        with blaming(at.game, "rules.check"):
            wanted = [plain.check(state, seat, action, now) for action in actions]
            found = [fast.check(record, seat, action, now) for action in actions]
        if found != wanted:
            differing = zip(actions, wanted, found, strict=True)
            action, code, other = next(each for each in differing if each[1] != each[2])
            raise Broken("compiled_differs", "rules.check", seat, (action, code), (action, other))


def trial(of: Trial) -> bool:
    rules = of.game.rules
    with blaming(of.game, "setup"):
        state = of.game.setup(of.options)
    with blaming(of.game, "rules.act"):
        slow = Playouts(rules, plain=True).play(state, of.games, seed=of.seed)
    with blaming(of.game, "rules"):
        fast = Playouts(rules).play(state, of.games, seed=of.seed)
    for name in ("states", "lengths", "winners"):
        if getattr(fast, name).tobytes() != getattr(slow, name).tobytes():
            wanted, got = getattr(slow, name), getattr(fast, name)
            which = int(np.flatnonzero(slow.lengths != fast.lengths)[:1].sum())
            shown = (None, None) if name == "states" else (wanted.tolist(), got.tolist())
            raise Broken("playouts_differ", "rules", None, *shown, what=name, game=which)
    if not (fast.lengths > 0).all():
        raise Broken("no_playouts", "rules", got=fast.lengths.tolist())
    return True


COMPILED = Property("compiled", whole=whole, moment=moment, ends=ends, trial=trial, compiles=True)
