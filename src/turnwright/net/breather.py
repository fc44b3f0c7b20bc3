"""Who talks too fast is not listened to for a while: nothing is read, and the peer's own buffers fill.

So a flood costs this server a small part of its time, whatever is in it; everybody else is served meanwhile.
"""

from __future__ import annotations

import asyncio

from turnwright.net.clock import now_ns

__all__ = ["FRAMES_MAX", "FRAMES_NS", "REST_S", "Breather"]

FRAMES_MAX = 1_000
FRAMES_NS = 20_000_000
"""More than FRAMES_MAX frames in this time are too many, and it is measured after each FRAMES_MAX."""
REST_S = 0.05


class Breather:
    """Watches one connection. resting: nothing is read from it now."""

    __slots__ = ("_began_ns", "_frames", "_transport", "resting")

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._frames = 0
        self._began_ns = 0
        self.resting = False

    def note(self) -> None:
        """Count a frame of whatever kind, and rest if there were too many."""
        self._frames += 1
        if self._frames < FRAMES_MAX:
            return
        at_ns = now_ns()
        fast = at_ns - self._began_ns < FRAMES_NS
        self._frames, self._began_ns = 0, at_ns
        if fast:
            self.rest()

    def rest(self) -> None:
        """Read nothing for REST_S. What was read already is still handed on."""
        if self.resting or self._transport.is_closing():
            return
        self.resting = True
        self._transport.pause_reading()
        asyncio.get_running_loop().call_later(REST_S, self._go_on)

    def _go_on(self) -> None:
        self.resting = False
        if not self._transport.is_closing():
            self._transport.resume_reading()
