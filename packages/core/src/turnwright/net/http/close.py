"""Closes a TCP connection in such a way that the data that was sent before still arrives.

If a socket is closed while it has unread bytes, the system sends a reset. The peer may then never read our
last answer. So we first stop writing, and read and drop data until the peer closes the connection, too. If
the peer takes none of our data for a second, we close the connection anyway.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

STALL_S = 1.0
"""A peer that takes none of our data for this time, in seconds, is disconnected."""
PERIODS_MAX = 120
"""The number of periods of STALL_S seconds after which a peer is disconnected, even if it still reads
slowly.
"""


def hand_over(transport: asyncio.Transport, protocol: asyncio.BaseProtocol) -> None:
    """Pass the data that `transport` reads to `protocol` from now on.

    The function pauses and resumes reading. Only when reading starts, uvloop decides whether to call
    `data_received` or `get_buffer`.
    """
    transport.pause_reading()
    transport.set_protocol(protocol)
    transport.resume_reading()


class GracefulClose(asyncio.Protocol):
    """Takes over a connection and ends it.

    When the connection has ended, `lost` is called with the error or None.
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
        """Drop the data that the peer still sends."""

    def _wait(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(STALL_S, self._look)

    def _look(self) -> None:
        """Close the connection, unless the peer has read a part of the answer since the last look. After
        PERIODS_MAX looks, close it in any case.
        """
        left, self._periods = self._transport.get_write_buffer_size(), self._periods + 1
        if left < self._left and self._periods < PERIODS_MAX:
            self._left = left
            self._wait()
        else:
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Handle the end of the connection."""
        self._timer.cancel()
        self._lost(exc)
