"""The number of battles at the same time: fewer while a machine makes servers late."""

from __future__ import annotations

LATE_IN_ROW = 2
"""The number of late battles in a row that lowers the number of battles at the same time."""
CALM_MIN = 8
"""The number of punctual battles in a row that raises it again, the first time."""
CALM_MAX = 1_024
"""The largest number of punctual battles in a row that is required. The number doubles after each raise that
was a mistake.
"""
_LOWERED_PART = 8


class BattlesAtOnce:
    """The number of battles to play at the same time (`now`), from 1 to `most`.

    Late servers lower the number, and punctual ones raise it again. Only battles that began with the current
    number count. If the number must be lowered soon after it was raised, it was too high, and the next raise
    takes longer.
    """

    def __init__(self, most: int) -> None:
        self.most = self.now = most
        self._changes = 0
        self._late = 0
        self._calm = 0
        self._patience = CALM_MIN
        self._raised = False

    def begin(self) -> int:
        """Return the value that `ended` needs for a battle that begins now."""
        return self._changes

    def ended(self, began: int, *, late: bool) -> int:
        """Note the end of a battle, and return by how much `now` has changed. 0 means not at all.

        Args:
            began: the value of `begin`.
            late: whether its server was late in more turns than it may be.
        """
        if began != self._changes:
            return 0
        self._late, self._calm = (self._late + 1, 0) if late else (0, self._calm + 1)
        if self._late >= LATE_IN_ROW and self.now > 1:
            if self._raised:
                self._patience = min(CALM_MAX, 2 * self._patience)
            return self._change(self.now - max(1, self.now // _LOWERED_PART), raised=False)
        if self._calm >= self._patience and self.now < self.most:
            return self._change(self.now + 1, raised=True)
        if self._calm >= CALM_MAX:
            self._raised, self._patience = False, CALM_MIN
        return 0

    def _change(self, number: int, *, raised: bool) -> int:
        by, self.now = number - self.now, number
        self._changes += 1
        self._late = self._calm = 0
        self._raised = raised
        return by
