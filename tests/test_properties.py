"""What holds for every game, whatever is done to it."""

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pli.errors import Refused
from pli.game import Act, Event, Input
from pli.kernel.bits import size, to_list
from pli.kernel.machine import Compiled, Plain
from pli.kernel.refusals import OK, OWN
from pli.match import AnyMatch, Match
from pli.record import read_record, replay, write_record
from tests.tables import TABLES, Table, any_action, many_actions, shuffled_unseen, step

tables = pytest.mark.parametrize("table", TABLES, ids=str)
seeds = st.integers(0, 2**32)
lengths = st.integers(0, 250)


def played(table: Table, seed: int, actions: int, wild: float = 0.0) -> AnyMatch:
    """A match after so many random actions."""
    match, rng = table.match(seed), random.Random(seed)
    for _ in range(actions):
        if match.over:
            break
        step(match, rng, wild)
    return match


@tables
@given(seed=seeds, actions=lengths)
def test_every_card_is_in_exactly_one_place(table: Table, seed: int, actions: int) -> None:
    match, rng = table.match(seed), random.Random(seed)
    whole = sum(table.zones(match.state))
    assert size(whole) == sum(map(size, table.zones(match.state)))
    for _ in range(actions):
        step(match, rng)
        zones = table.zones(match.state)
        assert sum(map(size, zones)) == size(whole)
        assert sum(zones) == whole


@tables
@given(seed=seeds, actions=lengths)
def test_a_refused_action_changes_nothing(table: Table, seed: int, actions: int) -> None:
    match, rng = played(table, seed, actions), random.Random(seed)
    for _ in range(20):
        before, steps, now = match.save(), len(match.steps), match.now
        seat = rng.randrange(match.seats)
        action = rng.choice([-1, any_action(match.game.notation, rng), len(match.game.notation)])
        try:
            match.feed(Act(seat, action, now))
        except Refused:
            assert match.save() == before
            assert len(match.steps) == steps
            assert match.now == now


@tables
@given(seed=seeds, actions=lengths)
def test_the_list_of_legal_actions_is_what_the_check_lets_through(
    table: Table, seed: int, actions: int
) -> None:
    match = played(table, seed, actions)
    machine, state = Plain(table.game.rules), match.state
    for seat in range(match.seats):
        listed = machine.legal(state, seat)
        assert len(listed) == len(set(listed))
        assert match.legal(seat) == [table.game.notation.show(action) for action in listed]
        for action in many_actions(table.game.notation, random.Random(seed)):
            code = machine.check(state, seat, action, match.now)
            if action >= table.game.rules.unlisted:  # the check alone says whether it is open
                assert action not in listed
            elif table.game.rules.hunches:  # a hunch may be wrong, and a fault need not be listed
                assert action not in listed or code == OK or code >= OWN
            else:
                assert (code == OK) == (action in listed)


@tables
@given(seed=seeds, actions=lengths)
def test_simulations_choose_from_the_list_of_legal_actions(
    table: Table, seed: int, actions: int
) -> None:
    rules, state = table.game.rules, played(table, seed, actions).state
    if rules.by_set:
        for seat in range(table.options.seats):
            chosen = [rules.base(state) + member for member in to_list(rules.choices(state, seat))]
            assert chosen == Plain(rules).legal(state, seat)


@tables
@given(seed=seeds, actions=lengths)
def test_a_view_shows_nothing_that_its_seat_may_not_see(
    table: Table, seed: int, actions: int
) -> None:
    match, rng = played(table, seed, actions), random.Random(seed)
    for seat in (*range(match.seats), None):
        disguised = table.game.rules.layout.load(match.save())
        table.disguise(disguised, seat, rng)
        true, false = table.game.view(match.state, seat), table.game.view(disguised, seat)
        assert msgspec.json.encode(true) == msgspec.json.encode(false)


@tables
def test_the_disguise_hides_something(table: Table) -> None:
    """Otherwise the test above would prove nothing: its owner sees that a hand has changed."""
    match, rng = table.match(1), random.Random(1)
    disguised = table.game.rules.layout.load(match.save())
    if table.game.name == "race":
        step(match, rng)
    table.disguise(disguised, None, rng)
    assert table.game.rules.layout.save(disguised) != match.save()
    if table.game.motif_lookup is None:
        owners = range(match.seats)
        assert [table.game.view(match.state, seat) for seat in owners] != [
            table.game.view(disguised, seat) for seat in owners
        ]


