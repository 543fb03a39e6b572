"""What learning agents get: numbers that tell what a seat may know and nothing else, a mask that is
the list of legal actions, and the same batches plain and compiled."""

from typing import Any

import msgspec
import numpy as np

from pli.batch import Batch, observe
from pli.batch.observe import followed
from pli.errors import WrongSyntax
from pli.game import AnyGame
from pli.kernel.machine import Engine
from pli.testing.failure import Broken
from pli.testing.property import Moment, Property, Trial, disguised
from pli.testing.walks import blaming

BEYOND = 3
"""Numbers behind an observation, which must not be touched."""

STEPS = 45
LIMIT = 30


def moment(at: Moment) -> None:
    game, match = at.game, at.match
    declared = game.observation
    assert declared is not None
    if len(set(declared.names)) != declared.actions:
        raise Broken("numbers_twice", "observation.names")
    with blaming(game, "observation"):
        *_, (state, memory) = followed(match)
    for seat in range(match.seats):
        with blaming(game, "observation.look"):
            row = _written(at, state, memory, seat)
            made = observe(match, seat)
        most = int(np.iinfo(made.dtype).max)
        if made.min(initial=0) < 0 or max(row, default=0) > most:
            bounds = [min(row), max(row)]
            raise Broken("number_range", "observation.look", seat, [0, most], bounds)
        with blaming(game, "observation.mask"):
            _mask(at, seat)
        if game.zones is None:
            continue
        other = disguised(at, seat)
        with blaming(game, "observation"):
            _alike(at, seat, row, _written(at, other, memory, seat))
            masks = [_masked(game, each, seat) for each in (state, other)]
        if masks[0] != masks[1]:
            raise Broken("mask_leaks", "observation.mask", seat)


def _alike(at: Moment, seat: int, row: list[int], other: list[int]) -> None:
    declared = at.game.observation
    assert declared is not None
    if row == other:
        return
    parts = [declared.split(np.array(each), at.match.seats) for each in (row, other)]
    field = next(name for name in parts[0] if not np.array_equal(parts[0][name], parts[1][name]))
    shown = [part[field].tolist() for part in parts]
    raise Broken("observation_leaks", "observation.look", seat, *shown, field=field)


def _written(at: Moment, state: Any, memory: Any, seat: int) -> list[int]:
    declared: Any = at.game.observation
    width = declared.size(at.match.seats)
    row = [99] * (width + BEYOND)
    end = declared.look(state, memory, seat, row, 0)
    if end != width or row[width:] != [99] * BEYOND:
        raise Broken("observation_size", "observation.look", seat, width, end)
    return row[:width]


def _masked(game: AnyGame, state: Any, seat: int) -> list[int]:
    declared: Any = game.observation
    row = [0] * declared.actions
    declared.mask(state, seat, row, 0)
    return row


def _mask(at: Moment, seat: int) -> None:
    match, declared = at.match, at.game.observation
    assert declared is not None
    allowed = np.flatnonzero(match.mask(seat)).tolist()
    if not match.over:
        row = [0] * declared.actions
        counted = declared.mask(match.state, seat, row, 0)
        if counted != len(allowed):
            raise Broken("mask_count", "observation.mask", seat, len(allowed), counted)
    texts = [match.action(seat, number) for number in allowed]
    named = [text for text in texts if text is not None]
    if (len(named) != len(texts)) != (at.game.live and not match.over):
        raise Broken("mask_names", "observation.action", seat)
    wanted = [text for text in match.legal(seat) if declared.numbered(text)]
    if sorted(named) != sorted(wanted):
        raise Broken("mask_differs", "observation.mask", seat, sorted(wanted), sorted(named))
    for number, name in enumerate(declared.names):
        text = match.action(seat, number)
        if text not in (None, name) and _is_action(at.game, name):
            raise Broken("mask_name", "observation.names", seat, name, text)


def _is_action(game: AnyGame, name: str) -> bool:
    """Whether the name of an action is one in every state: not `the third of the hand`."""
    try:
        game.notation.parse(name)
    except WrongSyntax:
        return False
    return True


def trial(of: Trial) -> bool:
    for autoreset in (True, False):
        with blaming(of.game, "observation"):
            plain, compiled = _batch(of, "plain", autoreset), _batch(of, "compiled", autoreset)
            _in_step(plain, compiled)
    return True


def _batch(of: Trial, engine: Engine, autoreset: bool) -> Batch:
    chosen: dict[str, Any] = msgspec.structs.asdict(of.options)
    return Batch(of.game, 2, of.seed, autoreset, limit=LIMIT, engine=engine, **chosen)


def _in_step(plain: Batch, compiled: Batch) -> None:
    """Two batches are the same bytes, step after step."""
    for step in range(STEPS):
        one, other = plain.step(), compiled.step()
        parts = dict(zip(one._fields, zip(one, other, strict=True), strict=True))
        parts["cut"] = plain.cut, compiled.cut
        for name, (each, same) in parts.items():
            if each.tobytes() != same.tobytes():
                raise Broken("batches_differ", "observation", what=name, step=step)
        if plain.states() != compiled.states():
            raise Broken("batches_differ", "observation", what="states", step=step)


def _skipped(game: AnyGame) -> str | None:
    return None if game.observation is not None else "no_observation"


OBSERVATIONS = Property("observations", ends=moment, skipped=_skipped)
BATCHES = Property("batches", trial=trial, skipped=_skipped, compiles=True)
