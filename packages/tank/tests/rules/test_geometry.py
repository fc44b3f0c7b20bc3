from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright_tank.rules.geometry import segment_meets_circle, segments_meet

coordinate = st.integers(-20, 20).map(float)


@pytest.mark.parametrize(
    ("segment", "meets"),
    [
        ((0, 0, 10, 0), True),
        ((0, 2, 10, 2), True),
        ((0, 3, 10, 3), False),
        ((-9, 0, 2.9, 0), False),
        ((-9, 0, 3, 0), True),
        ((5, 0, 5.5, 0), True),
        ((8, 0, 20, 0), False),
    ],
)
def test_a_segment_meets_a_circle_of_radius_two_at_five(
    segment: tuple[float, float, float, float], meets: bool
) -> None:
    assert segment_meets_circle(*map(float, segment), 5.0, 0.0, 4.0) is meets


@pytest.mark.parametrize(
    ("one", "two", "meet"),
    [
        ((0, 0, 10, 10), (0, 10, 10, 0), True),
        ((0, 0, 10, 0), (5, 0, 5, 5), True),
        ((0, 0, 10, 0), (11, -5, 11, 5), False),
        ((0, 0, 10, 0), (0, 1, 10, 1), False),
        ((576, 300, 593, 300), (581.8, 300, 562.1, 300), True),
        ((0, 0, 10, 0), (11, 0, 20, 0), False),
        ((0, 0, 0, 10), (0, 5, 0, 20), True),
    ],
)
def test_segments_meet_also_on_one_line(one: tuple[float, ...], two: tuple[float, ...], meet: bool) -> None:
    ax1, ay1, ax2, ay2 = map(float, one)
    bx1, by1, bx2, by2 = map(float, two)
    assert segments_meet(ax1, ay1, ax2, ay2, bx1, by1, bx2, by2) is meet


@given(*[coordinate] * 8)
def test_meeting_is_mutual_and_has_no_direction(
    a: float, b: float, c: float, d: float, e: float, f: float, g: float, h: float
) -> None:
    meet = segments_meet(a, b, c, d, e, f, g, h)
    if (a, b) != (c, d) and (e, f) != (g, h):
        assert segments_meet(e, f, g, h, a, b, c, d) is meet
        assert segments_meet(c, d, a, b, g, h, e, f) is meet
