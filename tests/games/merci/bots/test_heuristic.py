"""Merci's policy is written twice: over a view for bots that act (heuristic, attention), over
sets of cards for rollouts. Here the two are compared.

Meant to differ:

- Of choices that are equally good, a rollout takes any, the heuristic the first.
- A rollout lays a SKUZ before all else. The heuristic weighs it, and something else may weigh more
  where many cards are left.
- A rollout never says which back it means.
- Thanks are said at once in a rollout; in play others may be quicker with a SKUZ.
"""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from pli.game import Cue
from pli.games.merci.bots import heuristic
from pli.games.merci.bots.attention import MerciAttention
from pli.games.merci.bots.heuristic import FREE, choose, gift_use, lay_of, lay_worth
from pli.games.merci.bots.rollout import effect_worth, out_of_turn, policy, right_thanks, threat
from pli.games.merci.state import DRAW
from pli.games.merci.view import MerciView
from pli.kernel.stream import start
from tests.games.merci.positions import SHOW, MerciMatch, go_on, placed, tables
from tests.tables import Table

SEEDS = 3
STEPS = 250


def played(table: Table) -> Iterator[tuple[MerciMatch, list[list[Cue]]]]:
    """Every step of some games, and what each seat can notice then."""
    rng = random.Random(6)
    for seed in range(SEEDS):
        match = table.match(seed)
        seats = range(match.seats)
        watchers = [MerciAttention() for _ in seats]
        told = 0
        for _ in range(STEPS):
            go_on(match, rng)
            if match.over:
                break
            seen, told = match.seen(seats, told), len(match.steps)
            yield (
                match,
                [
                    watchers[seat].look(match.view(seat), match.legal(seat), seen[seat], None)
                    for seat in seats
                ],
            )


def bare(action: str) -> str:
    """Without the back that a name may carry."""
    return " ".join(word.partition("/")[0] for word in action.split())


def assert_as_good(view: MerciView, chosen: str, wanted: str) -> None:
    """Of what a seat does on its turn."""
    lay, other = lay_of(chosen), lay_of(wanted)
    if lay is None or other is None:
        assert chosen == wanted
    elif lay.word == "skuz" != other.word:
        assert lay_worth(view, other) > FREE
    else:
        assert lay_worth(view, lay) == pytest.approx(lay_worth(view, other))


@tables
def test_a_rollout_decides_like_the_heuristic(table: Table) -> None:
    phases: Counter[str] = Counter()
    for number, (match, _) in enumerate(played(table)):
        awaited = match.view(None).awaited
        if not awaited or match.view(None).phase == "thanks":
            continue
        seat = awaited[0]
        view, legal = match.view(seat), match.legal(seat)
        phases[view.phase] += 1
        chosen, wanted = SHOW(policy(match.state, seat, start(1, number))), choose(view, legal)
        assert chosen in legal
        if view.phase == "turn":
            assert_as_good(view, chosen, wanted)
        elif view.phase == "gift":
            _, card, _, to = bare(chosen).split()
            _, other, _, other_to = bare(wanted).split()
            assert to == other_to
            assert gift_use(view, card) == gift_use(view, other)
        else:
            assert chosen == wanted
    assert phases["turn"] > 200
    assert min(phases.values()) >= 5
    assert len(phases) == 4


@tables
def test_a_rollout_says_the_thanks_that_an_attentive_seat_would_say(table: Table) -> None:
    words: Counter[str] = Counter()
    for match, cues in played(table):
        view = match.view(None)
        if view.phase == "thanks":
            (reply,) = [each for each in cues[view.awaited[0]] if each.kind == "reply"]
            word = SHOW(right_thanks(match.state))
            assert reply.actions == (word,)
            words[word] += 1
    assert min(words["merci"], words["merci-beaucoup"]) > 5


@tables
def test_a_rollout_acts_out_of_turn_where_there_is_something_to_notice(table: Table) -> None:
    noticed: Counter[str] = Counter()
    for match, cues in played(table):
        for seat in range(match.seats):
            wanted = {
                bare(action) for cue in cues[seat] for action in cue.actions if cue.kind == "match"
            }
            action = out_of_turn(match.state, seat)
            if action == DRAW:
                assert not wanted
            else:
                assert SHOW(action) in wanted
                noticed[SHOW(action).split()[0]] += 1
    assert noticed["skuz"] > 30
    assert (noticed["siouplait"] > 0) == table.options.holds("interception")


@tables
def test_rivals_and_the_pile_are_judged_alike(table: Table) -> None:
    for match, _ in played(table):
        s = match.state
        for seat in range(match.seats):
            view = match.view(seat)
            assert effect_worth(s, seat) == pytest.approx(heuristic.effect_worth(view))
            assert threat(s, seat) == pytest.approx(heuristic.threat(view, seat))


def test_a_skuz_comes_first_even_where_it_weighs_less() -> None:
    """Y6 makes 6 4 5 a run and brings two hearts, and all the other cards fit."""
    hand = "Y6 Y3 Y4 O4 P4 B4 G2 Y5 O2 P5 B5 G5 O3"
    table: dict[str, object] = {"tops": "Y3 G4 O5", "hands": [hand, "B1", "B6"], "turn": 0}
    match = placed(table | {"pile": "P1/heart Y1/one"})
    assert choose(match.view(0), match.legal(0)) == "siouplait Y6 on 1"
    assert SHOW(policy(match.state, 0, start(1, 1))) == "skuz Y3 on 1"
