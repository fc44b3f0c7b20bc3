"""Digests and check bytes of a state in a record."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packages.core.tests.kernel.support import battle, every_game
from turnwright.kernel.record import (
    ANSWER_CODES,
    DIGEST_BYTES,
    NO_ANSWER,
    Header,
    KeyframePace,
    TurnRules,
    answer_code,
    answer_codes,
    answer_ns,
    digest,
    keyframe_interval,
)


def test_a_digest_is_sixteen_hex_digits_that_any_change_changes() -> None:
    assert len(digest(b"state")) == 2 * DIGEST_BYTES
    assert digest(b"state") == digest(b"state") != digest(b"statf")
    int(digest(b""), 16)


@every_game
def test_a_header_has_the_whole_setup_including_defaults(game: str) -> None:
    it = battle(game)
    assert set(it.game.defaults) <= set(it.header.setup)
    assert isinstance(it.header, Header)
    assert it.header.rules == TurnRules()


# Keyframes come as often as a seek needs them.


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


# The coarse scale of answer times: two steps an octave, one character each.


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
def test_a_code_that_is_not_a_time_is_read_as_none(code: str) -> None:
    assert answer_ns(code) is None


def test_seats_without_an_answer_have_a_dash() -> None:
    assert answer_codes({1: 1_024_000, 3: 0}, 4) == "-K-0"
    assert answer_codes({}, 2) == "--"
