"""Who talks too fast is not listened to for a while: nothing is read, and the peer's own buffers fill.

So a flood costs this server a small part of its time, whatever is in it; everybody else is served meanwhile.
A turn waits for a bot that is not listened to, until its deadline: so the first rests of who was calm before
are short, and one burst of 20,000 messages delays a battle by tenths of a second.
"""

from __future__ import annotations

import asyncio

from turnwright.net.clock import now_ns

__all__ = ["BRIEF_RESTS_MAX", "BRIEF_REST_S", "CALM_NS", "FRAMES_MAX", "FRAMES_NS", "REST_S", "Breather"]

FRAMES_MAX = 1_000
FRAMES_NS = 20_000_000
"""More than FRAMES_MAX frames in this time are too many, and it is measured after each FRAMES_MAX."""
REST_S = 0.05
BRIEF_REST_S = 0.005
BRIEF_RESTS_MAX = 40
"""So many rests are brief: read 16 KiB at a time, they cover 20,000 intents."""
CALM_NS = 1_000_000_000
"""After so long without a rest, or since it came, they are granted anew."""


class Breather:
    """Watches one connection. resting: nothing is read from it now."""

    __slots__ = ("_began_ns", "_brief", "_calm_since_ns", "_frames", "_transport", "resting")

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._frames = 0
        self._began_ns = 0
        self._brief = 0
        self._calm_since_ns = now_ns()
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
        """Read nothing for BRIEF_REST_S or REST_S. What was read already is still handed on."""
        if self.resting or self._transport.is_closing():
            return
        self.resting = True
        self._transport.pause_reading()
        at_ns = now_ns()
        if at_ns - self._calm_since_ns >= CALM_NS:
            self._brief = BRIEF_RESTS_MAX
        self._calm_since_ns = at_ns
        brief = self._brief > 0
        self._brief -= brief
        asyncio.get_running_loop().call_later(BRIEF_REST_S if brief else REST_S, self._go_on)

    def _go_on(self) -> None:
        self.resting = False
        if not self._transport.is_closing():
            self._transport.resume_reading()
