"""What is counted: buckets, bounded labels, and what it costs."""

from timeit import repeat

from pli import games
from pli.server.limits import Limits
from pli.server.metrics import DURATIONS, OTHER, Counts, Histogram, Metrics


def test_a_value_at_a_bound_is_in_the_bucket_below_it() -> None:
    histogram = Histogram((1, 2, 5))
    for value in (0.5, 1, 1.5, 2, 5, 5.1, 100):
        histogram.observe(value)
    assert histogram.counts == [2, 2, 1, 2]
    assert histogram.sum == 115.1
    assert histogram.count == 7


def test_durations_go_from_half_a_millisecond_to_ten_seconds() -> None:
    assert (DURATIONS[0], DURATIONS[-1]) == (0.0005, 10)
    assert [*DURATIONS] == sorted(set(DURATIONS))


def test_labels_that_are_not_known_are_counted_together() -> None:
    counts = Counts(lambda label: label == "known", ("first",))
    for label in ("known", "known", "a", "b", "c", "first"):
        counts.inc(label)
    assert counts.values == {"first": 1, "known": 2, OTHER: 3}


def test_codes_of_errors_and_names_of_limits_are_known() -> None:
    metrics = Metrics()
    for code in ("not_your_turn", "too_many_requests", "journal_full", "a" * 20):
        metrics.problems.inc(code)
        metrics.refusals.inc(code)
    assert metrics.problems.values.keys() == metrics.refusals.values.keys()
    assert metrics.problems.values[OTHER] == 1
    metrics.limits.inc("tables")
    metrics.limits.inc("no such limit")
    known = {*Limits.__struct_fields__, "descriptors", OTHER}
    assert metrics.limits.values.keys() == known
    assert {name for name, count in metrics.limits.values.items() if count} == {"tables", OTHER}


def test_every_game_is_counted_from_the_start() -> None:
    assert (*Metrics().actions,) == games.names()


def test_a_bot_of_an_unknown_level_is_counted_too() -> None:
    metrics = Metrics()
    metrics.thought("hard", 0.5)
    metrics.thought("of tomorrow", 0.5)
    assert (metrics.thinking["hard"].count, metrics.thinking[OTHER].count) == (1, 1)


def test_counting_costs_next_to_nothing() -> None:
    """A move takes some 220 microseconds, and is observed twice. The bound leaves room for a
    machine that is ten times slower or busy."""
    histogram = Histogram()
    seconds = min(repeat(lambda: histogram.observe(0.004), number=2_000, repeat=7)) / 2_000
    assert seconds < 5e-6
