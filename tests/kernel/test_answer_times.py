"""The coarse scale of answer times: two steps an octave, one character each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.kernel.record import ANSWER_CODES, NO_ANSWER, answer_code, answer_codes, answer_ns


@pytest.mark.parametrize(
    ("duration_ns", "code"),
    [
        (-5, "0"),
        (0, "0"),
        (1_999, "0"),
        (2_000, "2"),
        (2_999, "2"),
        (3_000, "3"),
        (724_000, "I"),
        (725_000, "J"),
        (1_023_999, "J"),
        (1_024_000, "K"),
        (32_767_999, "T"),
        (32_768_000, "U"),
        (10**15, "z"),
        (10**18, "z"),
    ],
)
def test_a_duration_has_its_character(duration_ns: int, code: str) -> None:
    assert answer_code(duration_ns) == code


@given(st.integers(2_000, 10**12))
def test_a_character_tells_the_duration_within_a_quarter_of_an_octave(duration_ns: int) -> None:
    about = answer_ns(answer_code(duration_ns))
    assert about is not None
    assert 0.70 < about / duration_ns < 1.42


@given(st.integers(0, 10**13), st.integers(0, 10**13))
def test_characters_sort_as_durations_do(one: int, two: int) -> None:
    if one <= two:
        assert NO_ANSWER < answer_code(one) <= answer_code(two)
    assert list(ANSWER_CODES) == sorted(ANSWER_CODES)


@pytest.mark.parametrize("code", [NO_ANSWER, "", "00", "é", " "])
def test_what_is_no_time_is_none(code: str) -> None:
    assert answer_ns(code) is None


def test_seats_without_an_answer_have_a_dash() -> None:
    assert answer_codes({1: 1_024_000, 3: 0}, 4) == "-K-0"
    assert answer_codes({}, 2) == "--"
