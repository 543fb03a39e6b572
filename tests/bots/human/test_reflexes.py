"""People's times: how they are spread, what they depend on, and what a player makes of them."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import fmean, pvariance
from typing import Any

import msgspec
import pytest

from pli.bots import (
    ADULT,
    CHILD,
    FAST,
    ExGaussian,
    HeuristicPolicy,
    HumanlikeBot,
    Moment,
    Plan,
    Reflexes,
)
from pli.bots.human.player import PATIENCE
from pli.game import Cue, Event, MotifLookup

people = pytest.mark.parametrize("person", [CHILD, ADULT, FAST], ids=["child", "adult", "fast"])

SURE = replace(ADULT, forgetting=0.0, spotting=1.0)


def drawn(draw: Callable[..., float], *arguments: object, n: int = 4000) -> list[float]:
    rng = random.Random(7)
    return [draw(rng, *arguments) for _ in range(n)]


def mean(draw: Callable[..., float], *arguments: object) -> float:
    return fmean(drawn(draw, *arguments))


# Times


def test_times_have_the_mean_and_variance_of_an_ex_gaussian() -> None:
    time = ExGaussian(180, 25, 50)
    found = drawn(time.draw, n=40_000)
    assert time.mean == 230
    assert time.variance == 25**2 + 50**2
    assert fmean(found) == pytest.approx(time.mean, rel=0.01)
    assert pvariance(found) == pytest.approx(time.variance, rel=0.05)


def test_an_adult_sees_something_in_230_ms_on_average() -> None:
    assert mean(ADULT.seen) == pytest.approx(230, abs=5)


@people
def test_nobody_notices_anything_below_the_floor(person: Reflexes) -> None:
    hasty = replace(person, seeing=ExGaussian(10, 5, 5), thinking=ExGaussian(-500, 5, 5))
    for each in (person, hasty):
        assert min(drawn(each.seen)) >= each.floor
        assert min(drawn(each.decided, 1)) >= each.floor
        assert min(drawn(each.went_on, 0)) >= each.floor
        assert min(drawn(each.judged)) >= each.floor
        assert min(drawn(each.found, 0, 0.0, True)) >= each.floor


@people
def test_more_things_to_look_through_take_longer(person: Reflexes) -> None:
    means = [mean(person.found, items, 0.0, True) for items in (5, 10, 20)]
    assert means == sorted(means)
    assert (means[2] - means[1]) / 10 > person.searching


def test_the_slope_of_a_search_that_misses_nothing_is_the_time_for_each_thing() -> None:
    person = replace(ADULT, miss=0.0)
    few, many = (mean(person.found, items, 0.0, True) for items in (5, 25))
    assert (many - few) / 20 == pytest.approx(ADULT.searching, rel=0.05)


@people
def test_lookalikes_take_longer(person: Reflexes) -> None:
    assert mean(person.found, 12, 1.0, True) > 1.3 * mean(person.found, 12, 0.0, True)


def test_what_one_look_passes_over_another_finds_later() -> None:
    late = drawn(replace(ADULT, miss=1.0, miss_again=0.5).found, 10, 0.0, True)
    soon = drawn(replace(ADULT, miss=0.0).found, 10, 0.0, True)
    assert min(late) > 2 * 10 * ADULT.searching
    assert fmean(late) > fmean(soon)


def test_who_is_not_searching_looks_again_later() -> None:
    assert mean(ADULT.found, 6, 0.0, False) > mean(ADULT.found, 6, 0.0, True)


def test_more_choices_take_longer_by_the_doubling() -> None:
    assert ADULT.chosen(3) - ADULT.chosen(1) == ADULT.choosing
    assert ADULT.chosen(7) - ADULT.chosen(3) == ADULT.choosing


def test_children_are_slower_and_the_practised_quicker() -> None:
    for name, *arguments in (
        ("seen",),
        ("went_on", 10),
        ("judged",),
        ("decided", 5),
        ("moved", False),
        ("found", 10, 0.3, True),
    ):
        means = [mean(getattr(person, str(name)), *arguments) for person in (FAST, ADULT, CHILD)]
        assert means == sorted(means), name


# A player with such times


class Script:
    """Attention that see what a test says."""

    def __init__(self, *chances: Cue) -> None:
        self.chances: Sequence[Cue] = chances

    def look(
        self,
        view: Any,
        actions: Sequence[str],
        events: Sequence[Event],
        motif_of: MotifLookup | None,
    ) -> Sequence[Cue]:
        return self.chances


def first(view: Any, actions: Sequence[str]) -> str:
    return actions[0]


def asked(
    bot: HumanlikeBot,
    now: int,
    actions: Sequence[str] = (),
    did: str | None = None,
    refused: Sequence[str] = (),
) -> Plan:
    plan = bot.choose(Moment(None, actions, now, did=did, refused=refused))
    assert plan is not None
    return plan


PAIR = Cue(key="pair", kind="search", actions=("touch 1", "touch 2"), items=8)
FAULT = Cue(key="fault", kind="judge", actions=("accuse",))
THANKS = Cue(key="thanks", kind="reply", actions=("merci",), forgetful=("take",))
TURN = Cue(key="turn", kind="turn", items=4, forgetful=("lay 3", "lay 4"))


@pytest.mark.parametrize("chance", [PAIR, FAULT, THANKS, TURN], ids=lambda each: str(each.kind))
def test_a_time_is_drawn_once_and_kept_as_long_as_the_chance_is_there(chance: Cue) -> None:
    bot = HumanlikeBot(Script(chance), HeuristicPolicy(first, 0), SURE, 1)
    plan = asked(bot, 1000, ["hail 3", "draw"])
    assert plan.at >= 1000 + SURE.floor
    for now in (1001, 1050, plan.at - 1):
        assert asked(bot, now, ["hail 3", "draw"]) == plan


def test_a_chance_that_vanishes_is_forgotten() -> None:
    script = Script(PAIR)
    bot = HumanlikeBot(script, HeuristicPolicy(first, 0), SURE, 1)
    plan = asked(bot, 0)
    script.chances = ()
    assert bot.choose(Moment(None, [], 10)) is None
    script.chances = (PAIR,)
    assert asked(bot, 20) != plan


def test_what_is_nearly_done_can_not_be_held_back() -> None:
    script = Script(PAIR)
    bot = HumanlikeBot(script, HeuristicPolicy(first, 0), SURE, 1)
    plan = asked(bot, 0)
    script.chances = ()
    assert asked(bot, plan.at - 50) == plan


def test_a_plan_goes_on_hand_after_hand() -> None:
    bot = HumanlikeBot(Script(PAIR), HeuristicPolicy(first, 0), SURE, 1)
    one = asked(bot, 0)
    two = asked(bot, one.at, did=one.action)
    assert (one.action, two.action) == ("touch 1", "touch 2")
    assert 0 < two.at - one.at < 400
    assert bot.choose(Moment(None, [], two.at, did=two.action)) is None


def test_a_plan_stops_between_two_hands_if_its_chance_vanishes() -> None:
    script = Script(PAIR)
    bot = HumanlikeBot(script, HeuristicPolicy(first, 0), SURE, 1)
    one = asked(bot, 0)
    script.chances = ()
    assert bot.choose(Moment(None, [], one.at, did=one.action)) is None


def test_the_earliest_of_several_chances_comes_first_and_hands_move_one_after_the_other() -> None:
    script = Script(THANKS, PAIR)
    bot = HumanlikeBot(script, HeuristicPolicy(first, 0), SURE, 1)
    plan = asked(bot, 0)
    assert plan.action == "merci"
    script.chances = (PAIR,)
    assert asked(bot, plan.at, did="merci").at > plan.at + 200


def test_a_refused_action_is_thought_over_and_at_last_left_alone() -> None:
    bot = HumanlikeBot(Script(PAIR), HeuristicPolicy(first, 0), SURE, 1)
    plan = asked(bot, 0)
    for _ in range(PATIENCE - 1):
        again = asked(bot, plan.at, refused=[plan.action])
        assert again.at >= plan.at + SURE.floor
        plan = again
    assert bot.choose(Moment(None, [], plan.at, refused=[plan.action])) is None


def test_a_false_charge_is_not_repeated() -> None:
    bot = HumanlikeBot(Script(FAULT), HeuristicPolicy(first, 0), SURE, 1)
    plan = asked(bot, 0)
    assert bot.choose(Moment(None, [], plan.at, refused=["accuse"])) is None


def test_a_refused_decision_is_replaced_by_another() -> None:
    bot = HumanlikeBot(Script(TURN), HeuristicPolicy(first, 0), SURE, 1)
    plan = asked(bot, 0, ["a", "b"])
    again = asked(bot, plan.at, ["a", "b"], refused=["a"])
    assert (plan.action, again.action) == ("a", "b")
    assert again.at >= plan.at + SURE.floor


def test_a_decision_that_is_overtaken_takes_a_reaction_to_change() -> None:
    bot = HumanlikeBot(Script(TURN), HeuristicPolicy(first, 0), SURE, 1)
    plan = asked(bot, 0, ["a", "b"])
    again = asked(bot, plan.at - 1, ["b"])
    assert again.action == "b"
    assert again.at >= plan.at - 1 + SURE.floor


def test_words_are_forgotten() -> None:
    forgetful = replace(SURE, forgetting=1.0)
    assert (
        asked(HumanlikeBot(Script(THANKS), HeuristicPolicy(first, 0), forgetful, 1), 0).action
        == "take"
    )
    bot = HumanlikeBot(Script(TURN), HeuristicPolicy(first, 0), forgetful, 1)
    assert asked(bot, 0, ["hail 4", "draw"]).action == "lay 4"
    bot = HumanlikeBot(Script(TURN), HeuristicPolicy(first, 0), forgetful, 1)
    assert asked(bot, 0, ["draw", "hail 4"]).action == "draw"


def taken(chance: Cue, person: Reflexes) -> float:
    """How often a chance is taken."""
    bots = [
        HumanlikeBot(Script(chance), HeuristicPolicy(first, 0), person, seed)
        for seed in range(1500)
    ]
    return fmean(bot.choose(Moment(None, [], 0)) is not None for bot in bots)


def test_mistakes_are_as_frequent_as_said() -> None:
    person = replace(ADULT, false_alarm=0.1, spotting=0.6, false_charge=0.05)
    false_charge = msgspec.structs.replace(FAULT, real=False)
    lookalike = msgspec.structs.replace(PAIR, real=False)
    assert taken(PAIR, person) == 1
    assert taken(lookalike, person) == pytest.approx(0.1, abs=0.03)
    assert taken(FAULT, person) == pytest.approx(0.6, abs=0.04)
    assert taken(false_charge, person) == pytest.approx(0.05, abs=0.02)
