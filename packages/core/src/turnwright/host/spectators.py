"""Decides which frames a slow spectator loses, and when it is disconnected."""

from __future__ import annotations

from typing import Literal

BACKLOG_BYTES_MAX = 1 << 20
"""The limit for the unsent bytes of a spectator's connection."""
BEHIND_NS_MAX = 30_000_000_000
"""A spectator that misses frames for longer than this is disconnected."""


def send_drop_or_close(backlog: int, size: int, droppable: bool) -> Literal["send", "drop", "close"]:
    """Return whether to send a message to a spectator, to drop it, or to close the connection.

    If a connection has no unsent data, a message of any size is sent, because a message above the limit could
    otherwise never be delivered. If a message does not fit and may not be dropped, the spectator can no
    longer follow the battle. Its connection is closed with code 1013.

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
        """Record that a frame for `conn` was dropped.

        Return whether this spectator must be disconnected.
        """
        return now_ns - self._behind_since_ns.setdefault(conn, now_ns) >= BEHIND_NS_MAX

    def caught_up(self, conn: int) -> None:
        """Record that the spectator could get a message again, or that it has left."""
        self._behind_since_ns.pop(conn, None)
