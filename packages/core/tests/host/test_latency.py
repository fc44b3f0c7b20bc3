"""Histograms: right within their promise, in flat memory."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packages.core.tests.deep_size import deep_size
from packages.core.tests.messages import says
from turnwright.host.latency import (
    FOLD_AT,
    PHASES,
    SLOW_SKIPS,
    SLOW_WINDOW,
    Histogram,
    SeatTiming,
    Slowness,
    TurnTiming,
    seat_timings,
)


def filled(values):
    histogram = Histogram()
    for value in values:
        histogram.add(value)
    return histogram


def exact(values, percent):
    """Return the smallest value that `percent` of all do not exceed."""
    ordered = sorted(values)
    rank = percent / 100 * len(ordered)
    return next(v for k, v in enumerate(ordered, 1) if k >= rank)


def test_an_empty_histogram_says_zero():
    histogram = Histogram()
    assert (histogram.count, histogram.total_ns, histogram.max_ns, histogram.percentile_ns(99)) == (
        0,
        0,
        0,
        0,
    )


@pytest.mark.parametrize("value", [0, 1, 31, 32, 33, 63, 64, 65, 1000, 10**6, 10**9, 2**62])
def test_one_value_is_every_percentile(value):
    histogram = filled([value])
    assert [histogram.percentile_ns(p) for p in (0, 1, 50, 99, 100)] == [value] * 5


def test_a_negative_duration_counts_as_zero():
    histogram = filled([-5, -1])
    assert (histogram.count, histogram.total_ns, histogram.max_ns) == (2, 0, 0)


@given(st.lists(st.integers(0, 10**11), min_size=1, max_size=1500))
def test_percentiles_are_right_within_four_percent_and_never_too_low(values):
    histogram = filled(values)
    assert histogram.count == len(values)
    assert histogram.total_ns == sum(values)
    assert histogram.max_ns == max(values)
    for percent in (50, 95, 99, 100):
        right = exact(values, percent)
        assert right <= histogram.percentile_ns(percent) <= max(right * 1.04, right + 1)


def test_percentiles_do_not_depend_on_when_they_are_asked_for():
    rng = random.Random(1)
    values = [rng.randint(0, 10**7) for _ in range(3 * FOLD_AT + 7)]
    asked = Histogram()
    for value in values:
        asked.add(value)
        if rng.random() < 0.05:
            asked.percentile_ns(50)
    plain = filled(values)
    assert [asked.percentile_ns(p) for p in range(101)] == [plain.percentile_ns(p) for p in range(101)]


def test_memory_stays_flat():
    rng = random.Random(2)
    histogram = filled(int(10 ** rng.uniform(0, 10)) for _ in range(100_000))
    assert histogram.gathered < FOLD_AT
    assert deep_size(histogram) < 200_000


def test_the_seats_of_a_battle_do_not_all_fold_in_the_same_turn():
    timings = seat_timings(100)
    folds = {}
    for turn in range(1, 3 * FOLD_AT + 1):
        for seat, timing in enumerate(timings):
            timing.answers.add(turn)
            if not timing.answers.gathered:
                folds.setdefault(turn, []).append(seat)
    assert max(map(len, folds.values())) == 1
    assert all(len([t for t, seats in folds.items() if seat in seats]) == 3 for seat in range(100))
    assert {timing.answers.count for timing in timings} == {3 * FOLD_AT}
    assert all(timing.answers.percentile_ns(100) == 3 * FOLD_AT for timing in timings)
    assert len(seat_timings(2_000)) == 2_000


def test_a_battle_has_a_histogram_for_each_phase():
    assert set(TurnTiming().phases) == set(PHASES)


# A bot that is often slow is named: ten of the last hundred turns. Then counting begins again.


def test_ten_misses_within_the_window_are_too_many():
    slowness = Slowness(2)
    said = [slowness.note(0, turn) for turn in range(1, SLOW_SKIPS + 1)]
    assert said == [0] * (SLOW_SKIPS - 1) + [SLOW_SKIPS]


def test_the_count_restarts_after_a_warning():
    slowness = Slowness(1)
    said = [turn for turn in range(1, 51) if slowness.note(0, turn)]
    assert said == [10, 20, 30, 40, 50]


def test_misses_spread_over_more_than_the_window_are_not_too_many():
    slowness = Slowness(1)
    gap = SLOW_WINDOW // (SLOW_SKIPS - 1) + 1
    assert not any(slowness.note(0, turn) for turn in range(1, 50 * gap, gap))


def test_the_window_ends_exactly_where_it_says():
    for last, said in ((SLOW_WINDOW, SLOW_SKIPS), (SLOW_WINDOW + 1, 0)):
        slowness = Slowness(1)
        for turn in range(1, SLOW_SKIPS):
            slowness.note(0, turn)
        assert slowness.note(0, last) == said


def test_a_seat_that_never_answered_is_not_called_slow():
    timing = SeatTiming()
    text = Slowness.text("Mute", 10, timing)
    assert says(text, "Mute … never answered … 10 of the last 100")
    assert "slow" not in text
    timing.answers.add(1_000_000)
    assert says(Slowness.text("Mute", 10, timing), "Mute … slow")


def test_seats_are_counted_apart():
    slowness = Slowness(2)
    for turn in range(1, SLOW_SKIPS):
        slowness.note(0, turn)
        slowness.note(1, turn)
    assert slowness.note(0, SLOW_SKIPS)
    assert slowness.note(1, SLOW_SKIPS)


def test_the_warning_names_the_bot_and_how_often_and_how_slow_it_was():
    timing = SeatTiming()
    for ms in range(1, 101):
        timing.answers.add(ms * 1_000_000)
    text = Slowness.text("Turtle", 12, timing)
    assert says(text, "Turtle … slow … 12 of the last 100")
    assert "took up to 9" in text
    assert "\n" not in text
