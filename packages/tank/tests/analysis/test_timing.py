from __future__ import annotations

import pytest

from turnwright_tank.analysis.timing import CLUSTER_GAP, LATE_TOLD_MAX, Timing, percentile


@pytest.mark.parametrize(
    ("percent", "expected"), [(50, 5), (95, 10), (99, 10), (100, 10), (1, 1), (10, 1), (11, 2)]
)
def test_a_percentile_is_a_value_that_was_measured(percent: int, expected: int) -> None:
    assert percentile(list(range(1, 11)), percent) == expected


def test_missed_turns_close_together_are_one_cluster() -> None:
    timing = Timing(1)
    for turn in (5, 6, 6 + CLUSTER_GAP, 7 + 2 * CLUSTER_GAP):
        timing.skip(1, turn)
    timing.skip(2, 8 + 2 * CLUSTER_GAP)
    found = [(cluster.round, cluster.first, cluster.last, cluster.count) for cluster in timing.clusters]
    assert found == [(1, 5, 9, 3), (1, 13, 13, 1), (2, 14, 14, 1)]
    assert timing.skipped == 5


def test_the_worst_clusters_are_listed_in_order_of_time() -> None:
    timing = Timing(1)
    for turn in (1, 20, 21, 40, 41, 42):
        timing.skip(1, turn)
    assert [cluster.first for cluster in timing.worst(2)] == [20, 40]


def test_late_answers_are_all_counted_but_not_all_listed() -> None:
    timing = Timing(1)
    for turn in range(LATE_TOLD_MAX + 5):
        timing.answered_late(1, turn, turn * 1000)
    fact = timing.fact("Ann")
    assert (len(timing.late), fact.late) == (LATE_TOLD_MAX, LATE_TOLD_MAX + 5)
    assert fact.late_us_max == LATE_TOLD_MAX + 4
    assert fact.late_us_median == pytest.approx((LATE_TOLD_MAX + 5) // 2, abs=1)


def test_answer_times_are_given_only_if_they_are_known() -> None:
    timing = Timing(1)
    assert (timing.fact("Ann").p50_us, timing.fact("Ann").max_us, timing.fact("Ann").answers) == (
        None,
        None,
        0,
    )
    timing.answers_ns += [1_000, 3_000, 2_000]
    fact = timing.fact("Ann")
    assert (fact.answers, fact.p50_us, fact.p99_us, fact.max_us) == (3, 2.0, 3.0, 3.0)
