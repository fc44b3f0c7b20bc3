"""A small library for writing bots, and the built-in bots.

Authors subclass `Bot` (module `bot`). `run` plays a bot against a server (`connection`). `as_player` makes a
player for a battle in the same process (`player`). `targeting` and `geometry` help to aim and to drive.
Server code does not belong in this package.
"""

from __future__ import annotations

from turnwright_tank import observation
from turnwright_tank.bots.bot import Bot
from turnwright_tank.bots.connection import run
from turnwright_tank.bots.geometry import (
    absolute,
    bullet_damage,
    bullet_speed,
    direction_from,
    distance_between,
    max_turn_rate,
    normalize,
    project,
    speed_after,
)
from turnwright_tank.bots.identity import GameInfo
from turnwright_tank.bots.player import Player, as_player
from turnwright_tank.bots.targeting import (
    Drive,
    Target,
    TargetingBot,
    aim_ahead,
    drive_towards,
    inside,
    radar_lock,
    smooth_along_walls,
)
from turnwright_tank.intent import TankIntent
from turnwright_tank.observation import *  # noqa: F403

__all__ = [
    "Bot",
    "Drive",
    "GameInfo",
    "Player",
    "TankIntent",
    "Target",
    "TargetingBot",
    "absolute",
    "aim_ahead",
    "as_player",
    "bullet_damage",
    "bullet_speed",
    "direction_from",
    "distance_between",
    "drive_towards",
    "inside",
    "max_turn_rate",
    "normalize",
    "project",
    "radar_lock",
    "run",
    "smooth_along_walls",
    "speed_after",
]
__all__ += observation.__all__
