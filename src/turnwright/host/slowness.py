"""Naming a bot that is often slow, while it plays (document 002's warning)."""

from __future__ import annotations

from collections import deque

from turnwright.host.latency import SeatTiming

__all__ = ["SLOW_SKIPS", "SLOW_WINDOW", "Slowness"]

SLOW_SKIPS = 10
SLOW_WINDOW = 100
"""A bot is called slow when it missed SLOW_SKIPS of the last SLOW_WINDOW turns; then counting starts anew."""


class Slowness:
    """Which turns each seat missed lately."""

    def __init__(self, seats: int) -> None:
        self._missed: list[deque[int]] = [deque() for _ in range(seats)]

    def note(self, seat: int, turn: int) -> int:
        """Count a missed turn; return how many it missed lately if that is too many, else 0."""
        missed = self._missed[seat]
        missed.append(turn)
        while missed[0] <= turn - SLOW_WINDOW:
            missed.popleft()
        if len(missed) < SLOW_SKIPS:
            return 0
        count = len(missed)
        missed.clear()
        return count

    @staticmethod
    def text(name: str, missed: int, timing: SeatTiming) -> str:
        """Return the warning, in one line."""
        if not timing.answers.count:
            return f"{name} has never answered so far: it missed {missed} of the last {SLOW_WINDOW} turns"
        p95_ms = timing.answers.percentile_ns(95) / 1e6
        return (
            f"{name} is slow: it missed {missed} of the last {SLOW_WINDOW} turns "
            f"(95 % of its answers took up to {p95_ms:.1f} ms)"
        )
