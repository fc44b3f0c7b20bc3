"""Writing a turn: little, once for all, and never beyond its bounds."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from tests.games.tank.wire.stream.battles import busy_frames, frames, random_times
from turnwright.games.tank.observation import BulletState, Frame, TankFrame
from turnwright.games.tank.wire.stream.delta_tables import TIME_STEP_US, UNKNOWN, SeatStatus
from turnwright.games.tank.wire.stream.messages import TEXT_CHARS_MAX, Delta, Keyframe
from turnwright.games.tank.wire.stream.write import BotTimes, FrameWriter
from turnwright.kernel.printed import TurnPrints

encode = msgspec.json.Encoder().encode
STEP_NS = TIME_STEP_US * 1_000
NUMBERS = (
    *("energy", "x", "y", "direction", "gun_direction", "radar_direction", "radar_sweep", "speed"),
    *("turn_rate", "gun_turn_rate", "radar_turn_rate", "gun_heat"),
)


def tank(number: int, **said: Any) -> TankFrame:
    zeros = dict.fromkeys(NUMBERS, 0.0)
    base = {"id": number, "session_id": "", "name": "", "version": "", "is_droid": False, "enemy_count": 1}
    return TankFrame(**{**base, **zeros, "is_debugging_enabled": False, **said})


def frame(turn: int, *tanks: TankFrame, bullets: tuple[BulletState, ...] = ()) -> Frame:
    return Frame(1, turn, list(tanks), list(bullets), [])


def delta(writer: FrameWriter, shown: Frame, times: BotTimes | None = None) -> Delta:
    told = writer.write(writer.number + 1, shown, times or BotTimes())
    assert isinstance(told, Delta)
    return told


@pytest.mark.parametrize(("steady", "bytes_max"), [(True, 2_600), (False, 4_000)])
def test_a_frame_of_a_hundred_tanks_has_at_most_four_kilobytes_on_average(
    steady: bool, bytes_max: int
) -> None:
    chance, writer, sizes = random.Random(1), FrameWriter(100), []
    for number, shown in enumerate(busy_frames(100, 120, steady), 1):
        sizes.append(len(encode(writer.write(number, shown, random_times(chance, 100)))))
    assert len(shown.bot_states) == 100
    assert sum(sizes[1:]) / len(sizes[1:]) <= bytes_max


def test_a_frame_of_ten_tanks_is_small() -> None:
    writer = FrameWriter(10)
    told = [writer.write(n, shown, BotTimes()) for n, shown in enumerate(busy_frames(10, 80, False), 1)]
    sizes = [len(encode(message)) for message in told[1:]]
    assert sum(sizes) / len(sizes) < 400


def test_the_first_turn_and_each_rounds_first_are_whole() -> None:
    writer = FrameWriter(2)
    kinds: dict[int, list[type]] = {}
    for number, shown in enumerate(frames(4, 2, 400), 1):
        kinds.setdefault(shown.round_number, []).append(type(writer.write(number, shown, BotTimes())))
    assert len(kinds) == 2
    for found in kinds.values():
        assert found[0] is Keyframe
        assert set(found[1:]) <= {Delta}
    assert sum(map(len, kinds.values())) > 20


def test_a_turn_that_does_not_follow_the_one_before_is_whole() -> None:
    writer = FrameWriter(1)
    writer.write(1, frame(1, tank(1)), BotTimes())
    assert isinstance(writer.write(3, frame(3, tank(1)), BotTimes()), Keyframe)
    assert isinstance(writer.write(4, frame(4, tank(1)), BotTimes()), Delta)


def test_a_tank_that_stands_still_is_not_told_again() -> None:
    writer = FrameWriter(1)
    writer.write(1, frame(1, tank(1, x=5.0)), BotTimes())
    assert encode(delta(writer, frame(2, tank(1, x=5.0)))) == b'{"type":"Delta","frame":2}'


def test_an_energy_that_is_not_zero_is_not_told_as_zero() -> None:
    for energy, told in ((1e-9, 1), (-1e-9, -1), (0.0, 0), (0.004, 1), (12.345, 1234)):
        writer = FrameWriter(1)
        writer.begin(1, frame(1, tank(1, energy=energy, gun_heat=abs(energy))), BotTimes())
        values = dict(zip(("energy", "heat"), writer.key().tanks.values[10:12], strict=True))
        assert values == {"energy": [told], "heat": [abs(told)]}


def test_a_bullet_is_told_once_and_its_end_once() -> None:
    writer, flying = FrameWriter(1), BulletState(7, 1, 1.0, 10.0, 20.0, 90.0)
    writer.write(1, frame(1, tank(1)), BotTimes())
    first = delta(writer, frame(2, tank(1), bullets=(flying,)))
    assert [list(b) for b in msgspec.to_builtins(first)["bullets"]] == [
        [7, 1, 100_000, 900_000, 1_000, 2_000, None, 0]
    ]
    assert delta(writer, frame(3, tank(1), bullets=(flying,))) == Delta(frame=3)
    assert writer.key().bullets[0].age == 1
    assert delta(writer, frame(4, tank(1))) == Delta(frame=4, gone=[7])
    assert writer.key().gone == [7]
    assert delta(writer, frame(5, tank(1))) == Delta(frame=5)
    assert writer.key().bullets == []


def test_the_status_of_every_bot_is_told_and_the_highest_one_where_several_hold() -> None:
    writer = FrameWriter(6)
    tanks = [tank(1, energy=1.0), tank(2, energy=0.0), tank(3, energy=-0.1), tank(5, energy=9.0)]
    out = BotTimes(disconnected={5, 6}, disqualified={6})
    writer.begin(1, frame(1, *tanks), out)
    assert writer.key().seats.values[2] == [
        SeatStatus.RUNNING,
        SeatStatus.DISABLED,
        SeatStatus.DEAD,
        SeatStatus.DEAD,
        SeatStatus.DISCONNECTED,
        SeatStatus.DISQUALIFIED,
    ]
    assert delta(writer, frame(2, *tanks), out) == Delta(frame=2)


def test_texts_are_told_when_they_change_and_taken_back() -> None:
    writer = FrameWriter(2)
    writer.write(1, frame(1, tank(1), tank(2)), BotTimes())
    said = tank(2, std_out="a", debug_graphics="<svg/>")
    assert msgspec.to_builtins(delta(writer, frame(2, tank(1), said)).texts) == [[2, "a", None, "<svg/>"]]
    assert delta(writer, frame(3, tank(1), said)) == Delta(frame=3)
    assert msgspec.to_builtins(writer.key().texts) == [[2, "a", None, "<svg/>"]]
    assert msgspec.to_builtins(delta(writer, frame(4, tank(1), tank(2))).texts) == [[2, None, None, None]]
    assert writer.key().texts == []


def test_prints_of_bots_without_a_tank_are_told_as_texts() -> None:
    writer = FrameWriter(3)
    printed = {1: TurnPrints("I died\n"), 2: TurnPrints("", "x" * TEXT_CHARS_MAX)}
    told = writer.write(1, frame(1, tank(1)), BotTimes(), printed=printed)
    assert msgspec.to_builtins(told.texts) == [[2, "I died\n", None, None]]
    assert told.left_out == 1
    told = writer.write(2, frame(2, tank(1), tank(2)), BotTimes(), printed={1: printed[1]})
    assert msgspec.to_builtins(told.texts) == [[2, None, None, None]], "its tank shows them"


@pytest.mark.parametrize(("size", "left_out"), [(-1, 0), (0, 0), (1, 1)])
def test_texts_that_do_not_fit_are_left_out_and_counted(size: int, left_out: int) -> None:
    writer = FrameWriter(3)
    writer.write(1, frame(1, tank(1), tank(2), tank(3)), BotTimes())
    texts = ("x" * 10, "y" * (TEXT_CHARS_MAX - 10 + size), "")
    tanks = [tank(i, std_err=text) for i, text in enumerate(texts, 1)]
    told = delta(writer, frame(2, *tanks))
    assert told.left_out == writer.key().left_out == left_out
    assert [texts.id for texts in told.texts] == [1, 2][: 2 - left_out]


def test_colours_and_debugging_are_told_when_they_change() -> None:
    writer = FrameWriter(1)
    writer.write(1, frame(1, tank(1)), BotTimes())
    told = delta(writer, frame(2, tank(1, body_color="#FF0000", is_debugging_enabled=True)))
    assert msgspec.to_builtins(told.looks) == [[1, ["#FF0000", *[None] * 6]]]
    assert told.debugging == [1]
    again = delta(writer, frame(3, tank(1, body_color="#FF0000", is_debugging_enabled=True)))
    assert again == Delta(frame=3)
    assert delta(writer, frame(4, tank(1, body_color="#FF0000"))).debugging == []


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [(100, 112, 100), (100, 113, 113), (100, 88, 100), (100, 87, 87), (7, 8, 8), (8, 9, 8), (UNKNOWN, 3, 3)],
)
def test_a_time_is_told_again_when_it_has_changed_by_an_eighth(before: int, after: int, told: int) -> None:
    writer = FrameWriter(1)
    times = [BotTimes(answer_ns={1: n * STEP_NS} if n >= 0 else {}) for n in (before, after)]
    writer.begin(1, frame(1, tank(1)), times[0])
    assert writer.key().seats.values[0] == [before]
    writer.write(2, frame(2, tank(1)), times[1])
    assert writer.key().seats.values[0] == [told]


def test_a_bot_that_gave_no_answer_has_no_time() -> None:
    writer = FrameWriter(1)
    writer.begin(1, frame(1, tank(1)), BotTimes(answer_ns={1: 5 * STEP_NS}))
    times = BotTimes(skipped=[1], late_ns={1: 3 * STEP_NS}, lag_ns=2_500)
    told = delta(writer, frame(2, tank(1)), times)
    assert (told.skipped, told.late, told.lag_us) == ([1], [(1, 3)], 2)
    assert writer.key().seats.values[0] == [UNKNOWN]
