"""Keyframes come as often as a seek needs them."""

from __future__ import annotations

import pytest

from turnwright.kernel.record import KeyframePace, keyframe_interval


@pytest.mark.parametrize(
    ("seats", "turns"), [(0, 1_000), (1, 1_000), (2, 1_000), (10, 303), (100, 12), (256, 2), (5_000, 1)]
)
def test_keyframes_are_as_far_apart_as_a_seek_allows(seats: int, turns: int) -> None:
    assert keyframe_interval(seats) == turns


def turns_of(pace: KeyframePace, acting: list[int]) -> list[int]:
    return [turn for turn, seats in enumerate(acting, start=1) if pace.is_due(turn, seats)]


@pytest.mark.parametrize("seats", [2, 10, 100])
def test_the_same_number_of_seats_gives_them_at_the_same_distance(seats: int) -> None:
    wanted = keyframe_interval(seats)
    turns = turns_of(KeyframePace(), [seats] * 5 * wanted)
    apart = [after - before for before, after in zip([0, *turns], turns, strict=False)]
    assert len(apart) >= 4
    assert all(wanted <= gap <= wanted + 1 for gap in apart)


def test_the_fewer_seats_are_left_the_rarer_they_come() -> None:
    turns = turns_of(KeyframePace(), [10] * 303 + [10] * 152 + [2] * 2_000)
    assert turns[0] in (303, 304)
    assert 455 + 480 < turns[1] < 455 + 520
    assert turns[2] - turns[1] in (1_000, 1_001)


def test_a_game_may_say_how_often_or_never() -> None:
    assert turns_of(KeyframePace(7), [100] * 30) == [7, 14, 21, 28]
    assert turns_of(KeyframePace(0), [100] * 30) == []
