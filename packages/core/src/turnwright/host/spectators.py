"""Decides which frames a slow spectator loses, and when it is disconnected."""

from __future__ import annotations

from typing import Literal

BACKLOG_BYTES_MAX = 1 << 20
"""The most that a spectator's connection holds unsent, in bytes."""
BEHIND_NS_MAX = 30_000_000_000
"""The time for which a spectator may miss frames before it is closed."""


def send_drop_or_close(backlog: int, size: int, droppable: bool) -> Literal["send", "drop", "close"]:
    """Return whether to send a message to a spectator, drop it, or disconnect.

    An empty connection takes any message. Otherwise a message larger than the bound could never be delivered.
    If a message does not fit and may not be dropped, the spectator can no longer follow: it is closed (1013).

    Args:
        backlog: bytes that its connection holds unsent.
        size: bytes of the message.
        droppable: whether the message may be dropped.
    """
    if backlog == 0 or backlog + size <= BACKLOG_BYTES_MAX:
        return "send"
    return "drop" if droppable else "close"


class SlowSince:
    """The time since which each spectator has been missing frames."""

    __slots__ = ("_behind_since_ns",)

    def __init__(self) -> None:
        self._behind_since_ns: dict[int, int] = {}

    def missed(self, conn: int, now_ns: int) -> bool:
        """Note that a frame was dropped.

        Return whether patience with this spectator is over.
        """
        return now_ns - self._behind_since_ns.setdefault(conn, now_ns) >= BEHIND_NS_MAX

    def caught_up(self, conn: int) -> None:
        """Note that a message fitted again, or that the spectator left."""
        self._behind_since_ns.pop(conn, None)
