from __future__ import annotations

import pytest

from turnwright.host.spectators import BACKLOG_BYTES_MAX, BEHIND_NS_MAX, SlowSince, send_drop_or_close


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
def test_a_spectator_gets_only_as_much_as_fits(
    backlog: int, size: int, droppable: bool, decision: str
) -> None:
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
