"""Anything by anyone at any time: nothing crashes, nothing is lost, replay gives the same bytes.

`make fuzz` runs a million of them for each table.
"""

import random

import pytest

from pli.games.merci.state import HEARTS
from pli.kernel.bits import size
from pli.kernel.machine import Compiled, Plain
from pli.kernel.refusals import OK
from tests.conftest import FUZZ
from tests.tables import TABLES, Table, any_action

TRIES = 1_000_000 if FUZZ > 1 else 5_000


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_any_order_of_any_actions(table: Table) -> None:
    rules = table.game.rules
    plain, compiled = Plain(rules), Compiled(rules)
    rng = random.Random(f"fuzz {table}")
    notation, seats = table.game.notation, table.options.seats
    tries = accepted = 0
    while tries < TRIES:
        s = table.game.setup(table.options)
        start = plain.save(s)
        other = compiled.load(start)
        whole = None
        now = 0
        while tries < TRIES and not plain.over(s):
            if wanted := plain.needs(s):
                order = list(range(wanted))
                rng.shuffle(order)
                plain.give(s, order)
                compiled.give(other, order)
                continue
            tries += 1
            now += rng.choice([0, 0, 1, 200, 2000])
            if plain.due(s) <= now:
                now = plain.due(s)
                plain.tick(s)
                compiled.tick(other)
                continue
            seat = rng.randrange(-1, seats + 1)
            listed = plain.legal(s, seat) if 0 <= seat < seats and rng.random() < 0.5 else []
            wild = rng.choice([any_action(notation, rng)] * 50 + [-2, -1, len(notation)])
            action = rng.choice(listed) if listed else wild
            if plain.check(s, seat, action, now) == OK:
                plain.act(s, seat, action, now)
                compiled.act(other, seat, action, now)
                accepted += 1
            if tries % 50 == 0 and plain.needs(s) == 0:
                zones = table.zones(s)
                whole = whole or sum(zones)
                assert sum(zones) == whole
                assert sum(map(size, zones)) == size(whole)
                assert plain.save(s) == compiled.save(other)
                if hasattr(s, "hearts"):
                    assert min(s.hearts) >= 0
                    assert sum(s.hearts) <= HEARTS
        assert plain.save(s) == compiled.save(other)
    assert accepted > TRIES // 20
