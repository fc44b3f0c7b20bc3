from __future__ import annotations

import pytest

from turnwright.host.spectators import (
    BACKLOG_BYTES_MAX,
    BEHIND_NS_MAX,
    HeldFrames,
    SlowSince,
    send_drop_or_close,
)


@pytest.mark.parametrize(
    ("backlog", "size", "droppable", "decision"),
    [
        (0, 10, True, "send"),
        (0, BACKLOG_BYTES_MAX + 1, True, "send"),
        (0, BACKLOG_BYTES_MAX + 1, False, "send"),
        (1, BACKLOG_BYTES_MAX - 1, True, "send"),
        (1, BACKLOG_BYTES_MAX, True, "drop"),
        (1, BACKLOG_BYTES_MAX, False, "close"),
        (BACKLOG_BYTES_MAX - 10, 9, False, "send"),
        (BACKLOG_BYTES_MAX - 10, 10, False, "send"),
        (BACKLOG_BYTES_MAX - 10, 11, False, "close"),
        (BACKLOG_BYTES_MAX + 5, 1, True, "drop"),
    ],
)
def test_a_spectator_gets_what_fits(backlog: int, size: int, droppable: bool, decision: str) -> None:
    assert send_drop_or_close(backlog, size, droppable) == decision


def test_patience_ends_after_half_a_minute_without_a_frame() -> None:
    patience = SlowSince()
    assert not patience.missed(1, 1_000)
    assert not patience.missed(1, 1_000 + BEHIND_NS_MAX - 1)
    assert patience.missed(1, 1_000 + BEHIND_NS_MAX)
    assert not patience.missed(2, 1_000 + BEHIND_NS_MAX)


def test_one_frame_that_fitted_renews_patience() -> None:
    patience = SlowSince()
    patience.missed(1, 0)
    patience.caught_up(1)
    patience.caught_up(1)
    assert not patience.missed(1, BEHIND_NS_MAX)


@pytest.mark.parametrize(
    ("held", "before", "needs"),
    [
        (None, (1, 4), "keyframe"),
        ((1, 4), (1, 4), "delta"),
        ((1, 3), (1, 4), "keyframe"),
        ((1, 5), (1, 4), "nothing"),
        ((1, 6), (1, 4), "nothing"),
        ((1, 4), None, "keyframe"),
        ((1, 5), None, "nothing"),
        ((0, 900), None, "keyframe"),
    ],
)
def test_a_delta_is_for_those_who_hold_the_frame_before_it(
    held: tuple[int, int] | None, before: tuple[int, int] | None, needs: str
) -> None:
    followers = HeldFrames()
    if held is not None:
        followers.holds(7, held)
    assert followers.needs(7, (1, 5), before) == needs
    assert followers.needs(8, (1, 5), before) == "keyframe"


def test_who_left_holds_nothing() -> None:
    followers = HeldFrames()
    followers.holds(7, (1, 4))
    followers.left(7)
    assert followers.needs(7, (1, 5), (1, 4)) == "keyframe"
