"""The intent of a seat for one turn.

It is declared once for all users, like `observation`. The names come from Tank Royale's bot-intent schema.
None means "not set". In the first intent of a turn, such a field gets the game's default. In a further
intent, the earlier value stays.
"""

from __future__ import annotations

from dataclasses import dataclass

from turnwright_tank.shape import Shape


@dataclass(slots=True)
class TeamMessage(metaclass=Shape):
    """A message to one teammate, or to all teammates if `receiver_id` is absent."""

    message: str
    message_type: str
    receiver_id: int | None = None


@dataclass(slots=True)
class TankIntent(metaclass=Shape):
    """The intent of a tank for one turn.

    With a firepower of 0 the gun does not fire.
    """

    turn_rate: float | None = None
    gun_turn_rate: float | None = None
    radar_turn_rate: float | None = None
    target_speed: float | None = None
    firepower: float | None = None
    adjust_gun_for_body_turn: bool | None = None
    adjust_radar_for_body_turn: bool | None = None
    adjust_radar_for_gun_turn: bool | None = None
    rescan: bool | None = None
    fire_assist: bool | None = None
    body_color: str | None = None
    turret_color: str | None = None
    radar_color: str | None = None
    bullet_color: str | None = None
    scan_color: str | None = None
    tracks_color: str | None = None
    gun_color: str | None = None
    std_out: str | None = None
    std_err: str | None = None
    team_messages: tuple[TeamMessage, ...] | None = None
    debug_graphics: str | None = None
    turn_number: int | None = None


IntentNumbers = tuple[float, float, float, float, float, int, int, int, int, int]
"""The fields from want_speed to fire_assist of a tank's row, in that order."""
