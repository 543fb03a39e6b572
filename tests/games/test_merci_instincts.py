"""What bots know of Merci: judged from what a seat sees, held against the rules themselves."""

import random

import pytest

import pli
from pli.game import Chance
from pli.games.merci import heuristics
from pli.games.merci.cards import combines, front, matching
from pli.games.merci.instincts import MerciInstincts
from pli.games.merci.state import CARDS, LAYOUT, NO_FAULT, NO_SEAT, STACKS, front_name
from pli.kernel.bits import has
from pli.match import Match
from tests.games.merci import go_on, placed, tables, wild
from tests.tables import Table


def test_combinations_by_name_are_those_of_the_rules() -> None:
    rng = random.Random(1)
    state = pli.new("merci", seed=1).state
    for _ in range(3000):
        *state.tops, card = rng.sample(range(CARDS), STACKS + 1)
        tops = [front_name(front(top)) for top in state.tops]
        name, stack = front_name(front(card)), rng.randrange(STACKS)
        assert heuristics.combines(tops, stack, name) == combines(state, stack, card)
        assert heuristics.matches(name, tops[stack]) == has(matching(state.tops[stack]), card)


@pytest.mark.rule("ME-28d")
@pytest.mark.parametrize("rules", ["start", "full"])
@pytest.mark.parametrize("false_denounce", ["free", "draw"])
def test_faults_are_judged_from_what_was_seen_as_the_rules_judge_them(
    rules: str, false_denounce: str
) -> None:
    faults = rights = 0
    for seed in range(12):
        match = pli.new("merci", seed=seed, rules=rules, false_denounce=false_denounce)
        rng = random.Random(seed)
        watchers = [MerciInstincts() for _ in range(4)]
        told = 0
        for _ in range(250):
            if match.over or not match.actors:
                break
            seen = match.seen(range(4), told)
            told = len(match.steps)
            for seat, instincts in enumerate(watchers):
                chances = instincts.look(match.view(seat), match.legal(seat), seen[seat], None)
                judged = [each for each in chances if each.kind == "judge"]
                state = match.state
                assert bool(judged) == (state.mover not in (NO_SEAT, seat))
                for each in judged:
                    assert each.real == (state.fault != NO_FAULT)
                    faults += each.real
                    rights += not each.real
            wild(match, rng)
    assert faults > 100
    assert rights > 100


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
        chosen = heuristics.decide(view, actions)
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
        found = heuristics.plausible(match.view(seat), match.legal(seat))
        assert heuristics.decide(match.view(seat), match.legal(seat)) in found
        for text in found:
            state = LAYOUT.copy(match.state)
            table.game.rules.act(state, seat, match.game.notation.parse(text), match.now)
            assert state.fault == NO_FAULT or state.mover != seat


def chances_of(match: Match, seat: int) -> list[Chance]:
    return MerciInstincts().look(match.view(seat), match.legal(seat), [], None)


TABLE: dict[str, object] = {
    "tops": "Y3 G5 P2",
    "hands": ["B4 O4 O2", "Y3 B1 O5", "G2 G4 B6"],
    "turn": 0,
}


def test_an_identical_card_is_a_chance_at_any_moment() -> None:
    match = placed(TABLE)
    (chance,) = chances_of(match, 1)
    assert (chance.kind, chance.actions) == ("match", ("skuz Y3 on 1",))
    assert chance.forgetful == ("play Y3 on 1",)
    assert chances_of(match, 2) == []


def test_full_rules_add_interceptions() -> None:
    table = TABLE | {"tops": "B3 B5 P6", "hands": ["O4 O2 Y2", "Y2 Y1 O3", "G2 G4 B6"]}
    actions = [each.actions for each in chances_of(placed(table, "full"), 2)]
    assert actions == [("siouplait B6 on 3",)]
    assert chances_of(placed(table), 2) == []


def test_on_ones_turn_the_word_may_be_forgotten() -> None:
    match = placed(TABLE | {"hands": ["G4 Y3 O2", "B1 O5 O3", "G2 B4 B6"]})
    turn = chances_of(match, 0)[0]
    assert (turn.kind, turn.actions) == ("turn", ())
    # G4 on 2 makes 3 4 2 a run; Y3 on 1 is a SKUZ.
    assert set(turn.forgetful) == {"play G4 on 2", "play Y3 on 1"}
    assert heuristics.decide(match.view(0), match.legal(0)) == "skuz Y3 on 1"
