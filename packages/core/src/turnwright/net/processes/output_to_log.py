"""Copies the output of a process to the log, line by line, within limits."""

from __future__ import annotations

import asyncio
import logging
import os
from typing import cast

from turnwright.host.admission import RateLimiter
from turnwright.net.clock import now_ns

LINES_PER_S = 1
LINES_BURST = 100
"""The number of lines that may be logged, per second and in a burst. Further lines are only counted."""
LINE_BYTES_MAX = 500
"""The number of bytes of a line that are logged. The rest is cut off."""
_BURST_BYTES = 65_536
_BURST_PAUSE_S = 0.05
"""The pause after each 64 KiB of a flood of output, in seconds. It limits the server's work."""

_log = logging.getLogger("turnwright")


class PrintedLines(asyncio.Protocol):
    """Logs the lines that come through a pipe.

    Args:
        who: the name of the sender, for the log.
    """

    def __init__(self, who: str) -> None:
        self._who = who
        self._rest = b""
        self._limiter = RateLimiter(LINES_PER_S, LINES_BURST)
        self._left_out = 0
        self._burst = 0
        self._transport: asyncio.ReadTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the pipe, so that reading can be paused later."""
        self._transport = cast(asyncio.ReadTransport, transport)

    def data_received(self, data: bytes) -> None:
        """Log the complete lines, up to a limit."""
        self._take(data)
        self._burst += len(data)
        if self._burst >= _BURST_BYTES and self._transport is not None:
            self._burst = 0
            self._transport.pause_reading()
            asyncio.get_running_loop().call_later(_BURST_PAUSE_S, self._resume)

    def connection_lost(self, exc: Exception | None) -> None:
        """Log the unfinished line, and the number of dropped lines."""
        if self._rest:
            self._line(self._rest)
        self._count_out()

    def _take(self, data: bytes) -> None:
        at = 0
        while (end := data.find(b"\n", at)) >= 0:
            if not self._line(self._rest + data[at : min(end, at + LINE_BYTES_MAX)]):
                self._left_out += data.count(b"\n", end + 1)
                at, self._rest = data.rfind(b"\n") + 1, b""
                break
            at, self._rest = end + 1, b""
        self._rest = (self._rest + data[at : at + LINE_BYTES_MAX])[:LINE_BYTES_MAX]

    def _line(self, line: bytes) -> bool:
        if not self._limiter.allow(now_ns()):
            self._left_out += 1
            return False
        self._count_out()
        text = line[:LINE_BYTES_MAX].decode("utf-8", "replace").rstrip("\r")
        if text.strip():
            _log.warning("%s prints: %s", self._who, text)
        return True

    def _count_out(self) -> None:
        if self._left_out:
            _log.warning("%s prints too much: %d lines were dropped", self._who, self._left_out)
            self._left_out = 0

    def _resume(self) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()


async def log_printed(descriptor: int, who: str) -> asyncio.BaseTransport:
    """Begin to log the lines that arrive through a pipe. Logging ends when the pipe ends, or when the caller
    closes the returned transport.

    Args:
        descriptor: the reading end of the pipe. This function now owns it.
    """
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: PrintedLines(who), os.fdopen(descriptor, "rb", buffering=0)
    )
    return transport
