"""Pace of turns: adaptive durations, and operators' control over time.

    pace = Duration("turn", 250_000, low=250_000, high=1_000_000)
    change = pace.note(overloaded)          once a turn; None, or what has changed and why

Only an overload of the machine counts, measured by the caller. What controllers do in their time does not
count, so a slow controller cannot slow the game down. Each change is reported.

A duration grows by 10 % at an overload and falls by 2 % after each window of calm. Two brakes keep it from
swinging: after a raise it waits until that can show, and when a fall is followed by an overload within a
window, the next fall needs twice the calm.
Source: document 004, tuning of durations, from which it departs: see docs/decisions.
"""

from __future__ import annotations

from dataclasses import dataclass

from turnwright.errors import SetupError
from turnwright_world.wire.clock import RATE_ONE

RAISE_PERCENT = 10
LOWER_PERCENT = 2
SETTLE_TURNS = 4
"""Turns after a raise in which no other one comes: it must show first whether the last one was enough."""
CALM_TURNS = 40
"""A window: turns in a row without overload, after which a duration falls."""
PATIENCE_MAX = 16
"""Windows of calm that a fall needs at most."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a duration, µs.

    Attributes:
        reason: "overload" or "calm".
    """

    name: str
    before_us: int
    after_us: int
    reason: str


class Duration:
    """One duration, µs.

    It starts at start_us and stays within its bounds. If the bounds are equal, it is fixed.

    Attributes:
        raised, lowered: how often it has changed.

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
        """Whether it never changes."""
        return self.low_us == self.high_us

    def note(self, overloaded: bool) -> Change | None:
        """Note one turn.

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
"""The slowest and fastest speed of a world, over that of its settings."""
STEPS_MAX = 1_000
"""Turns that one step plays at most."""


class TimeControl:
    """The control of game time by operators.

    Attributes:
        paused: time stands still, but for `steps` turns.
        speed: ppm of what the settings say.
    """

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
        """Let time run again."""
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


class TurnPace:
    """The pace of a world's turns.

    Args:
        turn: how long one takes.
        plan: the part of it for plans.

    Attributes:
        control: the controls of operators.
        overloaded: whether the machine has had too much to do since the last turn ended.
    """

    def __init__(self, turn: Duration, plan: Duration) -> None:
        self.turn = turn
        self.plan = plan
        self.control = TimeControl()
        self.overloaded = False

    @property
    def turn_us(self) -> int:
        """The real time of a turn now, µs."""
        return self.turn.value_us * RATE_ONE // self.control.speed

    def rate(self, dt_us: int) -> int:
        """Return how fast game time is to run, ppm.

        Args:
            dt_us: game time of a turn.
        """
        return 0 if self.control.stands else dt_us * RATE_ONE // self.turn_us

    def follow(self) -> list[str]:
        """Let durations follow the machine, where they are not fixed; return what is to be logged."""
        overloaded, self.overloaded = self.overloaded, False
        changes = [duration.note(overloaded) for duration in (self.turn, self.plan)]
        return [
            f"{change.name} {change.before_us} µs is now {change.after_us} µs ({change.reason})"
            for change in changes
            if change is not None
        ]
