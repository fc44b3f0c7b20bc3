"""Knowledge of one enemy: its last scan, its motion, its expected energy."""

from __future__ import annotations

import math

from turnwright_tank.observation import ScannedBotEvent

TAU = 2.0 * math.pi


def wrap(angle: float) -> float:
    """Return the same angle in [-π, π)."""
    return (angle + math.pi) % TAU - math.pi


class Foe:
    """One enemy in one round.

    x, y, speed, energy: as in the last scan. heading, turning: in radians.

    turning: the change of its heading a turn. gain: the change of its speed a turn. before: its place (x, y)
    in the turn before the last scan, or its present place if that turn was not seen.
    """

    __slots__ = ("before", "energy", "gain", "heading", "id", "speed", "turn", "turning", "x", "y")
    id: int
    x: float
    y: float
    heading: float
    speed: float
    energy: float
    turning: float
    gain: float
    before: tuple[float, float]
    turn: int

    def __init__(self, scan: ScannedBotEvent) -> None:
        self.id = scan.scanned_bot_id
        self.x, self.y = scan.x, scan.y
        self.heading = math.radians(scan.direction)
        self.speed = scan.speed
        self.energy = scan.energy
        self.turn = scan.turn_number
        self.turning = 0.0
        self.gain = 0.0
        self.before = (scan.x, scan.y)

    def see(self, scan: ScannedBotEvent) -> float:
        """Take a new scan.

        Return the energy that the enemy has lost without a known reason. A loss of 0.1 to 3 is a shot.
        """
        turns = scan.turn_number - self.turn
        drop = self.energy - scan.energy
        if turns <= 0:
            return 0.0
        heading = math.radians(scan.direction)
        self.turning = wrap(heading - self.heading) / turns
        self.gain = (scan.speed - self.speed) / turns
        self.before = (
            scan.x - (scan.x - self.x) / turns,
            scan.y - (scan.y - self.y) / turns,
        )
        self.x, self.y, self.heading, self.speed = scan.x, scan.y, heading, scan.speed
        self.energy = scan.energy
        self.turn = scan.turn_number
        return drop
