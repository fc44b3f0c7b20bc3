"""Graceful close of a TCP connection: what was sent arrives.

A socket that is closed while bytes of the peer lie unread sends a reset, and a reset may overtake our last
answer. So we stop writing, read on into the void until the peer closes too, and only then, or after a second
in which it took nothing of what is still on its way, let go.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

STALL_S = 1.0
PERIODS_MAX = 120
"""After so many times STALL_S it is over for a peer that reads too, however slowly."""


def hand_over(transport: asyncio.Transport, protocol: asyncio.BaseProtocol) -> None:
    """Pass the data that `transport` reads to `protocol` from now on.

    Reading begins again because uvloop decides only then between `data_received` and `get_buffer`.
    """
    transport.pause_reading()
    transport.set_protocol(protocol)
    transport.resume_reading()


class GracefulClose(asyncio.Protocol):
    """Takes a connection over and ends it.

    `lost` is called with the error or None once it is gone.
    """

    def __init__(self, transport: asyncio.Transport, lost: Callable[[Exception | None], None]) -> None:
        self._lost = lost
        self._transport = transport
        self._left = transport.get_write_buffer_size()
        self._periods = 0
        self._wait()
        hand_over(transport, self)
        try:
            transport.write_eof()
        except (OSError, RuntimeError):
            transport.abort()

    def data_received(self, data: bytes) -> None:
        """Drop the data."""

    def _wait(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(STALL_S, self._look)

    def _look(self) -> None:
        """Let go, unless the peer is still reading the answer."""
        left, self._periods = self._transport.get_write_buffer_size(), self._periods + 1
        if left < self._left and self._periods < PERIODS_MAX:
            self._left = left
            self._wait()
        else:
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the peer closed, too, or that the time is over."""
        self._timer.cancel()
        self._lost(exc)
