"""A position is set up as it is written, or refused with the key that is wrong, and then nothing
has changed. From any position that is accepted the game goes on."""

import random
from typing import Any

from pli.errors import BadPosition
from pli.match import AnyMatch
from pli.testing.failure import Broken
from pli.testing.property import Property, Trial
from pli.testing.walks import Walk, blaming

TRIES = 20
MOVES = 10

WILD: tuple[object, ...] = (
    *(0, 1, -1, 10**6, 1.5, True, None),
    *("", "none", "nonsense", [], {}, [0, 1], [[], []]),
)
"""Values that some key may take and most do not."""


def trial(of: Trial) -> bool:
    rng = random.Random(of.seed)
    for _ in range(TRIES):
        walk = Walk(of.game, of.options, of.seed)
        values = _wild_values(walk.match, rng)
        before = walk.match.save()
        try:
            walk.match.place(values)
        except BadPosition:
            if walk.match.save() != before:
                raise Broken("position_changes", "place", position=values) from None
            continue
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            raise Broken(
                "position_raises", "place", None, "BadPosition", why, position=values
            ) from error
        _goes_on(walk, values, rng)
    return True


def _wild_values(match: AnyMatch, rng: random.Random) -> dict[str, Any]:
    """Some keys: with what holds of the match as it is, or with anything at all."""
    facts = match.game.facts(match.state)
    names = rng.sample([*match.game.placed], rng.randint(0, min(3, len(match.game.placed))))
    return {
        name: facts[name] if name in facts and rng.random() < 0.3 else rng.choice(WILD)
        for name in names
    }


def _goes_on(walk: Walk, values: dict[str, Any], rng: random.Random) -> None:
    try:
        for seat in (*range(walk.match.seats), None):
            with blaming(walk.game, "view"):
                walk.match.view(seat)
        for _ in range(MOVES):
            if not walk.match.over:
                walk.take(walk.random_move(rng, 0.2))
    except Broken as error:
        why = error.details.get("why", error.code)
        raise Broken("position_breaks", "place", got=why, position=values) from error


POSITIONS = Property("positions", trial=trial)
