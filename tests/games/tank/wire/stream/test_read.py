"""Reading gives the written frames, to the precision of the columns; hostile messages are refused."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from tests.games.tank.wire.stream.battles import busy_frames, frames, random_times, roster
from tests.games.tank.wire.stream.same_frame import same_frame
from turnwright.games.tank.wire.stream.delta_tables import SEAT_COLUMNS, TANK_COLUMNS, TIME_STEP_US, TableKey
from turnwright.games.tank.wire.stream.messages import Delta, Keyframe
from turnwright.games.tank.wire.stream.read import FrameReader, Turn
from turnwright.games.tank.wire.stream.write import BotTimes, FrameWriter

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Keyframe | Delta).decode


@pytest.mark.parametrize(
    ("seed", "tanks"), [(1, 1), (2, 2), (3, 3), (4, 5), (5, 10), (6, 20), (7, 2), (8, 40)]
)
def test_a_battle_that_is_read_is_the_battle_that_was_written(seed: int, tanks: int) -> None:
    """Also for a spectator that comes late, at any turn: both then hold the same, number for number."""
    chance = random.Random(seed)
    writer, reader, late = FrameWriter(tanks), FrameReader(roster(tanks)), FrameReader(roster(tanks))
    for number, meant in enumerate(frames(seed, tanks, 500 if tanks < 10 else 60), 1):
        times = random_times(chance, tanks)
        told = decode(encode(writer.write(number, meant, times)))
        turn = reader.read(told)
        assert turn is not None
        same_frame(turn.frame, meant)
        same_times(turn, times)
        joins = chance.random() < 0.3
        seen = late.read(decode(encode(writer.key())) if joins else told)
        if seen is not None:
            same_turn(seen, turn)


def flying(writer: FrameWriter) -> list[tuple[int, int]]:
    return [(bullet.id, bullet.age) for bullet in writer.key().bullets]


def same_turn(one: Turn, other: Turn) -> None:
    assert encode(one.frame.bot_states) == encode(other.frame.bot_states)
    assert encode(one.frame.events) == encode(other.frame.events)
    flying = [sorted(t.frame.bullet_states, key=lambda b: b.bullet_id) for t in (one, other)]
    assert flying[0] == flying[1]
    assert (one.times, one.lag_us, one.left_out) == (other.times, other.lag_us, other.left_out)


def same_times(turn: Turn, times: BotTimes) -> None:
    assert [i for i, seat in turn.times.items() if seat.skipped] == list(times.skipped)
    assert turn.lag_us == (None if times.lag_ns is None else times.lag_ns // 1_000)
    for i, seat in turn.times.items():
        for shown, meant in ((seat.late_us, times.late_ns), (seat.answer_us, times.answer_ns)):
            assert (shown is None) == (i not in meant)
            assert abs((shown or 0) - meant.get(i, 0) / 1_000) <= TIME_STEP_US + meant.get(i, 0) / 8_000
        assert seat.rtt_us == (times.rtt_ns[i] // 50_000 * 50 if i in times.rtt_ns else None)


def test_a_bullet_is_shown_right_to_the_end_of_a_long_flight() -> None:
    writer, reader = FrameWriter(20), FrameReader(roster(20))
    oldest = 0
    for number, meant in enumerate(busy_frames(20, 330, False), 1):
        turn = reader.read(decode(encode(writer.write(number, meant, BotTimes()))))
        assert turn is not None
        same_frame(turn.frame, meant)
        oldest = max(oldest, *(age for _, age in flying(writer)), 0)
    assert oldest > 200


def test_a_delta_to_a_turn_that_is_not_held_is_left_alone_until_the_next_keyframe() -> None:
    writer, reader = FrameWriter(2), FrameReader(roster(2))
    shown = list(frames(9, 2, 30))
    told = [writer.write(n, f, BotTimes()) for n, f in enumerate(shown, 1)]
    assert reader.read(told[1]) is None
    assert reader.read(told[0]) is not None
    assert reader.read(told[2]) is None
    assert reader.number == 1
    key = reader.read(writer.key())
    assert key is not None
    same_frame(key.frame, shown[-1])


def _key(**said: Any) -> Keyframe:
    tanks = TableKey([1], [[0]] * len(TANK_COLUMNS), [0] * len(TANK_COLUMNS))
    seats = TableKey([1], [[0]] * len(SEAT_COLUMNS), [0] * len(SEAT_COLUMNS))
    base = {"frame": 1, "round_number": 1, "turn_number": 1, "tanks": tanks, "seats": seats}
    return Keyframe(**{**base, **said})


@pytest.mark.parametrize(
    "event",
    [[6, 1, 99, 0, 0], [99], [], [4, [7]], [4, [0], [1]], [7, 1], [8], [3, 1], ["x"]],
    ids=str,
)
def test_events_that_name_nothing_are_refused(event: list[Any]) -> None:
    with pytest.raises((ValueError, KeyError, IndexError, TypeError)):
        FrameReader(roster(1)).read(_key(events=[event]))
