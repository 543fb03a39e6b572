"""A state is its bytes, at any point; a match can be copied, kept and taken back."""

import pickle

from pli import games
from pli.errors import PliError
from pli.game import Act, AnyGame
from pli.testing.failure import Broken
from pli.testing.property import Moment, Property
from pli.testing.walks import blaming

MOVES = 8
"""With which a copy goes on."""


def moment(at: Moment) -> None:
    game, match, layout = at.game, at.match, at.game.rules.layout
    saved = match.save()
    with blaming(game, "rules.layout"):
        state = layout.load(saved)
        same = state == match.state and layout.save(state) == saved
        same = same and layout.copy(state) == state
        same = same and layout.array(state, 3)[2].tobytes() == saved
    if not same:
        raise Broken("state_differs", "rules.layout")
    twin = match.copy()
    if (twin.save(), repr(twin), twin.steps) != (saved, repr(match), match.steps):
        raise Broken("copy_differs", "rules.layout")
    if _is_named(game):
        kept = pickle.loads(pickle.dumps(match))
        if (kept.save(), repr(kept)) != (saved, repr(match)):
            raise Broken("copy_differs", "rules.layout")
    _taken_back(at)


def _is_named(game: AnyGame) -> bool:
    """Whether a match of it can be kept: it is found by its name."""
    try:
        return games.load(game.name) is game
    except PliError:
        return False


def _taken_back(at: Moment) -> None:
    """Goes on in a copy and undoes it all; then the same inputs lead to the same states again."""
    walk = at.walk.copy()
    saved, now = at.match.save(), at.match.now
    for _ in range(MOVES):
        if walk.match.over:
            break
        length, before = len(walk.match.steps), walk.match.save()
        if not walk.take(walk.random_move(at.rng, 0.1)):
            continue
        after, steps = walk.match.save(), walk.match.steps[length:]
        given = walk.match.undo()
        if isinstance(steps[0].given, Act) and walk.match.save() != before:
            raise Broken("undo_differs", "rules.act", given.seat)
        walk.match.wait(given.time)
        with blaming(at.game, "rules.act"):
            walk.match.feed(given)
        if walk.match.save() != after:
            raise Broken("undo_differs", "rules.act", given.seat)
    if (at.match.save(), at.match.now) != (saved, now):
        raise Broken("copy_shares", "rules.layout")


SAVING = Property("saving", ends=moment)
