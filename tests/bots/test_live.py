"""Games between bots as time passes: whose plan comes first, and that no bot sees too much."""

from collections.abc import Sequence
from dataclasses import fields, replace
from statistics import median
from typing import Any

import pytest

import pli
from pli import games
from pli.bots import (
    ADULT,
    Bot,
    HeuristicPolicy,
    HumanlikeBot,
    Live,
    Moment,
    Plan,
    RandomBot,
    Reflexes,
    make_bot,
)
from pli.bots.arena.simulation import simulate, simulate_game
from pli.errors import PliError
from pli.game import Act, Cue, Event, MotifLookup, Tick, View, read_options
from pli.games.merci.bots.attention import MerciAttention
from pli.games.merci.bots.heuristic import choose
from pli.match import Match
from pli.shuffling import seeded
from tests.race import END, RACE

MERCI = games.load("merci")


class Scripted:
    """Answers what a test says, from the back of a list; then nothing."""

    watches = True

    def __init__(self, *answers: str | Plan | None) -> None:
        self.answers = list(answers)
        self.moments: list[Moment[Any]] = []

    def choose(self, moment: Moment[Any]) -> str | Plan | None:
        self.moments.append(moment)
        return self.answers.pop(0) if self.answers else None


def race(*bots: Bot, seed: object = 1, limit: int = 10**9) -> Live:
    match = Match(RACE, read_options(RACE, {}), seeded(1))
    return Live(match, bots, seed, limit)


def merci(seed: int, reflexes: Reflexes = ADULT, rules: str = "start") -> Live:
    match = pli.new("merci", seed=seed, rules=rules)
    bots = [
        HumanlikeBot(MerciAttention(), HeuristicPolicy(choose, 0), reflexes, f"{seed} {seat}")
        for seat in range(match.seats)
    ]
    return Live(match, bots, seed)


def inputs(live: Live) -> list[tuple[int, str, int]]:
    """What seats did, and when."""
    show = live.match.game.notation.show
    acts = [step.given for step in live.match.steps if isinstance(step.given, Act)]
    return [(each.seat, show(each.action), each.time) for each in acts]


# Whose plan comes first


def test_the_earliest_plan_is_carried_out_at_its_time() -> None:
    live = race(Scripted(Plan("take", 700)), Scripted(Plan("take", 300)), Scripted())
    live.step()
    assert inputs(live) == [(1, "take", 300)]


def test_after_everything_that_happens_everyone_is_asked_again() -> None:
    bots = [Scripted(Plan("take", 700), Plan("grab", 800)), Scripted(Plan("take", 300)), Scripted()]
    live = race(*bots)
    live.step()
    live.step()
    assert inputs(live) == [(1, "take", 300), (0, "grab", 800)]
    assert [len(bot.moments) for bot in bots] == [3, 3, 3]
    assert bots[1].moments[1].did == "take"
    assert bots[0].moments[1].did is None


def test_a_timer_goes_before_an_action_at_its_moment() -> None:
    live = race(Scripted(Plan("take", END)), Scripted(), Scripted())
    live.run()
    assert isinstance(live.match.steps[-1].given, Tick)
    assert inputs(live) == []


def test_equal_times_are_settled_by_the_seed() -> None:
    def first(seed: int) -> int:
        live = race(*(Scripted(Plan("take", 50)) for _ in range(3)), seed=seed)
        live.step()
        return inputs(live)[0][0]

    assert {first(seed) for seed in range(20)} == {0, 1, 2}
    assert [first(seed) for seed in range(20)] == [first(seed) for seed in range(20)]


def test_who_is_refused_is_asked_again_and_nobody_else() -> None:
    bots = [Scripted("accuse", "take"), Scripted(), Scripted()]
    live = race(*bots)
    live.step()
    assert [len(bot.moments) for bot in bots] == [2, 1, 1]
    assert list(bots[0].moments[1].refused) == ["accuse"]
    live.step()
    assert (live.accepted, live.refused) == ({"take": 1}, {"nothing_to_denounce": 1})


def test_what_was_refused_is_not_tried_again_at_once() -> None:
    live = race(Scripted("accuse", "accuse", "accuse"), Scripted(), Scripted())
    live.step()
    live.step()  # the end of the race, since nobody does anything
    assert live.match.over
    assert live.refused == {"nothing_to_denounce": 1}


def test_a_game_that_does_not_end_is_told_honestly() -> None:
    with pytest.raises(PliError) as caught:
        race(Scripted(), Scripted(), Scripted(), limit=END - 1).run()
    assert caught.value.code == "unending"
    match = pli.new("plingo", seed=1)
    with pytest.raises(PliError) as caught:
        Live(match, [Scripted() for _ in range(4)]).run()
    assert caught.value.code == "nobody_acts"


@pytest.mark.parametrize("game", ["marshmallow", "plingo", "merci"])
def test_plain_bots_play_to_the_end_without_letting_time_pass(game: str) -> None:
    match = pli.new(game, seed=3, seats=3)
    live = Live(match, [RandomBot(seat) for seat in range(3)], 3)
    live.run()
    assert match.over
    assert live.accepted
    assert match.now == 0


# The same seed, the same game


