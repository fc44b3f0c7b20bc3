"""Observations for the tests of bots, with everything in the middle of a classic arena."""

from __future__ import annotations

from typing import Any, Final

from turnwright_tank.structs import BulletState, Event, Observation, ScannedBotEvent, TankState

ME = 1
ENEMY = 2


AT_REST: Final[dict[str, Any]] = {
    "is_droid": False,
    "energy": 100.0,
    "direction": 0.0,
    "gun_direction": 0.0,
    "radar_direction": 0.0,
    "radar_sweep": 0.0,
    "speed": 0.0,
    "turn_rate": 0.0,
    "gun_turn_rate": 0.0,
    "radar_turn_rate": 0.0,
    "gun_heat": 0.0,
    "enemy_count": 1,
    "is_debugging_enabled": False,
}
"""A tank that faces east."""


def tank(**changed: Any) -> TankState:
    """Return my tank: at (400, 300), facing east, standing, gun cold."""
    return TankState(**{**AT_REST, "x": 400.0, "y": 300.0, **changed})


def scene(turn: int = 1, *events: Event, round_number: int = 1, **changed: Any) -> Observation:
    """Return what I see in a turn."""
    return Observation(round_number, turn, tank(**changed), [], list(events))


def scan(turn: int = 1, **changed: Any) -> ScannedBotEvent:
    """Return a scan of an enemy: at (600, 300), facing north, standing."""
    found: dict[str, Any] = {
        "turn_number": turn,
        "scanned_by_bot_id": ME,
        "scanned_bot_id": ENEMY,
        "energy": 100.0,
        "x": 600.0,
        "y": 300.0,
        "direction": 90.0,
        "speed": 0.0,
    }
    return ScannedBotEvent(**{**found, **changed})


def bullet(owner_id: int = ENEMY, **changed: Any) -> BulletState:
    """Return a bullet of the enemy."""
    found: dict[str, Any] = {
        "bullet_id": 7,
        "owner_id": owner_id,
        "power": 1.0,
        "x": 500.0,
        "y": 300.0,
        "direction": 180.0,
    }
    return BulletState(**{**found, **changed})
