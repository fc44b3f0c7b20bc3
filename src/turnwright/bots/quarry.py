"""One enemy to go for: which of those that the radar met, and for how long."""

from __future__ import annotations

from turnwright.bots.geometry import distance_between
from turnwright.games.tank.view import ScannedBotEvent, TankState

__all__ = ["Quarry"]

_CHANGE_FACTOR = 0.8
"""Another enemy must be nearer by this factor before we turn to it."""


class Quarry:
    """The newest scan of the enemy that we are after; a nearer one takes its place.

    sight_turns: after so many turns without a scan it is lost.
    """

    def __init__(self, sight_turns: int = 4) -> None:
        self._sight_turns = sight_turns
        self._scan: ScannedBotEvent | None = None

    def see(self, scan: ScannedBotEvent, me: TankState) -> None:
        """Take note of a scan."""
        old = self._scan
        if old is None or old.scanned_bot_id == scan.scanned_bot_id or _nearer(scan, old, me):
            self._scan = scan

    def forget(self, bot_id: int) -> None:
        """Drop an enemy that died."""
        if self._scan is not None and self._scan.scanned_bot_id == bot_id:
            self._scan = None

    def at(self, turn_number: int) -> ScannedBotEvent | None:
        """Return the newest scan, or None if there is none or it is too old."""
        if self._scan is not None and turn_number - self._scan.turn_number > self._sight_turns:
            self._scan = None
        return self._scan


def _nearer(one: ScannedBotEvent, other: ScannedBotEvent, me: TankState) -> bool:
    near = distance_between(me.x, me.y, one.x, one.y)
    return near < _CHANGE_FACTOR * distance_between(me.x, me.y, other.x, other.y)
