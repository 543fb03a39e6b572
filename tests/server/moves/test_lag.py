"""Lag compensation, measured in simulated races and checked for any lines and actions."""

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pli.server.moves.lag import MAX_ALLOWANCE, MAX_DEVIATION, SAMPLES, Lag
from pli.server.moves.queue import MoveQueue, PendingMove, Race, RaceDetector
from tests.server.moves.simulated_races import RACES, Person, on_line, run, settled

SHORT, LONG = on_line(20), on_line(200)

CASES = {
    "jitter, spikes and lost pings": (SHORT, LONG),
    "a long line with much jitter": (SHORT, replace(LONG, jitter=0.3, lost=0.5)),
    "a long line with spikes, a short one without": (
        replace(SHORT, spikes=0.0),
        replace(LONG, spikes=0.03),
    ),
    "all of the long line on the way down": (SHORT, Person(down=200, up=0)),
    "all of the long line on the way up": (SHORT, Person(down=0, up=200)),
}


# RaceDetector


@pytest.mark.parametrize("people", CASES.values(), ids=CASES)
def test_equal_reactions_win_equally_at_20_and_at_200_ms(people: Sequence[Person]) -> None:
    outcome = run(people)
    assert sum(outcome.wins) == RACES
    assert outcome.share[0] == pytest.approx(50, abs=2)
    assert all(held <= most for held, most in zip(outcome.held, outcome.longest, strict=True))


def test_without_allowance_the_short_line_wins_nearly_always() -> None:
    assert run((SHORT, LONG), 1_000, fair=False).share[0] > 95


def test_four_people_on_different_lines_win_a_quarter_each() -> None:
    outcome = run((SHORT, LONG, on_line(100), on_line(60)), 5_000)
    assert outcome.share == [pytest.approx(25, abs=2)] * 4


def test_who_lies_about_its_line_gains_no_more_than_the_bound() -> None:
    liar = replace(SHORT, holds_pongs=10_000.0)
    outcome = run((liar, SHORT), 2_000)
    assert MAX_ALLOWANCE - 30 < outcome.early[0] <= MAX_ALLOWANCE
    assert abs(outcome.early[1]) < 5
    assert run((replace(liar, slower=MAX_ALLOWANCE), SHORT), 2_000).share[0] < 50


def test_a_lie_now_and_then_gains_little() -> None:
    spiking = replace(SHORT, holds_pongs=10_000.0, every=3)
    assert run((spiking, SHORT), 2_000).early[0] < MAX_DEVIATION / 2


def test_who_acts_late_on_purpose_gains_nothing() -> None:
    late = run((replace(SHORT, slower=100), SHORT), 2_000)
    assert late.share[0] < 15
    assert abs(late.early[0]) < 5


# Lines


def test_a_line_is_allowed_nothing_before_it_is_measured() -> None:
    assert Lag().allowance == 0


def test_a_line_is_allowed_its_round_trip_after_one_answer() -> None:
    assert heard(83.4).allowance == 83


def test_jitter_counts_on_average() -> None:
    assert heard(90, 110, 100, 130, 80).allowance == 102


def test_one_round_trip_that_is_far_too_long_hardly_counts() -> None:
    assert heard(*[40] * (SAMPLES - 1), 5_000).allowance <= 40 + MAX_DEVIATION / SAMPLES + 1


def test_a_line_that_has_changed_is_soon_known_as_it_is() -> None:
    assert heard(*[200] * 50, *[20] * SAMPLES).allowance == 20


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=30))
def test_nobody_is_allowed_more_than_the_bound(round_trips: list[float]) -> None:
    line = heard(*round_trips)
    recent = round_trips[-SAMPLES:]
    assert 0 <= line.allowance <= MAX_ALLOWANCE
    assert min(MAX_ALLOWANCE, round(min(recent))) <= line.allowance <= round(max(recent))


def heard(*round_trips: float) -> Lag:
    line = Lag()
    for each in round_trips:
        line.add_sample(each)
    return line


# The queue of moves

SEATS = range(4)
allowances = st.fixed_dictionaries(
    {}, optional={seat: st.integers(0, MAX_ALLOWANCE) for seat in SEATS}
)
"""Of the seats that are people; the others are bots."""
moments = st.lists(st.tuples(st.integers(0, 600), st.sampled_from(SEATS)), max_size=12)
"""Which seat acted when."""


def arriving(did: Sequence[tuple[int, int]], lines: dict[int, int]) -> list[tuple[float, int, int]]:
    return [(time + lines.get(seat, 0), seat, number) for number, (time, seat) in enumerate(did)]


@given(allowances, moments)
def test_on_honest_lines_everything_is_settled_in_the_order_in_which_it_was_done(
    lines: dict[int, int], did: list[tuple[int, int]]
) -> None:
    claims = [each for _, each in settled(MoveQueue[int](), arriving(did, lines), lines)]
    times = [each.time for each in claims if isinstance(each, PendingMove)]
    assert times == sorted(time for time, _ in did)
    assert sorted(each.move for each in claims if isinstance(each, PendingMove)) == [
        *range(len(did))
    ]


