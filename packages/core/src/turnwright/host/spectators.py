"""Decides which frames a slow spectator loses, and when it is disconnected."""

from __future__ import annotations

from typing import Literal

BACKLOG_BYTES_MAX = 1 << 20
"""The largest number of unsent bytes of a spectator's connection."""
BEHIND_NS_MAX = 30_000_000_000
"""A spectator that misses frames for longer than this is disconnected."""


def send_drop_or_close(backlog: int, size: int, droppable: bool) -> Literal["send", "drop", "close"]:
    """Return whether to send a message to a spectator, to drop it, or to close the connection.

    A connection without unsent data takes a message of any size, because a message above the limit could
    otherwise never be delivered. If a message does not fit and may not be dropped, the spectator can no
    longer follow, and is closed (1013).

    Args:
        backlog: the number of unsent bytes of its connection.
        size: the message's length in bytes.
        droppable: whether the message may be dropped.
    """
    if backlog == 0 or backlog + size <= BACKLOG_BYTES_MAX:
        return "send"
    return "drop" if droppable else "close"


class SlowSince:
    """The time at which each spectator began to miss frames."""

    __slots__ = ("_behind_since_ns",)

    def __init__(self) -> None:
        self._behind_since_ns: dict[int, int] = {}

    def missed(self, conn: int, now_ns: int) -> bool:
        """Note that a frame was dropped.

        Return whether this spectator must be disconnected.
        """
        return now_ns - self._behind_since_ns.setdefault(conn, now_ns) >= BEHIND_NS_MAX

    def caught_up(self, conn: int) -> None:
        """Note that a message fitted again, or that the spectator left."""
        self._behind_since_ns.pop(conn, None)
