"""What the stream shows of the tank game's tables, and how finely."""

from __future__ import annotations

from enum import IntEnum

from turnwright.wire.spectate.tables import Column

__all__ = [
    "ANGLE_PER_DEGREE",
    "BULLET_DIRECTION_PER_DEGREE",
    "BULLET_PLACE_PER_UNIT",
    "BULLET_POWER_PER_UNIT",
    "ENERGY_PER_UNIT",
    "FULL_CIRCLE",
    "PLACE_PER_UNIT",
    "SEAT_COLUMNS",
    "SPEED_PER_UNIT",
    "TANK_COLUMNS",
    "TIME_STEP_US",
    "UNKNOWN",
    "Status",
]

PLACE_PER_UNIT = 10
ANGLE_PER_DEGREE = 10
FULL_CIRCLE = 360 * ANGLE_PER_DEGREE
SPEED_PER_UNIT = 10
ENERGY_PER_UNIT = 100
"""Energy and gun heat; what is not zero is never shown as zero."""

TANK_COLUMNS = (
    Column("x", PLACE_PER_UNIT, "linear"),
    Column("y", PLACE_PER_UNIT, "linear"),
    Column("direction", ANGLE_PER_DEGREE, "linear", FULL_CIRCLE),
    Column("gunDirection", ANGLE_PER_DEGREE, "linear", FULL_CIRCLE),
    Column("radarDirection", ANGLE_PER_DEGREE, "linear", FULL_CIRCLE),
    Column("radarSweep", ANGLE_PER_DEGREE, "follows", follows=4, slack=1),
    Column("turnRate", ANGLE_PER_DEGREE, "follows", follows=2, slack=1),
    Column("gunTurnRate", ANGLE_PER_DEGREE, "follows", follows=3, less=2, slack=2),
    Column("radarTurnRate", ANGLE_PER_DEGREE, "follows", follows=4, less=3, slack=2),
    Column("speed", SPEED_PER_UNIT),
    Column("energy", ENERGY_PER_UNIT),
    Column("gunHeat", ENERGY_PER_UNIT, "linear"),
    Column("enemyCount"),
)
"""Fields of a BotState, by their names. A row for each tank that began the turn; its id is the bot's."""

TIME_STEP_US = 50
UNKNOWN = -1
"""A time that nobody knows."""
SEAT_COLUMNS = (Column("answer"), Column("rtt"), Column("status"))
"""Times in steps of TIME_STEP_US, or UNKNOWN: how long the bot took to answer, and a message there and back.

One row for each bot of the game. A time is told when it has changed by an eighth, or by a step below eight.
The third column is a Status.
"""


class Status(IntEnum):
    """The state of a bot at the end of a turn. Where several hold, the highest is told."""

    RUNNING = 0
    """its tank can act"""
    DISABLED = 1
    """its tank lives, but has no energy"""
    DEAD = 2
    """its tank died in this turn of the round, or before"""
    DISCONNECTED = 3
    """its connection is gone"""
    DISQUALIFIED = 4
    """it has missed too many turns in a row, and is out of the battle"""


BULLET_POWER_PER_UNIT = 100_000
BULLET_DIRECTION_PER_DEGREE = 10_000
BULLET_PLACE_PER_UNIT = 100
"""So fine that a bullet is shown right to 0.05 units after a flight of 5000."""