@given(allowances, moments)
def test_nothing_is_held_longer_than_the_largest_allowance_of_a_rival(
    lines: dict[int, int], did: list[tuple[int, int]]
) -> None:
    for now, claim in settled(MoveQueue[int](), arriving(did, lines), lines):
        assert isinstance(claim, PendingMove)
        rivals = [lines[seat] for seat in lines if seat != claim.seat]
        assert 0 <= now - claim.arrived <= max(rivals, default=0)


@given(allowances, moments)
def test_nothing_is_settled_while_an_earlier_one_could_still_arrive(
    lines: dict[int, int], did: list[tuple[int, int]]
) -> None:
    for now, claim in settled(MoveQueue[int](), arriving(did, lines), lines):
        assert isinstance(claim, PendingMove)
        assert all(now - lines[seat] >= claim.acted for seat in lines if seat != claim.seat)


@given(st.integers(0, MAX_ALLOWANCE), moments)
def test_a_single_person_among_bots_is_never_held(
    allowance: int, did: list[tuple[int, int]]
) -> None:
    lines = {0: allowance}
    for now, claim in settled(MoveQueue[int](), arriving(did, lines), lines):
        assert isinstance(claim, PendingMove)
        assert claim.seat != 0 or now == claim.arrived


@given(allowances, moments, st.lists(st.integers(0, 600), max_size=4))
def test_a_timer_goes_off_before_what_is_done_at_its_time_and_after_what_was_done_earlier(
    lines: dict[int, int], did: list[tuple[int, int]], timers: list[int]
) -> None:
    happened = list(settled(MoveQueue[int](), arriving(did, lines), lines, timers))
    order = [(each.time, 1) if isinstance(each, PendingMove) else (each, 0) for _, each in happened]
    assert order == sorted([(time, 1) for time, _ in did] + [(due, 0) for due in timers])
    for now, each in happened:
        if not isinstance(each, PendingMove):
            assert each <= now <= each + max(lines.values(), default=0)


@given(st.data(), allowances)
def test_whatever_lines_do_times_never_run_back_and_every_claim_is_settled_once(
    data: st.DataObject, lines: dict[int, int]
) -> None:
    """Lines are measured anew at any moment, answers come late, timers go off in between."""
    claims = MoveQueue[int]()
    added: list[PendingMove[int]] = []
    out: list[PendingMove[int]] = []
    now = floor = 0
    for number in range(data.draw(st.integers(0, 25))):
        now += data.draw(st.integers(0, 100))
        lines = {seat: data.draw(st.integers(0, MAX_ALLOWANCE)) for seat in lines}
        if data.draw(st.booleans()):
            seat = data.draw(st.sampled_from(SEATS))
            added.append(claims.add(seat, number, now, lines.get(seat, 0)))
        if data.draw(st.integers(0, 5)) == 0:
            floor = max(floor, now - MAX_ALLOWANCE)
            claims.advance(floor)
        while claim := claims.pop_ready(now, lines):
            out.append(claim)
            assert max(floor, claim.arrived - MAX_ALLOWANCE) <= claim.time <= now
            floor = claim.time
    while claim := claims.pop_ready(now + MAX_ALLOWANCE, lines):
        out.append(claim)
        assert claim.time >= floor
        floor = claim.time
    assert sorted(each.move for each in out) == [each.move for each in added]
    for seat in SEATS:
        mine = [each.move for each in out if each.seat == seat]
        assert mine == sorted(mine), "a seat's order"


@given(allowances, moments, st.integers(0, 700))
def test_something_is_ripe_when_it_was_said_to_be_and_not_before(
    lines: dict[int, int], did: list[tuple[int, int]], due: int
) -> None:
    claims = MoveQueue[int]()
    for arrival, seat, number in arriving(did, lines):
        claims.add(seat, number, int(arrival), lines.get(seat, 0))
    while (wakes := claims.next_wakeup(lines, due)) is not None:
        early = wakes - 1
        assert not claims.timer_ready(early, lines, due)
        assert claims.pop_ready(early, lines, due) is None
        if claims.timer_ready(wakes, lines, due):
            return
        assert claims.pop_ready(wakes, lines, due) is not None


def test_the_later_arrival_wins_if_it_was_done_earlier() -> None:
    claims, lines = MoveQueue[str](), {0: 20, 1: 200}
    claims.add(0, "second", 1_020, 20)
    assert claims.pop_ready(1_199, lines) is None
    claims.add(1, "first", 1_199, 200)
    assert [claims.pop_ready(1_200, lines), claims.pop_ready(1_200, lines)] == [
        PendingMove(1, "first", 1_199, 999, 999),
        PendingMove(0, "second", 1_020, 1_000, 1_000),
    ]


