"""Pace of turns: adaptive durations, and operators' control over time.

    pace = Duration("turn", 250_000, low=250_000, high=1_000_000)
    change = pace.note(overloaded)          called once per turn; a Change or None

A duration depends only on whether the machine is overloaded, which the caller measures. A slow bot or mind is
no overload, so it cannot slow the game down. Each change is reported.

A duration grows by 10 % at an overload and falls by 2 % after each window of calm. Two rules keep it from
oscillating. After a raise there is no further raise for SETTLE_TURNS turns. If an overload follows a fall
within one window, the next fall needs twice as many calm windows.
"""

from __future__ import annotations

from dataclasses import dataclass

from turnwright.errors import SetupError
from turnwright_world.wire.clock import RATE_ONE

RAISE_PERCENT = 10
LOWER_PERCENT = 2
SETTLE_TURNS = 4
"""After a raise, there is no other raise for this number of turns. So the effect of the first raise can show.
"""
CALM_TURNS = 40
"""The length of a window, in turns. A duration falls after this number of turns in a row without overload."""
PATIENCE_MAX = 16
"""The most calm windows that a fall can need."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a duration, in µs.

    Attributes:
        reason: "overload" or "calm".
    """

    name: str
    before_us: int
    after_us: int
    reason: str


class Duration:
    """One duration, in µs.

    Its first value is start_us. The value stays within bounds. If the bounds are equal, the value is fixed.

    Attributes:
        raised, lowered: how often the duration was raised and lowered.
        patience: the number of calm windows that the next fall needs.

    Raises:
        SetupError: the bounds are impossible.
    """

    __slots__ = (
        "_calm",
        "_settling",
        "_since_fall",
        "high_us",
        "low_us",
        "lowered",
        "name",
        "patience",
        "raised",
        "value_us",
    )

    def __init__(self, name: str, start_us: int, *, low_us: int, high_us: int) -> None:
        if not 0 < low_us <= start_us <= high_us:
            raise SetupError(
                f"the {name} duration is {start_us} µs, within {low_us} to {high_us} µs:"
                " give 0 < MIN <= value <= MAX"
            )
        self.name = name
        self.value_us = start_us
        self.low_us = low_us
        self.high_us = high_us
        self.raised = self.lowered = 0
        self._settling = 0
        self._calm = 0
        self.patience = 1
        self._since_fall: int | None = None

    @property
    def is_fixed(self) -> bool:
        """Whether the duration never changes."""
        return self.low_us == self.high_us

    def note(self, overloaded: bool) -> Change | None:
        """Count a turn, and return the change of the duration that it causes, or None.

        Args:
            overloaded: whether the machine had too much to do, for any reason.
        """
        if self.is_fixed:
            return None
        self._settling = max(0, self._settling - 1)
        if self._since_fall is not None:
            self._since_fall += 1
        return self._overload() if overloaded else self._quiet()

    def _overload(self) -> Change | None:
        self._calm = 0
        if self._since_fall is not None and self._since_fall <= CALM_TURNS:
            self.patience = min(PATIENCE_MAX, 2 * self.patience)
            self._since_fall = None
        if self._settling:
            return None
        self._settling = SETTLE_TURNS
        return self._set(-(-self.value_us * (100 + RAISE_PERCENT) // 100), "overload")

    def _quiet(self) -> Change | None:
        self._calm += 1
        if self._calm < self.patience * CALM_TURNS:
            return None
        self._calm = 0
        if self._since_fall is not None and self._since_fall > CALM_TURNS:
            self.patience = max(1, self.patience // 2)
        change = self._set(self.value_us * (100 - LOWER_PERCENT) // 100, "calm")
        self._since_fall = 0 if change is not None else None
        return change

    def _set(self, wanted_us: int, reason: str) -> Change | None:
        before, self.value_us = self.value_us, min(self.high_us, max(self.low_us, wanted_us))
        self.raised += self.value_us > before
        self.lowered += self.value_us < before
        return Change(self.name, before, self.value_us, reason) if before != self.value_us else None


STANDS = "Time stands still."
SPEED_MIN, SPEED_MAX = 0.1, 4.0
"""The slowest and fastest speed of a world, as factors of the speed in its settings."""
STEPS_MAX = 1_000
"""The most turns of one `step` command."""


class TimeControl:
    """The control of game time by operators.

    Attributes:
        paused: whether time is paused, except for `steps` more turns.
        speed: the speed in ppm of the speed in the settings.
    """

    def __init__(self) -> None:
        self.paused = False
        self.steps = 0
        self.speed = RATE_ONE

    @property
    def stands(self) -> bool:
        """Whether time is paused now."""
        return self.paused and self.steps == 0

    def pause(self) -> None:
        """Pause time."""
        self.paused, self.steps = True, 0

    def resume(self) -> None:
        """Resume time."""
        self.paused, self.steps = False, 0

    def step(self, turns: int) -> None:
        """Play `turns` turns (1 to STEPS_MAX), including the open turn, and then pause time."""
        self.paused, self.steps = True, min(STEPS_MAX, max(1, turns))

    def run_at(self, speed: float) -> None:
        """Set the speed as a factor of the speed in the settings, from SPEED_MIN to SPEED_MAX."""
        self.speed = round(min(SPEED_MAX, max(SPEED_MIN, speed)) * RATE_ONE)

    def turn_over(self) -> bool:
        """Count a turn that has ended, and return whether time is paused now."""
        if self.steps:
            self.steps -= 1
        return self.stands


class TurnPace:
    """The pace of a world's turns.

    Args:
        turn: the duration of a turn.
        plan: the part of the turn in which minds plan.

    Attributes:
        control: the controls of operators.
        overloaded: whether the machine was overloaded since the last turn ended.
    """

    def __init__(self, turn: Duration, plan: Duration) -> None:
        self.turn = turn
        self.plan = plan
        self.control = TimeControl()
        self.overloaded = False

    @property
    def turn_us(self) -> int:
        """The current real time of a turn, in µs."""
        return self.turn.value_us * RATE_ONE // self.control.speed

    def rate(self, dt_us: int) -> int:
        """Return the speed of game time, in ppm of real time.

        Args:
            dt_us: the game time of a turn.
        """
        return 0 if self.control.stands else dt_us * RATE_ONE // self.turn_us

    def follow(self) -> list[str]:
        """Adapt the durations to the machine unless they are fixed, and return lines for the log."""
        overloaded, self.overloaded = self.overloaded, False
        changes = [duration.note(overloaded) for duration in (self.turn, self.plan)]
        return [
            f"{change.name} {change.before_us} µs is now {change.after_us} µs ({change.reason})"
            for change in changes
            if change is not None
        ]
