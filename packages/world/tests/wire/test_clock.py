"""The clock's messages, the server's clocks, lines, and when a press counts."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright_world.wire.clock import (
    GRACE_US_MAX,
    LEAD_US_MAX,
    RATE_MAX,
    RATE_ONE,
    STAMP_AHEAD_US_MAX,
    GameClock,
    Judged,
    Latency,
    TimePing,
    TimePong,
    TimeSegment,
    game_at,
    judge,
)

S_NS = 1_000_000_000
START_NS = 77 * S_NS


# ---- messages ------------------------------------------------------------------------------------------


def test_messages_are_short() -> None:
    assert msgspec.json.encode(TimePing(1, 2)) == b'{"n":1,"c":2}'
    assert msgspec.json.encode(TimePing(1, 2, 30_000)) == b'{"n":1,"c":2,"l":30000}'
    assert msgspec.json.encode(TimePong(1, 2, 3, 4)) == b'{"n":1,"c":2,"r":3,"s":4}'
    assert msgspec.json.encode(TimeSegment(1, 2, 0)) == b'{"g":1,"w":2,"rate":0}'


@pytest.mark.parametrize(
    "text",
    [
        '{"n":-1,"c":2}',
        '{"n":1,"c":9007199254740992}',
        '{"n":1.5,"c":2}',
        '{"n":1}',
        '{"n":1,"c":2,"l":250001}',
        "7",
    ],
)
def test_pings_with_numbers_beyond_bounds_are_refused(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=TimePing)


# ---- the server's clocks -------------------------------------------------------------------------------


def test_game_time_is_stopped_until_it_runs() -> None:
    clock = GameClock(START_NS, 5_000_000)
    assert clock.game_us(START_NS + 9 * S_NS) == 5_000_000
    assert clock.due_ns(6_000_000) is None
    assert clock.run(START_NS + 10 * S_NS) == TimeSegment(5_000_000, 10_000_000, RATE_ONE)
    assert clock.game_us(START_NS + 11 * S_NS) == 6_000_000


def test_each_change_is_one_message_and_game_time_continues_from_where_it_was() -> None:
    clock = GameClock(START_NS)
    clock.run(START_NS)
    assert clock.pause(START_NS + 2 * S_NS) == TimeSegment(2_000_000, 2_000_000, 0)
    assert clock.run(START_NS + 5 * S_NS, RATE_ONE // 2) == TimeSegment(2_000_000, 5_000_000, RATE_ONE // 2)
    assert clock.game_us(START_NS + 7 * S_NS) == 3_000_000
    assert clock.warp(START_NS + 7 * S_NS, 60_000_000) == TimeSegment(60_000_000, 7_000_000, RATE_ONE // 2)
    assert clock.game_us(START_NS + 9 * S_NS) == 61_000_000


@given(st.integers(0, 10**13), st.integers(1, RATE_MAX), st.integers(0, 10**12))
def test_a_timer_is_due_at_the_first_moment_at_which_game_time_has_reached_it(
    game_us, rate, ahead_us
) -> None:
    clock = GameClock(START_NS, game_us)
    clock.run(START_NS + 123_456, rate)
    due_ns = clock.due_ns(game_us + ahead_us)
    assert due_ns is not None
    assert clock.game_us(due_ns) >= game_us + ahead_us
    assert clock.game_us(due_ns - 1_000) < game_us + ahead_us or ahead_us == 0


@pytest.mark.parametrize("rate", [-1, RATE_MAX + 1])
def test_a_rate_beyond_bounds_is_refused(rate: int) -> None:
    with pytest.raises(ValueError, match=f"rate.* 0 .*{RATE_MAX}"):
        GameClock(0).run(0, rate)


def test_a_ping_is_answered_with_both_stamps_of_the_wall_clock() -> None:
    clock = GameClock(START_NS)
    clock.pause(START_NS)
    pong = clock.answer(TimePing(3, 17), START_NS + 2_000_000, START_NS + 2_150_000)
    assert pong == TimePong(3, 17, 2_000, 2_150)


def test_game_time_before_a_segment_began_is_its_own_past() -> None:
    assert game_at(TimeSegment(100, 10, RATE_ONE // 2), 7) == 98


# ---- lines ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rtt_us", "rttvar_us", "grace_us"),
    [(0, 0, 0), (60_000, 10_000, 50_000), (100_000, 49_999, 149_998), (100_000, 50_000, 150_000),
     (100_000, 50_001, GRACE_US_MAX), (10**12, 10**12, GRACE_US_MAX), (-5, -5, 0)],
)  # fmt: skip
def test_grace_is_half_a_round_trip_and_twice_its_variation_and_bounded(rtt_us, rttvar_us, grace_us) -> None:
    line = Latency()
    assert line.grace_us == 0
    line.note_kernel(rtt_us, rttvar_us)
    assert (line.grace_us, line.lead_us) == (grace_us, 0)


def test_a_client_with_a_clock_has_a_lead_and_no_grace() -> None:
    line = Latency()
    line.note_kernel(100_000, 10_000)
    line.note_ping(TimePing(1, 1))
    assert line.grace_us == 70_000
    line.note_ping(TimePing(2, 1, 63_000))
    line.note_ping(TimePing(3, 1))
    assert (line.lead_us, line.grace_us) == (63_000, 0)
    assert Latency(told_lead_us=10**9).lead_us == LEAD_US_MAX


# ---- presses -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stamp", "arrived", "reached", "wanted"),
    [
        (1_000, 900, 0, Judged(1_000, 100)),  # early: held until its stamp
        (1_000, 1_000, 0, Judged(1_000, 0)),
        (1_000, 1_200, 0, Judged(1_200, -200)),  # late: as late as it came
        (0, 1_200, 0, Judged(1_200, -1_200)),  # a claim about the past is not believed
        (1_000, 900, 1_000, Judged(1_001, 100)),  # what has been played is over
        (None, 900, 0, Judged(900, 0)),
        (None, 900, 950, Judged(951, 0)),
        (10**15, 900, 0, Judged(900 + STAMP_AHEAD_US_MAX, 10**15 - 900)),  # nothing is booked ahead
    ],
)
def test_a_press_counts_at_its_stamp_or_arrival_and_never_in_the_past(
    stamp, arrived, reached, wanted
) -> None:
    assert judge(stamp, arrived, reached) == wanted


def test_how_far_ahead_a_press_may_be_stamped_goes_with_the_speed_of_the_world() -> None:
    assert judge(10**9, 0, 0, 2 * RATE_ONE).at_us == 2 * STAMP_AHEAD_US_MAX
    assert judge(10**9, 50, 50, 0).at_us == 51


@given(st.integers(0, 10**9) | st.none(), st.integers(0, 10**9), st.integers(0, 10**9))
def test_no_press_is_judged_before_it_arrived(stamp, arrived, reached) -> None:
    at_us = judge(stamp, arrived, reached).at_us
    assert arrived <= at_us <= max(arrived + STAMP_AHEAD_US_MAX, reached + 1)
    assert at_us > reached
