"""Every card is in exactly one place, from the first deal to the end."""

import random
from collections.abc import Sequence
from typing import Any

from pli.game import Act, AnyGame, read_options
from pli.kernel.bits import to_list
from pli.testing.failure import Broken
from pli.testing.property import Moment, Property, disguise, shows_hands, without_zones, zones_of
from pli.testing.walks import Walk, blaming
from pli.zones import all_cards, card_twice

SOON = 40
"""Actions after which something must be hidden."""


def whole(game: AnyGame, options: Sequence[Any]) -> None:
    if game.zones is None:
        if shows_hands(game):
            raise Broken("zones_missing", "zones")
    elif shows_hands(game) or game.motif_lookup is not None:
        _hides_something(game)


def _hides_something(game: AnyGame) -> None:
    """Otherwise no leak would be found: somebody has to see a difference when what spectators can't
    see is changed."""
    walk, rng = Walk(game, read_options(game, {}), 0), random.Random(0)
    for _ in range(SOON):
        s = game.rules.layout.load(walk.match.save())
        with blaming(game, "zones"):
            disguise(game, s, None, rng)
        seats = range(walk.match.seats)
        seen = any(game.view(s, seat) != walk.match.view(seat) for seat in seats)
        changed = game.rules.layout.save(s) != walk.match.save()
        if changed and (seen or game.motif_lookup is not None):
            return
        walk.take(walk.random_move(rng, 0.0))
    raise Broken("zones_hide_nothing", "zones")


def moment(at: Moment) -> None:
    game, steps = at.game, at.match.steps
    if game.zones is None:
        return
    load = game.rules.layout.load
    dealt = (step.after for step in steps if not game.rules.needs(load(step.after)))
    first = next(dealt, None)
    if first is None:
        return
    cards = all_cards(_places(game, load(first)))
    for step in steps[at.since :]:
        state = load(step.after)
        if game.rules.needs(state):  # the cards are being shuffled
            continue
        places = _places(game, state)
        look = "rules.act" if isinstance(step.given, Act) else "rules.give"
        seat = step.given.seat if isinstance(step.given, Act) else None
        twice = card_twice(places)
        if twice is not None:
            raise Broken("card_twice", look, seat, card=named(game, twice))
        now = all_cards(places)
        if now != cards:
            other = named(game, to_list(now ^ cards)[0])
            code = "card_lost" if now & ~cards == 0 else "card_added"
            raise Broken(code, look, seat, card=other)


def _places(game: AnyGame, state: Any) -> Sequence[int]:
    with blaming(game, "zones"):
        return zones_of(game).places(state)


def named(game: AnyGame, card: int) -> str:
    """A card's name, where its game has a deck."""
    return game.deck.names[card] if game.deck is not None else str(card)


CARDS = Property("cards", moment=moment, whole=whole, skipped=lambda game: _skipped(game))


def _skipped(game: AnyGame) -> str | None:
    return None if shows_hands(game) else without_zones(game)
