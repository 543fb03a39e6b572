"""What bots know of Merci: judged from what a seat sees, held against the rules themselves."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

import pli
from pli.game import Cue
from pli.games.merci.bots import heuristic
from pli.games.merci.bots.attention import MerciAttention
from pli.games.merci.rules.cards import completing, front, matching
from pli.games.merci.rules.faults import offender, open_fault
from pli.games.merci.state import CARDS, NO_FAULT, NO_SEAT, STACKS, front_name
from pli.kernel.bits import has
from tests.games.merci.positions import MerciMatch, go_on, impolite, placed, tables, wild
from tests.reference.merci_cards import new_combination
from tests.tables import Table


@pytest.mark.rule("ME-7", "ME-9", "ME-9a")
def test_combinations_are_those_of_the_reference_as_sets_and_by_name() -> None:
    rng = random.Random(1)
    for _ in range(500):
        cards = rng.sample(range(CARDS), STACKS)
        tops = [front_name(front(top)) for top in cards]
        for stack in range(STACKS):
            made = completing(cards[stack], *(cards[(stack + i) % STACKS] for i in (1, 2)))
            for card in range(CARDS):
                name = front_name(front(card))
                new = new_combination(tops, stack, name)
                assert has(made, card) == new
                assert heuristic.combines(tops, stack, name) == new


def test_cards_match_by_name_as_in_the_rules() -> None:
    for top, card in product(range(CARDS), repeat=2):
        names = front_name(front(card)), front_name(front(top))
        assert heuristic.matches(*names) == has(matching(top), card)


def judged(
    options: dict[str, Any], seeds: int = 12, steps: int = 250
) -> Iterator[tuple[MerciMatch, int, Cue | None]]:
    """Games in which anything is done: what each seat has to judge, if anything, step by step."""
    for seed in range(seeds):
        match, rng, told = pli.new("merci", seed=seed, **options), random.Random(seed), 0
        watchers = [MerciAttention() for _ in range(4)]
        for _ in range(steps):
            if match.over or not match.actors:
                break
            seen = match.seen(range(4), told)
            told = len(match.steps)
            for seat, attention in enumerate(watchers):
                cues = attention.look(match.view(seat), match.legal(seat), seen[seat], None)
                found = [each for each in cues if each.kind == "judge"]
                assert len(found) <= 1
                yield match, seat, found[0] if found else None
            wild(match, rng)


@pytest.mark.rule("ME-28d")
@pytest.mark.parametrize(
    "options",
    [
        *(
            {"rules": rules, "false_denounce": false_denounce}
            for rules in ("start", "full")
            for false_denounce in ("free", "draw")
        ),
        {"rules": "full", "malpoli": "off"},
        {"rules": "full", "interception": "off"},
        {"rules": "start", "malpoli": "on", "last_card_wait": "on"},
    ],
    ids=str,
)
def test_faults_are_judged_from_what_was_seen_as_the_rules_judge_them(
    options: dict[str, Any],
) -> None:
    counted: Counter[bool] = Counter()
    for match, seat, cue in judged(options):
        assert (cue is not None) == (match.state.mover not in (NO_SEAT, seat))
        if cue is not None:
            assert cue.real == (match.state.fault != NO_FAULT)
            counted[cue.real] += 1
    assert min(counted[True], counted[False]) > 100


@pytest.mark.rule("ME-28b", "ME-28d")
@pytest.mark.parametrize("rules", ["start", "full"])
def test_a_fault_is_still_seen_behind_later_cards_where_only_time_closes_it(rules: str) -> None:
    counted: Counter[str] = Counter()
    first: dict[tuple[MerciMatch, int, str], int] = {}
    for match, seat, cue in judged({"rules": rules, "fault_ends": "time"}):
        s = match.state
        open_ = open_fault(s, match.now) != NO_FAULT and offender(s) != seat
        if cue is None:
            assert not open_
            continue
        since = first.setdefault((match, seat, cue.key), match.now)
        # A seat does not notice that its time is over behind a later card: it has no watch.
        assert cue.real == open_ or (cue.real and match.now >= since + s.fault_window)
        counted["behind" if cue.real and s.fault == NO_FAULT else str(cue.real)] += 1
    assert min(counted.values()) > 50
    assert len(counted) == 3


@pytest.mark.parametrize("rules", ["start", "full"])
@pytest.mark.parametrize("seats", [3, 6])
def test_decisions_are_legal_and_never_impolite(rules: str, seats: int) -> None:
    match = pli.new("merci", seed=3, rules=rules, seats=seats)
    for _ in range(3000):
        if match.over:
            break
        awaited = match.view(None).awaited
        if not awaited:
            match.wait(match.due)
            continue
        view, actions = match.view(awaited[0]), match.legal(awaited[0])
        chosen = heuristic.choose(view, actions)
        assert chosen in actions
        match.act(awaited[0], chosen, match.now + 100)
        assert match.state.fault == NO_FAULT
    assert match.over


@tables
def test_who_does_not_think_is_not_impolite_either_and_lays_if_it_can(table: Table) -> None:
    rng = random.Random(4)
    match = table.match(4)
    for _ in range(150):
        go_on(match, rng)
        if match.over:
            break
        awaited = match.view(None).awaited
        if not awaited or match.view(None).phase == "thanks":
            continue
        seat = awaited[0]
        found = heuristic.plausible(match.view(seat), match.legal(seat))
        assert heuristic.choose(match.view(seat), match.legal(seat)) in found
        for text in found:
            assert not impolite(match, seat, text)


def chances_of(match: MerciMatch, seat: int) -> list[Cue]:
    return MerciAttention().look(match.view(seat), match.legal(seat), [], None)


TABLE: dict[str, object] = {
    "tops": "Y3 G5 P2",
    "hands": ["B4 O4 O2", "Y3 B1 O5", "G2 G4 B6"],
    "turn": 0,
}


def test_an_identical_card_is_a_chance_at_any_moment() -> None:
    match = placed(TABLE)
    (cue,) = chances_of(match, 1)
    assert (cue.kind, cue.actions) == ("match", ("skuz Y3 on 1",))
    assert cue.forgetful == ("play Y3 on 1",)
    assert chances_of(match, 2) == []


@pytest.mark.parametrize("rules", ["start", "full"])
def test_interceptions_are_noticed_where_they_are_played(rules: str) -> None:
    table = TABLE | {"tops": "B3 B5 P6", "hands": ["O4 O2 Y2", "Y2 Y1 O3", "G2 G4 B6"]}
    match = placed(table, rules, interception="on")
    assert [each.actions for each in chances_of(match, 2)] == [("siouplait B6 on 3",)]
    assert chances_of(placed(table, rules, interception="off"), 2) == []


def test_on_ones_turn_the_word_may_be_forgotten() -> None:
    match = placed(TABLE | {"hands": ["G4 Y3 O2", "B1 O5 O3", "G2 B4 B6"]})
    turn = chances_of(match, 0)[0]
    assert (turn.kind, turn.actions) == ("turn", ())
    # G4 on 2 makes 3 4 2 a run; Y3 on 1 is a SKUZ.
    assert set(turn.forgetful) == {"play G4 on 2", "play Y3 on 1"}
    assert heuristic.choose(match.view(0), match.legal(0)) == "skuz Y3 on 1"
