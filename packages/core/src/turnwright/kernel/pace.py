"""Pace: the times at which collected turns may be resolved and published.

A battle has one of two ways of pacing. With `together`, seats and spectators get a turn at the same time, and
each turn waits until the pace allows it. With `apart`, a turn is resolved as soon as its collecting ends, and
each spectator has its own clock. The pace of `together`:

    tps  1…1000   a turn every 1/tps seconds, exactly: due(k+1) = due(k) + period.
                  A turn that is not collected when it is due (an overrun) starts a new schedule, so there is
                  no burst. Above 50 TPS only a delay of CATCH_UP_NS is an overrun. After a smaller delay the
                  next turns follow sooner, until they are on schedule again.
    tps  -1       as soon as the turn is collected; every negative number means -1
    tps  0        paused: the seats have answered, and the turn is not resolved

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
"""The largest number of requested single steps that can wait. Further steps are dropped."""
CATCH_UP_NS = 20_000_000
"""The shortest delay, in ns, that changes the schedule at speeds above 50 TPS. A busy machine can wake a
server several turns late at such a speed. If each of these delays changed the schedule, the battle would be
slower than its speed.
"""
_NS = 1_000_000_000


def check_tps(tps: int) -> int:
    """Return the speed that a number means: 0, 1…1000, or -1 for every negative number.

    Raises:
        SetupError: a number above 1000.
    """
    if tps > TPS_MAX:
        raise SetupError(f"tps is {tps}: give -1 (no waiting), 0 (paused) or 1 to {TPS_MAX} turns per second")
    return max(tps, TPS_UNLIMITED)


class Pace:
    """The speed of one battle, and the times at which its turns are due. It reads no clock.

    Attributes:
        tps: the speed as in `check_tps`. Change it with `set_tps`.

    Raises:
        SetupError: the speed is above 1000. `set_tps` also raises it.
    """

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
        """Whether turns are held. A single step still resolves one turn."""
        return self._paused

    @property
    def steps(self) -> int:
        """The number of requested single steps that were not carried out yet."""
        return self._steps

    @property
    def stepping(self) -> bool:
        """Whether a single step will resolve a held turn."""
        return self._paused and self._steps > 0

    def set_tps(self, tps: int) -> None:
        """Change the speed from the next turn on. 0 pauses the battle, and any other number then resumes
        it.
        """
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
        """Hold all turns from now on."""
        self._paused = True
        self._steps = 0

    def resume(self) -> None:
        """Continue. If the speed is 0, restore the last speed other than 0."""
        self._paused = False
        self._steps = 0
        self._anchor_ns = None
        self.tps = self.tps or self._last_tps

    def step(self) -> None:
        """Allow exactly one more turn during a pause. Without a pause, the call has no effect."""
        if self._paused:
            self._steps = min(self._steps + 1, STEPS_MAX)

    def due_ns(self) -> int | None:
        """Return the time from which a collected turn may be resolved: 0 for now, None while it is held."""
        if self._paused:
            return 0 if self._steps else None
        if self.tps < 0 or self._anchor_ns is None:
            return 0
        return self._anchor_ns + self._anchor_turns * _NS // self.tps

    def resolved(self, collected_ns: int, now_ns: int) -> None:
        """Record that a turn was resolved and published at `now_ns`.

        Args:
            collected_ns: the time at which collecting ended.
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
