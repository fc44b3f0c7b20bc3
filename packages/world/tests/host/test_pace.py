"""Durations: up on overload of the machine, slowly down in calm, within bounds, and never in a swing."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.errors import SetupError
from turnwright_world.host.pace import (
    CALM_TURNS,
    LOWER_PERCENT,
    PATIENCE_MAX,
    RAISE_PERCENT,
    SETTLE_TURNS,
    Change,
    Duration,
)


def played(duration: Duration, script: str) -> list[tuple[int, int, str]]:
    """Play a script, "x" an overload and "." a turn without; return (turn, value, reason) of each change."""
    found = []
    for turn, mark in enumerate(script, 1):
        change = duration.note(mark == "x")
        if change is not None:
            assert change.after_us == duration.value_us
            found.append((turn, change.after_us, change.reason))
    return found


CALM = "." * CALM_TURNS
TABLE = [
    # what happens, script, changes: (turn, µs after it, why)
    ("nothing at the bottom", CALM * 3, []),
    ("one overload", "x", [(1, 110_000, "overload")]),
    ("the second must wait", "xxxx", [(1, 110_000, "overload")]),
    ("until the first has shown", "xxxxx", [(1, 110_000, "overload"), (5, 121_000, "overload")]),
    ("or comes later", "x....x", [(1, 110_000, "overload"), (6, 121_000, "overload")]),
    ("one short of calm", "x" + CALM[1:], [(1, 110_000, "overload")]),
    ("calm", "x" + CALM, [(1, 110_000, "overload"), (41, 107_800, "calm")]),
    ("calm broken", "x" + CALM[1:] + "x", [(1, 110_000, "overload"), (41, 121_000, "overload")]),
    (
        "an overload soon after a fall needs twice the calm",
        "x" + CALM + "x" + CALM * 2,
        [(1, 110_000, "overload"), (41, 107_800, "calm"), (42, 118_580, "overload"), (122, 116_208, "calm")],
    ),
]


@pytest.mark.parametrize(("what", "script", "changes"), TABLE, ids=[row[0] for row in TABLE])
def test_durations_follow_the_load_turn_by_turn(what, script, changes):
    assert played(Duration("turn", 100_000, low_us=100_000, high_us=1_000_000), script) == changes


def test_a_duration_stops_at_its_bounds_and_reports_no_change_there():
    duration = Duration("turn", 250_000, low_us=250_000, high_us=300_000)
    assert [after for _, after, _ in played(duration, "x" * 50)] == [275_000, 300_000]
    falls = [after for _, after, _ in played(duration, CALM * 40)]
    assert falls[-1] == 250_000
    assert all(one > two for one, two in pairwise(falls))
    assert duration.note(False) is None


def test_a_duration_may_fall_below_its_first_value():
    duration = Duration("plan", 100_000, low_us=20_000, high_us=100_000)
    assert played(duration, CALM) == [(CALM_TURNS, 98_000, "calm")]


def test_a_fixed_one_never_changes():
    duration = Duration("turn", 250_000, low_us=250_000, high_us=250_000)
    assert duration.is_fixed
    assert played(duration, "x" * 100 + CALM * 3) == []


@pytest.mark.parametrize(("start", "low", "high"), [(0, 0, 9), (5, 6, 9), (5, 1, 4), (5, 9, 1), (-1, -1, 3)])
def test_bounds_that_cannot_be_are_refused(start, low, high):
    with pytest.raises(SetupError, match="MIN <= value <= MAX"):
        Duration("turn", start, low_us=low, high_us=high)


def test_a_machine_that_is_just_too_slow_is_not_tried_again_and_again():
    """Overload below 120 ms, none from there on: the longer it runs, the rarer it tries less."""
    duration = Duration("turn", 100_000, low_us=100_000, high_us=1_000_000)
    overloads = []
    for _ in range(40_000):
        overloaded = duration.value_us < 120_000
        overloads.append(overloaded)
        duration.note(overloaded)
    first, last = sum(overloads[:4_000]), sum(overloads[-4_000:])
    assert last < 4_000 * 0.02
    assert last <= first


def test_after_a_short_overload_it_is_back_in_bounded_time():
    duration = Duration("turn", 250_000, low_us=250_000, high_us=1_000_000)
    played(duration, "x" * 200)
    assert duration.value_us == 1_000_000
    turns = 0
    while duration.value_us > 250_000:
        duration.note(False)
        turns += 1
    assert turns == 69 * CALM_TURNS


@given(st.lists(st.booleans(), max_size=600), st.integers(1, 400_000), st.integers(1, 3))
def test_a_duration_stays_within_bounds_and_moves_in_known_steps(script, low, factor):
    duration = Duration("turn", low, low_us=low, high_us=low * factor)
    raised_at = None
    for turn, overloaded in enumerate(script):
        before = duration.value_us
        change = duration.note(overloaded)
        assert low <= duration.value_us <= low * factor
        if change is None:
            assert duration.value_us == before
            continue
        assert change == Change("turn", before, duration.value_us, "overload" if overloaded else "calm")
        if overloaded:
            assert before < duration.value_us <= -(-before * (100 + RAISE_PERCENT) // 100)
            assert raised_at is None or turn - raised_at >= SETTLE_TURNS
            raised_at = turn
        else:
            assert before > duration.value_us >= before * (100 - LOWER_PERCENT) // 100
    assert duration.patience <= PATIENCE_MAX
