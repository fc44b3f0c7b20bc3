"""Pace: the times at which collected turns may be resolved and published.

A battle is paced in one of two ways. `together`: seats and spectators get a turn at the same instant, and
both wait for the pace. `apart`: a turn resolves when its collecting ends, and each spectator has a clock of
its own. The pace of `together`:

    tps  1…1000   a turn every 1/tps seconds, on an exact cadence: due(k+1) = due(k) + period.
                  A turn that is not collected when it is due (an overrun) starts a new cadence: no burst.
                  Above 50 TPS that is a turn which is late by CATCH_UP_NS. Behind one that is less late,
                  turns follow sooner until the cadence is met again.
    tps  -1       as soon as it is collected; every negative number means -1
    tps  0        paused: the seats have answered, the turn does not resolve

Pausing, stepping and changing the speed are allowed at any moment and in any order.
"""

from __future__ import annotations

from typing import Literal

from turnwright.errors import SetupError

Pacing = Literal["apart", "together"]
TPS_UNLIMITED = -1
TPS_MAX = 1000
TPS_DEFAULT = 30
STEPS_MAX = 1000
"""Single steps that can be asked for ahead of time; more are dropped."""
CATCH_UP_NS = 20_000_000
"""Above 50 TPS a turn that is late by less keeps the cadence. A busy machine wakes a server late by several
periods of such a speed, and each would be lost."""
_NS = 1_000_000_000


def check_tps(tps: int) -> int:
    """Return the speed that a number means: 0, 1…1000, or -1 for every negative number.

    Raises:
        SetupError: a number above 1000.
    """
    if tps > TPS_MAX:
        raise SetupError(f"tps is {tps}; give -1 (no waiting), 0 (paused) or 1 to {TPS_MAX} turns per second")
    return max(tps, TPS_UNLIMITED)


class Pace:
    """The speed of one battle as a value. Every method takes the time."""

    __slots__ = ("_anchor_ns", "_anchor_turns", "_last_tps", "_paused", "_steps", "tps")

    def __init__(self, tps: int = TPS_DEFAULT) -> None:
        self.tps = check_tps(tps)
        self._last_tps = tps or TPS_DEFAULT
        self._paused = tps == 0
        self._steps = 0
        self._anchor_ns: int | None = None
        self._anchor_turns = 0

    @property
    def paused(self) -> bool:
        """Whether turns are held; a single step still resolves one."""
        return self._paused

    @property
    def steps(self) -> int:
        """The single steps that are asked for and not done yet."""
        return self._steps

    @property
    def stepping(self) -> bool:
        """Whether a single step will resolve a held turn."""
        return self._paused and self._steps > 0

    def set_tps(self, tps: int) -> None:
        """Change the speed from the next turn on; 0 pauses, and leaving 0 resumes."""
        tps = check_tps(tps)
        if tps == self.tps:
            return
        was_zero, self.tps = self.tps == 0, tps
        self._anchor_ns = None
        if tps == 0:
            self.pause()
            return
        self._last_tps = tps
        if was_zero:
            self.resume()

    def pause(self) -> None:
        """Hold turns from now on."""
        self._paused = True
        self._steps = 0

    def resume(self) -> None:
        """Continue; with tps 0 at the last other speed."""
        self._paused = False
        self._steps = 0
        self._anchor_ns = None
        self.tps = self.tps or self._last_tps

    def step(self) -> None:
        """Allow exactly one more turn during a pause. Otherwise it has no effect."""
        if self._paused:
            self._steps = min(self._steps + 1, STEPS_MAX)

    def due_ns(self) -> int | None:
        """Return the time from which a collected turn may be resolved.

        0: at once; None: the turn is held.
        """
        if self._paused:
            return 0 if self._steps else None
        if self.tps < 0 or self._anchor_ns is None:
            return 0
        return self._anchor_ns + self._anchor_turns * _NS // self.tps

    def resolved(self, collected_ns: int, now_ns: int) -> None:
        """Note that a turn was resolved and published at `now_ns`.

        Args:
            collected_ns: the time at which its collecting ended.
        """
        due = self.due_ns()
        if self._paused:
            self._steps = max(0, self._steps - 1)
            self._anchor_ns = None
            return
        if self.tps > 0 and (not due or self._is_overrun(due, collected_ns, now_ns)):
            self._anchor_ns, self._anchor_turns = now_ns, 1
        elif self.tps > 0:
            self._anchor_turns += 1

    def _is_overrun(self, due_ns: int, collected_ns: int, now_ns: int) -> bool:
        if self.tps * CATCH_UP_NS > _NS:
            return now_ns - due_ns >= CATCH_UP_NS
        return collected_ns > due_ns or (now_ns - due_ns) * self.tps >= _NS