@pytest.mark.parametrize("rules", ["start", "full"])
def test_the_same_seeds_give_the_same_game(rules: str) -> None:
    one, two, other = (merci(seed, rules=rules) for seed in (4, 4, 5))
    for live in (one, two, other):
        live.run()
    assert pli.write_record(one.match) == pli.write_record(two.match)
    assert pli.write_record(one.match) != pli.write_record(other.match)


@pytest.mark.parametrize("rules", ["start", "full"])
def test_the_record_of_a_live_game_replays_to_the_same_bytes(rules: str) -> None:
    live = merci(4, rules=rules)
    live.run()
    again = pli.replay(pli.read_record(pli.write_record(live.match)))
    assert again.save() == live.match.save()


def test_processes_do_not_change_what_is_played() -> None:
    options = read_options(MERCI, {"seats": 3})
    one, two = (
        sorted(simulate("merci", options, "medium", 5, 9, n), key=lambda game: game.number)
        for n in (1, 2)
    )
    assert one == two
    assert [game.number for game in one] == [0, 1, 2, 3, 4]


# What a bot is shown


def test_a_bot_is_shown_its_view_and_what_it_saw_and_never_the_state() -> None:
    match = pli.new("merci", seed=2)
    state = type(match.state)

    class Spy(HumanlikeBot):
        def __init__(self, seat: int) -> None:
            super().__init__(MerciAttention(), HeuristicPolicy(choose, 0), ADULT, seat)
            self.seat = seat
            self.seen: list[Event] = []

        def choose(self, moment: Moment[Any]) -> Plan | None:
            shown = {each.name: getattr(moment, each.name) for each in fields(moment)}
            assert set(shown) == {"view", "actions", "now", "events", "motif_of", "did", "refused"}
            assert isinstance(moment.view, View)
            assert moment.view.seat == self.seat
            assert all(isinstance(each, Event) for each in moment.events)
            assert all(isinstance(each, str) for each in [*moment.actions, *moment.refused])
            assert moment.motif_of is None
            assert not any(isinstance(each, state | Match) for each in shown.values())
            self.seen += moment.events
            return super().choose(moment)

    bots = [Spy(seat) for seat in range(4)]
    live = Live(match, bots)
    for _ in range(150):
        live.step()
    for seat, bot in enumerate(bots):
        assert bot.seen == list(match.events(seat))


def test_all_seats_see_what_each_would_see_alone() -> None:
    match = merci(3).match
    live = Live(match, [make_bot("medium", MERCI, seat, 1) for seat in range(4)])
    for _ in range(60):
        live.step()
    for since in (0, 7, len(match.steps) - 1, len(match.steps)):
        alone = [list(match.events(seat, since)) for seat in (0, 1, 2, 3, None)]
        assert match.seen((0, 1, 2, 3, None), since) == alone


# People at Merci


class Clocked(MerciAttention):
    """Remembers when each chance was first there."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0
        self.since: dict[str, int] = {}

    def look(
        self,
        view: Any,
        actions: Sequence[str],
        events: Sequence[Event],
        motif_of: MotifLookup | None,
    ) -> list[Cue]:
        chances = super().look(view, actions, events, motif_of)
        self.since = {each.key: self.since.get(each.key, self.now) for each in chances}
        return chances


class Timed(HumanlikeBot):
    """Holds every plan against the moment at which its reason could be seen."""

    def __init__(self, instincts: Clocked, seed: object) -> None:
        super().__init__(instincts, HeuristicPolicy(choose, 0), replace(ADULT, stopping=0), seed)
        self.clocked = instincts
        self.shortest = 10**9

    def choose(self, moment: Moment[Any]) -> Plan | None:
        self.clocked.now = moment.now
        plan = super().choose(moment)
        if plan is not None:
            self.shortest = min(self.shortest, plan.at - self.clocked.since[self._planned])
        return plan


@pytest.mark.parametrize("rules", ["start", "full"])
def test_nobody_reacts_below_the_floor(rules: str) -> None:
    for seed in range(4):
        match = pli.new("merci", seed=seed, rules=rules)
        bots = [Timed(Clocked(), f"{seed} {seat}") for seat in range(4)]
        Live(match, bots).run()
        assert min(bot.shortest for bot in bots) >= ADULT.floor


def test_words_are_forgotten_and_faults_denounced() -> None:
    for rules in ("start", "full"):
        options = read_options(MERCI, {"rules": rules, "false_denounce": "free"})
        found = [simulate_game("merci", options, "medium", 1, number) for number in range(8)]
        for word in ("take", "denounce", "skuz", "siouplait"):
            assert sum(game.accepted.get(word, 0) for game in found) > 0, (rules, word)
        assert sum(game.refused.get("nothing_to_denounce", 0) for game in found) > 0


def test_the_polite_and_attentive_never_pay() -> None:
    """Who forgets nothing and wrongs nobody is never rightly denounced."""
    angels = replace(ADULT, forgetting=0.0, false_charge=0.0, stopping=0)
    for rules in ("start", "full"):
        live = merci(6, angels, rules=rules)
        live.run()
        assert "denounce" not in live.accepted
        assert live.refused == {}


def test_a_game_of_merci_takes_two_to_eight_rounds_and_some_minutes() -> None:
    options = read_options(MERCI, {"seats": 4, "rules": "start"})
    found = list(simulate("merci", options, "medium", 40, 0))
    assert 2 <= median(game.rounds or 0 for game in found) <= 8
    assert 3 <= median(game.time for game in found) / 60_000 <= 15
