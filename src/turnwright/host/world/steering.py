"""The state of a world's time as operators steer it: it runs, stands still, goes on by turns; its speed."""

from __future__ import annotations

from turnwright.wire.world.clock import RATE_ONE

__all__ = ["SPEED_MAX", "SPEED_MIN", "STANDS", "STEPS_MAX", "Steering"]

STANDS = "Time stands still."
SPEED_MIN, SPEED_MAX = 0.1, 4.0
"""How much slower and faster than by its settings a world may run."""
STEPS_MAX = 1_000
"""Turns that one step plays at most."""


class Steering:
    """paused: time stands still, but for `steps` turns; speed: ppm of what the settings say."""

    def __init__(self) -> None:
        self.paused = False
        self.steps = 0
        self.speed = RATE_ONE

    @property
    def stands(self) -> bool:
        """Whether time stands still now."""
        return self.paused and self.steps == 0

    def pause(self) -> None:
        """Let time stand still."""
        self.paused, self.steps = True, 0

    def resume(self) -> None:
        """Let time go on."""
        self.paused, self.steps = False, 0

    def step(self, turns: int) -> None:
        """Let so many turns end, the open one first, then let time stand still."""
        self.paused, self.steps = True, min(STEPS_MAX, max(1, turns))

    def run_at(self, speed: float) -> None:
        """Let time run at a multiple of what the settings say, SPEED_MIN … SPEED_MAX."""
        self.speed = round(min(SPEED_MAX, max(SPEED_MIN, speed)) * RATE_ONE)

    def turn_over(self) -> bool:
        """Count a turn that has ended; return whether time stands still from here on."""
        if self.steps:
            self.steps -= 1
        return self.stands