@tables
@given(seed=seeds, actions=lengths)
def test_events_show_nothing_that_their_seat_may_not_see(
    table: Table, seed: int, actions: int
) -> None:
    """Whatever cards the others hold, a seat is told the same."""
    match, rng = played(table, seed, actions, wild=0.2), random.Random(seed)
    load = table.game.rules.layout.load
    for each in match.steps[-15:]:
        for seat in (*range(match.seats), None):
            before, after = load(each.before), load(each.after)
            true = table.game.events(before, each.given, after, seat)
            shuffled_unseen(before, after, seat, rng)
            false = table.game.events(before, each.given, after, seat)
            assert [msgspec.json.encode(e) for e in true] == [msgspec.json.encode(e) for e in false]


@tables
@given(seed=seeds, actions=lengths)
def test_a_record_replays_to_the_same_bytes(table: Table, seed: int, actions: int) -> None:
    match = played(table, seed, actions, wild=0.1)
    text = write_record(match)
    record = read_record(text, lambda name: table.game)
    again = replay(record)
    assert again.save() == match.save()
    assert write_record(again) == text
    point = seed % (len(match.steps) + 1)
    partly = replay(record, point)
    assert partly.save() == (match.steps[point - 1].after if point else match.steps[0].before)


@tables
@given(seed=seeds, actions=lengths)
def test_a_state_can_be_saved_and_loaded_at_any_point(
    table: Table, seed: int, actions: int
) -> None:
    match = played(table, seed, actions)
    layout = table.game.rules.layout
    assert layout.load(match.save()) == match.state
    assert layout.save(layout.load(match.save())) == match.save()
    assert layout.array(match.state, 3)[2].tobytes() == match.save()


@tables
@given(seed=seeds)
def test_compiled_and_plain_agree_action_by_action(table: Table, seed: int) -> None:
    plain, compiled = table.match(seed), table.match(seed, "compiled")
    rng, same = random.Random(seed), random.Random(seed)
    for _ in range(80):
        assert step(plain, rng, wild=0.2) == step(compiled, same, wild=0.2)
        assert plain.save() == compiled.save()
        assert plain.winners == compiled.winners
        assert plain.over == compiled.over
        for seat in range(plain.seats):
            assert plain.legal(seat) == compiled.legal(seat)


@tables
def test_compiled_and_plain_give_the_same_code_for_every_action(table: Table) -> None:
    rules = table.game.rules
    plain, compiled = Plain(rules), Compiled(rules)
    for seed in range(10):
        match = played(table, seed, 15 * seed)
        record = compiled.load(match.save())
        for seat in range(-1, match.seats + 1):
            for action in many_actions(table.game.notation, random.Random(seed)):
                wanted = plain.check(match.state, seat, action, match.now)
                assert compiled.check(record, seat, action, match.now) == wanted
        assert compiled.due(record) == plain.due(match.state)
        assert compiled.needs(record) == plain.needs(match.state)


@tables
@given(seed=seeds, actions=lengths)
def test_views_made_together_and_steps_seen_as_they_happen_are_the_same(
    table: Table, seed: int, actions: int
) -> None:
    kept = played(table, seed, actions)
    seats = [None, *range(kept.seats)]
    assert kept.views(seats) == [kept.view(seat) for seat in seats]
    assert all(not kept.legal(seat) for seat in range(kept.seats) if seat not in kept.actors)
    seen: list[list[Event]] = [[] for _ in seats]

    def watch(before: Any, given: Input, after: Any) -> None:
        told = [kept.game.events(before, given, after, seat) for seat in seats]
        if not isinstance(given, kept.game.private):
            assert all(each == told[0] for each in told)
        for events, new in zip(seen, told, strict=True):
            events += new

    inputs = [step.given for step in kept.steps]
    watched = Match(kept.game, kept.options, None, inputs=inputs, watch=watch)
    assert watched.save() == kept.save()
    assert not watched.steps
    assert seen == kept.seen(seats)
