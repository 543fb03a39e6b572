"""What a seat believes of unseen cards is true. That a state dealt from it looks to the seat like
the true one is in `pli.testing`."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pli.kernel.bits import to_list
from pli.match import AnyMatch
from tests.tables import TABLES, Table, step

SEARCHED = [table for table in TABLES if table.game.name in ("marshmallow", "plingo")]


@pytest.mark.parametrize("table", SEARCHED, ids=str)
@given(seed=st.integers(0, 2**32), actions=st.integers(1, 160))
def test_the_true_deal_is_one_that_a_seat_imagines(table: Table, seed: int, actions: int) -> None:
    game = table.game
    assert game.belief is not None
    match, rng = table.match(seed), random.Random(seed)
    memories = [game.belief() for _ in range(match.seats)]
    told = 0
    for _ in range(actions):
        step(match, rng)
        seen = match.seen(range(match.seats), told)
        told = len(match.steps)
        for seat, memory in enumerate(memories):
            memory.see(seen[seat], match.view(seat))
    if match.over:
        return
    seat = match.actors[0]
    view = match.view(seat)
    _, unseen = memories[seat].infer(view)
    truth = true_slots(match, seat)
    for slot, ((size, banned), cards) in enumerate(zip(unseen.slots, truth, strict=True)):
        assert len(cards) == size, slot
        groups = {c: g for g, each in enumerate(unseen.classes) for c in each}
        assert all(not (banned >> groups[card]) & 1 for card in cards), slot


def true_slots(match: AnyMatch, seat: int) -> list[list[int]]:
    """Where the cards really are that the seat can't see: hands, discarded hands, aside."""
    s = match.state
    slots = [[] if each == seat else to_list(s.hands[each]) for each in range(s.seats)]
    hidden = set(to_list(s.hidden))
    discarded: dict[int, set[int]] = {}
    load = match.game.rules.layout.load
    for taken in reversed(match.steps):
        before = load(taken.before)
        after = load(taken.after)
        if before.round_number != s.round_number:
            break
        for each in range(s.seats):
            gone = set(to_list(before.hands[each])) - set(to_list(after.hands[each]))
            if len(gone) > 1 or (gone and gone <= hidden):
                discarded[each] = gone & hidden
    for each, cards in discarded.items():
        slots[each] = sorted(cards)
        hidden -= cards
    return [*slots, sorted(hidden)]


def test_voids_are_remembered_and_narrow_the_deals() -> None:
    table = SEARCHED[4]
    game = table.game
    assert game.belief is not None
    found = 0
    for seed in range(6):
        match, rng = table.match(seed), random.Random(seed)
        memory = game.belief()
        told = 0
        for _ in range(24):
            step(match, rng)
            memory.see(match.seen([0], told)[0], match.view(0))
            told = len(match.steps)
        _, unseen = memory.infer(match.view(0))
        found += unseen.known
        assert np.isfinite(unseen.table).all()
    assert found > 3