def test_nothing_counts_before_what_is_settled_even_if_it_was_done_before() -> None:
    claims = MoveQueue[str]()
    claims.advance(1_000)
    claims.add(0, "late", 1_100, 200)
    claim = claims.pop_ready(1_100, {0: 200})
    assert claim is not None
    assert (claim.acted, claim.time) == (900, 1_000)


def test_who_was_first_stays_first_even_if_both_count_later() -> None:
    claims, lines = MoveQueue[str](), {0: 50, 1: 50}
    claims.add(0, "second", 1_040, 50)
    claims.add(1, "first", 1_041, 60)
    claims.advance(1_030)
    for what in ("first", "second"):
        claim = claims.pop_ready(1_041, lines)
        assert claim is not None
        assert (claim.move, claim.time) == (what, 1_030)


def test_a_claim_that_was_withdrawn_is_not_settled_and_holds_nobody_up() -> None:
    claims = MoveQueue[str]()
    claims.add(1, "a plan", 500)
    claims.add(0, "a move", 700, 100)
    claims.withdraw(1)
    claim = claims.pop_ready(700, {0: 100})
    assert claim is not None
    assert claim.move == "a move"
    assert claims.next_wakeup({0: 100}) is None


def test_a_bots_plan_is_no_deed_before_its_time() -> None:
    claims = MoveQueue[str]()
    claims.add(1, "a plan", 500)
    assert claims.pop_ready(499, {}) is None
    assert claims.next_wakeup({}) == 500
    assert claims.next_wakeup({0: 100}) == 600


def test_nobody_waits_for_its_own_line() -> None:
    claims = MoveQueue[str]()
    claims.add(0, "first", 1_000, 100)
    claims.add(0, "second", 1_010, 200)
    assert claims.next_wakeup({0: 200}) == 1_000
    for what in ("first", "second"):
        claim = claims.pop_ready(1_010, {0: 200})
        assert claim is not None
        assert (claim.move, claim.time) == (what, 900)


def test_a_timer_waits_for_what_could_have_been_done_before_it() -> None:
    claims, lines = MoveQueue[str](), {0: 20, 1: 200}
    claims.add(0, "at the same time", 1_020, 20)
    assert claims.pop_ready(1_200, lines, due=1_000) is None
    assert not claims.timer_ready(1_199, lines, due=1_000)
    assert claims.timer_ready(1_200, lines, due=1_000)
    claims.add(1, "before", 1_199, 200)
    assert not claims.timer_ready(1_200, lines, due=1_000)


def test_a_timer_that_nothing_can_go_before_any_more_goes_off_at_once() -> None:
    claims, lines = MoveQueue[str](), {0: 200}
    claims.advance(1_000)
    claims.add(0, "late", 1_100, 200)
    assert claims.next_wakeup(lines, due=1_000) == 1_000
    assert claims.timer_ready(1_100, lines, due=1_000)
    assert claims.pop_ready(1_100, lines, due=1_000) is None


def test_what_was_done_in_the_same_millisecond_is_settled_by_lot() -> None:
    first = [0, 0, 0]
    for time in range(3_000):
        claims = MoveQueue[None]("salt")
        order = random.Random(time).sample(range(3), 3)
        for seat in order:
            claims.add(seat, None, time)
        claim = claims.pop_ready(time, {})
        assert claim is not None
        first[claim.seat] += 1
        again = MoveQueue[None]("salt")
        for seat in reversed(order):
            again.add(seat, None, time)
        assert again.pop_ready(time, {}) == claim, "whatever arrived first"
    assert all(900 < each < 1_100 for each in first)


# By how much


def claimed(seat: int, done: int) -> PendingMove[str]:
    return PendingMove(seat, "", done, done, done)


def test_a_race_tells_by_how_much_it_was_decided() -> None:
    races = RaceDetector()
    races.won(claimed(2, 1_000), "card", shown=1_200)
    assert races.lost(claimed(1, 1_034), "card") == Race(winner=2, loser=1, margin=34)


def test_who_was_shown_that_it_is_too_late_was_not_racing() -> None:
    races = RaceDetector()
    races.won(claimed(2, 1_000), "card", shown=1_200)
    assert races.lost(claimed(1, 1_200), "card") is None


def test_nobody_races_itself_nor_for_something_else() -> None:
    races = RaceDetector()
    races.won(claimed(2, 1_000), "card", shown=1_200)
    assert races.lost(claimed(2, 1_034), "card") is None
    assert races.lost(claimed(1, 1_034), "another card") is None


def test_a_race_lost_to_a_late_message_was_decided_by_nothing() -> None:
    races = RaceDetector()
    races.won(claimed(2, 1_000), "card", shown=1_200)
    assert races.lost(claimed(1, 990), "card") == Race(winner=2, loser=1, margin=0)


def test_races_of_long_ago_are_forgotten() -> None:
    races = RaceDetector()
    for time in range(0, 1_000_000, 1_000):
        races.won(claimed(0, time), f"card {time}", shown=time + 100)
    assert races.lost(claimed(1, 50), "card 0") is None
