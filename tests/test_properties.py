"""What holds for every game, whatever is done to it: `pli.testing`, on every game with every choice
that changes its rules.

`make fuzz` plays sixty times as many games, with other seeds each time, and a million wild actions
for every table.
"""

import random
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from pli import games
from pli.game import Event, Input
from pli.match import Match
from pli.testing import check_game
from pli.testing.check import PROPERTIES
from pli.testing.properties.bots import BOTS
from pli.testing.properties.fuzz import FUZZ as WILD
from tests.conftest import FUZZ
from tests.tables import TABLES, Table, step

GAMES = 10 if FUZZ == 1 else 60 * FUZZ
SEED = 0 if FUZZ == 1 else random.randrange(1 << 32)

OF_A_GAME = [each.name for each in PROPERTIES if each.whole is not None]
"""What is looked at without playing, or with all options at once."""

IN_PLAY = [each.name for each in PROPERTIES if each.moment or each.ends or each.trial]
FEW = {BOTS.name}
"""What takes long: bots that search are not asked at every table, but of every game."""


@pytest.mark.parametrize("name", games.names())
def test_a_game_is_as_every_game_must_be(name: str) -> None:
    check_game(name, properties=OF_A_GAME, games=1, actions=20, compiled=False)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_table_is_as_every_table_must_be(table: Table) -> None:
    chosen = msgspec.structs.asdict(table.options)
    few = [each for each in IN_PLAY if each not in FEW]
    check_game(table.game, properties=few, options=chosen, games=GAMES, seed=SEED)
    if FUZZ > 1:
        check_game(table.game, properties=[WILD.name], options=chosen, games=2000, seed=SEED)


@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_views_made_together_and_steps_seen_as_they_happen_are_the_same(
    table: Table, seed: int
) -> None:
    kept, rng = table.match(seed), random.Random(seed)
    for _ in range(rng.randrange(250)):
        step(kept, rng)
    seats = [None, *range(kept.seats)]
    assert all(not kept.legal(seat) for seat in range(kept.seats) if seat not in kept.actors)
    seen: list[list[Event]] = [[] for _ in seats]

    def watch(before: Any, given: Input, after: Any) -> None:
        told: Sequence[Any] = [kept.game.events(before, given, after, seat) for seat in seats]
        for events, new in zip(seen, told, strict=True):
            events += new

    inputs = [step.given for step in kept.steps]
    watched = Match(kept.game, kept.options, None, inputs=inputs, watch=watch)
    assert watched.save() == kept.save()
    assert not watched.steps
    assert seen == kept.seen(seats)
